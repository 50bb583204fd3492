"""Hands that somebody left: what the escaper is fined (qq Q21, Q22).

A fine is a number of times the highest bid and what bombs and rockets multiplied it by until then: no spring, no robs or
openings, and nothing that multiplies one pair. Before any bid it is a number of points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.assumptions import OF_A_FINE, OF_A_FINE_WITHOUT_BID, OF_A_FINE_WITHOUT_PLAY
from ddz_analytics.settlement.cap import Cap, limited_factors
from ddz_analytics.settlement.columns import Facts, Marks
from ddz_analytics.settlement.events import Events
from ddz_analytics.settlement.parties import Parties


class Escapes(NamedTuple):
    """The hands in which somebody is fined for leaving, if any; those left before any bid; who left, by role (3, n)."""

    some: bool
    fined: Flags
    before_bid: Flags
    by: Flags

    def spared(self, amounts: Sequence[Ints]) -> list[Ints]:
        """The factors of a stake in 1/10,000 for the hands that were not left; the others are played for nothing."""
        first, *rest = amounts
        return [np.where(self.fined, 0, first) if self.some else first, *rest]


def escapes_of(facts: Facts, rules: RuleSet) -> Escapes:
    """Where this rule set fines somebody for leaving."""
    number = len(facts)
    nowhere = np.zeros(number, dtype=bool)
    if rules.escape_kind != "fine":
        return Escapes(some=False, fined=nowhere, before_bid=nowhere, by=np.zeros((3, number), dtype=bool))
    fined = facts.equals("outcome", "escaped")
    before_bid = fined & facts.equals("escape_stage", "before_any_bid")
    role = (facts.ints("escaped_seat") - facts.ints("landlord_seat")) % 3
    return Escapes(bool(fined.any()), fined, before_bid, fined & (role == np.arange(3)[:, None]))


def fine_of(unit: Ints, bid: Ints, events: Events, escapes: Escapes, cap: Cap) -> Parties:
    """factor · unit · bid · events so far, or points before any bid; the house gets it, or each of the other two half."""
    rules, marks = cap
    if not escapes.some:
        return Parties.nothing(len(unit))
    times = np.where(escapes.fined & ~escapes.before_bid, rules.escape_factor, 0)
    fine = marks.product([unit, bid], [*limited_factors(np.ones_like(unit), events, cap), times])
    fine = fine + marks.times(np.where(escapes.before_bid, unit, 0), rules.escape_before_bid)
    paid = escapes.by * fine
    if rules.escape_to == "house":
        return Parties(-paid[0], -paid[1], -paid[2], fine)
    got = ~escapes.by * marks.halves(fine)
    return Parties(got[0] - paid[0], got[1] - paid[1], got[2] - paid[2], np.zeros_like(fine))


def rest_on_the_fine(facts: Facts, escapes: Escapes, marks: Marks) -> None:
    """A fine rests on less than a score does: forget what was assumed beside it."""
    if escapes.some:
        marks.rest_on(OF_A_FINE, escapes.fined)
        no_card = facts.equals("replay_status", "no_play") | ~facts.equals("escape_stage", "play")
        marks.rest_on(OF_A_FINE_WITHOUT_PLAY, escapes.fined & no_card)
        marks.rest_on(OF_A_FINE_WITHOUT_BID, escapes.before_bid)
