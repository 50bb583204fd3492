"""Tables of CSV, Parquet (also in folders like `day=2026-01-02`) and SQL dumps, as Arrow batches of text columns.

Nothing is converted here: a value is the text that stands in the file, of a Parquet file the exact text of the value.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import unquote

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ddz_analytics.encodings import how_to_convert, wide_encoding
from ddz_analytics.errors import DdzError
from ddz_analytics.mapping.delimited import read_delimited
from ddz_analytics.mapping.dumps import read_dump
from ddz_analytics.mapping.formats import NamedRow, Row, TableFormat
from ddz_analytics.streams import Opener, Place, Stream, kind_of

ROWS_PER_BATCH = 20_000
BYTES_PER_BATCH = 32 << 20
FILE, LINE, RAW, CODE, DETAIL = "@file", "@line", "@raw", "@code", "@detail"
ABOUT_THE_ROW = pa.schema(
    [(FILE, pa.string()), (LINE, pa.int64()), (RAW, pa.binary()), (CODE, pa.string()), (DETAIL, pa.string())]
)
_PARQUET, _NO_PARTITION = b"PAR1", "__HIVE_DEFAULT_PARTITION__"
_HEAD = 64  # bytes that show a wide encoding
_LONGEST = 300  # characters of what a library says
_json = msgspec.json.Encoder(decimal_format="string").encode

File = tuple[str, Path]  # the name that it goes by, and where its bytes are


def read_table(
    files: Iterable[File], how: TableFormat, wanted: Sequence[str] = ()
) -> Iterator[pa.RecordBatch]:
    """The rows of some files of one table, file by file, in bounded memory.

    A batch has the `wanted` columns (else all of its file), all of type string and null where there is no value, and then
    `ABOUT_THE_ROW`: the file's name, the line on which the row begins (of Parquet its place, both counted from 1), its bytes as
    they came (of Parquet a JSON object of the texts). A row that cannot be read has no values, and a code of the catalogue with
    a detail; so has a file of which something cannot be read, in a last row. Folders named `key=value` on the way to a file are
    columns too. Raises UsageError `mapping_value` for a `how` that cannot be, and DdzError `mapping_column` where a wanted
    column is not in a file, or a column is there twice.
    """
    how.check("the format of the table")
    for label, path in files:
        with Opener() as opener, opener.open(Place(path)) as stream:
            table = _Table(label, how, tuple(wanted), _partitions(label))
            if kind_of(stream.peek(4)) == "zip":
                yield table.fault(1, "unsupported_mode", "a zip file: unpack it, and name what was in it")
            elif how.format == "parquet" or (how.format == "auto" and stream.peek(4).startswith(_PARQUET)):
                yield from _of_parquet(path, table)
            elif how.encoding == "utf-8" and (wide := wide_encoding(stream.peek(_HEAD)[:_HEAD])):
                detail = f"the text is {wide} and not UTF-8: {how_to_convert(wide)}, or a mapping says its `encoding`"
                yield table.fault(1, "bad_encoding", detail)
            else:
                yield from _of_text(stream, table)


@dataclass(frozen=True)
class _Table:
    """One file of a table on its way into batches."""

    label: str
    how: TableFormat
    wanted: tuple[str, ...]
    partitions: Mapping[str, str | None]

    def batch(self, columns: Mapping[str, pa.Array], rows: Mapping[str, pa.Array]) -> pa.RecordBatch:
        """A batch of the columns of the file and what is said of the rows."""
        count = len(rows[LINE])
        constant = {
            name: pa.repeat(pa.scalar(text, pa.string()), count) for name, text in self.partitions.items()
        }
        found = {**constant, **columns}
        for name in self.wanted:
            if name not in found:
                mend = "there are: " + ", ".join(found)
                raise DdzError("mapping_column", f"there is no column {name!r}", where=self.label, mend=mend)
        kept = {name: found[name] for name in self.wanted or found}
        about = {FILE: pa.repeat(pa.scalar(self.label), count), **rows}
        return pa.RecordBatch.from_pydict({**kept, **{name: about[name] for name in ABOUT_THE_ROW.names}})

    def fault(self, line: int, code: str, detail: str) -> pa.RecordBatch:
        """A batch of one row that says what is wrong with the file."""
        names = self.wanted or tuple(self.partitions)
        return self.batch(
            {name: pa.nulls(1, pa.string()) for name in names}, _about([Row(None, line, b"", code, detail)])
        )


def _of_text(stream: Stream, table: _Table) -> Iterator[pa.RecordBatch]:
    read = read_dump if table.how.format == "sql" else read_delimited
    line = 0
    for columns, rows in _chunks(read(stream, table.how)):
        names = columns or table.wanted
        _refuse_twice(columns, table.label)
        if not rows:  # a header: whether it has the columns that are wanted
            table.batch({name: pa.nulls(0, pa.string()) for name in names}, _about([]))
            continue
        line = rows[-1].line
        yield table.batch(_transposed(names, rows, frozenset(table.how.null)), _about(rows))
    if stream.fault:
        yield table.fault(line + 1, stream.fault.code, stream.fault.detail)


def _chunks(rows: Iterator[NamedRow]) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    """Rows in lists of bounded size, all of a list with the same columns."""
    waiting: list[Row] = []
    names: tuple[str, ...] = ()
    size = 0
    for columns, row in rows:
        if waiting and (columns != names or len(waiting) == ROWS_PER_BATCH or size > BYTES_PER_BATCH):
            yield names, waiting
            waiting, size = [], 0
        names = columns
        if row is None:
            yield names, []
            continue
        waiting.append(row)
        size += len(row.raw)
    if waiting:
        yield names, waiting


def _transposed(names: Sequence[str], rows: Sequence[Row], null: frozenset[str]) -> dict[str, pa.Array]:
    nothing = (None,) * len(names)
    columns = zip(*(nothing if row.values is None or row.code else row.values for row in rows), strict=True)
    return {
        name: pa.array([None if text in null else text for text in column], pa.string())
        for name, column in zip(names, columns, strict=True)
    }


def _about(rows: Sequence[Row]) -> dict[str, pa.Array]:
    return {
        LINE: pa.array([row.line for row in rows], pa.int64()),
        RAW: pa.array([row.raw for row in rows], pa.binary()),
        CODE: pa.array([row.code or None for row in rows], pa.string()),
        DETAIL: pa.array([row.detail or None for row in rows], pa.string()),
    }


def _of_parquet(path: Path, table: _Table) -> Iterator[pa.RecordBatch]:
    line = 1
    try:
        with pq.ParquetFile(path) as file:
            _refuse_twice(tuple(file.schema_arrow.names), table.label)
            for batch in file.iter_batches(ROWS_PER_BATCH):
                columns = {name: _text(batch.column(name)) for name in batch.schema.names}
                texts = pa.table(columns).to_pylist()
                rows = [Row((), line + place, _json(row), *_fault(row)) for place, row in enumerate(texts)]
                if any(row.code for row in rows):
                    good = pa.array([not row.code for row in rows])
                    columns = {name: pc.if_else(good, column, None) for name, column in columns.items()}
                yield table.batch(columns, _about(rows))
                line += len(rows)
    except (pa.ArrowException, OSError) as error:
        detail = "no Parquet that can be read: " + " ".join(str(error).split())
        code = "unsupported_mode" if _ends_as_parquet(path) else "truncated"
        yield table.fault(line, code, detail[:_LONGEST])


def _ends_as_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - len(_PARQUET), 0))
        return size > len(_PARQUET) and file.read() == _PARQUET


def _text(column: pa.Array) -> pa.Array:
    """The exact text of every value; a list or struct as JSON."""
    if pa.types.is_string(column.type):
        column = pc.cast(column, pa.binary())  # the cast back looks at the bytes
    try:
        return pc.cast(column, pa.string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        values = [None if value is None else _text_of(value) for value in column.to_pylist()]
        return pa.array(values, pa.string())


def _text_of(value: Any) -> str:
    """A text; bytes that are none get a NUL, which no text has."""
    if not isinstance(value, bytes):
        return _json(value).decode()
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("utf-8", "backslashreplace") + "\0"


def _fault(row: Mapping[str, str | None]) -> tuple[str, str]:
    for name, text in row.items():
        if text is not None and "\0" in text:
            return "not_text", f"a NUL character, or bytes that are no text, in the column {name!r}"
    return "", ""


def _refuse_twice(columns: tuple[str, ...], where: str) -> None:
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise DdzError("mapping_column", f"the column {twice!r} is there twice", where=where)


def _partitions(label: str) -> dict[str, str | None]:
    """The columns that folders named `key=value` on the way to a file stand for."""
    found: dict[str, str | None] = {}
    for part in PurePath(label).parts[:-1]:
        key, equals, value = part.partition("=")
        if key and equals:
            found[unquote(key)] = None if value == _NO_PARTITION else unquote(value)
    return found
