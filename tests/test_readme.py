"""README, tutorial and cookbook are true: their commands run, and what is shown of their output is what they print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ddz_analytics.cli import COMMANDS
from tests.walkthroughs import DOCUMENTS, ROOT, lay_out, played, shows

README = (ROOT / "README.md").read_text("utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
LINK = re.compile(r"\]\((?!http)([^)#\s]*)(?:#([^)\s]*))?\)")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_print_what_the_document_shows(name: str, tmp_path: Path) -> None:
    """Every command succeeds, in order, and prints the shown lines (`…` stands for what is left out); `python -m tests.walkthroughs` renews them."""
    text, ran = (ROOT / name).read_text("utf-8"), 0
    lay_out(text, tmp_path)
    for step, code, printed in played(text, tmp_path):
        assert code == 0, (step.command, printed)
        assert shows(step.output, printed), (step.command, "\n".join(printed))
        ran += 1
    assert ran >= 6


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page names a file, and a heading that it has."""
    for target, heading in LINK.findall(page.read_text("utf-8")):
        to = page.parent / target if target else page
        assert to.exists(), target
        if heading:
            assert heading in anchors(to), f"{target}#{heading}"


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_map_names_what_is_there() -> None:
    """Every file and folder of the map of the code exists, and the map has every folder of the package."""
    map_of_code = README[README.index("## Map of the code") :]
    named = set(re.findall(r"^    (\S+(?:/|\.py)) ", map_of_code, re.MULTILINE))
    for name in named:
        assert (ROOT / "ddz_analytics" / name).exists(), name
    folders = {f"{path.parent.name}/" for path in (ROOT / "ddz_analytics").glob("*/__init__.py")}
    assert folders - named <= {"batches/", "locale/"}  # named beside what they belong to


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_readme(command: str) -> None:
    """Whoever reads the README meets each command."""
    assert f"ddz {command}" in README
