"""Every number of a report's tables is asked for again, with the statement of its appendix and nothing but DuckDB."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from itertools import permutations
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ddz_analytics.report import Report, write_report
from ddz_analytics.report.wording import a_hand, exact, share
from ddz_analytics.rules import load_rules
from tests.reports import plain_text

SETS = ("jj-classic", "jj-bomb", "casino-capped")
WHERE = "source_format = 'open-spiel' AND role = 'landlord' -- a comment"
NUMBER = re.compile(r"[−+<>]*\d[\d,]*(?:\.\d+)?%?")
Row = dict[str, Any]


@pytest.fixture(scope="module")
def plain(samples: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The store's own DuckDB file, opened by a client that knows nothing of it."""
    with duckdb.connect(samples / "ddz.duckdb", read_only=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def report(samples: Path) -> Report:
    """A report on the sample logs; the first eight of a match go on."""
    base, *others = map(load_rules, SETS)
    return write_report(samples, base, others, advance=8)


class Tables(HTMLParser):
    """The cells with numbers of every table that names its questions, in English."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.questions, self.cell, self.skipped = "", False, 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter a table, a cell, or what is said in Chinese."""
        said = dict(attrs)
        if tag == "table":
            self.questions = said.get("data-sql") or ""
        elif tag in ("td", "th"):
            self.cell = tag == "td" and "n" in (said.get("class") or "").split()
        elif tag == "span" and (self.skipped or said.get("lang") == "zh"):
            self.skipped += 1

    def handle_endtag(self, tag: str) -> None:
        """Leave it."""
        if tag == "td":
            self.cell = False
        elif tag == "span" and self.skipped:
            self.skipped -= 1

    def handle_data(self, data: str) -> None:
        """Keep the numbers of a cell."""
        if self.questions and self.cell and not self.skipped:
            self.found += [(self.questions, text) for text in NUMBER.findall(data)]


def rows_of(plain: duckdb.DuckDBPyConnection, statement: str) -> list[Row]:
    """The answer of a statement."""
    found = plain.sql(statement)
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def test_every_answer_is_that_of_its_statement(
    report: Report, samples: Path, plain: duckdb.DuckDBPyConnection
) -> None:
    """Each statement of the appendix gives plain DuckDB the rows of the JSON twin, also when a condition chooses hands."""
    base, *others = map(load_rules, SETS)
    chosen = write_report(samples, base, others[:1], where=WHERE)
    for each in (report, chosen):
        page = plain_text(each.page)
        for name, answer in json.loads(each.twin)["answers"].items():
            assert answer["sql"] in page, name
            if "rows" in answer:
                again = rows_of(plain, answer["sql"])
                assert _plainly(again) == _plainly(answer["rows"]), name


def test_every_number_of_a_table_comes_from_its_statement(
    report: Report, plain: duckdb.DuckDBPyConnection
) -> None:
    """What stands in a cell is a number of the answer that the table names, or the share, sum or mean of two in one row."""
    answers = json.loads(report.twin)["answers"]
    found = Tables(report.page.decode()).found
    pools: dict[str, set[str]] = {}
    for questions, text in found:
        if questions not in pools:
            rows = [row for name in questions.split() for row in rows_of(plain, answers[name]["sql"])]
            pools[questions] = _sayings(rows)
        assert text.lstrip("+") in pools[questions], (questions, text)
    assert len(found) > 1200
    assert len(pools) >= 18


def _sayings(rows: list[Row]) -> set[str]:
    """How the page may write the numbers of some rows."""
    said, statuses = {"0"}, dict[tuple[str, str], int]()
    for row in rows:
        numbers = [
            cell for cell in row.values() if isinstance(cell, int | Decimal) and not isinstance(cell, bool)
        ]
        said |= {exact(number) for number in numbers}
        if "score_status" in row:
            key = row["rule_set"], row["score_status"]
            statuses[key] = statuses.get(key, 0) + row["hands"]
        for one, other in permutations(numbers, 2):
            said |= {exact(one + other)}
            if isinstance(one, int) and isinstance(other, int) and 0 <= one <= other:
                said |= {share(one, other)}
            if isinstance(other, int) and other > 0:
                said |= {a_hand(Decimal(factor * one), other) for factor in (1, 1000)}
    return said | {exact(number) for number in statuses.values()}


def _plainly(rows: list[Row]) -> list[Row]:
    return [{name: _cell(cell) for name, cell in row.items()} for row in rows]


def _cell(cell: Any) -> Any:
    if isinstance(cell, date):
        return str(cell)
    return round(float(cell), 6) if isinstance(cell, int | float | Decimal) else cell
