"""Settling: the score of every hand under one rule set, a line for each concept, in the order in which they act.

Arrays over hands, amounts as int64 in 1/10,000. A step that moves money gives what it changes for four parties (landlord, down,
up, house), and each such change sums to zero. A hand that this rule set cannot score is `undefined`, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.assumptions import name_replay_rules
from ddz_analytics.settlement.auction import auction_multiplier
from ddz_analytics.settlement.balance import Owed, balance_cut_of
from ddz_analytics.settlement.cap import Cap, Stakes, stakes_of
from ddz_analytics.settlement.columns import LARGEST, Facts, Marks
from ddz_analytics.settlement.escape import Escapes, escapes_of, fine_of, rest_on_the_fine
from ddz_analytics.settlement.events import Events, event_multipliers, landlord_won
from ddz_analytics.settlement.house import fee_of, fees_due, rake_of
from ddz_analytics.settlement.liability import liability_of
from ddz_analytics.settlement.pairs import Pairs, pair_multipliers
from ddz_analytics.settlement.parties import Parties
from ddz_analytics.settlement.stake import bid_of, factors_of, unit_of
from ddz_analytics.settlement.table import settlement_rows
from ddz_analytics.settlement.verdict import ZEROS, verdicts

SETTLE_VERSION = 3
CHUNK = 65_536  # rows that stay in the processor's cache


class Step(NamedTuple):
    """One concept that moves money, and what it changes for the four parties."""

    concept: str
    change: Parties


@dataclass(frozen=True)
class Settled:
    """Some hands under one rule set: the operands, each step that moves money in its order, and what was marked.

    `fee_apart` is a fee that seats pay beside their scores.
    """

    reasons: dict[str, Flags]
    marks: Marks
    won: Flags
    escapes: Escapes
    unit: Ints
    bid: Ints
    auction: Ints
    events: Events
    pairs: Pairs
    stakes: Stakes
    liable: Flags
    steps: tuple[Step, ...]
    fee_apart: Parties

    def change(self, concept: str) -> Parties:
        """What one concept changes for the four parties."""
        return next(step.change for step in self.steps if step.concept == concept)

    @cached_property
    def unwritable(self) -> dict[str, Flags]:
        """By reason, the hands with amounts that no column holds: too large, else not a whole number of 1/10,000."""
        decided = np.any(list(self.reasons.values()), axis=0)
        overflow = self.marks.overflow & ~decided
        return {"overflow": overflow, "not_representable": self.marks.broken & ~decided & ~overflow}

    @cached_property
    def scored(self) -> Flags:
        """Which hands have a score; the others are undefined."""
        reasons = self.reasons | self.unwritable
        undefined = [where for reason, where in reasons.items() if reason not in ZEROS]
        scored: Flags = ~np.any(undefined, axis=0)
        return scored

    @cached_property
    def played(self) -> Flags:
        """Which hands have a score that is not zero by rule."""
        played: Flags = self.scored & ~np.any([self.reasons[reason] for reason in ZEROS], axis=0)
        return played

    def net(self) -> Parties:
        """What each party has after all steps."""
        total = Parties.nothing(len(self.won))
        for step in self.steps:
            total = total.plus(step.change)
        return total


def settle(facts: pa.Table, rules: RuleSet) -> pa.Table:
    """The settlements of a table of facts, row by row: a table of schema SETTLEMENTS (scenario `recorded`)."""
    pieces = [facts.slice(begin, CHUNK) for begin in range(0, max(len(facts), 1), CHUNK)]
    return pa.concat_tables(_rows(piece, rules) for piece in pieces)


def settle_columns(facts: Facts, rules: RuleSet, granted: int | None = None) -> Settled:
    """The main path: stake of each pair → transfer → liability, fine → balance → rake → fee; then who pays whom is known.

    `granted`: the role, by its place, whose refused double is taken as allowed.
    """
    marks = Marks(len(facts))
    reasons, won, escapes = verdicts(facts, rules), landlord_won(facts), escapes_of(facts, rules)

    unit = unit_of(facts, rules, marks)
    bid = bid_of(facts, rules, marks)
    auction = auction_multiplier(facts, rules, marks)
    events = event_multipliers(facts, rules, marks)
    pairs = pair_multipliers(facts, rules, marks, granted)
    cap = Cap(rules, marks)
    stakes = stakes_of(escapes.spared(factors_of(unit, bid, rules)), auction, events, pairs, cap)

    transfer = transfer_of(stakes, won)
    liability, liable = liability_of(facts, rules, marks, transfer, won)
    fine = fine_of(unit, bid, events, escapes, cap)
    owed, fees = transfer.plus(liability).plus(fine), fees_due(facts, rules, marks, escapes)
    balance_cut = balance_cut_of(facts, rules, Owed(owed, won, liable), fees, escapes)
    paid = owed.plus(balance_cut)
    rake = rake_of(rules, marks, paid, escapes)
    fee = fee_of(facts, rules, fees, paid.plus(rake))

    name_replay_rules(facts, rules, marks)
    rest_on_the_fine(facts, escapes, marks)
    nothing = Parties.nothing(len(facts))
    charged, apart = (fee, nothing) if rules.house_fee_in_score else (nothing, fee)
    moved = {
        "transfer": transfer,
        "liability": liability,
        "fine": fine,
        "balance_cut": balance_cut,
        "rake": rake,
        "fee": charged,
    }
    steps = tuple(Step(concept, change) for concept, change in moved.items())
    settled = Settled(
        reasons, marks, won, escapes, unit, bid, auction, events, pairs, stakes, liable, steps, apart
    )
    mark_too_large(settled)
    return settled


def transfer_of(stakes: Stakes, won: Flags) -> Parties:
    """Each peasant pays his stake to the landlord, or gets it from him."""
    sign = np.where(won, 1, -1)
    return Parties(
        sign * (stakes.down + stakes.up), -sign * stakes.down, -sign * stakes.up, np.zeros_like(stakes.down)
    )


def mark_too_large(settled: Settled) -> None:
    """Amounts that no column holds, in whichever step, make their hand overflow."""
    for change in (*(step.change for step in settled.steps), settled.net(), settled.fee_apart):
        if not change.is_nothing:
            settled.marks.overflow |= np.any([np.abs(amount) > LARGEST for amount in change], axis=0)


def _rows(facts: pa.Table, rules: RuleSet) -> pa.Table:
    settled = settle_columns(Facts(facts), rules)
    return settlement_rows(facts, settled, rules, _changed_by_refusals(facts, settled, rules))


def _changed_by_refusals(facts: pa.Table, settled: Settled, rules: RuleSet) -> list[tuple[Ints, Flags]]:
    """By role, what its refused double, had it alone been allowed, would have changed of its score, and where that is known."""
    changed = []
    for place, refused in enumerate(settled.pairs.refused):
        change, known = np.zeros(len(facts), dtype=np.int64), np.zeros(len(facts), dtype=bool)
        rows = np.flatnonzero(refused)
        if len(rows):
            granted = settle_columns(Facts(facts.take(rows)), rules, granted=place)
            change[rows] = granted.net()[place] - settled.net()[place][rows]
            known[rows] = ~(granted.marks.overflow | granted.marks.broken)
        changed.append((change, known))
    return changed
