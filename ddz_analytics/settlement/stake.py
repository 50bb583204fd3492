"""What one point is worth, and the bid that multiplies it (jj J29–J31, qq Q18, Q23, casino C23, happy H17)."""

from __future__ import annotations

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts, Marks, room

HIGHEST_BID = 3


def unit_of(facts: Facts, rules: RuleSet, marks: Marks) -> Ints:
    """The worth of a point in 1/10,000: one, or what the room says."""
    if rules.stake_unit == 1:
        return np.full(len(facts), SCALE, dtype=np.int64)
    return room(facts, rules.stake_unit.removeprefix("room."), marks)


def bid_of(facts: Facts, rules: RuleSet, marks: Marks) -> Ints:
    """The bid in 1/10,000: 1 to 3, or the room's amount, as recorded or as the recorded auction is projected."""
    if rules.stake_bid != "bid":
        return np.full(len(facts), SCALE, dtype=np.int64)
    return _room_bid(facts, marks) if rules.auction_kind == "room" else _score_bid(facts, marks)


def factors_of(unit: Ints, bid: Ints, rules: RuleSet) -> list[Ints]:
    """What a stake is made of, in 1/10,000: the unit, the bid, and what else stands for an amount.

    The multiplier may itself start at the bid (casino C24, which the page's own figures contradict). Points that do not hold the
    identity factor are one for the landlord, and so half for each peasant (qq Q24).
    """
    again = [bid] if rules.stake_multiplier_starts_at == "bid" else []
    half = [] if rules.stake_identity_included else [np.full(len(bid), SCALE // 2, dtype=np.int64)]
    return [unit, bid, *again, *half]


def somebody_bid(facts: Facts) -> Flags:
    """Whether the log shows an auction that somebody won."""
    return ~facts.flag("auction_silent") & ~facts.flag("nobody_bid")


def _score_bid(facts: Facts, marks: Marks) -> Ints:
    """Recorded bids 1–3; calls and robs count 1 + robs, room bids low 1, high 2, rob 3; no auction at all: 1."""
    won, robs = somebody_bid(facts), facts.ints("robs")
    by_score, by_rob, by_room = (
        facts.equals("auction_kind", kind) & won for kind in ("score", "rob", "room")
    )
    marks.assume("bid", ~by_score & ~facts.flag("nobody_bid"))
    by_amount = by_room & (robs == 0)
    level = np.where(facts.amount("bid") >= room(facts, "high", marks, by_amount), 2, 1)
    projected = np.where(
        by_rob,
        np.minimum(1 + robs, HIGHEST_BID),
        np.where(by_amount, level, np.where(by_room, HIGHEST_BID, 1)),
    )
    return np.where(by_score, facts.amount("bid"), projected * SCALE)


def _room_bid(facts: Facts, marks: Marks) -> Ints:
    """The recorded amount, or high after a rob; a bid of 1 and an unrobbed call are low, more is high; no auction: low."""
    won, robs = somebody_bid(facts), facts.ints("robs")
    by_score, by_rob, by_room = (
        facts.equals("auction_kind", kind) & won for kind in ("score", "rob", "room")
    )
    marks.assume("room_bid", ~by_room)
    by_amount = by_room & (robs == 0)
    raised = (by_score & (facts.amount("bid") != SCALE)) | ((by_rob | by_room) & (robs > 0))
    low, high = room(facts, "low", marks, ~by_amount & ~raised), room(facts, "high", marks, raised)
    return np.where(by_amount, facts.amount("bid"), np.where(raised, high, low))
