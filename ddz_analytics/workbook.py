"""A table as a workbook (xlsx): one sheet, ids and what is no exact number as text, no text ever a formula or a link."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from io import BytesIO
from typing import Any, BinaryIO

import pyarrow as pa

from ddz_analytics.errors import UsageError
from ddz_analytics.query import shown

MOST_ROWS = 1_048_575  # below the head
LONGEST_TEXT = 32_767
_AS_WRITTEN = {
    "constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False,
}  # fmt: skip


def write_workbook(schema: pa.Schema, batches: Iterable[pa.Table], file: BinaryIO) -> None:
    """Write batches of rows; raises UsageError `xlsx_missing`, `xlsx_rows`, `xlsx_text`."""
    try:
        import xlsxwriter
    except ImportError as error:
        mend = "pip install XlsxWriter, or write CSV"
        raise UsageError("xlsx_missing", "the package XlsxWriter is not installed", mend=mend) from error
    content = BytesIO()
    with xlsxwriter.Workbook(content, _AS_WRITTEN) as book:
        sheet = book.add_worksheet()
        sheet.freeze_panes(1, 0)
        for column, name in enumerate(schema.names):
            sheet.write_string(0, column, name)
        row = 0
        for batch in batches:
            names = batch.column_names
            for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                row += 1
                _refuse_too_much(row, cells)
                for column, (name, cell) in enumerate(zip(names, cells, strict=True)):
                    _write(sheet, (row, column), _cell(name, cell))
    file.write(content.getvalue())


def _refuse_too_much(row: int, cells: tuple[Any, ...]) -> None:
    if row > MOST_ROWS:
        raise UsageError("xlsx_rows", f"a sheet holds {MOST_ROWS:,} rows", mend="write CSV or Parquet")
    if any(isinstance(cell, str | bytes) and len(cell) > LONGEST_TEXT for cell in cells):
        what = f"row {row} has a text of more than {LONGEST_TEXT:,} characters"
        raise UsageError("xlsx_text", what, mend="write CSV or Parquet")


Cell = bool | float | str | None


def _cell(name: str, cell: Any) -> Cell:
    """What a cell holds: a number only where a spreadsheet keeps every digit of it, and where it is no id."""
    if cell is None or isinstance(cell, bool):
        return cell
    if isinstance(cell, int | Decimal) and not name.endswith("_id") and Decimal(repr(float(cell))) == cell:
        return float(cell)
    return shown(cell)


def _write(sheet: Any, place: tuple[int, int], cell: Cell) -> None:
    if cell is None:
        return
    write = (
        sheet.write_boolean if isinstance(cell, bool)
        else sheet.write_string if isinstance(cell, str)
        else sheet.write_number
    )  # fmt: skip
    write(*place, cell)
