"""What several commands share: options, where results and notes go, tables as text."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from ddz_analytics.cli.progress import Bar
from ddz_analytics.cli.spoken import LANGUAGE
from ddz_analytics.files import whole_file
from ddz_analytics.last_words import told_if_possible
from ddz_analytics.locale import said

if TYPE_CHECKING:
    import pyarrow as pa

    from ddz_analytics.rescore import Scenario
    from ddz_analytics.rules import RuleSet


Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(command: Command) -> Command:
    """`--store`."""
    return click.option(
        "--store",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("ddz-store"),
        show_default=True,
        envvar="DDZ_STORE",
        show_envvar=True,
        help="The folder that holds everything ingested and scored.",
    )(command)


def quiet_option(command: Command) -> Command:
    """`--quiet`."""
    return click.option("--quiet", is_flag=True, help="No notes and no progress on stderr.")(command)


def json_option(command: Command) -> Command:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="The summary as JSON on stdout.")(command)


def jobs_option(command: Command) -> Command:
    """`--jobs`."""
    return click.option(
        "--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, show_default="one per processor",
        help="How many processes work side by side.",
    )(command)  # fmt: skip


def lang_option(command: Command) -> Command:
    """`--lang`, where a command passes it on; all others have it too."""
    return click.option("--lang", **LANGUAGE)(command)


def balances_option(command: Command) -> Command:
    """`--balances`."""
    return click.option(
        "--balances", type=click.Choice(["recorded", "chained"]), default="recorded", show_default=True,
        help="Balances before each hand: as the log says, or as the rules would have left them, hand after hand.",
    )(command)  # fmt: skip


def output_option(command: Command) -> Command:
    """`-o FILE`."""
    return click.option(
        "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default=None,
        help="Write to this file instead of stdout.",
    )(command)  # fmt: skip


def days_option(command: Command) -> Command:
    """`--from` and `--to`, both days included, as `first_day` and `last_day`."""
    first, last = (
        click.option(
            option, name, type=click.DateTime(["%Y-%m-%d"]), default=None, callback=_day,
            help=f"{which} day, in the store's time zone.",
        )
        for option, name, which in (("--from", "first_day", "First"), ("--to", "last_day", "Last"))
    )  # fmt: skip
    return first(last(command))


def _day(_: click.Context, __: click.Parameter, moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def pseudonyms_option(command: Command) -> Command:
    """`--pseudonyms KEYFILE`."""
    return click.option(
        "--pseudonyms", metavar="KEYFILE", type=click.Path(dir_okay=False, path_type=Path), default=None,
        help="Players under pseudonyms: a hash under the key in this file.",
    )(command)  # fmt: skip


def warn_of_open_key(keyfile: Path | None, *, quiet: bool) -> None:
    """Say that others may read the key file, if that is so."""
    from ddz_analytics.pseudonyms import is_open_to_others

    if keyfile is not None and keyfile.exists() and is_open_to_others(keyfile):
        note(said("common.key_open", file=keyfile), quiet=quiet)


def note(text: str, *, quiet: bool = False) -> None:
    """Say something about the work, on stderr; the work is done all the same where nothing can be written there."""
    if not quiet:
        with told_if_possible():
            click.echo(text, err=True)


def write_out(content: bytes, target: Path | None) -> None:
    """Write a result to stdout, or as a whole to a file: the file is never there half written.

    A terminal is shown escapes for what would command it; whatever else reads stdout gets every byte.
    """
    if target is None and sys.stdout.isatty():
        content = _shown(content)
    with out_file(target) as file:
        file.write(content)


@contextmanager
def out_file(target: Path | None) -> Iterator[BinaryIO]:
    """Stdout, or a file that is there as a whole when all is written."""
    if target is not None:
        with whole_file(target) as file:
            yield file
        return
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def _shown(content: bytes) -> bytes:
    """Some text, line by line without power over a terminal."""
    from ddz_analytics.answers.plain import inert

    lines = content.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")
    return "\n".join(map(inert, lines)).encode()


def score(store: Path, chosen: list[RuleSet], jobs: int, balances: Scenario, *, quiet: bool) -> None:
    """Score what is missing, and say so."""
    from ddz_analytics.rescore import rescore
    from ddz_analytics.without_pandas import leave_pandas_out

    leave_pandas_out()
    with Bar(quiet=quiet) as bar:
        done = rescore(store, chosen, jobs, balances, bar.scored)
    if any(done.settled.values()):
        note(said("common.scored", hands=sum(done.settled.values())), quiet=quiet)


def print_json(value: object) -> None:
    """Print a summary as JSON; what cannot be printed stands there as an escape, also where JSON would let it through."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    click.echo(
        "".join(
            letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text
        )
    )


def print_table(title: str, table: pa.Table) -> None:
    """Print a table under its title."""
    from ddz_analytics.answers.aligned import as_table

    click.echo(f"\n{title}")
    click.echo(as_table(table).rstrip("\n") if table.num_rows else said("common.none"))


def baseline_option(command: Command) -> Command:
    """`--baseline`."""
    return click.option(
        "--baseline", default=None, help="Default: the one recorded rule set, else qq-classic."
    )(command)


def where_option(command: Command) -> Command:
    """`--where`."""
    return click.option("--where", default=None, help="SQL over hand_seats: only hands with such a seat.")(
        command
    )


def advance_option(command: Command) -> Command:
    """`--advance`."""
    return click.option(
        "--advance", type=click.IntRange(min=1), default=None, help="How many of each match go on."
    )(command)


def set_option(command: Command) -> Command:
    """`--set`."""
    return click.option(
        "--set", "settings", multiple=True, metavar="KEY=V1,V2",
        help="Vary a parameter, e.g. cap.doublings=3,4; several make a grid.",
    )(command)  # fmt: skip
