"""What the auction and the openings multiply the stake by (happy H8, H10–H14)."""

from __future__ import annotations

import numpy as np

from ddz_analytics.columns import Ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.columns import Facts, Marks

MOST_ROBS = 3


def auction_multiplier(facts: Facts, rules: RuleSet, marks: Marks) -> Ints:
    """The factor of all robs times that of the largest opening."""
    opening = opening_of(facts, rules, marks)
    if rules.auction_rob_factor == 1:
        return opening
    return marks.times(marks.power(rules.auction_rob_factor, robs_of(facts, rules, marks)), opening)


def robs_of(facts: Facts, rules: RuleSet, marks: Marks) -> Ints:
    """How often the landlord's place was robbed; in a hand of bids the raises after the first bid, at most three."""
    if rules.auction_rob_factor == 1:
        return np.zeros(len(facts), dtype=np.int64)
    recorded = facts.equals("auction_kind", "rob") & ~facts.flag("auction_silent")
    nobody = facts.flag("nobody_bid")
    marks.assume("robs", ~recorded & ~nobody)
    projected = np.minimum(facts.ints("raises"), MOST_ROBS)
    return np.where(nobody, 0, np.where(recorded, facts.ints("robs"), projected))


def opening_of(facts: Facts, rules: RuleSet, marks: Marks) -> Ints:
    """The factor of the largest opening that counts: a peasant's after the bottom cards does not."""
    largest = np.ones(len(facts), dtype=np.int64)
    early, late = rules.open_hand_deal_early, rules.open_hand_deal_late
    if max(rules.open_hand_start, early, late, rules.open_hand_bottom) == 1:
        return largest
    marks.assume("open_hand", ~facts.flag("open_offered"))
    for role in ROLES:
        at_start, in_deal, after = (
            facts.equals(f"{role}_open_stage", stage) for stage in ("start", "deal", "bottom")
        )
        value, dealt = facts.ints(f"{role}_open_value"), facts.ints(f"{role}_open_dealt", missing=-1)
        recorded = (value == early) | (value == late)
        marks.assume("open_value", in_deal & ~recorded & (dealt < 0))
        by_number = np.where((dealt >= 0) & (dealt <= rules.open_hand_early_max_dealt), early, late)
        factor = np.where(at_start, rules.open_hand_start, 1)
        factor = np.where(in_deal, np.where(recorded, value, by_number), factor)
        if role == "landlord":
            factor = np.where(after, rules.open_hand_bottom, factor)
        largest = np.maximum(largest, factor)
    return largest
