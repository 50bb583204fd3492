"""How to add a rule set, a parser, a concept: each page of docs/extending.md works as it is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extending import follow, sections
from tests.walkthroughs import Shown, shows, steps

LONGEST = 100  # lines: a page


@pytest.mark.parametrize("section", sections()[1:], ids=lambda section: section.splitlines()[0].strip("# "))
def test_page_is_followed_to_the_letter(section: str, tmp_path: Path) -> None:
    """The files of a page are written, its changes made in a copy, its commands run, and they print what it shows."""
    assert len(section.splitlines()) <= LONGEST
    shown = [step for step in steps(section) if isinstance(step, Shown)]
    for step, (code, printed) in zip(shown, follow(section, tmp_path), strict=True):
        assert code == 0, (step.command, printed)
        assert shows(step.output, printed), (step.command, printed)
