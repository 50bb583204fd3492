"""`ddz ingest`: log files into the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from ddz_analytics.ingest.dedupe import Dedupe
    from ddz_analytics.ingest.summary import Counts, Summary

EXIT_FINDINGS = 1


@click.command()
@click.argument("paths", nargs=-1, required=True)
@store_option
@click.option(
    "--format", "form", default="auto", show_default=True, help="The log format; auto tells it by content."
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
    dedupe: Dedupe,
    tz: str | None,
    pseudonyms: Path | None,
    reparse: bool,
    dry_run: bool,
    strict: bool,
    stop_after: int | None,
    jobs: int,
    quiet: bool,
    as_json: bool,
) -> int:
    """Read files, folders, globs or - (stdin) into the store; what cannot be used is kept and counted."""
    from ddz_analytics.ingest import Options
    from ddz_analytics.ingest import ingest as run

    warn_of_open_key(pseudonyms, quiet=quiet)
    bar = Bar(quiet=quiet)
    options = Options(
        format=form,
        dedupe=dedupe,
        dry_run=dry_run,
        jobs=jobs,
        pseudonyms=pseudonyms,
        reparse=reparse,
        stop_after=stop_after,
        tz=tz,
        watch=bar.read,
    )
    with bar:
        summary = run(store, list(paths), options)
    if as_json:
        print_json(summary.as_json())
    else:
        _print(summary, store, dry_run=dry_run, quiet=quiet)
    return EXIT_FINDINGS if strict and summary.total.rejected else 0


def _print(summary: Summary, store: Path, *, dry_run: bool, quiet: bool) -> None:
    from ddz_analytics.query import inert

    for file in summary.files:
        state = "" if file.state == "new" else f", {file.state}"
        click.echo(f"{inert(file.path)} ({file.format or 'unknown format'}{state}): {_told(file.counts)}")
        if file.gone:
            click.echo(f"  {file.gone} hands that stood there before are no longer in it, and stay stored")
    if summary.unchanged:
        note(f"{len(summary.unchanged)} files were read before and have not changed", quiet=quiet)
    click.echo(f"total: {_told(summary.total)}")
    if summary.replaced:
        note(f"{summary.replaced} hands gave way to others with their ids", quiet=quiet)
    for refused in summary.refused:
        example = inert(f"{refused.path}:{refused.line}: {refused.detail}")
        click.echo(f"  {refused.records} {refused.code}, first {example}")
    if summary.refused and not dry_run:
        note(f"what was rejected: ddz rejected show --store {store}", quiet=quiet)


def _told(counts: Counts) -> str:
    return (
        f"{counts.read} read = {counts.stored} stored + {counts.duplicate} duplicate"
        f" + {counts.rejected} rejected + {counts.skipped} skipped"
    )
