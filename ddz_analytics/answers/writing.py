"""Answers written as bytes: the one place where a table becomes a file, whichever command it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics.answers import Form, Kind
from ddz_analytics.answers.aligned import as_table
from ddz_analytics.answers.delimited import as_csv, as_json, as_jsonl, in_encoding
from ddz_analytics.answers.workbook import DIGITS, write_sheets, write_workbook
from ddz_analytics.errors import DdzError

TEXTS: Mapping[Kind, Callable[[pa.Table], str]] = {
    "table": as_table, "csv": as_csv, "json": as_json, "jsonl": as_jsonl
}  # fmt: skip
NONE = "(none)\n"


def write_answer(answer: pa.Table, form: Form, file: BinaryIO) -> list[str]:
    """Write one answer; what there is to say about it, a line each.

    Raises DdzError `answer_text` (bytes that are no text), `answer_encoding`, `answer_parquet`, `sql_columns`, and as
    `write_workbook` does.
    """
    if form.kind == "parquet":
        _write_parquet(answer, file)
        return []
    try:
        if form.kind == "xlsx":
            return _told(write_workbook(answer.schema, [answer], file))
        file.write(in_encoding(TEXTS[form.kind](answer), form.encoding))
        return []
    except UnicodeDecodeError as error:
        raise DdzError("answer_text", "a text of the answer is not UTF-8", mend="leave it out") from error


def write_answers(tables: Mapping[str, pa.Table], form: Form, file: BinaryIO) -> list[str]:
    """Write answers under their titles in one of OF_SEVERAL: a sheet each in a workbook; returns and raises as `write_answer` does."""
    if form.kind == "xlsx":
        return _told(write_sheets(tables, file))
    file.write(in_encoding(_SEVERAL[form.kind](tables), form.encoding))
    return []


def _tables(tables: Mapping[str, pa.Table]) -> str:
    return "\n".join(
        f"{title}\n{as_table(table) if table.num_rows else NONE}" for title, table in tables.items()
    )


def _csvs(tables: Mapping[str, pa.Table]) -> str:
    return "\n".join(f"# {title}\n{as_csv(table)}" for title, table in tables.items())


def _jsons(tables: Mapping[str, pa.Table]) -> str:
    return "{" + ",\n".join(f'"{title}": {as_json(table).strip()}' for title, table in tables.items()) + "}\n"


_SEVERAL: Mapping[Kind, Callable[[Mapping[str, pa.Table]], str]] = {
    "table": _tables, "csv": _csvs, "json": _jsons
}  # fmt: skip


def _told(as_text: int) -> list[str]:
    what = f"{as_text} numbers of more than {DIGITS} digits stand as text: a spreadsheet would round them"
    return [what] if as_text else []


def _write_parquet(answer: pa.Table, file: BinaryIO) -> None:
    try:
        pq.write_table(answer, file, compression="zstd")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        what = f"the answer has a column that Parquet cannot hold: {error}"
        raise DdzError("answer_parquet", what, mend="cast it, as with ::VARCHAR") from error
