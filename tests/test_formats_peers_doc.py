"""The example of the text notation in the documentation is a hand."""

from __future__ import annotations

import re
from pathlib import Path

from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from tests.stores import column, take_counts

DOCS = Path(__file__).parents[1] / "docs"


def example() -> str:
    """The indented block of the documentation that begins a hand."""
    pages = "\n".join(path.read_text("utf-8") for path in sorted(DOCS.glob("formats*.md")))
    (block,) = re.findall(r"^    牌局 .*\n(?:    .*\n)+", pages, re.MULTILINE)
    return re.sub(r"^    ", "", block, flags=re.MULTILINE)


def test_the_example_is_ingested_and_its_score_is_the_recorded_one(tmp_path: Path) -> None:
    """The sheet of the documentation is stored, and its rules give the score that it records."""
    (tmp_path / "sheet.txt").write_text(example(), "utf-8")
    store = tmp_path / "store"
    assert take_counts(store, tmp_path / "sheet.txt") == (1, 0, 0, 0)
    rescore(store, [load_rules("jj-classic")])
    nets = [column(store, "settlements", f"net_{role}")[0] for role in ("landlord", "down", "up")]
    assert nets == [120, -60, -60]
