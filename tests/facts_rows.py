"""What the tests of declared facts share: small tables of settlement rows, written out in any form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics.ingest.summary import Counts
from ddz_analytics.store.catalog import connect
from tests.stores import take

Row = dict[str, Any]

# A hand at 2 with one bomb that the landlord, bo at seat 1, wins: 2 · 2 = 4 a pair (qq Q18-Q19).
ROW: Row = {
    "source_hand_id": "h1", "table_id": "t1", "player_0": "ann", "player_1": "bo", "player_2": "cy", "landlord_seat": 1,
    "winner_seat": 1, "bombs": 1, "rockets": 0, "landlord_plays": 4, "down_plays": 2, "up_plays": 1, "auction_kind": "score",
    "bid": 2,
}  # fmt: skip


def rows(*changes: Row) -> list[Row]:
    """Rows that each are ROW but for what they say, numbered h1, h2, …"""
    return [
        {**ROW, "source_hand_id": f"h{number}", **each} for number, each in enumerate(changes or ({},), 1)
    ]


def csv_of(table: Sequence[Row], delimiter: str = ",") -> str:
    """The rows as CSV; None is empty, and no text needs quotes."""
    names = list(dict.fromkeys(name for row in table for name in row))
    lines = [names, *([_text(row.get(name)) for name in names] for row in table)]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_csv(path: Path, *table: Row) -> Path:
    """A CSV file of some rows."""
    path.write_text(csv_of(table), "utf-8")
    return path


def write_parquet(path: Path, *table: Row) -> Path:
    """A Parquet file of some rows, with the types of their values."""
    names = list(dict.fromkeys(name for row in table for name in row))
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({name: [row.get(name) for row in table] for name in names}), path)
    return path


def declare(store: Path, *paths: Path, **options: Any) -> Counts:
    """Ingest tables of facts; how many rows came to what."""
    return take(store, *paths, **{"format": "facts", **options}).total


def ask(store: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query over the views of a store."""
    with connect(store) as connection:
        found: list[tuple[Any, ...]] = connection.sql(query).fetchall()
    return found


def rejected(store: Path) -> list[tuple[Any, ...]]:
    """Line, code and detail of every row that became no hand."""
    return ask(store, "SELECT line, code, detail FROM rejected_hands ORDER BY source_path, line")
