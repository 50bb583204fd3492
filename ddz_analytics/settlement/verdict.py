"""Which hands have a score at all under a rule set, and why not (RULES, "Static projection")."""

from __future__ import annotations

import numpy as np

from ddz_analytics.columns import Flags
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts

# In order of precedence; the first that holds decides. Zeros are exact, the others are undefined.
ZEROS = ("void", "thrown_in")


def verdicts(facts: Facts, rules: RuleSet) -> dict[str, Flags]:
    """By reason, the hands whose score is zero by rule or undefined; every hand stands under one reason at most."""
    thrown_in, forced = _nobody_bid(facts, rules)
    claims = {
        "void": facts.equals("outcome", "void"),
        "wild_cards": facts.known("wild_rank"),
        "faulty": facts.equals("replay_status", "faulty"),
        "unfinished": facts.equals("outcome", "unfinished"),
        "escaped": facts.equals("outcome", "escaped"),
        "thrown_in": thrown_in,
        "forced_landlord": forced,
    }
    decided = np.zeros(len(facts), dtype=bool)
    found = {}
    for reason, claim in claims.items():
        found[reason] = claim & ~decided
        decided = decided | claim
    return found


def _nobody_bid(facts: Facts, rules: RuleSet) -> tuple[Flags, Flags]:
    """Nobody wanted to be landlord: thrown in (zeros), or another landlord than the one who played (undefined)."""
    nobody_bid, has_landlord = facts.flag("nobody_bid"), facts.known("landlord_seat")
    nothing = np.zeros(len(facts), dtype=bool)
    if rules.auction_kind == "none":
        nobody_bid = nobody_bid & ~has_landlord
    seat = {"starter": "first_seat", "first_opener_or_redeal": "first_opener_seat"}.get(rules.auction_nobody)
    if seat is None:
        return nobody_bid, nothing
    somebody = facts.known(seat) | (rules.auction_nobody == "starter")
    same = has_landlord & facts.known(seat) & (facts.ints(seat) == facts.ints("landlord_seat"))
    return nobody_bid & ~somebody, nobody_bid & somebody & ~same
