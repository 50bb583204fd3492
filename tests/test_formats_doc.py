"""The documentation of the log formats says of each what its parser says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.parsers import PARSERS
from ddz_analytics.parsers.base import Parser
from ddz_analytics.scales import scales

DOCUMENT = (Path(__file__).parents[1] / "docs" / "formats.md").read_text("utf-8")
SUBJECTS = ("auction", "open_hand", "doubles", "kicks", "autoplay", "balances", "room", "rules", "time")
FORMATS = [parser() for parser in PARSERS]


def row_of(parser: Parser) -> str:
    """The row of the table that a parser asks for."""
    scale = next((name for name, scale in scales().items() if parser.name in scale["formats"]), None)
    if "rules" in parser.records:
        follow = "the rules that the hand names"
    elif scale is not None:
        follow = f"scale `{scale}`"
    else:
        follow = "nothing known" if parser.reference_rules is None else f"`{parser.reference_rules}`"
    says = ["yes" if subject in parser.records else "–" for subject in SUBJECTS]
    ids = "of the source" if parser.ids_are_global else "of the file"
    return "| " + " | ".join([f"`{parser.name}`", *says, ids, follow]) + " |"


@pytest.mark.parametrize("parser", FORMATS, ids=lambda parser: parser.name)
def test_each_format_has_its_row(parser: Parser) -> None:
    """The table says of a format what it can record, whose its ids are and what its recorded scores follow."""
    assert row_of(parser) in DOCUMENT.splitlines()


@pytest.mark.parametrize("parser", FORMATS, ids=lambda parser: parser.name)
def test_each_format_has_a_section(parser: Parser) -> None:
    """A section describes the format."""
    assert f"\n## `{parser.name}`\n" in DOCUMENT


def test_no_row_is_of_nothing() -> None:
    """The table has a row for each format and no other."""
    rows = [line for line in DOCUMENT.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(row_of(parser) for parser in FORMATS)


def test_a_format_says_only_what_there_are_words_for() -> None:
    """What parsers can record is named by the words of the table."""
    assert {subject for parser in FORMATS for subject in parser.records} <= set(SUBJECTS)
