"""`ddz ingest`: log files into the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ddz_analytics.cli.common import (
    jobs_option,
    json_option,
    note,
    print_json,
    pseudonyms_option,
    quiet_option,
    store_option,
    warn_of_open_key,
)
from ddz_analytics.cli.progress import Bar
from ddz_analytics.errors import EXIT_FINDINGS, UsageError
from ddz_analytics.locale import labelled, said

if TYPE_CHECKING:
    from ddz_analytics.ingest.summary import Counts, FileCounts, Summary

_NAMED = 5  # files


def _named_agents(_: click.Context, __: click.Parameter, text: str | None) -> dict[str, str]:
    from ddz_analytics.ingest.agents import agents_by_role

    return {} if text is None else agents_by_role(text)


@click.command()
@click.argument("paths", nargs=-1, required=True)
@store_option
@click.option(
    "--format", "form", default="auto", show_default=True, help="The log format; auto tells it by content."
)
@click.option(
    "--facts",
    is_flag=True,
    help="The paths are tables of settlement rows: CSV, Parquet, partitioned folders.",
)
@click.option(
    "--dedupe",
    type=click.Choice(["content", "id", "none"]),
    default="content",
    show_default=True,
    help="What makes two hands the same.",
)
@click.option(
    "--tz",
    envvar="DDZ_TZ",
    default=None,
    help="Zone of times without offset, and of the store's local times.",
)
@click.option(
    "--agents",
    default=None,
    callback=_named_agents,
    metavar="ROLE=NAME,…",
    help="Who plays each role (landlord, landlord_down, landlord_up) where a log names nobody.",
)
@click.option(
    "--mapping",
    type=click.Path(path_type=Path),
    default=None,
    help="A TOML file that says how tables or events of your own are to be read (docs/mapping.md).",
)
@click.option(
    "--sample",
    default="",
    metavar="KEY:K/N",
    help="Only the K-th of N parts of all tables, matches or hands, such as table:1/50.",
)
@pseudonyms_option
@click.option("--reparse", is_flag=True, help="Read files again that have not changed.")
@click.option("--dry-run", is_flag=True, help="Read and count, store nothing.")
@click.option("--strict", is_flag=True, help="Leave with 1 if anything that this run read was rejected.")
@click.option("--stop-after", type=click.IntRange(min=1), default=None, help="Stop after this many records.")
@jobs_option
@quiet_option
@json_option
def ingest(
    paths: tuple[str, ...],
    store: Path,
    form: str,
    facts: bool,
    dry_run: bool,
    pseudonyms: Path | None,
    strict: bool,
    quiet: bool,
    as_json: bool,
    **more: Any,
) -> int:
    """Read files, folders, globs or - (stdin) into the store; what cannot be used is kept and counted."""
    from ddz_analytics.ingest import Options
    from ddz_analytics.ingest import ingest as run
    from ddz_analytics.without_pandas import leave_pandas_out

    leave_pandas_out()
    warn_of_open_key(pseudonyms, quiet=quiet)
    form = _named_format(form, facts=facts)
    with Bar(quiet=quiet) as bar:
        options = Options(format=form, dry_run=dry_run, pseudonyms=pseudonyms, watch=bar.read, **more)
        summary = run(store, list(paths), options)
    if as_json:
        print_json(summary.as_json())
    else:
        _print(summary, store, dry_run=dry_run, quiet=quiet)
    return EXIT_FINDINGS if strict and summary.total.rejected else 0


def _named_format(form: str, *, facts: bool) -> str:
    if facts and form not in ("auto", "facts"):
        raise UsageError("facts_format", "--facts says the format itself", mend="leave --format out")
    return "facts" if facts else form


def _print_mapped(summary: Summary, *, quiet: bool) -> None:
    """What each column of the first hands became, and the files that no table has."""
    from ddz_analytics.answers.plain import inert

    for hand in summary.shown:
        click.echo(f"{inert(hand.path)}:{hand.line}")
        for column, text, field, value in hand.columns:
            click.echo(f"  {inert(column)} = {_shown_text(text)} -> {inert(field)} = {_shown_text(value)}")
        if hand.fault:
            click.echo(f"  {inert(hand.fault)}")
    if summary.unnamed:
        names = ", ".join(inert(path) for path in summary.unnamed[:_NAMED])
        note(said("ingest.unnamed", files=len(summary.unnamed), names=names), quiet=quiet)


def _shown_text(text: str | None) -> str:
    from ddz_analytics.answers.plain import inert

    return said("common.none") if text is None else inert(text)


def _print(summary: Summary, store: Path, *, dry_run: bool, quiet: bool) -> None:
    from ddz_analytics.answers.plain import inert

    for file in summary.files:
        click.echo(_told_file(file))
        if file.gone:
            click.echo(said("ingest.gone", hands=file.gone))
    _print_mapped(summary, quiet=quiet)
    _print_left_out(summary, quiet=quiet)
    click.echo(said("ingest.total", counts=told_counts(summary.total)))
    if summary.replaced:
        note(said("ingest.replaced", hands=summary.replaced), quiet=quiet)
    for refused in summary.refused:
        example = inert(f"{refused.path}:{refused.line}: {refused.detail}")
        code = labelled("rejection", refused.code)
        click.echo(said("ingest.refused", records=refused.records, code=code, example=example))
    if summary.refused and not dry_run:
        note(said("ingest.rejected", store=store), quiet=quiet)


def _print_left_out(summary: Summary, *, quiet: bool) -> None:
    """What was not read, and why."""
    from ddz_analytics.answers.plain import inert

    for passed in summary.passed_over:
        why = said(f"ingest.passed_{passed.why}")
        note(said("ingest.passed_over", path=inert(passed.path), code=passed.why, why=why), quiet=quiet)
    if summary.sample:
        note(said("ingest.sample", sample=summary.sample), quiet=quiet)
    if summary.unchanged:
        note(said("ingest.unchanged", files=len(summary.unchanged)), quiet=quiet)


def _told_file(file: FileCounts) -> str:
    from ddz_analytics.answers.plain import inert

    told = {
        "path": inert(file.path),
        "format": file.format or said("ingest.unknown_format"),
        "counts": told_counts(file.counts),
    }
    if file.state == "new":
        return said("ingest.file", **told)
    return said("ingest.file_again", **told, state=said(f"ingest.state_{file.state}"))


def told_counts(counts: Counts) -> str:
    """What came of some records, as a sum."""
    return said("ingest.counts", **vars(counts))
