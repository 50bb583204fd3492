"""Cells as text: exact, and without power over a terminal or a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import pyarrow as pa

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
encoded = msgspec.json.Encoder(decimal_format="number").encode


def inert(text: str) -> str:
    """A text without power over a terminal: control characters, also those that turn its direction, as escapes."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def shown(cell: object) -> str | None:
    """A cell as text; None for NULL."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, Decimal):
        return format(cell, "f")
    if isinstance(cell, list | dict | bool):
        return encoded(plain(cell)).decode()
    return str(plain(cell))


def plain(cell: Any) -> Any:
    """A cell as what JSON knows; bytes as text, what is not UTF-8 in them escaped."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    if isinstance(cell, date | datetime | time):
        return cell.isoformat()
    if isinstance(cell, dict):
        return {str(key): plain(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [plain(value) for value in cell]
    return cell if cell is None or isinstance(cell, bool | int | float | Decimal) else str(cell)


def is_number(kind: pa.DataType) -> bool:
    """Whether cells of an Arrow type are numbers."""
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind) or pa.types.is_floating(kind))


def rows_of(answer: pa.Table) -> Iterator[tuple[Any, ...]]:
    """The rows of an answer, a batch at a time."""
    for batch in answer.to_batches(max_chunksize=20_000):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
