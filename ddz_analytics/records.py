"""Rows of the `hands` table back into the hands that parsers gave: the inverse of `tabulate`, in canonical writing.

Cards stand from low to high, times are in UTC, whole amounts are numbers, `auto` is written out as `actor`. A hand that came in
another format than `ddz/1` names it in the field `_format`, because by that it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from msgspec import UNSET

from ddz_analytics.hands import Hand, Located
from ddz_analytics.parsers.ddz1 import ORIGIN, Ddz1
from ddz_analytics.parsers.ddz1_parquet import hand_of_row

_ROWS = 5000


def hands_of(table: pa.Table) -> Iterator[Hand]:
    """The hands that some rows of the `hands` table hold, in order, with their `_format`."""
    for located in located_of(table):
        if located.format != Ddz1.name:
            extra = {} if located.hand.extra is UNSET else located.hand.extra
            located.hand.extra = {**extra, ORIGIN: located.format}
        yield located.hand


def located_of(table: pa.Table) -> Iterator[Located]:
    """The same, each with its line and format and without its bytes."""
    for batch in table.to_batches(max_chunksize=_ROWS):
        for row in batch.to_pylist():
            yield Located(hand_of_row(row), row["source_line"], b"", row["source_format"])
