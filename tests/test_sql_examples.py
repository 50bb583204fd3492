"""The example questions: each runs over the sample logs, and what it answers is what plain Python makes of the same rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ddz_analytics.examples import Example, example_of, examples
from ddz_analytics.query import Answered, Limits, questions
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store.catalog import VIEWS
from tests.example_answers import COMPUTED, Row, Rows
from tests.parsing import SAMPLES
from tests.stores import line, take

RULES = ("jj-classic", "jj-bomb", "happy", "casino-capped", "jj-classic[cap.doublings=1]")
LOGS = (
    "open-spiel/playouts.jsonl", "botzone-ftl2/local_log.json", "douzero/card_play_action_seq.jsonl", "ddz-text/sheets.txt",
    *(f"simulated/{name}" for name in ("casino-capped.ddz.jsonl.gz", "happy.ddz.jsonl", "jj-classic.ddz.jsonl.gz")),
)  # fmt: skip
Ask = Callable[[str], Answered]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Questions to a store of sample logs, with one deal twice and a record that could not become a hand, scored under a few rule sets."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "broken.ddz.jsonl").write_bytes(line("1") + line("2") + line("3", bottom="2B") + b"{}\n")
    take(folder / "store", folder / "broken.ddz.jsonl", *(SAMPLES / name for name in LOGS))
    rescore(folder / "store", [load_rules(name) for name in RULES], 1)
    with questions(folder / "store", {}, Limits()) as ask:
        yield ask


@pytest.fixture(scope="module")
def rows_of(ask: Ask) -> Rows:
    """Every row of a view."""
    kept: dict[str, list[Row]] = {}

    def rows(view: str) -> list[Row]:
        if view not in kept:
            kept[view] = ask(f"SELECT * FROM {view}").rows.to_pylist()
        return kept[view]

    return rows


@pytest.mark.parametrize("name", COMPUTED)
def test_an_example_answers_what_plain_python_computes(ask: Ask, rows_of: Rows, name: str) -> None:
    """The answer is the same as one computed row by row."""
    compute, columns = COMPUTED[name]
    answered = ask(example_of(name).sql).rows.select(columns).to_pylist()
    found = [tuple(_rounded(value) for value in row.values()) for row in answered]
    assert sorted(found, key=str) == sorted((tuple(map(_rounded, row)) for row in compute(rows_of)), key=str)


def _rounded(value: Any) -> Any:
    return round(value, 9) if isinstance(value, float) else value


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_has_an_answer(ask: Ask, example: Example) -> None:
    """It gives at least a row, no row twice, in the same order each time, and adds up no two rule sets."""
    answered = ask(example.sql)
    assert answered.notes == []
    rows = [str(row) for row in answered.rows.to_pylist()]
    assert len(rows) == len(set(rows)) > 0
    assert "ORDER BY" in example.sql
    assert [str(row) for row in ask(example.sql).rows.to_pylist()] == rows


def test_forty_examples_are_questions_in_both_languages() -> None:
    """There are at least forty, each with a question in English and in Chinese, under a name that reads."""
    assert len(examples()) >= 40
    for example in examples():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", example.name)
        assert example.grain.startswith("one row per ")
        assert example.en.endswith("?") and example.zh.endswith("？"), example.name


def test_every_view_stands_in_an_example() -> None:
    """Whoever looks for an example of a view finds one."""
    words = {word for example in examples() for word in re.findall(r"\w+", example.sql)}
    assert set(VIEWS) - words == set()


def test_the_document_lists_every_example() -> None:
    """docs/sql.md ends with the table of all examples: name and question."""
    text = (SAMPLES.parent / "docs" / "sql.md").read_text("utf-8")
    rows = [f"| `{each.name}` | {each.en} |" for each in examples()]
    assert text.rstrip().splitlines()[-len(rows) :] == rows
