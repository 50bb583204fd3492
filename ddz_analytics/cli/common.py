"""What several commands share: options, where results and notes go, tables as text."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import click

from ddz_analytics.cli.spoken import LANGUAGE
from ddz_analytics.errors import UsageError
from ddz_analytics.last_words import told_if_possible
from ddz_analytics.locale import said

if TYPE_CHECKING:
    import pyarrow as pa

    from ddz_analytics.rules import RuleSet

Command = TypeVar("Command", bound=Callable[..., Any])
DEFAULT_BASELINE = "qq-classic"


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


def check_folder(target: Path | None) -> None:
    """Refuse a file to write whose folder is not there, before any work is done."""
    if target is not None and not target.parent.is_dir():
        mend = "make it first, or name another"
        raise UsageError("path_missing", "there is no such folder", where=str(target.parent), mend=mend)


def write_out(content: bytes, target: Path | None) -> None:
    """Write a result to stdout, or as a whole to a file: the file is never there half written.

    A terminal is shown escapes for what would command it; whatever else reads stdout gets every byte.
    """
    if target is None and sys.stdout.isatty():
        content = _shown(content)
    with whole_file(target) as file:
        file.write(content)


@contextmanager
def whole_file(target: Path | None) -> Iterator[BinaryIO]:
    """Stdout, or a file that is there as a whole when all is written, and as it was before when that fails."""
    if target is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    check_folder(target)
    if target.exists() and not target.is_file():  # a device or a pipe, which stays what it is
        with target.open("wb") as device:
            yield device
        return
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            yield cast(BinaryIO, file)
            file.close()
            os.chmod(file.name, 0o666 & ~_umask())  # noqa: PTH101 - a temporary file is private, a result is not
            Path(file.name).replace(target)
        finally:
            Path(file.name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _shown(content: bytes) -> bytes:
    """Some text, line by line without power over a terminal."""
    from ddz_analytics.answers.plain import inert

    lines = content.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")
    return "\n".join(map(inert, lines)).encode()


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


def rules_named(specs: str, settings: Iterable[str] = ()) -> list[RuleSet]:
    """The rule sets of a comma-separated list (`all`: every complete shipped one), each varied by the `--set` grid."""
    from ddz_analytics.rules import load_rules, shipped_rules, variants

    names = shipped_rules() if specs == "all" else [spec.strip() for spec in split_specs(specs)]
    wanted = [load_rules(name) for name in names if name]
    if not wanted:
        raise UsageError("rules_unknown", "no rule set is named", mend="`ddz rules list` shows them")
    given = list(settings)
    return [variant for rules in wanted for variant in variants(rules, given)] if given else wanted


def split_specs(specs: str) -> list[str]:
    """The parts of a comma-separated list; commas within brackets belong to a name such as `ID[a=1,b=2]`."""
    parts, depth = [""], 0
    for letter in specs:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


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


def recorded_baseline(store: Path) -> str:
    """The one rule set that the store's hands were recorded under, where there is one and it is known, else the default."""
    from ddz_analytics.rules import shipped_rules
    from ddz_analytics.store.catalog import connect, sql_text

    with connect(store) as connection:
        rows = connection.sql(sql_text("recorded_rules")).fetchall()
    named = [name for (name,) in rows]
    return named[0] if len(named) == 1 and named[0] in shipped_rules() else DEFAULT_BASELINE
