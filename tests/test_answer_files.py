"""Answers as files for the desktop, read back: workbooks, CSV in every encoding, Parquet; numbers exact, ids text, nothing a formula."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.answers import ENCODINGS, Encoding, Form, workbook
from ddz_analytics.answers.writing import write_answer, write_answers
from ddz_analytics.errors import DdzError, UsageError

ANSWER = pa.table(
    {
        "hand_id": [1, 2],
        "player": ["=HYPERLINK(1)", "王五"],
        "score": pa.array([Decimal("-1.5"), Decimal("99999999999999.9999")], pa.decimal128(18, 4)),
        "dealt_mask": [2**59, 7],
        "rate": [0.1, float("nan")],
        "won": [True, None],
        "local_day": [date(2026, 1, 2), date(1899, 1, 1)],
        "local_time": [datetime(2026, 1, 2, 3, 4, 5), datetime(2026, 1, 2, 3, 4, 5, 6)],
        "started_at": pa.array(
            [datetime(2026, 1, 1, 19, 4, 5, tzinfo=UTC)] * 2, pa.timestamp("us", "Asia/Shanghai")
        ),
    }
)


def written(answer: pa.Table, form: Form) -> tuple[bytes, list[str]]:
    """An answer as bytes, and what is said about it."""
    file = io.BytesIO()
    notes = write_answer(answer, form, file)
    return file.getvalue(), notes


def sheets(content: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """The sheets of a workbook by name, as a spreadsheet reads their cells; no cell is a formula or a link."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type != "f" and cell.hyperlink is None for cell in cells)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_a_workbook_holds_what_the_answer_holds() -> None:
    """Numbers of fifteen digits are numbers and longer ones text, ids and times with a zone are text, days and local times dates."""
    content, notes = written(ANSWER, Form("xlsx"))
    (rows,) = sheets(content).values()
    assert rows == [
        tuple(ANSWER.column_names),
        ("1", "=HYPERLINK(1)", -1.5, str(2**59), 0.1, True, datetime(2026, 1, 2), datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05+08:00"),
        ("2", "王五", "99999999999999.9999", 7, "nan", None, "1899-01-01", "2026-01-02T03:04:05.000006", "2026-01-02T03:04:05+08:00"),
    ]  # fmt: skip
    assert notes == ["numbers of more than 15 digits, which a spreadsheet would round, stand as text: 2"]


def test_a_sheet_is_ready_to_be_read() -> None:
    """The head is bold, stays in view and can be filtered by; columns are as wide as what stands in them, Chinese twice as wide."""
    content, _ = written(pa.table({"id": [1], "规则": ["斗地主" * 5], "long": ["x" * 300]}), Form("xlsx"))
    sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
    assert [sheet.cell(1, column).font.b for column in (1, 2, 3)] == [True] * 3
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:C2")
    widths = [sheet.column_dimensions[letter].width for letter in "ABC"]
    assert widths[0] < 10 and 30 <= widths[1] <= 34 and 60 <= widths[2] <= 61


@pytest.mark.parametrize(
    "digits", ["123456789012345", "12345678901.2345", "-0.0001", "100000000000000000", "0"]
)
def test_fifteen_digits_come_back(digits: str) -> None:
    """A number of at most fifteen digits that count is the same number in a spreadsheet."""
    content, notes = written(pa.table({"n": pa.array([Decimal(digits)], pa.decimal128(38, 4))}), Form("xlsx"))
    ((_, (cell,)),) = sheets(content).values()
    assert (Decimal(repr(cell)), notes) == (Decimal(digits), [])


def test_several_answers_are_a_sheet_each() -> None:
    """Behind a list of them by title, each under a name that a sheet may have."""
    tables = {
        "who wins / who loses: [all] of them, by role": ANSWER.select(["score"]).slice(0, 1),
        "b'": pa.table({"a": [1]}),
    }
    file = io.BytesIO()
    assert write_answers(tables, Form("xlsx"), file) == []
    assert sheets(file.getvalue()) == {
        "contents": [
            ("sheet", "table", "rows"),
            ("1 who wins   who loses   all  o", "who wins / who loses: [all] of them, by role", 1),
            ("2 b", "b'", 1),
        ],
        "1 who wins   who loses   all  o": [("score",), (-1.5,)],
        "2 b": [("a",), (1,)],
    }


def test_what_no_sheet_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows, columns or letters than a sheet has are refused and not cut off."""
    assert workbook.MOST_ROWS == 1_048_576 - 1
    monkeypatch.setattr(workbook, "MOST_ROWS", 3)
    refused = {
        "xlsx_rows": pa.table({"a": [1, 2, 3, 4]}),
        "xlsx_text": pa.table({"a": ["x" * 32_768]}),
        "xlsx_columns": pa.table({f"c{number}": [1] for number in range(16_385)}),
    }
    for code, answer in refused.items():
        with pytest.raises(UsageError) as raised:
            written(answer, Form("xlsx"))
        assert raised.value.code == code


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_csv_in_each_encoding_comes_back(encoding: Encoding) -> None:
    """Every text and digit is the same after reading; the mark that Excel looks for is there where it is asked for."""
    content, _ = written(ANSWER, Form("csv", encoding))
    rows = list(csv.reader(io.StringIO(content.decode(encoding), newline="")))
    assert rows[0] == ANSWER.column_names
    assert rows[1][:4] == ["1", "'=HYPERLINK(1)", "-1.5000", str(2**59)]
    assert rows[2][1:3] == ["王五", "99999999999999.9999"]
    assert content.startswith(b"\xef\xbb\xbf") == (encoding == "utf-8-sig")


def test_every_character_can_be_written_in_gb18030() -> None:
    """GB18030 holds all of Unicode, so that nothing is lost in it."""
    letters = "𠮷🂡é\u200b\U0010ffff"
    content, _ = written(pa.table({"a": [letters]}), Form("csv", "gb18030"))
    assert content.decode("gb18030") == f"a\r\n{letters}\r\n"


@pytest.mark.parametrize(
    "form", [Form("csv"), Form("csv", "gb18030"), Form("table"), Form("json"), Form("xlsx")]
)
def test_bytes_that_are_no_text_are_refused(form: Form) -> None:
    """Half of a surrogate pair is an error with a code, whatever is written."""
    half = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xed\xa0\x80"]).buffers())
    with pytest.raises(DdzError) as raised:
        written(pa.table({"a": half}), form)
    assert raised.value.code == "answer_text"


def test_only_csv_has_an_encoding() -> None:
    """An encoding of anything else is a mistake."""
    with pytest.raises(UsageError, match=r"^error\[answer_encoding\]: xlsx is never written in gb18030"):
        Form("xlsx", "gb18030")


def test_parquet_is_the_answer_itself() -> None:
    """Types and values come back; a type that Parquet lacks is an error with a code."""
    content, _ = written(ANSWER, Form("parquet"))
    assert pq.read_table(io.BytesIO(content)).schema.equals(ANSWER.schema)
    span = pa.table({"a": pa.array([pa.MonthDayNano((1, 2, 3))], pa.month_day_nano_interval())})
    with pytest.raises(DdzError, match=r"^error\[answer_parquet\]"):
        written(span, Form("parquet"))
