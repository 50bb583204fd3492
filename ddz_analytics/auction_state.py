"""What is said before the first card, and an auction as it goes on: the state that `auction` moves forward."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet

SPOKEN = ("bid", "call", "rob", "decline")
PRELUDE = (*SPOKEN, "open", "double", "kick")


class Said(NamedTuple):
    """One act before the play; `value` in 1/10,000, `action_index` its place among the actions of the hand."""

    seat: int
    act: str
    value: int | None = None
    stage: str | None = None
    dealt: int | None = None
    action_index: int = 0


class Fault(NamedTuple):
    """An issue: a code of the catalogue, the action and seat it is about, and what it is in words."""

    code: str
    action_index: int | None
    seat: int | None
    detail: str


class Deal(NamedTuple):
    """What a log says of a deal beside its acts; amounts in 1/10,000, `rules` None when they are not known."""

    rules: RuleSet | None = None
    first: int | None = None
    landlord: int | None = None
    outcome: str = "complete"
    low: int | None = None
    high: int | None = None


@dataclass
class Auction:
    """An auction as it goes on, and in the end how it came out; lists are by seat."""

    kind: str
    deal: Deal
    waiting: list[int] = field(default_factory=list)  # who may still speak, in order
    spoke_first: int | None = None
    late: bool = (
        False  # words after the end count as the log has them; that they are late is their only fault
    )
    caller: int | None = None
    asked_back: bool = False  # the caller had his chance to rob back
    leader: int | None = None  # the highest bidder, caller or last robber so far
    highest: int = 0  # of the bids; a rob is none
    raises: int = 0
    robs: int = 0
    forced: str | None = None  # nobody bid and yet somebody is landlord: starter or first_opener
    first_opener: int | None = None
    opened: list[Said | None] = field(default_factory=lambda: [None] * SEATS)
    bid_at_all: list[bool] = field(default_factory=lambda: [False] * SEATS)
    declined: list[bool] = field(default_factory=lambda: [False] * SEATS)
    robbed: list[bool] = field(default_factory=lambda: [False] * SEATS)
    could_bid: list[bool] = field(default_factory=lambda: [False] * SEATS)
    could_rob: list[bool] = field(default_factory=lambda: [False] * SEATS)
    doubled: list[int | None] = field(default_factory=lambda: [None] * SEATS)
    kicked: list[Said | None] = field(default_factory=lambda: [None] * SEATS)
    faults: list[Fault] = field(default_factory=list)  # errors where the rules are known, else notes
    notes: list[Fault] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether nobody need speak any more (where nobody spoke at all the system chose)."""
        return self.silent or not self.waiting or self.may_be_over

    @property
    def may_be_over(self) -> bool:
        """Whether a bid was made that may have been the highest possible, in a room whose high bid the log does not say."""
        somebody = self.kind == "room" and self.deal.high is None and self.leader is not None
        return somebody and bool(self.waiting)

    @property
    def lies_behind(self) -> bool:
        """Whether the auction is done with; where no bid shows it, a landlord in the log does."""
        if self.over and (self.may_be_over or self.leader is None):
            return self.deal.landlord is not None
        return self.over

    @property
    def silent(self) -> bool:
        """Whether the log shows no auction."""
        return self.spoke_first is None

    @property
    def nobody_bid(self) -> bool:
        """Whether there was an auction in which nobody wanted to be landlord."""
        return not self.silent and self.leader is None

    @property
    def first(self) -> int | None:
        """Who spoke first, or would have."""
        return self.deal.first if self.spoke_first is None else self.spoke_first

    @property
    def bid(self) -> int | None:
        """The winning bid of a score or room auction; None after calls, without a bid, and after a rob in a room of unknown high."""
        if self.kind == "room" and self.robs:
            return self.deal.high
        return self.highest or None

    def fault(self, code: str, said: Said | None, detail: str) -> None:
        """Note a fault of the auction, at an act or (None) of the hand."""
        if (
            self.late
            and said is not None
            and said.act in SPOKEN
            and code not in ("auction_after_end", "act_order")
        ):
            return
        self.faults.append(
            Fault(code, said.action_index if said else None, said.seat if said else None, detail)
        )

    def note(self, code: str, said: Said, detail: str) -> None:
        """Note something that does not make the hand faulty."""
        self.notes.append(Fault(code, said.action_index, said.seat, detail))


def offers(rules: RuleSet, act: str) -> bool:
    """Whether a rule set has an auction at all, openings, doubles or kicks."""
    if act in SPOKEN:
        return rules.auction_kind != "none"
    if act == "open":
        return max(max(factors) for factors in opening_factors(rules).values()) > 1
    return (rules.double_factor if act == "double" else rules.kick_factor) > 1


def opening_factors(rules: RuleSet) -> dict[str, tuple[int, ...]]:
    """The factors that an opening of each stage may have (happy H11–H13)."""
    return {
        "start": (rules.open_hand_start,),
        "deal": (rules.open_hand_deal_early, rules.open_hand_deal_late),
        "bottom": (rules.open_hand_bottom,),
    }
