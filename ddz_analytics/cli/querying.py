"""`ddz sql`: questions over the views."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.answering import answer_options, form_of
from ddz_analytics.cli.common import (
    note,
    out_file,
    output_option,
    quiet_option,
    store_option,
    write_out,
)
from ddz_analytics.errors import UsageError
from ddz_analytics.files import check_folder
from ddz_analytics.locale import language, said

if TYPE_CHECKING:
    from ddz_analytics.answers import Encoding, Kind
    from ddz_analytics.examples import Example

TIMEOUT, LONGEST, MEMORY, SHOWN = 60, 1_000_000, "2GB", 1000


@click.command()
@click.argument("query", required=False)
@store_option
@click.option(
    "--example", metavar="NAME", default=None, help="Ask one of the example questions; list: name them all."
)
@click.option(
    "--with",
    "own",
    metavar="NAME=FILE",
    multiple=True,
    help="Join an own table (.csv, .tsv, .jsonl, .parquet) as NAME.",
)
@answer_options()
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=None,
    show_default=f"{SHOWN} where a terminal is shown a table, else all",
    help="The most rows of the answer; 0: all.",
)
@click.option("--tz", metavar="ZONE", default=None, help="The zone of local times; default: the store's.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, max=LONGEST, min_open=True),
    default=TIMEOUT,
    show_default=True,
    help="Seconds it may take.",
)
@click.option("--memory", default=MEMORY, show_default=True, help="Memory that it may take, at least 512MiB.")
@output_option
@quiet_option
def sql(
    query: str | None, store: Path, example: str | None, own: tuple[str, ...], kind: Kind | None, encoding: Encoding,
    limit: int | None, tz: str | None, timeout: float, memory: str, output: Path | None, quiet: bool,
) -> None:  # fmt: skip
    """Ask one question in SQL, read-only; without a question, list the views, their columns, and example questions.

    The question runs in a process of its own that can read the views and nothing else (docs/sql.md).
    """
    from ddz_analytics.cli.apart import Asked, answered, memory_of

    if example == "list" or (query is None and example is None):
        write_out((_examples() if example else _listing(store) + "\n" + _examples()).encode(), output)
        return
    form = form_of(kind, encoding, output)
    check_folder(output)
    if limit is None and not quiet and output is None and form.kind == "table" and sys.stdout.isatty():
        limit = SHOWN  # nobody who wants no notes is shown less than all without having asked for it
    most = limit or None
    asked = Asked(store, _question(query, example, quiet=quiet), form, most, tz, [_own(each) for each in own])
    with answered(asked, timeout, memory_of(memory)) as (content, notes):
        if output is None and sys.stdout.isatty():
            write_out(content.read(), None)
        else:
            with out_file(output) as file:
                shutil.copyfileobj(content, file)
    for words in notes:
        note(words, quiet=quiet)


def _question(query: str | None, example: str | None, *, quiet: bool) -> str:
    """The SQL to ask: as given, from stdin, or of an example, which is told on stderr."""
    if example is not None:
        if query is not None:
            raise UsageError("sql_statements", "a question and an example", mend="give one of them")
        from ddz_analytics.examples import example_of

        asked = example_of(example)
        note(f"{_told(asked)}\n\n{asked.sql.strip()}\n", quiet=quiet)
        return asked.sql
    from ddz_analytics.streams import standard_input

    text = standard_input().read() if query == "-" else query or ""
    if not text.strip():
        raise UsageError("sql_statements", "the question is empty", mend="`ddz sql` alone lists the views")
    return text


def _own(text: str) -> tuple[str, Path]:
    """The name and the file of an own table; raises UsageError `sql_with`."""
    name, equals, path = text.partition("=")
    if not (equals and path and name.isidentifier()):
        mend = "write NAME=FILE, NAME of letters, digits and underscores"
        raise UsageError("sql_with", f"no table with a name: {text}", where="--with", mend=mend)
    return name, Path(path)


def _listing(store: Path) -> str:
    from ddz_analytics.store.catalog import described

    lines = []
    for view, comment, columns in described(store, language()):
        lines.append(f"\n{view}: {comment}")
        lines += [f"  {name:28} {kind:26} {told}" for name, kind, told in columns]
    return "\n".join(lines).lstrip("\n") + "\n"


def _examples() -> str:
    from ddz_analytics.examples import examples

    return "\n".join([said("sql.examples"), *(f"  {_told(each)}" for each in examples())]) + "\n"


def _told(example: Example) -> str:
    """An example by its name and its question."""
    return f"{example.name}: {example.zh if language() == 'zh' else example.en}"
