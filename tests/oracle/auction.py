"""The auction: whether each act is legal, when it is over, and who becomes landlord."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .names import Act, Document, Rules

SPEAKING = ("bid", "call", "rob", "decline")
OFFERED = {"none": (), "score": ("bid",), "room": ("bid", "rob"), "rob": ("call", "rob")}


def is_decline(act: Act) -> bool:
    """`decline` is the same as `bid 0`."""
    return act["act"] == "decline" or (act["act"] == "bid" and amount(act["value"]) == 0)


def amount(value: Any) -> Fraction:
    """An amount of the log (an integer, or a text with at most four decimals) as an exact number."""
    return Fraction(str(value))


def room_value(doc: Document, key: str) -> Fraction | None:
    """A value of the room, exactly; None if the log does not state it."""
    value = (doc.get("room") or {}).get(key)
    return None if value is None else amount(value)


def infer_kind(acts: list[Act]) -> str:
    """The auction's kind when the recorded rules are unknown, from all the acts of the hand."""
    names = {act["act"] for act in acts if not is_decline(act)}
    if "call" in names:
        return "rob"
    if "rob" in names or any(act["act"] == "kick" for act in acts):
        return "room"
    if "bid" in names:
        return "score"
    if any(act["act"] in SPEAKING for act in acts):
        return "rob"
    return "none"


def acts_before_play(doc: Document) -> list[Act]:
    """The acts before the first play or pass, or before the escape that ends an escaped hand."""
    acts: list[Act] = doc["actions"]
    ends = ("play", "pass", "escape") if doc["outcome"] == "escaped" else ("play", "pass")
    first = next((i for i, act in enumerate(acts) if act["act"] in ends), len(acts))
    return acts[:first]


def auction_kind(doc: Document, recorded: Rules | None) -> str:
    """By the recorded rules; by the acts where these are unknown, or have no auction although the log has one."""
    acts = acts_before_play(doc)
    kind = "none" if recorded is None else str(recorded.get("auction.kind", "none"))
    silent = recorded is not None and not any(act["act"] in SPEAKING for act in acts)
    return kind if kind != "none" or silent else infer_kind(acts)


class Auction:
    """One auction, act by act.

    `pending` holds the seats that still have the right to speak; the seat expected next is the first of them
    from the one after the last speaker on.  Issues are (code, severity is the caller's, action_index, seat).
    """

    def __init__(self, doc: Document, kind: str, rules: Rules) -> None:
        self.kind = kind
        self.rules = rules
        self.low = room_value(doc, "low")
        self.high = room_value(doc, "high")
        self.first: int | None = doc.get("first")
        self.last_speaker: int | None = None
        self.pending = {0, 1, 2}
        self.over = False
        self.caller: int | None = None
        self.declined_call: set[int] = set()
        self.rob_back_given = False
        self.acts: list[tuple[int, Act]] = []
        self.issues: list[tuple[str, int, int]] = []
        self.could_bid = [False, False, False]
        self.could_rob = [False, False, False]

    def expected(self) -> int | None:
        """The seat whose turn it is; None if any seat may begin."""
        if self.last_speaker is None:
            return self.first
        for step in (1, 2, 3):
            seat = (self.last_speaker + step) % 3
            if seat in self.pending:
                return seat
        return None

    def speak(self, index: int, act: Act) -> None:
        """Take one bid, call, rob or decline."""
        seat = act["seat"]
        if self.over:
            self.issues.append(("auction_after_end", index, seat))
            self.acts.append((index, act))
            return
        due = self.expected()
        if due is not None and seat != due:
            self.issues.append(("auction_turn", index, seat))
        self._check_act(index, act)
        self._note_chances(seat)
        self.acts.append((index, act))
        self.last_speaker = seat
        self.pending.discard(seat)
        if self.kind == "rob":
            self._after_rob_act(seat, act)
        else:
            self._after_bid(act)

    def _note_chances(self, seat: int) -> None:
        if self.kind == "rob" and self.caller is not None:
            self.could_rob[seat] = True
            return
        self.could_bid[seat] = True
        if self.kind == "room":
            self.could_rob[seat] = True

    def _check_act(self, index: int, act: Act) -> None:
        """The faults of the act itself, its turn apart."""
        seat = act["seat"]
        if is_decline(act):
            return
        if act["act"] not in OFFERED[self.kind]:
            self.issues.append(("auction_act", index, seat))
        elif act["act"] == "bid":
            self._check_bid(index, seat, amount(act["value"]))
        elif act["act"] == "call" and self.caller is not None:
            self.issues.append(("call_twice", index, seat))
        elif act["act"] == "rob" and self.kind == "rob" and self.caller is None:
            self.issues.append(("rob_without_call", index, seat))

    def _check_bid(self, index: int, seat: int, value: Fraction) -> None:
        if self.kind == "score":
            possible = value in (1, 2, 3)
        elif self.low is not None and self.high is not None:
            possible = value in (self.low, self.high)
        else:
            possible = value > 0
        if not possible:
            self.issues.append(("bid_value", index, seat))
        if value <= self.highest():
            self.issues.append(("bid_not_higher", index, seat))

    def _after_bid(self, act: Act) -> None:
        """Bids 1-3 or room bids: each seat once; the top bid or a rob ends it."""
        top = 3 if self.kind == "score" else self.high
        if self.kind == "room" and act["act"] == "rob":
            self.over = True
        if act["act"] == "bid" and top is not None and amount(act["value"]) >= top:
            self.over = True
        if not self.pending:
            self.over = True

    def _after_rob_act(self, seat: int, act: Act) -> None:
        """A call ends the calling; others that did not decline may rob once; the caller only if robbed."""
        if self.caller is None:
            if act["act"] == "call":
                self.caller = seat
                self.pending = {0, 1, 2} - {seat} - self.declined_call
            elif is_decline(act):
                self.declined_call.add(seat)
        robbed = self.robs() > 0
        if not self.pending and self.caller is not None and robbed and not self.rob_back_given:
            self.rob_back_given = True
            if self.rules["auction.rob_back"] == "only_if_robbed":
                self.pending = {self.caller}
        if not self.pending:
            self.over = True

    # What the acts come to.

    def positive(self) -> list[tuple[int, Act]]:
        """The acts that bid, call or rob, in order, as (index, act)."""
        offered = OFFERED[self.kind]  # another word bids nothing
        return [(index, act) for index, act in self.acts if act["act"] in offered and not is_decline(act)]

    def highest(self) -> Fraction:
        """The highest amount bid so far; 0 if none."""
        return max((amount(act["value"]) for _, act in self.acts if act["act"] == "bid"), default=Fraction(0))

    def robs(self) -> int:
        """Rob acts so far."""
        return sum(act["act"] == "rob" for _, act in self.positive())

    def raises(self) -> int:
        """How often a bid (or a rob of the room) went above an earlier one, after the first."""
        if self.kind not in ("score", "room"):
            return 0
        rising, best, robbed = 0, Fraction(0), False
        for _, act in self.positive():
            if act["act"] == "rob" and not robbed:  # a second one comes too late and goes above nothing
                rising, robbed = rising + 1, True
            elif act["act"] == "bid" and amount(act["value"]) > best:
                rising += 1
                best = amount(act["value"])
        return max(0, rising - 1)

    def winning(self) -> tuple[int, Act] | None:
        """The act that decides the auction so far, as (index, act); None if nobody bid, called or robbed."""
        robs = [(index, act) for index, act in self.acts if act["act"] == "rob"]
        calls = [(index, act) for index, act in self.acts if act["act"] == "call"]
        bids = [(index, act) for index, act in self.acts if act["act"] == "bid" and amount(act["value"]) > 0]
        if self.kind in ("rob", "room") and robs:
            return robs[-1] if self.kind == "rob" else robs[0]
        if self.kind == "rob":
            return calls[0] if calls else None
        best = self.highest()
        for index, act in bids:
            if amount(act["value"]) == best:
                return (index, act)
        return None

    def bid(self) -> Fraction | None:
        """The winning bid as an amount (1-3, or the room's); None where there is none."""
        winner = self.winning()
        if winner is None or self.kind not in ("score", "room"):
            return None
        if winner[1]["act"] == "rob":
            return self.high
        return amount(winner[1]["value"])

    def first_speaker(self) -> int | None:
        """Who spoke first, else who the log says was first to speak; None if neither is known."""
        if self.acts:
            return int(self.acts[0][1]["seat"])
        return self.first

    def eligible_kickers(self) -> set[int]:
        """The seats that may kick: after a rob all others, after a bid those whose turn comes after it."""
        winner = self.winning()
        if winner is None:
            return {0, 1, 2}
        landlord = winner[1]["seat"]
        others = {0, 1, 2} - {landlord}
        first = self.first_speaker() or 0  # somebody spoke, because somebody won
        later = {seat for seat in others if (seat - first) % 3 > (landlord - first) % 3}
        if winner[1]["act"] == "rob" or self.kind == "rob":
            if self.rules["kick.rob_eligibility"] == "all_others":
                return others
            spoken = {act["seat"] for _, act in self.acts}
            return others - spoken
        return later
