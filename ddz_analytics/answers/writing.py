"""Answers written as bytes: the one place where a table becomes a file, whichever command it comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics.answers import Form, Kind
from ddz_analytics.answers.aligned import as_table
from ddz_analytics.answers.delimited import as_csv, as_json, as_jsonl
from ddz_analytics.answers.workbook import DIGITS, write_sheets, write_workbook
from ddz_analytics.errors import DdzError
from ddz_analytics.locale import said

TEXTS: Mapping[Kind, Callable[[pa.Table], str]] = {
    "table": as_table, "csv": as_csv, "json": as_json, "jsonl": as_jsonl
}  # fmt: skip


def write_answer(answer: pa.Table, form: Form, file: BinaryIO) -> list[str]:
    """Write one answer; what there is to say about it, a line each.

    Raises DdzError `answer_text` (bytes that are no text), `answer_parquet`, `sql_columns`, and as
    `write_workbook` does.
    """
    if form.kind == "parquet":
        _write_parquet(answer, file)
        return []
    try:
        if form.kind == "xlsx":
            return told_as_text(write_workbook(answer.schema, [answer], file))
        file.write(TEXTS[form.kind](answer).encode(form.encoding))
        return []
    except UnicodeDecodeError as error:
        raise DdzError("answer_text", "a text of the answer is not UTF-8", mend="leave it out") from error


def write_answers(
    tables: Mapping[str, pa.Table], form: Form, file: BinaryIO, about: Mapping[str, str] | None = None
) -> list[str]:
    """Write answers under their titles in one of OF_SEVERAL: a sheet each in a workbook, a key each in an object.

    `about` has keys of the object that stand before them. Returns and raises as `write_answer` does.
    """
    if form.kind == "xlsx":
        return told_as_text(write_sheets(tables, file))
    text = _jsons(tables, about or {}) if form.kind == "json" else _TITLED[form.kind](tables)
    file.write(text.encode(form.encoding))
    return []


def _tables(tables: Mapping[str, pa.Table]) -> str:
    return "\n".join(
        f"{title}\n{as_table(table) if table.num_rows else said('common.none') + chr(10)}"
        for title, table in tables.items()
    )


def _csvs(tables: Mapping[str, pa.Table]) -> str:
    return "\r\n".join(f"# {title}\r\n{as_csv(table)}" for title, table in tables.items())


def _jsons(tables: Mapping[str, pa.Table], about: Mapping[str, str]) -> str:
    entries = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in about.items()]
    entries += [f"{json.dumps(title)}: {as_json(table).strip()}" for title, table in tables.items()]
    return "{" + ",\n".join(entries) + "}\n"


_TITLED: Mapping[Kind, Callable[[Mapping[str, pa.Table]], str]] = {"table": _tables, "csv": _csvs}


def told_as_text(as_text: int) -> list[str]:
    """What to say of a workbook in which so many numbers stand as text."""
    return [said("answer.as_text", numbers=as_text, digits=DIGITS)] if as_text else []


def _write_parquet(answer: pa.Table, file: BinaryIO) -> None:
    try:
        pq.write_table(answer, file, compression="zstd")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        what = f"the answer has a column that Parquet cannot hold: {error}"
        raise DdzError("answer_parquet", what, mend="cast it, as with ::VARCHAR") from error
