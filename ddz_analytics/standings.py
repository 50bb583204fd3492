"""Who stands where in a match under a rule set: order and tie-breaks, two players, two rule sets, levels.

The order itself is the view `standings`. The functions here take a connection (see `catalog.connect`) to a store that is scored
under the rule sets named.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Ints
from ddz_analytics.errors import UsageError
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import RuleSet
from ddz_analytics.store.catalog import Connection, sql_text

_LEVELS = Path(__file__).with_name("levels.toml")


@dataclass(frozen=True)
class Standings:
    """The standings of every match, or of one, under a rule set; `advance` is how many of each match go on, None: not asked.

    `scenario` says where balances come from: recorded or chained.

    Raises UsageError `match_unknown` for a match that is not in the store, or where no hand belongs to one.
    """

    connection: Connection
    rule_set: str
    match: str | None = None
    advance: int | None = None
    scenario: str = "recorded"

    def __post_init__(self) -> None:
        matches = [match for match, _ in self.connection.sql(sql_text("standings/matches")).fetchall()]
        if not matches:
            mend = "a log names its matches (in ddz/1: `match`)"
            raise UsageError("match_unknown", "no hand of the store belongs to a match", mend=mend)
        if self.match is not None and self.match not in matches:
            raise UsageError("match_unknown", f"no match is called {self.match!r}", mend=_some_of(matches))

    def order(self) -> pa.Table:
        """The players of each match in order: points, rank, what decided it, and on how many hands of which kind it rests."""
        return self._asked("order")

    def moves(self, other: str) -> pa.Table:
        """Each player's place here and under another rule set, side by side, and whether he goes on under each."""
        return self._asked("moves", vs=other)

    def between(self, one: str, two: str) -> dict[str, Any]:
        """Which of two players of a match is ahead, what decides it (`decided_by`), and more precisely `why`.

        `why` is points, last_hand, third_player (whose last hand with one of the two moved them), undecided, or for
        registration why the last hand did not decide: swiss, apart (no last hand in common), level (the same in it).
        Raises UsageError `player_unknown`, and `match_unknown` where both played in several matches and none is named.
        """
        rows = self._asked("between", one=one, two=two).to_pylist()
        if not rows:
            raise UsageError("player_unknown", f"{one!r} and {two!r} are not two players of one match")
        if len(rows) > 1:
            mend = "say --match: " + _some_of(sorted(row["match_id"] for row in rows))
            raise UsageError("match_unknown", "both played in several matches", mend=mend)
        return {**rows[0], "why": _why(rows[0])}

    def _asked(self, question: str, **given: str) -> pa.Table:
        cut = "NULL" if self.advance is None else int(self.advance)
        self.connection.execute(f"SET VARIABLE ddz_advance = {cut}")
        values = {"scenario": self.scenario, "rule_set": self.rule_set, "match": self.match, **given}
        return self.connection.sql(sql_text(f"standings/{question}"), params=values).to_arrow_table()


def _some_of(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _why(row: dict[str, Any]) -> str:
    if row["decided_by"] == "last_hand" and not row["same_last_hand"]:
        return "third_player"
    if row["decided_by"] != "registration":
        return str(row["decided_by"])
    if row["event"] == "swiss":
        return "swiss"
    return "level" if row["same_last_hand"] else "apart"


def tau_b(one: Ints, two: Ints) -> float | None:
    """Kendall's τ-b between two orders of the same players, given as ranks (shape (n,), equal ranks are ties).

    1 where they agree in every pair, -1 where they are each other's reverse, None where an order has nothing but ties.
    """
    sequence = np.lexsort((two, one))
    pairs = len(one) * (len(one) - 1) // 2
    tied_one, tied_two = _tied(one), _tied(two)
    both = _tied(np.unique(np.stack((one, two)), axis=1, return_inverse=True)[1].ravel())
    apart = (pairs - tied_one) * (pairs - tied_two)
    if apart == 0:
        return None
    against = _inversions(np.unique(two, return_inverse=True)[1][sequence])
    # of all pairs that neither order ties, those in the same order less those in the opposite one
    return float((pairs - tied_one - tied_two + both - 2 * against) / np.sqrt(float(apart)))


def _tied(ranks: Ints) -> int:
    numbers = np.unique(ranks, return_counts=True)[1].astype(object)
    return int((numbers * (numbers - 1) // 2).sum()) if len(numbers) else 0


def _inversions(values: Ints) -> int:
    """How many pairs stand in falling order; values from 0, split bit by bit from the highest, each time in O(n)."""
    total = 0
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        group, one = values >> (bit + 1), (values >> bit) & 1
        ones = np.cumsum(one)
        start = np.searchsorted(group, group, side="left")
        before = ones - np.concatenate(([0], ones))[start]
        total += int(before[one == 0].sum())
        values = values[np.argsort(values >> bit, kind="stable")]
    return total


@cache
def level_tables() -> dict[str, Any]:
    """The tables of levels by name: the clause they come from (`source`), and the levels from low to high."""
    return tomllib.loads(_LEVELS.read_text("utf-8"))


def level_table(rules: RuleSet) -> dict[str, Any]:
    """The levels that a rule set gives for accumulated points; raises UsageError `levels_none`."""
    name = rules.standing_levels
    if name not in level_tables():
        mend = "`standing.levels` names a table: " + ", ".join(level_tables())
        raise UsageError("levels_none", f"{rules.id} has no levels", mend=mend)
    table: dict[str, Any] = level_tables()[name]
    return table


def level_of(points: int, table: dict[str, Any]) -> int:
    """The place, counted from 0, of the level that so many points (in 1/10,000) reach (qq Q27): at its threshold or above."""
    thresholds = [level["from"] * SCALE for level in table["levels"][1:]]
    return bisect_right(thresholds, points)


def levels(connection: Connection, rules: RuleSet, scenario: str = "recorded") -> pa.Table:
    """Every player's accumulated points and level under a rule set, highest first; raises UsageError `levels_none`.

    Points are counted as points (`qq` 積分), not in what a point is worth in a room, and without fee and rake.
    """
    table = level_table(rules)
    values = {"scenario": scenario, "rule_set": rules.id}
    rows = connection.sql(sql_text("standings/points"), params=values).to_arrow_table().to_pylist()
    for row in rows:
        points = int(row["points"])
        place = level_of(points, table)
        above = table["levels"][place + 1 : place + 2]
        row |= {
            "points": Decimal(points) / SCALE,
            "level": place + 1,
            "zh": table["levels"][place]["zh"],
            "en": table["levels"][place]["en"],
            "next_from": above[0]["from"] if above else None,
        }
    rows.sort(key=lambda row: (-row["points"], row["player"] or ""))
    return pa.Table.from_pylist(rows, LEVELS)


LEVELS = pa.schema(
    [
        ("player", pa.string()), ("points", pa.decimal128(38, 4)), ("level", pa.int64()), ("zh", pa.string()), ("en", pa.string()),
        ("next_from", pa.int64()), ("hands", pa.int64()), ("projected_hands", pa.int64()), ("undefined_hands", pa.int64()),
    ]
)  # fmt: skip
