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
    escaped, none = facts.equals("outcome", "escaped"), np.zeros(len(facts), dtype=bool)
    void, faulty = facts.equals("outcome", "void"), facts.equals("replay_status", "faulty")
    claims = {
        "void": void | (escaped & ~faulty) if rules.escape_kind == "void" else void,
        "faulty": faulty,
        "unfinished": facts.equals("outcome", "unfinished"),
        "escaped": escaped & ~_scored_escape(facts, rules),
        "thrown_in": thrown_in,
        "needs_wild": none if rules.wild_enabled else facts.flag("needs_wild"),
        "forced_landlord": forced,
        "no_balances": ~facts.known_by_role("balance").all(axis=0) if rules.balance_minimised else none,
    }
    decided = np.zeros(len(facts), dtype=bool)
    found = {}
    for reason, claim in claims.items():
        found[reason] = claim & ~decided
        decided = decided | claim
    return found


def _scored_escape(facts: Facts, rules: RuleSet) -> Flags:
    """Whose escape would have a score; where the system plays on for who left, a hand that ended there shows no result."""
    if rules.escape_kind == "fine":
        return facts.known("escaped_seat")
    return np.full(len(facts), rules.escape_kind == "void")


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
