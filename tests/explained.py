"""Twelve situations and their kin, explained by the tool itself: `python -m tests.explained > docs/explained.md`."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from click.testing import CliRunner
from msgspec import Struct

from ddz_analytics.cli import ddz

ROOT = Path(__file__).parents[1]
HANDS = Path("docs/explained.ddz.jsonl")
PAGE = ROOT / "docs" / "explained.md"
_HEAD = """# Scores explained

Small hands that were made by hand, and how `ddz explain` tells each of them. The file [explained.ddz.jsonl](explained.ddz.jsonl) has
them:

    ddz ingest docs/explained.ddz.jsonl

In a step, the value before stands first, then the operation and the value after. `#14` is the place of an act in the log, where the
first is 0. `ddz explain HAND --sheet FILE` writes a page to print, `--json` gives the same as data, `--lang zh` tells it in Chinese.
What stands "on paper" is worked out by hand from the clauses. `python -m tests.explained > docs/explained.md` makes this page.
"""


class Situation(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand, how to ask for it, what it shows, and its scores (landlord, down, up, house) as worked out by hand."""

    title: str
    hand: str
    command: str
    shows: str
    on_paper: str
    scores: list[str]
    against: list[str] = []
    in_chinese: bool = False


@cache
def situations() -> list[Situation]:
    """All of them, in the order of the page."""
    found = tomllib.loads(Path(__file__).with_name("explained.toml").read_text("utf-8"))
    return [msgspec.convert(each, Situation) for each in found["situation"]]


@contextlib.contextmanager
def with_hands() -> Iterator[None]:
    """A folder in which the hands are ingested, as the working folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        HANDS.parent.mkdir()
        shutil.copy(ROOT / HANDS, HANDS)
        run("ingest", str(HANDS))
        yield


def run(*arguments: str) -> str:
    """What a command prints."""
    environment = {name: None for name in os.environ if name.startswith("DDZ_")}
    done = CliRunner(env=environment).invoke(ddz, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def explained(situation: Situation, *more: str) -> str:
    """What `ddz explain` prints of a situation."""
    return run("explain", situation.hand, *shlex.split(situation.command), *more)


def page() -> str:
    """The whole page in Markdown."""
    parts = [_HEAD]
    with with_hands():
        for situation in situations():
            parts += [f"## {situation.title}\n", f"{situation.shows}\n", f"On paper: {situation.on_paper}\n"]
            for more in ((), ("--lang", "zh")) if situation.in_chinese else ((),):
                command = " ".join(["$ ddz explain", situation.hand, situation.command, *more])
                parts.append(f"```console\n{command}\n{explained(situation, *more)}```\n")
    return "\n".join(parts)


def main() -> None:
    """Print the page."""
    sys.stdout.write(page())


if __name__ == "__main__":
    main()
