"""The README is true: its commands run, and what it shows of their output is what they print."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
LEFT_OUT = "…"


def sessions() -> Iterator[tuple[str, list[str]]]:
    """Each command of the README's console blocks with the lines shown below it."""
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            yield command, shown.splitlines()


def shows(printed: list[str], shown: list[str]) -> bool:
    """Whether what is printed is what is shown, but for lines left out where `…` stands."""
    first, *others = [piece.splitlines() for piece in "\n".join(["", *shown]).split(f"\n{LEFT_OUT}")]
    begin = len(first[1:])
    whole = printed[:begin] == first[1:]
    for piece in (piece[1:] for piece in others):
        places = range(begin, len(printed) - len(piece) + 1)
        place = next((at for at in places if printed[at : at + len(piece)] == piece), None)
        whole, begin = whole and place is not None, (place or 0) + len(piece)
    return whole and (bool(others) or begin == len(printed))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample logs, as one has it after cloning."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "sample_logs", folder / "sample_logs")
    return folder


def test_commands_print_what_the_readme_shows(folder: Path) -> None:
    """Every command of the tour succeeds in order, and prints the shown lines (`…` stands for what is left out)."""
    commands = list(sessions())
    assert len(commands) >= 7
    for command, shown in commands:
        program, *arguments = shlex.split(command)
        assert program == "ddz"
        code = "from ddz_analytics.cli import main; main()"
        run = subprocess.run(
            [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, check=False
        )
        assert run.returncode == 0, (command, run.stderr.decode())
        printed = [line.rstrip() for line in run.stdout.decode().splitlines()]
        assert shows(printed, [line.rstrip() for line in shown]), command
    assert (folder / "report.html").read_bytes().startswith(b"<!doctype html>")


@pytest.mark.parametrize("target", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_links_lead_somewhere(target: str) -> None:
    """Every relative link of the README names a file."""
    assert (ROOT / target).exists()


def test_map_names_what_is_there() -> None:
    """Every file and folder of the map of the code exists."""
    map_of_code = README[README.index("## Map of the code") :]
    for name in re.findall(r"^    (\S+(?:/|\.py)) ", map_of_code, re.MULTILINE):
        assert (ROOT / "ddz_analytics" / name).exists(), name
