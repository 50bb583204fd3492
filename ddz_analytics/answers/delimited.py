"""An answer as CSV and as JSON: every digit of a number, nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pyarrow as pa

from ddz_analytics.answers.plain import CONTROL, encoded, inert, is_number, plain, rows_of, shown
from ddz_analytics.errors import DdzError

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(answer: pa.Table) -> str:
    """CSV (RFC 4180) with a header; NULL is empty, and a text that a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_guarded(name) for name in answer.column_names])
    guards = [not is_number(column.type) for column in answer.columns]
    for row in rows_of(answer):
        writer.writerow(
            [
                _guarded(cell) if cell and guard else cell
                for cell, guard in zip(map(shown, row), guards, strict=True)
            ]
        )
    return out.getvalue()


def as_json(answer: pa.Table) -> str:
    """A JSON array with one object a row."""
    return "[" + ",\n ".join(_json_rows(answer)) + "]\n"


def as_jsonl(answer: pa.Table) -> str:
    """One JSON object a line, one line a row."""
    return "".join(row + "\n" for row in _json_rows(answer))


def _json_rows(answer: pa.Table) -> Iterator[str]:
    """Decimals are numbers with all their digits; control characters are escaped, those too that JSON would let through."""
    twice = {name for name in answer.column_names if answer.column_names.count(name) > 1}
    if twice:
        raise DdzError(
            "sql_columns", f"two columns are called {inert(min(twice))}", mend="name them apart with AS"
        )
    for row in rows_of(answer):
        cells = dict(zip(answer.column_names, map(plain, row), strict=True))
        yield CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", encoded(cells).decode())


def _guarded(text: str) -> str:
    return "'" + text if text.startswith(_FORMULA) else text
