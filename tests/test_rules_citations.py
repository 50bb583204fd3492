"""Clauses, what cites them, and the explanations of the keys."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ddz_analytics import rules as rules_package
from ddz_analytics.rules import KEYS, cited_clauses, clauses, find_rule_file, shipped_overlays, shipped_rules
from tests.rule_files import NEUTRAL

OF_A_PROGRAM = "douzero-adp"
FOLDER = Path(rules_package.__file__).parent


def test_clauses_are_complete() -> None:
    """The clauses are J1–J58, L1–L41, C1–C40, Q1–Q27, H1–H38, each on its own page and said in both languages."""
    pages = {"J": ("jj", 58), "L": ("jj2", 41), "C": ("casino", 40), "Q": ("qq", 27), "H": ("happy", 38)}
    expected = [(f"{letter}{n}", page) for letter, (page, last) in pages.items() for n in range(1, last + 1)]
    assert [(name, clause.page) for name, clause in clauses().items()] == expected
    assert all(
        clause.heading and clause.zh.endswith("。") and clause.en.endswith(".")
        for clause in clauses().values()
    )


def test_scoring_clauses() -> None:
    """The scoring clauses are those that move points, set the stake or order players."""
    scoring = [name for name, clause in clauses().items() if clause.scoring]
    expected = cited_clauses(
        "jj J6, J29-J49; jj2 L27-L28, L34-L41; casino C21-C29, C35-C39; qq Q18-Q27; happy H5-H19"
    )
    assert scoring == expected


def test_citation_is_written_out() -> None:
    """A citation names single clauses and ranges of several pages; other text names none."""
    assert cited_clauses("jj J8, J29-J31: 积分规则; qq Q20: 積分") == ["J8", "J29", "J30", "J31", "Q20"]
    assert cited_clauses("house rules: caps") == []


def test_rule_set_of_a_program_cites_it() -> None:
    """A rule set that comes from a program and not from a page names the program in every section."""
    file = find_rule_file(OF_A_PROGRAM)
    assert {source.partition(": ")[0] for source in file.sources.values()} == {"DouZero"}


@pytest.mark.parametrize(
    "name", [name for name in shipped_rules() + shipped_overlays() if name != OF_A_PROGRAM]
)
def test_every_cited_clause_exists(name: str) -> None:
    """Each section of a shipped file cites at least one clause that exists, on the page and under a heading it has."""
    file = find_rule_file(name)
    assert {key.partition(".")[0] for key in file.settings} == set(file.sources)
    for source in file.sources.values():
        for piece in source.split("; "):
            cited = cited_clauses(piece)
            assert cited and set(cited) <= set(clauses())
            assert {clauses()[clause].page for clause in cited} == {piece.partition(" ")[0]}
            assert {clauses()[clause].heading for clause in cited} == {piece.partition(": ")[2]}


def test_keys_are_documented() -> None:
    """Every key is explained in both languages, with its neutral value, what is allowed, and clauses that exist."""
    assert {name: key.neutral for name, key in KEYS.items()} == NEUTRAL
    assert list(KEYS) == list(NEUTRAL)
    assert list(tomllib.loads((FOLDER / "keys.toml").read_text("utf-8"))) == list(NEUTRAL)
    for key in KEYS.values():
        assert key.en and key.zh and key.clauses and set(key.clauses) <= set(clauses())


def test_allowed_values_are_worded() -> None:
    """Allowed values read as a person would say them, the neutral one first where values are named."""
    assert KEYS["auction.nobody"].allowed == "redeal, starter, first_opener_or_redeal"
    assert KEYS["stake.unit"].allowed == "1, room.unit, room.rate"
    assert KEYS["cap.doublings"].allowed == "none, 0 to 60"
    assert KEYS["cap.counts"].allowed == "one or more of bombs, rockets, spring, anti_spring"
    assert KEYS["double.super"].allowed == "false, true"
