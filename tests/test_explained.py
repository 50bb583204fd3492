"""The documented situations: the page is what the tool prints, and the scores are those worked out by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from ddz_analytics.explain.explained import PARTIES
from ddz_analytics.rules import clauses
from tests.explained import PAGE, Situation, explained, page, run, situations, with_hands


@pytest.fixture(scope="module", autouse=True)
def hands() -> Iterator[None]:
    """The working folder has a store with the hands."""
    with with_hands():
        yield


def test_page_is_what_the_tool_prints() -> None:
    """`docs/explained.md` is made anew, letter by letter; `python -m tests.explained > docs/explained.md` renews it."""
    assert page() == PAGE.read_text("utf-8")


def test_hands_are_legal() -> None:
    """No hand breaks a rule of play, and nothing about any of them is worth a note."""
    assert run("sql", "SELECT count(*) FROM hand_issues", "--format", "csv").split() == ["count_star()", "0"]


@pytest.mark.parametrize("situation", situations(), ids=lambda situation: situation.title)
def test_scores_are_those_on_paper(situation: Situation) -> None:
    """Each explanation ends at the scores worked out by hand from the clauses that it names."""
    told = json.loads(explained(situation, "--json"))
    nets = [[each["net"][party] for party in PARTIES] for each in told["explanations"]]
    assert nets == [scores for scores in (situation.scores, situation.against) if scores]
    named = set(re.findall(r"\b[JLCQH][0-9]+\b", situation.on_paper))
    assert named and named <= set(clauses())
