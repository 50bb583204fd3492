"""Static projection: what a hand recorded under one rule set says about another."""

from __future__ import annotations

from fractions import Fraction

from .auction import amount, room_value
from .before_play import offers, opening_factor
from .names import Document, Row, Rules
from .rulesets import DEFAULTS

ROOM_DEFAULTS = {"unit": 1, "low": 1, "high": 2, "rate": 1, "fee": 0}


def balances_of(doc: Document) -> list[Fraction | None]:
    """The balance of each seat before the hand; None where it is not known."""
    balances = doc.get("balances") or [None, None, None]
    return [None if balance is None else amount(balance) for balance in balances]


def not_above(balance: Fraction | None, threshold: Fraction | None) -> bool:
    """A known balance that does not exceed a known threshold."""
    return balance is not None and threshold is not None and balance <= threshold


class Projection:
    """The inputs that one rule set needs from one hand, with the assumptions made for want of them."""

    def __init__(self, doc: Document, replayed: Row, rules: Rules) -> None:
        self.doc = doc
        self.facts = replayed
        self.rules = rules
        self.extra = replayed["for_settling"]
        self.recorded = self.extra["recorded_rules"]
        self.assumptions: set[str] = set()

    def room(self, key: str) -> Fraction:
        """A room value that is needed; a missing one is assumed and named."""
        value = room_value(self.doc, key)
        if value is None:
            self.assumptions.add("room." + key)
            return Fraction(ROOM_DEFAULTS[key])
        return value

    def unit(self) -> Fraction:
        """What a point is worth."""
        unit = self.rules["stake.unit"]
        return self.room(unit.split(".")[1]) if isinstance(unit, str) else Fraction(unit)

    def not_offered(self, act: str) -> bool:
        """The recorded rules do not offer this act, and the log has none."""
        return self.recorded is not None and not offers(self.recorded, act) and not self.extra["seen"][act]

    # Bid and robs.

    def bid(self) -> Fraction:
        """The bid that multiplies the stake: 1-3, or an amount of the room; 1 where the rules have none."""
        if self.rules["stake.bid"] != "bid":
            return Fraction(1)
        if self.rules["auction.kind"] == "room":
            return self._room_bid()
        return self._score_bid()

    def _score_bid(self) -> Fraction:
        kind, facts = self.facts["auction_kind"], self.facts
        if self.extra["nobody_bid"]:
            return Fraction(1)  # the forced landlord's own answer
        if kind == "score" and self.extra["somebody_bid"]:
            return Fraction(facts["bid"])
        self.assumptions.add("bid")
        if not self.extra["somebody_bid"]:
            return Fraction(1)
        if kind == "rob":
            return Fraction(min(3, 1 + facts["robs"]))
        if kind == "room":
            if self.extra["won_by_rob"]:
                return Fraction(3)
            return Fraction(2 if facts["bid"] >= self.room("high") else 1)
        return Fraction(1)

    def _room_bid(self) -> Fraction:
        kind, facts = self.facts["auction_kind"], self.facts
        if kind == "room" and self.extra["somebody_bid"]:
            return self.room("high") if self.extra["won_by_rob"] else Fraction(facts["bid"])
        self.assumptions.add("room_bid")
        if not self.extra["somebody_bid"]:
            return self.room("low")
        low = facts["robs"] == 0 if kind == "rob" else facts["bid"] == 1
        return self.room("low" if low else "high")

    def robs(self) -> int:
        """How often the landlordship was robbed."""
        if self.rules["auction.rob_factor"] == 1:
            return 0
        if self.extra["nobody_bid"]:
            return 0
        if self.facts["auction_kind"] == "rob" and self.extra["auction_acts"]:
            return int(self.facts["robs"])
        self.assumptions.add("robs")
        return min(3, int(self.facts["raises"]))

    # Events.

    def happened(self, spring: str) -> Row:
        """The bombs by kind, rockets and spring that the events are reckoned from."""
        facts = self.facts
        bombs = {kind: facts.get(kind + "_bombs", 0) for kind in ("soft", "hard", "pure")}
        if self.doc.get("wild") is None:
            bombs = {"soft": 0, "hard": facts["bombs"], "pure": 0}
            if self.rules["wild.enabled"] and facts["bombs"]:
                self.assumptions.add("bombs_hard")
        return {**bombs, "bombs": facts["bombs"], "rockets": facts["rockets"], "spring": spring}

    # Opening, doubles, kicks.

    def opening(self) -> int:
        """The largest opening's factor."""
        if not offers(self.rules, "open"):
            return 1
        if self.not_offered("open"):
            self.assumptions.add("open_hand")
            return 1
        factors = [1]
        for act in self.extra["openings"]:
            factor, unknown = opening_factor(self.rules, act)
            factors.append(factor)
            if unknown:
                self.assumptions.add("open_value")
        return max(factors)

    def doubles(self, permitted: frozenset[int] = frozenset()) -> tuple[list[int], list[Row]]:
        """Per seat: the factor of its own double; and the refusals. `permitted` seats may whatever they have."""
        factors = [1, 1, 1]
        refusals: list[Row] = []
        if self.rules["double.factor"] == 1:
            return factors, refusals
        if self.not_offered("double"):
            self.assumptions.add("doubles")
        for seat in range(3):
            row = self.facts["seats"][seat]
            if not row["doubled"]:
                continue
            reason = self._double_refused(seat)
            if reason and seat not in permitted:
                refusals.append(self._refusal(seat, reason))
            else:
                quadruple = row["double_value"] == 4 and self.rules["double.super"]
                factors[seat] = 4 if quadruple else self.rules["double.factor"]
        return factors, refusals

    def _refusal(self, seat: int, reason: str) -> Row:
        """A refused double, with the balance that fell short."""
        balances = balances_of(self.doc)
        smallest = min(balance for balance in balances if balance is not None)
        short = {"own": balances[seat], "landlord": balances[self.doc["landlord"]], "someone": smallest}
        return {
            "seat": seat,
            "what": "double",
            "reason": reason,
            "threshold": room_value(self.doc, "double_threshold"),
            "balance": short[reason],
            "would_change": None,
        }

    def _double_refused(self, seat: int) -> str | None:
        """Why a double was not allowed: own, landlord, someone; None if it was."""
        if self.rules["double.check"] == "none":
            return None
        balances, threshold = balances_of(self.doc), room_value(self.doc, "double_threshold")
        landlord = self.doc["landlord"]
        needed = (0, 1, 2) if seat == landlord else (seat, landlord)
        unknown = threshold is None or any(balances[other] is None for other in needed)
        too_low = {other for other in needed if not_above(balances[other], threshold)}
        if seat in too_low:
            return "own"
        if too_low:
            return "someone" if seat == landlord else "landlord"
        if unknown:
            self.assumptions.add("doubles_allowed")
        return None

    def kicks(self) -> list[int]:
        """Per seat: the factor of its kick."""
        factor = self.rules["kick.factor"]
        if factor == 1:
            return [1, 1, 1]
        if self.not_offered("kick"):
            self.assumptions.add("kicks")
        return [factor if row["kicked"] and row["could_kick"] else 1 for row in self.facts["seats"]]

    # Rules that act at replay.

    def _card_played(self) -> bool:
        """Whether there was a play to judge; a fine may come before any."""
        escaped_before = self.facts["escape_stage"] in ("before_any_bid", "auction")
        return self.facts["replay_status"] != "no_play" and not escaped_before

    def replay_rules(self) -> None:
        """Name the differences in rules that acted at replay."""
        recorded = self.recorded or DEFAULTS
        switches = [key for key in DEFAULTS if key.startswith("combination.")]
        if self._card_played() and any(self.rules[key] != recorded[key] for key in switches):
            self.assumptions.add("combinations")
        policies = {self.rules["liability.when_losing"], self.rules["liability.when_winning"]}
        keys = ("autoplay.auto_act_starts", "autoplay.manual_act_ends", "autoplay.reconnect_ends")
        if policies != {"none"} and any(self.rules[key] != recorded[key] for key in keys):
            self.assumptions.add("autoplay_rules")
