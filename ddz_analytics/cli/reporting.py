"""`ddz report`: the self-contained HTML report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.common import (
    advance_option,
    balances_option,
    baseline_option,
    jobs_option,
    note,
    quiet_option,
    score,
    set_option,
    store_option,
    where_option,
)
from ddz_analytics.cli.spoken import LANGUAGE
from ddz_analytics.files import check_folder
from ddz_analytics.locale import said

if TYPE_CHECKING:
    from ddz_analytics.rescore import Scenario


@click.command()
@store_option
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The HTML file to write.",
)
@baseline_option
@click.option(
    "--against", "--rules", "specs", default=None, show_default="all; with --set the baseline", help="What to compare with."
)  # fmt: skip
@set_option
@balances_option
@where_option
@advance_option
@click.option("--lang", **(LANGUAGE | {"help": "The language it opens in; the page can switch."}))
@jobs_option
@quiet_option
def report(
    store: Path,
    output: Path,
    baseline: str | None,
    specs: str | None,
    settings: tuple[str, ...],
    balances: Scenario,
    where: str | None,
    advance: int | None,
    lang: str,
    jobs: int,
    quiet: bool,
) -> None:
    """Write one HTML file that needs no network: who wins and who pays under other rules, and why."""
    from ddz_analytics.report import write_report
    from ddz_analytics.report.grid import shown_in_full
    from ddz_analytics.wanted import chosen_rules

    check_folder(output)
    base, *others = chosen_rules(store, baseline, specs, settings, partial(note, quiet=quiet))
    shown = shown_in_full(others, settings, balances)
    score(store, [base, *shown], jobs, balances, quiet=quiet)
    grid = (settings, others if settings else [])
    done = write_report(
        store, base, shown, balances=balances, where=where, advance=advance, grid=grid, lang=lang
    )
    done.put(output)
    note(said("report.done", page=output, twin=output.with_suffix(".json")), quiet=quiet)
