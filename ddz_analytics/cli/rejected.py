"""`ddz rejected`: the records that could not become hands, and what can be done about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ddz_analytics.cli.common import (
    jobs_option,
    json_option,
    note,
    output_option,
    print_json,
    quiet_option,
    store_option,
    write_out,
)
from ddz_analytics.errors import UsageError
from ddz_analytics.locale import labelled, said

if TYPE_CHECKING:
    from ddz_analytics.store.quarantine import Record, Selection

Command = TypeVar("Command", bound=Callable[..., Any])
SHOWN = 2000  # bytes of a record


@click.group()
def rejected() -> None:
    """List, show, retry, export and purge the records that could not become hands."""


def selection_options(command: Command) -> Command:
    """`--code` and `--source`."""
    code = click.option("--code", default=None, help="Only records with this code.")
    source = click.option(
        "--source", default=None, help="Only records of this file, as `list` shows it, or below this folder."
    )
    return code(source(command))


def _selected(code: str | None, source: str | None, place: str | None = None) -> Selection:
    """The selection that the options mean; a place is written FILE:LINE."""
    from ddz_analytics.store.quarantine import Selection

    if place is None:
        return Selection(code, source)
    path, colon, line = place.rpartition(":")
    if not colon or not line.isdigit():
        raise UsageError(
            "record_place", f"{place} is no place", mend="write FILE:LINE as `ddz rejected list` shows it"
        )
    return Selection(code, path, int(line))


@rejected.command(name="list")
@selection_options
@store_option
@json_option
def list_codes(store: Path, code: str | None, source: str | None, as_json: bool) -> None:
    """List the codes with the number of their records, and the place and fault of the first."""
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.store.quarantine import groups

    found = groups(store, _selected(code, source))
    if as_json:
        first = [
            {name: value for name, value in _plain(group.first).items() if name != "raw"} for group in found
        ]
        print_json(
            [
                {"code": group.code, "records": group.records, "first": each}
                for group, each in zip(found, first, strict=True)
            ]
        )
        return
    for group in found:
        click.echo(
            f"{labelled('rejection', group.code):18} {group.records:7}  {inert(_place(group.first))}: {inert(group.first.detail)}"
        )
    if not found:
        click.echo(said("rejected.nothing"))


@rejected.command()
@click.argument("place", required=False, metavar="[FILE:LINE]")
@selection_options
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="At most so many.")
@store_option
@json_option
def show(
    store: Path, place: str | None, code: str | None, source: str | None, limit: int, as_json: bool
) -> None:
    """Show records: where they stand, what is wrong, their bytes (the first 2,000) as text."""
    from itertools import islice

    from ddz_analytics.answers.plain import inert
    from ddz_analytics.store.quarantine import records

    found = list(islice(records(store, _selected(code, source, place)), limit))
    if not found:
        raise UsageError("record_unknown", "no such record", mend="`ddz rejected list` shows what there is")
    if as_json:
        print_json([_plain(record) for record in found])
        return
    for record in found:
        click.echo(f"{labelled('rejection', record.code)}  {inert(_place(record))}: {inert(record.detail)}")
        more = said("rejected.more", bytes=len(record.raw)) if len(record.raw) > SHOWN else ""
        text = record.raw[:SHOWN].decode("utf-8", "backslashreplace")
        click.echo("\n".join(f"  {inert(line)}" for line in text.splitlines() or [""]) + more)


@rejected.command()
@selection_options
@click.option("--tz", envvar="DDZ_TZ", default=None, help="Zone of times without offset.")
@store_option
@jobs_option
@quiet_option
@json_option
def retry(
    store: Path, code: str | None, source: str | None, tz: str | None, jobs: int, quiet: bool, as_json: bool
) -> None:
    """Parse the kept bytes again; records that now become hands are stored and leave the quarantine."""
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.ingest import check_zone
    from ddz_analytics.ingest.retrying import retry as run

    check_zone(tz)
    done = run(store, _selected(code, source), tz, jobs)
    total = done.total
    if as_json:
        print_json(
            {
                "total": asdict(total),
                "rejected_by_code": [asdict(each) for each in done.refused],
                "kept_in_part": done.kept_in_part,
            }
        )
        return
    click.echo(said("rejected.tried", **vars(total)))
    for refused in done.refused:
        click.echo(
            f"  {labelled('rejection', refused.code)} {refused.records}: "
            + inert(f"{refused.path}:{refused.line}: {refused.detail}")
        )
    if done.kept_in_part:
        note(said("rejected.in_part", records=done.kept_in_part), quiet=quiet)


@rejected.command()
@selection_options
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Write a file for each record, its very bytes, into this new folder.",
)
@output_option
@store_option
@json_option
def export(
    store: Path, code: str | None, source: str | None, folder: Path | None, output: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Write the bytes of records as they came: into one file, each followed by a line feed, or into a folder.

    What stands where is said on stdout: for each record its file, or its first byte in the file, its size, code and place.
    """
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.store.quarantine import records

    if (folder is None) == (output is None):
        raise UsageError("export_target", "one target is needed", mend="give -o FILE or --folder DIR")
    found = list(records(store, _selected(code, source)))
    names = _to_folder(found, folder) if folder is not None else _to_file(found, output)
    listed = [
        {
            "at": name,
            "bytes": len(record.raw),
            "code": record.code,
            "source_path": record.source_path,
            "line": record.line,
        }
        for name, record in zip(names, found, strict=True)
    ]
    if as_json:
        print_json(listed)
        return
    for each in listed:
        click.echo(
            f"{each['at']}  {each['bytes']}  {each['code']}  {inert(str(each['source_path']))}:{each['line']}"
        )


def _to_folder(found: list[Record], folder: Path) -> list[str]:
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(
            "file_exists", "the folder holds other things", where=str(folder), mend="name a new one"
        )
    folder.mkdir(exist_ok=True)
    names = [f"{number:06d}-{record.code}.bin" for number, record in enumerate(found, start=1)]
    for name, record in zip(names, found, strict=True):
        write_out(record.raw, folder / name)
    return names


def _to_file(found: list[Record], output: Path | None) -> list[int]:
    write_out(b"".join(record.raw + b"\n" for record in found), output)
    return list(_beginnings(found))


def _beginnings(found: list[Record]) -> Iterator[int]:
    at = 0
    for record in found:
        yield at
        at += len(record.raw) + 1


@rejected.command()
@selection_options
@click.option("--all", "everything", is_flag=True, help="All that there are.")
@store_option
@json_option
def purge(store: Path, code: str | None, source: str | None, everything: bool, as_json: bool) -> None:
    """Drop records with their bytes for good; the counts of their files stay."""
    from ddz_analytics.store import open_writer
    from ddz_analytics.store.durable import plain_faults
    from ddz_analytics.store.quarantine import purge as run

    if code is None and source is None and not everything:
        raise UsageError("purge_what", "which records?", mend="give --code, --source or --all")
    with plain_faults(), open_writer(store) as writer:
        dropped = run(writer, _selected(code, source))
    if as_json:
        print_json({"purged": dropped})
        return
    click.echo(said("rejected.purged", records=dropped))


def _place(record: Record) -> str:
    return f"{record.source_path}:{record.line}"


def _plain(record: Record) -> dict[str, Any]:
    """A record for JSON: bytes that are no UTF-8 are escaped in its text."""
    return asdict(record) | {"raw": record.raw.decode("utf-8", "backslashreplace"), "bytes": len(record.raw)}
