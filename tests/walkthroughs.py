"""Documents whose console blocks are run: `python -m tests.walkthroughs` runs them and writes anew what their commands print.

A block of `console` holds commands after `$ ` and what they print; `…` on a line of its own stands for lines that are left out.
A block whose first line names a file (```toml my-room.toml) is that file. `; echo $?` after a command shows its exit code, and
what it says on stderr as well. Each document has a folder of its own with the sample logs, as one has it after cloning.
"""

from __future__ import annotations

import difflib
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click
from click.testing import CliRunner

from ddz_analytics.cli import ddz
from ddz_analytics.errors import DdzError

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "docs/tutorial.md", "docs/cookbook.md")
LEFT_OUT = "…"
ECHO = "; echo $?"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


class Shown(NamedTuple):
    """A command of a document, what is shown of its output, and where that stands in the text."""

    command: str
    output: str
    start: int
    end: int


class Written(NamedTuple):
    """A file that a document shows, or what is to be changed in it."""

    name: str
    content: str
    is_diff: bool


class Program(NamedTuple):
    """Some Python in a document; what one block defines the next ones know."""

    code: str


def steps(text: str) -> Iterator[Shown | Written | Program]:
    """The commands, files and programs of a document, in order."""
    for block in BLOCK.finditer(text):
        kind, name, content = block.groups()
        if name is not None:
            yield Written(name, content, kind == "diff")
        elif kind == "python":
            yield Program(content)
        elif kind == "console":
            for found in COMMAND.finditer(content):
                begin = block.start(3) + found.start(2)
                yield Shown(found[1], found[2], begin, begin + len(found[2]))


def played(text: str, folder: Path) -> Iterator[tuple[Shown, int, list[str]]]:
    """Each command of a document run in a folder: what is shown of it, its exit code, and the lines that it prints."""
    known: dict[str, object] = {}
    for step in steps(text):
        if isinstance(step, Shown):
            yield step, *run(step.command, folder)
        elif isinstance(step, Program):
            with chdir(folder), redirect_stdout(None):
                exec(step.code, known)


def lay_out(text: str, folder: Path) -> None:
    """Put the files of a document into a folder, beside the sample logs and the documents; a block of `diff` changes its file."""
    for beside in ("sample_logs", "docs"):
        (folder / beside).symlink_to(ROOT / beside)
    for step in steps(text):
        if isinstance(step, Written):
            file = folder / step.name
            file.write_text(
                changed(file.read_text("utf-8"), step.content) if step.is_diff else step.content, "utf-8"
            )


def changed(text: str, diff: str) -> str:
    """A text with a change: its lines that the diff keeps or takes away stand there once, in a row."""
    lines = diff.splitlines(keepends=True)
    before, after = ("".join(line[1:] for line in lines if line[0] in kinds) for kinds in (" -", " +"))
    assert text.count(before) == 1, before
    return text.replace(before, after)


def run(command: str, folder: Path) -> tuple[int, list[str]]:
    """A command in this process: its exit code, and the lines that it prints."""
    program, *arguments = shlex.split(command.removesuffix(ECHO))
    assert program == "ddz", command
    with chdir(folder):
        result = CliRunner(env={"DDZ_LANG": "en"}).invoke(ddz, arguments, standalone_mode=False)
    code, printed = result.exit_code, result.stdout
    error = result.exception
    if isinstance(error, DdzError | click.ClickException):
        code, printed = error.exit_code, f"{result.output}{error}\n"
    elif error is not None and not isinstance(error, SystemExit):
        raise error
    else:
        code = result.return_value or 0
    if command.endswith(ECHO):
        printed = f"{printed if isinstance(error, DdzError) else result.output}{code}\n"
        code = 0
    return code, [line.rstrip() for line in printed.splitlines()]


def pieces(output: str) -> list[list[str]]:
    """The runs of lines that are shown, between what is left out; one before the first `…` and one after the last, perhaps empty."""
    found: list[list[str]] = [[]]
    for line in output.splitlines():
        if line == LEFT_OUT:
            found.append([])
        else:
            found[-1].append(line.rstrip())
    return found


def shows(output: str, printed: Sequence[str]) -> bool:
    """Whether what is printed is what is shown, but for lines left out where `…` stands."""
    return renewed(output, printed) == output.rstrip("\n").splitlines()


def renewed(output: str, printed: Sequence[str]) -> list[str]:
    """The lines that are to be shown: of what is left out in part, as many lines as now, from where they are most alike."""
    first, *others = pieces(output)
    if not others:
        return list(printed)
    lines, at = list(printed[: len(first)]), len(first)
    for place, piece in enumerate(others):
        lines.append(LEFT_OUT)
        if not piece:
            continue
        last = place == len(others) - 1 and not output.rstrip("\n").endswith(LEFT_OUT)
        begin = _most_alike(piece, printed, at) if not last else max(at, len(printed) - len(piece))
        lines += printed[begin : begin + len(piece)]
        at = begin + len(piece)
    return lines


def _most_alike(piece: Sequence[str], printed: Sequence[str], at: int) -> int:
    """Where a run of lines, or what it has become, stands in what is printed."""
    places = range(at, max(at, len(printed) - len(piece)) + 1)

    def likeness(begin: int) -> float:
        pairs = zip(piece, printed[begin : begin + len(piece)], strict=False)
        return sum(difflib.SequenceMatcher(None, was, now).ratio() for was, now in pairs)

    exact = [begin for begin in places if list(printed[begin : begin + len(piece)]) == list(piece)]
    return exact[0] if exact else max(places, key=likeness)


def rewritten(text: str, folder: Path) -> str:
    """A document with what its commands print now."""
    lay_out(text, folder)
    return with_outputs(text, [printed for _, _, printed in played(text, folder)])


def with_outputs(text: str, outputs: Sequence[Sequence[str]]) -> str:
    """A document with what each of its commands printed, in order."""
    shown = [step for step in steps(text) if isinstance(step, Shown)]
    changes = [(step, renewed(step.output, printed)) for step, printed in zip(shown, outputs, strict=True)]
    ends = [0, *(step.end for step, _ in changes)]
    told = [
        text[end : step.start] + "".join(line + "\n" for line in lines)
        for end, (step, lines) in zip(ends, changes, strict=False)
    ]
    return "".join(told) + text[ends[-1] :]


def main() -> None:
    """Write every document anew, or those that are named."""
    for name in sys.argv[1:] or DOCUMENTS:
        document = ROOT / name
        with tempfile.TemporaryDirectory() as folder:
            document.write_text(rewritten(document.read_text("utf-8"), Path(folder)), "utf-8")


if __name__ == "__main__":
    main()
