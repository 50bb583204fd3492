"""Own tables that a question joins: read strictly, so that an id stays an id and nothing is guessed silently.

CSV (UTF-8, `.tsv` with tabs) has a header, and in every row a value for each column; an empty value is NULL. A column is BIGINT
if every value of it is written as that number is written (`7`, `-12`, not `007`, `+3` or `1e5`), DECIMAL if every value is and
some have a fraction, DATE or TIMESTAMP if every value is one in ISO form without a zone, BOOLEAN if every value is true or
false; else it is text. A column of ids or names (`player`, `id`, or `…_id` but for `hand_id` and `deal_id`) is always text.
JSON Lines and Parquet say themselves what a value is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics.errors import BadRecord, UsageError
from ddz_analytics.mapping.delimited import read_delimited
from ddz_analytics.mapping.formats import TableFormat
from ddz_analytics.parsers.base import load_json

_ALWAYS_TEXT = re.compile(r"(?!(?:hand|deal)_id$)(?:player(?:_[012])?|id|.*_id)", re.IGNORECASE)
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


class _Type(NamedTuple):
    """What a column is if every value of it is written like this."""

    pattern: re.Pattern[str]
    kind: pa.DataType | None
    read: Callable[[str], Any]


_TYPES = (
    _Type(re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII), pa.int64(), int),
    _Type(re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?", re.ASCII), None, Decimal),
    _Type(re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII), pa.date32(), date.fromisoformat),
    _Type(
        re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{3}|\.[0-9]{6})?", re.ASCII),
        pa.timestamp("us"),
        datetime.fromisoformat,
    ),
    _Type(re.compile("true|false", re.IGNORECASE), pa.bool_(), lambda text: text.lower() == "true"),
)  # fmt: skip


def read_own(path: Path) -> pa.Table:
    """A table as its file's name ends: `.csv`, `.tsv`, `.jsonl` or `.parquet`.

    Raises UsageError `table_missing`, `table_kind`, `table_row`, `table_columns`.
    """
    kind = path.suffix.lower()
    if not path.is_file():
        raise UsageError("table_missing", "there is no such file", where=str(path))
    if kind in _DELIMITERS:
        return _of_text(path, TableFormat(delimiter=_DELIMITERS[kind]))
    if kind == ".jsonl":
        return _of_json(path)
    if kind == ".parquet":
        return _of_parquet(path)
    mend = "name a file that ends in .csv, .tsv, .jsonl or .parquet"
    raise UsageError("table_kind", "nothing says how this file is to be read", where=str(path), mend=mend)


def _of_text(path: Path, how: TableFormat) -> pa.Table:
    columns: Sequence[str] = ()
    rows: list[Sequence[str | None]] = []
    with path.open("rb") as stream:
        for columns, row in read_delimited(stream, how):
            if row is None:
                _check_columns(columns, path)
            elif row.values is None:
                raise _bad_row(row.detail, path, row.line)
            else:
                rows.append(row.values)
    if not columns:
        raise UsageError("table_columns", "the file has no header", where=str(path))
    values = list(zip(*rows, strict=True)) if rows else [() for _ in columns]
    return pa.table({name: _typed(name, column) for name, column in zip(columns, values, strict=True)})


def _typed(name: str, texts: Sequence[str | None]) -> pa.Array:
    """A column of texts as what they all are."""
    given = [text or None for text in texts]
    known = [text for text in given if text is not None]
    if known and not _ALWAYS_TEXT.fullmatch(name):
        for kind in _TYPES:
            if all(kind.pattern.fullmatch(text) for text in known):
                try:
                    return pa.array([None if text is None else kind.read(text) for text in given], kind.kind)
                except ValueError:  # such as 2026-02-30
                    break
    return pa.array(given, pa.string())


def _of_json(path: Path) -> pa.Table:
    """One object a line, each a row; a key that a line lacks is NULL there."""
    rows: list[dict[str, Any]] = []
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                row = load_json(line, Decimal)
            except BadRecord as fault:
                raise _bad_row(fault.detail, path, number) from None
            if not isinstance(row, dict):
                raise _bad_row("a line that is no object", path, number)
            rows.append(row)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    _check_columns(columns, path)
    try:
        return pa.table({name: _of_one_type([row.get(name) for row in rows]) for name in columns})
    except (pa.ArrowException, TypeError, OverflowError) as error:
        what = f"the values of a column are of several kinds: {error}"
        raise UsageError("table_columns", what, where=str(path)) from error


def _of_one_type(values: Sequence[Any]) -> pa.Array:
    if any(isinstance(value, list | dict) for value in values):
        raise TypeError("lists or objects")
    if any(isinstance(value, Decimal) for value in values):
        values = [Decimal(value) if type(value) is int else value for value in values]
    return pa.array(values)


def _of_parquet(path: Path) -> pa.Table:
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise UsageError("table_row", f"not Parquet: {error}", where=str(path)) from error
    _check_columns(table.column_names, path)
    return table


def _check_columns(columns: Sequence[str], path: Path) -> None:
    """Refuse a table without columns, or with one that has no name or the name of another."""
    lower = [name.lower() for name in columns]
    wrong = next((name for name in columns if not name or lower.count(name.lower()) > 1), None)
    if wrong is not None or not columns:
        what = f"two columns are called {wrong}" if wrong else "a column has no name"
        raise UsageError("table_columns", what, where=str(path), mend="give every column a name of its own")


def _bad_row(what: str, path: Path, line: int) -> UsageError:
    return UsageError(
        "table_row", what, where=f"{path}:{line}", mend="mend the row: nothing is left out silently"
    )
