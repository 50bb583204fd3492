"""How every command writes its answers: `--format`, `--encoding`, and where the bytes go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from ddz_analytics.answers import BINARY, ENCODINGS, KINDS, Encoding, Form, Kind
from ddz_analytics.cli.common import Command, note, write_out
from ddz_analytics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa


def encoding_option(command: Command) -> Command:
    """`--encoding`."""
    return click.option(
        "--encoding", type=click.Choice(ENCODINGS), default="utf-8", show_default=True,
        help="Of CSV; utf-8-sig or gb18030 for Excel in Chinese.",
    )(command)  # fmt: skip


def answer_options(kinds: Sequence[Kind] = KINDS) -> Callable[[Command], Command]:
    """`--format`, as `kind`, and `--encoding`."""

    def add(command: Command) -> Command:
        return click.option(
            "--format", "kind", type=click.Choice(kinds), default=None, show_default="as FILE ends, else table",
            help="How the answer is written.",
        )(encoding_option(command))  # fmt: skip

    return add


def form_of(
    kind: Kind | None, encoding: Encoding, output: Path | None, kinds: Sequence[Kind] = KINDS
) -> Form:
    """How an answer is to be written: as named, else as the file's name ends, else as a table.

    Raises UsageError `answer_terminal` for bytes that a terminal cannot show, and `answer_encoding`.
    """
    ending = "" if output is None else output.suffix.lower().removeprefix(".")
    named = kinds[0] if kind is None else kind
    if kind is None and ending in kinds:
        named = kinds[kinds.index(cast("Kind", ending))]
    form = Form(named, encoding)
    if form.kind in BINARY and output is None and sys.stdout.isatty():
        raise UsageError("answer_terminal", f"{form.kind} is nothing to look at", mend="name a file with -o")
    return form


def put_answer(answer: pa.Table, form: Form, output: Path | None, *, quiet: bool) -> None:
    """Write one answer to stdout or a file; what there is to say about it goes to stderr."""
    from ddz_analytics.answers.writing import write_answer

    _put(lambda file: write_answer(answer, form, file), output, quiet=quiet)


def put_answers(
    tables: Mapping[str, pa.Table], form: Form, output: Path | None, about: Mapping[str, str], *, quiet: bool
) -> None:
    """Write answers under their titles, as `put_answer` writes one; in JSON, behind what is said `about` them."""
    from ddz_analytics.answers.writing import write_answers

    _put(lambda file: write_answers(tables, form, file, about), output, quiet=quiet)


def _put(write: Callable[[BinaryIO], list[str]], output: Path | None, *, quiet: bool) -> None:
    content = BytesIO()
    notes = write(content)
    write_out(content.getvalue(), output)
    for words in notes:
        note(words, quiet=quiet)
