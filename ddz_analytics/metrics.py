"""The numbers of a comparison that a condition can be put to: one row for each other rule set, each number under its name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from ddz_analytics.comparison import Comparison
from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.query import run_query

_OF_ALL = {
    "changed": "hands that both score and that change",
    "left_out": "hands that one of the two cannot score",
    "moved": "points that end up with somebody else",
    "won_baseline": "what winning seats win in all under the baseline, over the hands that both score",
    "won_other": "what they win under the other rule set",
    "house_baseline": "what the house receives under the baseline, over the hands that both score",
    "house_other": "what it receives under the other rule set",
    "ruins_baseline": "seats that a hand leaves with nothing under the baseline, over the hands that all the rule sets score",
    "ruins": "seats that it leaves with nothing under the other rule set",
    "newly_ruined": "seats that only the other rule set leaves with nothing",
    "exact": "hands scored exactly under the other rule set",
    "projected": "hands whose score under it rests on an assumption",
    "undefined": "hands that it cannot score",
    "landlord_mean": "what a landlord gets in a hand",
    "peasant_mean": "what a peasant gets in a hand",
    "largest": "the most that a seat wins or loses in one hand",
    "capped_hands": "hands whose result a cap changes",
    "liability_moved": "points that answering for autoplay moves",
    "house": "what the house receives in all",
    "break_even": "by how much the landlord's win rate would have to move to cancel the difference (0.01: one hand in a hundred)",
    "unexplained": "hands recorded under the baseline whose recorded scores it does not give and nothing explains",
}
_OF_A_ROLE = {
    "hands": "hands that both score",
    "differing": "hands whose score differs for the role",
    "mean_difference": "what the role gains in a hand, against the baseline",
    "total_difference": "what it gains in all",
    "worst_twentieth": "the mean difference over the 5 % of hands that fare worst",
    "largest_loss": "the largest loss in one hand",
    "largest_gain": "the largest gain in one hand",
    "share_better": "the share of hands that it gains in (0 to 1)",
    "share_worse": "the share of hands that it loses in",
    "low": "the lower end of the 95 % interval of the mean difference; NULL where too few hands or clusters differ",
    "high": "its upper end",
}
METRICS = _OF_ALL | {
    f"{role}_{name}": f"{role}: {meaning}" for role in ROLE_NAMES for name, meaning in _OF_A_ROLE.items()
}


def metrics(found: Comparison) -> pa.Table:
    """Every number of METRICS, one row for each other rule set (`rule_set`); NULL where a comparison has none."""
    rows: dict[str, dict[str, Any]] = {name: {"rule_set": name} for name in found.others}
    (recorded,) = found.reconciliation().to_pylist()
    for table in (
        found.changed(),
        found.balances(),
        found.break_even(),
        found.overview(),
    ):  # the last has `house`
        for row in table.to_pylist():
            if row["rule_set"] in rows:
                rows[row["rule_set"]] |= {name: row[name] for name in _OF_ALL if name in row}
    for table in (found.roles(), found.intervals()):
        for row in table.to_pylist():
            if row["role"] in ROLE_NAMES:
                said = {f"{row['role']}_{name}": row[name] for name in _OF_A_ROLE if name in row}
                rows[row["rule_set"]] |= said
    for row in rows.values():
        row["unexplained"] = recorded["unexplained"]
    return pa.table({name: [row.get(name) for row in rows.values()] for name in ("rule_set", *METRICS)})


def failing(store: Path, condition: str, numbers: pa.Table) -> Iterator[str]:
    """The other rule sets for which a condition in SQL over the metrics holds; raises as `run_query` does."""
    query = f"SELECT rule_set FROM metrics WHERE (\n{condition}\n)"
    yield from run_query(store, query, tables={"metrics": numbers})["rule_set"].to_pylist()
