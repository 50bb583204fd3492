"""`ddz report`: the self-contained HTML report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ddz_analytics.cli.common import (
    advance_option,
    balances_option,
    baseline_option,
    check_folder,
    jobs_option,
    note,
    quiet_option,
    set_option,
    store_option,
    where_option,
    write_out,
)
from ddz_analytics.cli.spoken import LANGUAGE
from ddz_analytics.locale import said

if TYPE_CHECKING:
    from ddz_analytics.rescore import Scenario
    from ddz_analytics.rules import RuleSet


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
    from ddz_analytics.cli.scoring import chosen_rules

    check_folder(output)
    chosen = chosen_rules(store, baseline, specs, settings, quiet=quiet)
    put_report(store, chosen, settings, Asked(output, balances, where, advance, lang, jobs))
    note(said("report.done", page=output, twin=output.with_suffix(".json")), quiet=quiet)


class Asked(NamedTuple):
    """Where a report is written to, and about which hands, balances and matches it is; `jobs` are processes."""

    output: Path
    balances: Scenario = "recorded"
    where: str | None = None
    advance: int | None = None
    lang: str = "en"
    jobs: int = 1


def put_report(store: Path, chosen: list[RuleSet], settings: tuple[str, ...], asked: Asked) -> None:
    """Score what is missing, and write the page of some rule sets, the first being the baseline, and its numbers beside it."""
    from ddz_analytics.report import write_report
    from ddz_analytics.rescore import rescore

    base, *others = chosen
    shown = shown_in_full(others, settings, asked.balances)
    rescore(store, [base, *shown], asked.jobs, asked.balances)
    page, twin = write_report(
        store,
        base,
        shown,
        balances=asked.balances,
        where=asked.where,
        advance=asked.advance,
        grid=(settings, others if settings else []),
        lang=asked.lang,
    )
    write_out(page, asked.output)
    write_out(twin, asked.output.with_suffix(".json"))


def shown_in_full(others: list[RuleSet], settings: tuple[str, ...], balances: Scenario) -> list[RuleSet]:
    """The rule sets that the report scores and shows hand by hand: of a large grid those at its corners."""
    from ddz_analytics.cli.compared import FEW, Wanted, refuse_in_a_sweep
    from ddz_analytics.report.grid import corners

    if not settings or len(others) < FEW:
        return others
    refuse_in_a_sweep(len(others), Wanted(balances))
    return corners(others, settings)
