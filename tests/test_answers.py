"""Answers as text: a table for people, CSV, JSON and JSON Lines, each with what a log may hold made harmless."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest

from ddz_analytics.answers import Kind
from ddz_analytics.answers.aligned import as_table
from ddz_analytics.answers.delimited import as_csv, as_json, as_jsonl
from ddz_analytics.answers.plain import inert
from ddz_analytics.answers.writing import TEXTS
from ddz_analytics.errors import DdzError
from ddz_analytics.query import run_query

ANSWER = pa.table(
    {
        "name": ["=1+1", "王五", None, "a,\x1b[31m\n"],
        "score": pa.array(
            [Decimal("-1.5"), Decimal(0), None, Decimal("12345678901234.5678")], pa.decimal128(18, 4)
        ),
        "won": [True, False, None, True],
        "day": [date(2026, 1, 2), None, None, None],
        "raw": [b"\xff{", None, None, b""],
        "codes": [["bid"], [], None, ["a", "b"]],
    }
)


def test_a_table_is_aligned_and_inert() -> None:
    """Columns line up with Chinese names of double width, NULL is written out, control characters are spelt out."""
    assert as_table(ANSWER.select(["name", "score", "won"])).split("\n") == [
        "name                        score  won",
        "------------  -------------------  -----",
        "=1+1                      -1.5000  true",
        "王五                       0.0000  false",
        "NULL                         NULL  NULL",
        "a,\\x1b[31m\\n  12345678901234.5678  true",
        "",
    ]


def test_csv_keeps_values_and_disarms_formulas() -> None:
    """A text that looks like a formula gets an apostrophe, a negative number does not; the rest reads back as it was."""
    rows = list(csv.reader(io.StringIO(as_csv(ANSWER), newline="")))
    assert rows == [
        ["name", "score", "won", "day", "raw", "codes"],
        ["'=1+1", "-1.5000", "true", "2026-01-02", "\\xff{", '["bid"]'],
        ["王五", "0.0000", "false", "", "", "[]"],
        ["", "", "", "", "", ""],
        ["a,\x1b[31m\n", "12345678901234.5678", "true", "", "", '["a","b"]'],
    ]


@pytest.mark.parametrize("text", ["=A1", "+1", "-1", "@x", "\tx", "\rx"])
def test_every_beginning_of_a_formula_is_disarmed(text: str) -> None:
    """Whatever a spreadsheet takes for a formula begins with an apostrophe, in a header too."""
    rows = list(csv.reader(io.StringIO(as_csv(pa.table({text: [text]})), newline="")))
    assert rows == [["'" + text], ["'" + text]]


def test_json_keeps_every_digit() -> None:
    """JSON and JSON Lines say the same, decimals as numbers with all their digits, control characters escaped."""
    answer = ANSWER.append_column("said", pa.array(["\x9b\u202e", None, None, None]))
    text = as_json(answer)
    rows = json.loads(text, parse_float=Decimal)
    assert [json.loads(line, parse_float=Decimal) for line in as_jsonl(answer).splitlines()] == rows
    assert rows[0] == {
        "name": "=1+1", "score": Decimal("-1.5000"), "won": True, "day": "2026-01-02", "raw": "\\xff{", "codes": ["bid"],
        "said": "\x9b\u202e",
    }  # fmt: skip
    assert rows[2] == dict.fromkeys(answer.column_names)
    assert rows[3]["score"] == Decimal("12345678901234.5678")
    assert "\\u009b\\u202e" in text


def test_json_refuses_two_columns_of_one_name(six_hands: Path) -> None:
    """An object cannot hold two values of one name, so the question must name them apart."""
    with pytest.raises(DdzError, match=r"^error\[sql_columns\]: two columns are called a"):
        as_json(run_query(six_hands, "SELECT 1 AS a, 2 AS a"))


@pytest.mark.parametrize("form", TEXTS)
def test_answers_without_rows_can_be_printed(form: Kind) -> None:
    """An empty answer is an empty list, or a header alone."""
    empty = {"table": "a\n-\n", "csv": "a\r\n", "json": "[]\n", "jsonl": ""}
    assert TEXTS[form](pa.table({"a": pa.array([], pa.int64())})) == empty[form]


def test_every_type_can_be_printed(six_hands: Path) -> None:
    """Whatever type an answer has, each form prints it."""
    sql = (
        "SELECT sum(1) AS huge, INTERVAL 1 DAY AS span, TIME '10:00' AS hour, {'a': [1.50]} AS struct, MAP {'k': 1} AS map, "
        "uuid() AS id, 'nan'::DOUBLE AS nan, TIMESTAMPTZ '2026-01-01 00:00:00+00' AS at, NULL AS nothing"
    )
    answer = run_query(six_hands, sql)
    for form in TEXTS.values():
        assert "2026-01-01T08:00:00+08:00" in form(answer)


def test_inert_text_is_left_alone_where_it_is_harmless() -> None:
    """Letters of any script stay, what commands a terminal is spelt out."""
    assert inert("王五 é 🂡") == "王五 é 🂡"
    assert inert("a\x1b]0;x\x07\u202eb\x9b") == "a\\x1b]0;x\\x07\\u202eb\\x9b"
