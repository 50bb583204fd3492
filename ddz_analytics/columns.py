"""Amounts between their three shapes: log values, int64 counts of 1/10,000 and DECIMAL(18,4) columns."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, UnsetType

from ddz_analytics.hands import SCALE

AMOUNT = pa.decimal128(18, 4)
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]
SILENT = -1  # the code of what a log does not say


def scaled(amount: int | str) -> int:
    """A log's amount (a whole number, or a text with at most four decimals) in 1/10,000."""
    return amount * SCALE if isinstance(amount, int) else int(Decimal(amount) * SCALE)


def plain_amount(amount: Decimal) -> int | str:
    """An amount as a log may have it: a whole number, or a text without needless zeros."""
    whole_number = int(amount)
    return whole_number if whole_number == amount else f"{amount.normalize():f}"


def scaled_column(values: Sequence[int | str | UnsetType]) -> pa.Array:
    """An int64 column in 1/10,000, null where a log says nothing."""
    column = said(values, None)
    if pa.types.is_null(column.type):
        return column.cast(pa.int64())
    if pa.types.is_integer(column.type):
        return pc.multiply(column, SCALE)
    return pa.array([None if value is UNSET else scaled(value) for value in values], type=pa.int64())


def said(values: Sequence[Any], kind: pa.DataType | None) -> pa.Array:
    """A column of log values (of the type found when `kind` is None), null where a log says nothing.

    Amounts may be numbers in one hand and texts in the next, which no single type holds; they come back as text.
    """
    if _is_silent(values):
        return pa.nulls(len(values), kind)
    plain = [None if value is UNSET else value for value in values]
    try:
        return pa.array(plain, type=kind)
    except pa.ArrowException:
        if kind is not None:
            raise
        return pa.array([None if value is None else str(value) for value in plain])


def _is_silent(values: Sequence[Any]) -> bool:
    """Whether a log says nothing anywhere; nearly always the first value shows that it does."""
    return not values or (values[0] is UNSET and values.count(UNSET) == len(values))


def codes(values: Sequence[Any], names: Sequence[Any]) -> Codes:
    """The place of each log value among a few names, `SILENT` where a log says nothing."""
    if _is_silent(values):
        return np.full(len(values), SILENT, dtype=np.int8)
    place = {name: code for code, name in enumerate(names)} | {UNSET: SILENT & 0xFF}
    return np.frombuffer(bytes([place[value] for value in values]), dtype=np.int8)


def coded(values: Codes) -> pa.Array:
    """A column of codes, null where a log says nothing."""
    return pa.array(values, mask=values == SILENT)


def uncoded(column: pa.Array) -> Codes:
    """The codes of a column, `SILENT` where it is null."""
    if column.null_count == len(column):
        return np.full(len(column), SILENT, dtype=np.int8)
    values: Codes = column.fill_null(SILENT).to_numpy(zero_copy_only=False)
    return values


def amounts(values: Ints, known: Flags | None = None) -> pa.Array:
    """A DECIMAL(18,4) column from counts of 1/10,000; null where not `known`."""
    words = np.empty((len(values), 2), dtype=np.int64)
    words[:, 0] = values
    words[:, 1] = values >> 63  # the sign fills the upper half
    bitmap = None if known is None else pa.array(known).buffers()[1]
    return pa.Array.from_buffers(AMOUNT, len(values), [bitmap, pa.py_buffer(words)])


def nullable_amounts(column: pa.Array) -> pa.Array:
    """A DECIMAL(18,4) column from an int64 column in 1/10,000 with nulls."""
    return amounts(ints(column), known(column))


def from_amounts(column: pa.Array | pa.ChunkedArray) -> Ints:
    """Counts of 1/10,000 from a DECIMAL(18,4) column; 0 where it is null."""
    array = whole(column)
    if pa.types.is_integer(array.type):
        return ints(array) * SCALE
    words = np.frombuffer(array.buffers()[1], dtype=np.int64).reshape(-1, 2)
    values = words[array.offset : array.offset + len(array), 0].copy()
    return np.where(known(array), values, 0) if array.null_count else values


def whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """The column as one array."""
    if isinstance(column, pa.Array):
        return column
    return (
        column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    )  # which copies even one chunk


def known(column: pa.Array | pa.ChunkedArray) -> Flags:
    """Where a column is not null."""
    flags: Flags = whole(column).is_valid().to_numpy(zero_copy_only=False)
    return flags


def ints(column: pa.Array | pa.ChunkedArray, missing: int = 0) -> Ints:
    """An integer or boolean column as int64, `missing` where it is null."""
    array = whole(column)
    if array.null_count == len(array):
        return np.full(len(array), missing, dtype=np.int64)
    values: Ints = array.cast(pa.int64()).fill_null(missing).to_numpy(zero_copy_only=False)
    return values
