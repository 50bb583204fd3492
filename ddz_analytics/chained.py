"""Chained balances: what each player would have had, hand after hand, had all of them been settled under one rule set.

A hand can be settled when the earlier hand of each of its players is. So hands form levels, and a level is settled at once, by
the same `settle` as ever. Money from elsewhere (what a log says a player has, less what it says his hand before left him) is
carried along; where the log says neither, nothing is. A hand that the rule set cannot score leaves what the log says it left.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Flags, Ints, amounts, from_amounts, ints, known
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.columns import LARGEST, FactRows, Facts
from ddz_analytics.settlement.settle import Settled, settle, settle_columns
from ddz_analytics.store.catalog import Connection, sql_text

SCENARIO = "chained"
_NONE = -1


@dataclass(frozen=True)
class Known:
    """Amounts in 1/10,000, shape (hands, 3 roles), and where they are known."""

    amount: Ints
    known: Flags

    def of(self, hands: Ints) -> Known:
        """Those of some hands."""
        return Known(self.amount[hands], self.known[hands])

    def otherwise(self, other: Known) -> Known:
        """These where they are known, else the others."""
        return Known(np.where(self.known, self.amount, other.amount), self.known | other.known)

    def plus(self, other: Known) -> Known:
        """The sums; one that cannot be written is not known."""
        total = self.amount + other.amount
        return Known(total, self.known & other.known & (np.abs(total) <= LARGEST))


@dataclass(frozen=True)
class Sittings:
    """Who sat in which hand, by hand in the order of play and by role; `earlier` is the player's sitting before (flat), or -1."""

    hand_id: Ints
    earlier: Ints
    recorded: Known  # before the hand
    change: Known  # by the hand, as recorded
    from_elsewhere: Known  # since the earlier sitting

    def levels(self) -> Ints:
        """The level of each hand: one more than the highest of the earlier hands of its players."""
        hands = np.where(self.earlier == _NONE, len(self.hand_id), self.earlier // len(ROLES))
        level = [0] * len(self.hand_id) + [_NONE]
        for hand, (landlord, down, up) in enumerate(hands.tolist()):
            level[hand] = 1 + max(level[landlord], level[down], level[up])
        return np.array(level[:-1], dtype=np.int64)


def sittings(connection: Connection) -> Sittings:
    """Every sitting of a store."""
    table = connection.sql(sql_text("sittings")).to_arrow_table().combine_chunks()

    shape = -1, len(ROLES)

    def amount(name: str) -> Known:
        return Known(from_amounts(table[name]).reshape(shape), known(table[name]).reshape(shape))

    earlier = ints(table["earlier"]) * len(ROLES) + ints(table["earlier_place"])
    return Sittings(
        ints(table["hand_id"])[:: len(ROLES)],
        np.where(known(table["earlier"]), earlier, _NONE).reshape(shape),
        amount("balance_before"),
        amount("recorded_change"),
        amount("from_elsewhere"),
    )


def settle_chained(facts: pa.Table, sat: Sittings, rules: RuleSet) -> pa.Table:
    """The settlements (scenario `chained`) of all hands of a store, in the order of the facts.

    `facts` has a row for each hand of `sat`; the balances in it are replaced.
    """
    ids = ints(facts["hand_id"])
    order = np.argsort(ids)
    place = order[np.searchsorted(ids, sat.hand_id, sorter=order)]  # in facts, of each hand of `sat`
    before = balances_before(facts, sat, rules, place)
    columns = dict(zip(facts.column_names, facts.columns, strict=True))
    for number, role in enumerate(ROLES):
        amount, said = np.empty(len(facts), dtype=np.int64), np.empty(len(facts), dtype=bool)
        amount[place], said[place] = before.amount[:, number], before.known[:, number]
        columns[f"{role}_balance"] = amounts(amount, said)
    settled = settle(pa.table(columns, schema=facts.schema), rules)
    return settled.set_column(0, "scenario", pa.repeat(pa.scalar(SCENARIO), len(settled)))


def balances_before(facts: pa.Table, sat: Sittings, rules: RuleSet, place: Ints) -> Known:
    """What every seat has before each hand of `sat`, level by level; `place` is each hand's row in the facts."""
    level = sat.levels()
    order = np.argsort(level, kind="stable")
    everything = Facts(facts)
    ends = np.cumsum(np.bincount(level, minlength=1)).tolist()
    shape = sat.earlier.shape
    before, after = (Known(np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)) for _ in range(2))
    for begin, end in pairwise([0, *ends]):
        chosen = order[begin:end]
        had = _carried(sat, after, chosen).otherwise(sat.recorded.of(chosen))
        rows = FactRows(everything, place[chosen], had.amount.T, had.known.T)
        left = had.plus(_changes(settle_columns(rows, rules), sat, chosen))
        before.amount[chosen], before.known[chosen] = had.amount, had.known
        after.amount[chosen], after.known[chosen] = left.amount, left.known
    return before


def _carried(sat: Sittings, after: Known, chosen: Ints) -> Known:
    """What the earlier hand left, and what came from elsewhere since, as far as the log says."""
    earlier = sat.earlier[chosen]
    left = Known(after.amount.reshape(-1)[earlier], after.known.reshape(-1)[earlier] & (earlier != _NONE))
    return left.plus(sat.from_elsewhere.of(chosen).otherwise(_nothing(earlier.shape)))


def _changes(settled: Settled, sat: Sittings, chosen: Ints) -> Known:
    """What the hands change: scores and fees beside them, else what the log says that they did, else nothing."""
    scored, net = settled.scored, settled.net().plus(settled.fee_apart)
    scores = Known(
        np.stack([np.where(settled.played, amount, 0) for amount in net[: len(ROLES)]], axis=1),
        np.repeat(scored[:, None], len(ROLES), axis=1),
    )
    return scores.otherwise(sat.change.of(chosen)).otherwise(_nothing(scores.amount.shape))


def _nothing(shape: tuple[int, ...]) -> Known:
    return Known(np.zeros(shape, dtype=np.int64), np.ones(shape, dtype=bool))
