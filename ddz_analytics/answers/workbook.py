"""Tables as a workbook (xlsx): ids and what is no exact number as text, no text ever a formula or a link.

A spreadsheet keeps fifteen digits of a number: one with more stands as text, and `write_workbook` says how many do. Days and
times without a zone are dates of the spreadsheet, times with one are text with their offset, since a sheet knows no zones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any, BinaryIO

import pyarrow as pa

from ddz_analytics.answers.plain import rows_of, shown
from ddz_analytics.errors import UsageError
from ddz_analytics.widths import text_width

MOST_ROWS = 1_048_575  # below the head
MOST_COLUMNS = 16_384
LONGEST_TEXT = 32_767
DIGITS = 15
_LONGEST_NAME = 31
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']")
_FIRST_DAY = date(1900, 3, 1)  # spreadsheets count a 29 February 1900 before it
_AS_WRITTEN = {
    "constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False,
}  # fmt: skip
_MEASURED, _WIDEST, _ROOM_FOR_ARROW = 200, 60, 4  # rows, and characters
_DAY, _TIME = "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"


def write_workbook(schema: pa.Schema, batches: Iterable[pa.Table], file: BinaryIO) -> int:
    """Write batches of rows as one sheet; how many numbers stand as text, having more digits than a spreadsheet keeps.

    Raises UsageError `xlsx_missing`, `xlsx_rows`, `xlsx_columns`, `xlsx_text`.
    """
    with _workbook(file) as book:
        return _write_sheet(_Sheet(book, "Sheet1"), schema, batches)


def write_sheets(tables: Mapping[str, pa.Table], file: BinaryIO) -> int:
    """Write tables as a sheet each, behind one that lists them by title; returns and raises as `write_workbook` does."""
    sheets = [f"{place} {_NOT_IN_NAMES.sub(' ', title)}" for place, title in enumerate(tables, 1)]
    names = [name[:_LONGEST_NAME].rstrip() for name in sheets]
    rows = [table.num_rows for table in tables.values()]
    contents = pa.table({"sheet": names, "table": list(tables), "rows": pa.array(rows, pa.int64())})
    with _workbook(file) as book:
        _write_sheet(_Sheet(book, "contents"), contents.schema, [contents])
        return sum(
            _write_sheet(_Sheet(book, name), table.schema, [table])
            for name, table in zip(names, tables.values(), strict=True)
        )


@contextmanager
def _workbook(file: BinaryIO) -> Iterator[Any]:
    try:
        import xlsxwriter
    except ImportError as error:
        mend = "pip install XlsxWriter, or write CSV"
        raise UsageError("xlsx_missing", "the package XlsxWriter is not installed", mend=mend) from error
    content = BytesIO()
    with xlsxwriter.Workbook(content, _AS_WRITTEN) as book:
        yield book
    file.write(content.getvalue())


class _Sheet:
    """A sheet that takes one cell after the other."""

    def __init__(self, book: Any, name: str) -> None:
        self._sheet = book.add_worksheet(name)
        self._sheet.freeze_panes(1, 0)
        self._head = book.add_format({"bold": True})
        self._day, self._time = (book.add_format({"num_format": form}) for form in (_DAY, _TIME))
        self._widths: list[int] = []

    def head(self, names: Sequence[str]) -> None:
        """Write the names of the columns."""
        for column, name in enumerate(names):
            self._sheet.write_string(0, column, name, self._head)
        self._widths = [text_width(name) + _ROOM_FOR_ARROW for name in names]

    def end(self, rows: int) -> None:
        """Make the columns as wide as what stands in the first rows, and let them be filtered."""
        for column, width in enumerate(self._widths):
            self._sheet.set_column(column, column, min(width, _WIDEST))
        if self._widths:
            self._sheet.autofilter(0, 0, rows, len(self._widths) - 1)

    def write(self, row: int, column: int, cell: Cell) -> None:
        """Write a cell as what it is."""
        sheet = self._sheet
        if row <= _MEASURED and cell is not None:
            self._widths[column] = max(self._widths[column], text_width(str(cell)) + 1)
        if isinstance(cell, bool):
            sheet.write_boolean(row, column, cell)
        elif isinstance(cell, str):
            sheet.write_string(row, column, cell)
        elif isinstance(cell, date):
            sheet.write_datetime(row, column, cell, self._time if isinstance(cell, datetime) else self._day)
        elif cell is not None:
            sheet.write_number(row, column, cell)


def _write_sheet(sheet: _Sheet, schema: pa.Schema, batches: Iterable[pa.Table]) -> int:
    if len(schema) > MOST_COLUMNS:
        raise UsageError(
            "xlsx_columns", f"a sheet holds {MOST_COLUMNS:,} columns", mend="write CSV or Parquet"
        )
    sheet.head(schema.names)
    row = as_text = 0
    for batch in batches:
        for cells in rows_of(batch):
            row += 1
            _refuse_too_much(row, cells)
            for column, (name, cell) in enumerate(zip(schema.names, cells, strict=True)):
                written = _cell(name, cell)
                as_text += isinstance(cell, int | Decimal) and isinstance(written, str) and not _is_id(name)
                sheet.write(row, column, written)
    sheet.end(row)
    return as_text


def _refuse_too_much(row: int, cells: tuple[Any, ...]) -> None:
    if row > MOST_ROWS:
        raise UsageError("xlsx_rows", f"a sheet holds {MOST_ROWS:,} rows", mend="write CSV or Parquet")
    if any(isinstance(cell, str | bytes) and len(cell) > LONGEST_TEXT for cell in cells):
        what = f"row {row} has a text of more than {LONGEST_TEXT:,} characters"
        raise UsageError("xlsx_text", what, mend="write CSV or Parquet")


Cell = bool | float | str | date | None


def _cell(name: str, cell: Any) -> Cell:
    """What a cell holds: a number only where a spreadsheet keeps every digit of it, and where it is no id."""
    if cell is None or isinstance(cell, bool):
        return cell
    if _is_number(cell):
        return float(cell) if _is_kept(cell) and not _is_id(name) else shown(cell)
    if isinstance(cell, date) and _is_a_date_there(cell):
        return cell
    return shown(cell)


def _is_id(name: str) -> bool:
    return name.endswith("_id")


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _is_kept(number: float | Decimal) -> bool:
    """Whether a spreadsheet keeps a number; of a floating-point number, which is none exactly, any that it can write."""
    if isinstance(number, float):
        return math.isfinite(number)
    return len(Decimal(number).normalize().as_tuple().digits) <= DIGITS


def _is_a_date_there(day: date) -> bool:
    """Whether a day or a time is one that a sheet can hold to the last digit."""
    if isinstance(day, datetime):
        return day.tzinfo is None and day.microsecond == 0 and day.date() >= _FIRST_DAY
    return day >= _FIRST_DAY
