"""`ddz demo`: the shipped sample logs from ingest to report."""

from __future__ import annotations

from pathlib import Path

import click

from ddz_analytics.cli.common import jobs_option, note, print_table, quiet_option
from ddz_analytics.cli.ingesting import told_counts
from ddz_analytics.errors import DdzError
from ddz_analytics.locale import language, said

PACKAGED = Path(__file__).parents[1] / "sample_logs"
SIDE_BY_SIDE = ("jj-classic", "jj-bomb")  # the two that count in one unit come first
BESIDE = Path(__file__).parents[2] / "sample_logs"


@click.command()
@click.option(
    "--store",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("ddz-demo-store"),
    show_default=True,
    help="The folder for the demonstration's store.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("ddz-demo.html"),
    show_default=True,
    help="The report to write.",
)
@jobs_option
@quiet_option
def demo(store: Path, output: Path, jobs: int, quiet: bool) -> None:
    """Ingest the sample logs, score them under every shipped rule set, compare, and write a report."""
    from ddz_analytics.comparison import compare
    from ddz_analytics.ingest import Options, ingest
    from ddz_analytics.report import write_report
    from ddz_analytics.rescore import rescore
    from ddz_analytics.rules import load_rules, shipped_rules
    from ddz_analytics.store.catalog import connect

    folders = sorted(str(folder) for folder in sample_logs().iterdir() if folder.is_dir())
    done = ingest(store, folders, Options(jobs=jobs)).total
    note(said("demo.ingested", counts=told_counts(done)), quiet=quiet)
    base, *others = [
        load_rules(name) for name in sorted(shipped_rules(), key=lambda name: name not in SIDE_BY_SIDE)
    ]
    rescore(store, [base, *others], jobs)
    with connect(store) as connection:
        found = compare(connection, base.id, [rules.id for rules in others])
        print_table(said("demo.overview"), found.overview())
    write_report(store, base, others, lang=language()).put(output)
    click.echo(said("demo.done", page=output, store=store))


def sample_logs() -> Path:
    """The sample logs: within an installed package, or beside it in a checkout."""
    for place in (PACKAGED, BESIDE):
        if place.is_dir():
            return place
    raise DdzError(
        "path_missing", "the sample logs are not there", where=str(PACKAGED), mend="install the package again"
    )
