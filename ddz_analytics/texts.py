"""Rows of the `hands` table with other texts in them, and with the content hashes of what they then say."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Flags, whole
from ddz_analytics.names import Replace
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.records import located_of
from ddz_analytics.schema import SEAT_NUMBERS
from ddz_analytics.tabulate import HASH_DIGITS, hands_table

# columns of the `hands` table: who sat there, and texts in which a player may be named
PLAYERS = [f"player_{seat}" for seat in SEAT_NUMBERS]
NAMING_TEXTS = ["source_hand_id", "table_id", "match_id", *(f"kind_{seat}" for seat in SEAT_NUMBERS)]
SENT = "actions.list.element.sent"


def any_of(several: Sequence[Flags]) -> Flags:
    """Where any of several flags is set."""
    found: Flags = np.logical_or.reduce(several)
    return found


def flags_of(column: pa.Array | pa.ChunkedArray) -> Flags:
    """A column of truth values as an array of its own; null is false."""
    flags: Flags = whole(column.fill_null(pa.scalar(value=False))).to_numpy(zero_copy_only=False).copy()
    return flags


def with_texts(rows: pa.Table, name: str, change: Replace) -> pa.Table:
    """The rows with other texts in a column."""
    return _with(rows, name, _changed(rows[name], change))


def with_sent(rows: pa.Table, change: Replace) -> pa.Table:
    """The rows with other texts where an action says what was sent."""
    acts = whole(rows["actions"])
    fields = acts.flatten().flatten()
    place = acts.type.value_type.get_field_index("sent")
    if fields[place].null_count == len(fields[place]):
        return rows
    fields[place] = _changed(fields[place], change)
    inner = pa.StructArray.from_arrays(fields, fields=list(acts.type.value_type))
    offsets = pc.subtract(acts.offsets, acts.offsets[0])
    return _with(rows, "actions", pa.ListArray.from_arrays(offsets, inner))


def with_hashes(rows: pa.Table, changed: Flags) -> pa.Table:
    """The rows with the hashes of what the changed ones now say; of facts that were declared, any hash that tells nothing."""
    hashes = rows["content_hash"].to_pylist()
    replayed = flags_of(pc.equal(rows["evidence"], "replayed"))
    told = np.flatnonzero(changed & replayed)
    again, _ = hands_table(list(located_of(rows.take(pa.array(told)))), Ddz1(), "")
    for place, new in zip(told.tolist(), again["content_hash"].to_pylist(), strict=True):
        hashes[place] = new
    for place in np.flatnonzero(changed & ~replayed).tolist():
        hashes[place] = secrets.token_hex(HASH_DIGITS // 2)
    return _with(rows, "content_hash", pa.array(hashes, type=pa.string()))


def _with(rows: pa.Table, name: str, column: pa.Array) -> pa.Table:
    place = rows.schema.get_field_index(name)
    return rows.set_column(place, rows.schema.field(place), column)


def _changed(column: pa.Array | pa.ChunkedArray, change: Replace) -> pa.Array:
    texts = [None if value is None else change(value) for value in column.to_pylist()]
    return pa.array(texts, type=pa.string())
