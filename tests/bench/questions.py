"""A question in SQL over the store's views, beside the same question written by hand over the parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import duckdb
import pyarrow as pa

from ddz_analytics.query import run_query
from ddz_analytics.store import open_store
from ddz_analytics.store.catalog import literal
from tests.bench.measuring import here, in_turn
from tests.bench.row import Row, best_of, ratio
from tests.bench.world import JOBS, World

ROUNDS = 5
OVER_VIEWS = """
SELECT rule_set, role, avg(score) AS mean FROM scores WHERE role IS NOT NULL GROUP BY rule_set, role ORDER BY ALL
"""
BY_HAND = """
WITH means AS (
  SELECT rule_set, avg(net_landlord) AS landlord, avg(net_down) AS landlord_down, avg(net_up) AS landlord_up
  FROM read_parquet([$settlements]) SEMI JOIN (
    SELECT hand_id FROM read_parquet([$facts]) WHERE landlord_seat IS NOT NULL
  ) USING (hand_id)
  GROUP BY rule_set
)
UNPIVOT means ON landlord, landlord_down, landlord_up INTO NAME role VALUE mean ORDER BY ALL
"""


def asked(world: World) -> Iterator[Row]:
    """The mean score by rule set and role."""
    store = open_store(world.store)
    by_hand = BY_HAND
    for table in ("settlements", "facts"):
        by_hand = by_hand.replace(f"${table}", ", ".join(literal(str(path)) for path in store.paths(table)))
    with duckdb.connect(str(store.catalog()), read_only=True) as views, duckdb.connect() as parts:
        views.execute("SET enable_progress_bar = false")
        ask: list[Callable[[], pa.Table]] = [
            lambda: parts.sql(by_hand).to_arrow_table(),
            lambda: views.sql(OVER_VIEWS).to_arrow_table(),
            lambda: run_query(world.store, OVER_VIEWS),
        ]
        if len({str(answer().to_pylist()) for answer in ask}) != 1:
            raise AssertionError("the same question has different answers")
        known, *ours = in_turn(ROUNDS, *map(here, ask))
    for key, what, cost in zip(("f", "fs"), ("over the views", "by ddz sql, shut in"), ours, strict=True):
        yield Row(
            key, f"mean score by rule set and role {what}", beside="SQL by hand over the parts", hands=world.hands, processes=JOBS,
            how=best_of(ROUNDS), target=1.6 if key == "f" else None, **ratio(cost, known),
        )  # fmt: skip
