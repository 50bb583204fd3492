"""Rows of a text file with delimiters, strictly: every value is text, and a row that is not like the others is a fault."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Literal

from ddz_analytics.mapping.formats import ESCAPED, MEANT, NamedRow, Row, TableFormat, fault_of_text
from ddz_analytics.parsers.base import KEPT_BYTES, LONGEST_RECORD

_TOO_LARGE = "field larger than field limit"  # as the csv module says
_NULL = "\\N"


class Lines:
    """The lines of a text stream, each with its end; keeps those of the record that is being read.

    Bytes that are no text become half characters, which no text has: the row that holds them is refused.
    """

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._text = io.TextIOWrapper(stream, encoding, errors="surrogateescape", newline="")
        self._encoding = encoding if "a".encode(encoding) == b"a" else "utf-8"
        self.number = 0
        self._size = 0
        self._taken: list[str] = []

    def __iter__(self) -> Iterator[str]:
        """The lines one after the other."""
        return self

    def __next__(self) -> str:
        """The next line; raises csv.Error where the record grows beyond all measure."""
        line = self._text.readline(LONGEST_RECORD)
        if not line:
            raise StopIteration
        self.number += 1
        if self.number == 1:
            line = line.removeprefix("\ufeff")
        self._size += len(line)
        self._taken.append(line)
        if self._size >= LONGEST_RECORD:
            while line and not line.endswith(("\n", "\r")):
                line = self._text.readline(LONGEST_RECORD)
            raise csv.Error(_TOO_LARGE)
        return line

    def record(self) -> tuple[int, str]:
        """The line on which the record begins that was read last, and its text."""
        first, text = self.number - len(self._taken) + 1, "".join(self._taken)
        self._taken, self._size = [], 0
        return first, text

    def encoded(self, text: str) -> bytes:
        """A text of this stream as the bytes that came (in UTF-8 where every character is wider than a byte)."""
        return text.encode(self._encoding, "surrogateescape")

    def detach(self) -> None:
        """Leave the stream open."""
        self._text.detach()


def read_delimited(stream: BinaryIO, how: TableFormat) -> Iterator[NamedRow]:
    """Every row that is not blank; one that has not a value per column, or whose bytes or quotes are wrong, is a fault."""
    lines = Lines(stream, how.encoding)
    columns = tuple(how.columns)
    try:
        for row in _rows(lines, how):
            if columns:
                yield columns, _counted(row, len(columns))
            elif row.values is None or row.code:  # a broken header
                yield (), row
                return
            else:
                columns = tuple(name or "" for name in row.values)
                yield columns, None
    finally:
        lines.detach()


def _rows(lines: Lines, how: TableFormat) -> Iterator[Row]:
    records = _Escaped(lines, how.delimiter) if how.escape else _quoted(lines, how)
    while True:
        values: Sequence[str | None] | None = None
        code = detail = ""
        try:
            values = next(records, None)
        except csv.Error as error:
            values = ()
            code, detail = ("too_large" if _TOO_LARGE in str(error) else "bad_row"), str(error)
        except UnicodeDecodeError as error:
            code, detail = "bad_encoding", f"not {how.encoding} from here on: {error.reason}"
        line, text = lines.record()
        if code:
            yield Row(None, line, lines.encoded(text)[:KEPT_BYTES], code, detail)
        elif values:
            yield Row(tuple(values), line, lines.encoded(text), *fault_of_text(text, how.encoding))
        if values is None:
            return


def _quoted(lines: Lines, how: TableFormat) -> Iterator[Sequence[str | None]]:
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if how.quote else csv.QUOTE_NONE
    return csv.reader(
        lines, delimiter=how.delimiter, quotechar=how.quote or None, quoting=quoting, strict=True
    )


class _Escaped(Iterator[Sequence[str | None]]):
    """Records whose values hold a delimiter or a line end only behind a backslash; `\\N` is null."""

    def __init__(self, lines: Lines, delimiter: str) -> None:
        self._lines = lines
        self._delimiter = delimiter

    def __next__(self) -> Sequence[str | None]:
        """The values of the next record, none of a blank one; raises csv.Error where a backslash is the last character."""
        record = next(self._lines)
        while _is_open(record.rstrip("\r\n")):
            more = next(self._lines, "")
            if not more:
                raise csv.Error("the last character is a backslash")
            record += more
        record = record.rstrip("\r\n")
        return [_meant(value) for value in self._split(record)] if record else ()

    def _split(self, record: str) -> list[str]:
        values: list[str] = []
        is_open = False
        for piece in record.split(self._delimiter):
            if is_open:
                values[-1] += self._delimiter + piece
            else:
                values.append(piece)
            is_open = _is_open(piece)
        return values


def _is_open(text: str) -> bool:
    """Whether a text ends in a backslash that is not itself escaped."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _meant(value: str) -> str | None:
    """A value without its escapes."""
    if value == _NULL:
        return None
    return ESCAPED.sub(lambda match: MEANT.get(match[1], match[1]), value) if "\\" in value else value


def _counted(row: Row, columns: int) -> Row:
    """The row, as a fault if it has not a value for each column."""
    if row.values is None or row.code:
        return row._replace(values=None)
    if len(row.values) == columns:
        return row
    detail = f"{len(row.values)} values where there are {columns} columns"
    return row._replace(values=None, code="bad_row", detail=detail)
