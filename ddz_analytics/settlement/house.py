"""What the house takes: a share of each winner's gain (casino C28) and a fee of every seat (qq Q23)."""

from __future__ import annotations

import numpy as np

from ddz_analytics.columns import Ints
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts, Marks, room
from ddz_analytics.settlement.escape import Escapes
from ddz_analytics.settlement.parties import Parties


def rake_of(rules: RuleSet, marks: Marks, gained: Parties, escapes: Escapes) -> Parties:
    """Each seat that gained pays its share, `floor` rounding it down to whole points; a hand that somebody left has no winner."""
    if rules.house_rake == 0:
        return Parties.nothing(len(gained.landlord))
    won = gained.where(~escapes.fined) if escapes.some else gained
    rakes = [_share(np.maximum(gain, 0), rules, marks) for gain in won[:3]]
    return Parties(-rakes[0], -rakes[1], -rakes[2], rakes[0] + rakes[1] + rakes[2])


def _share(gain: Ints, rules: RuleSet, marks: Marks) -> Ints:
    """`house.rake` is a share in ten-thousandths, which happens to be the scale of amounts too."""
    quotient, rest = np.divmod(gain, SCALE)
    small = rest * rules.house_rake
    rake: Ints = quotient * rules.house_rake + small // SCALE
    if rules.house_rake_rounding == "floor":
        return rake // SCALE * SCALE
    marks.broken |= small % SCALE != 0
    return rake


def fees_due(facts: Facts, rules: RuleSet, marks: Marks, escapes: Escapes) -> Ints:
    """What each role is to pay as the room's fee: shape (3, n); of a hand that somebody left as the rule set says."""
    if rules.house_fee == "none":
        return np.zeros((3, len(facts)), dtype=np.int64)
    charged = ~escapes.fined if rules.escape_fee == "none" else np.ones(len(facts), dtype=bool)
    fee = np.where(charged, room(facts, "fee", marks, charged), 0)
    if rules.escape_fee == "escaper" and escapes.some:
        return np.where(escapes.fined, fee * escapes.by, fee)
    return np.stack([fee] * 3)


def fee_of(facts: Facts, rules: RuleSet, due: Ints, paid: Parties) -> Parties:
    """Every seat pays its fee; where payments are minimised no more than it has after what was `paid`."""
    if rules.house_fee == "none":
        return Parties.nothing(len(facts))
    if rules.balance_minimised:
        due = np.minimum(due, np.maximum(facts.amount_by_role("balance") + np.stack(paid[:3]), 0))
    return Parties(-due[0], -due[1], -due[2], due.sum(axis=0))
