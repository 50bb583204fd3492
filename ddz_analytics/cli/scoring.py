"""`ddz rescore` and `ddz compare`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ddz_analytics.answers import OF_SEVERAL
from ddz_analytics.cli.answering import answer_options, form_of, put_answers
from ddz_analytics.cli.common import (
    advance_option,
    balances_option,
    baseline_option,
    jobs_option,
    json_option,
    note,
    output_option,
    print_json,
    quiet_option,
    score,
    set_option,
    store_option,
    where_option,
)
from ddz_analytics.cli.progress import Bar
from ddz_analytics.cli.titles import in_words, titled
from ddz_analytics.errors import EXIT_FINDINGS, UsageError
from ddz_analytics.files import check_folder
from ddz_analytics.locale import language, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from ddz_analytics.answers import Encoding, Kind
    from ddz_analytics.rescore import Rescored, Scenario


@click.command()
@store_option
@click.option(
    "--rules",
    "specs",
    default="all",
    show_default=True,
    help="Ids or rule files, with overlays: A,B+overlay; or all.",
)
@set_option
@balances_option
@jobs_option
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="What works: processes of this machine, or the workers of Spark (docs/spark.md).",
)
@click.option(
    "--master",
    metavar="URL",
    default="local[*]",
    show_default=True,
    help="Where Spark runs: local[N], spark://HOST:PORT, yarn, k8s://HOST:PORT.",
)
@quiet_option
@json_option
@click.pass_context
def rescore(
    ctx: click.Context,
    store: Path,
    specs: str,
    settings: tuple[str, ...],
    balances: Scenario,
    jobs: int,
    engine: str,
    master: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Score every hand of the store under rule sets; what is current is left as it is."""
    from ddz_analytics.wanted import rules_named, tell_idle

    _refuse_option_of_other_engine(ctx, engine)
    wanted = rules_named(specs, settings)
    tell_idle(specs, settings, tell=partial(note, quiet=quiet))
    with Bar(quiet=quiet) as bar:
        if engine == "spark":
            from ddz_analytics import spark

            done = spark.rescore(store, wanted, master, balances, bar.scored)
        else:
            from ddz_analytics.rescore import rescore as run
            from ddz_analytics.without_pandas import leave_pandas_out

            leave_pandas_out()
            done = run(store, wanted, jobs, balances, bar.scored)
    _tell(done, {rules.id: rules.rule_hash for rules in wanted}, balances, as_json=as_json)


def _tell(done: Rescored, hashes: Mapping[str, str], balances: Scenario, *, as_json: bool) -> None:
    """Say what a re-scoring had to do, by rule set."""
    if as_json:
        settled = dict(done.settled)
        print_json(
            {"scenario": balances, "settled": settled, "replayed": done.replayed, "rule_hashes": hashes}
        )
        return
    for name, hands in done.settled.items():
        told = {"name": name, "hash": hashes[name], "balances": in_words(balances), "hands": hands}
        click.echo(said("rescore.settled" if hands else "rescore.current", **told))


def _refuse_option_of_other_engine(ctx: click.Context, engine: str) -> None:
    idle = "jobs" if engine == "spark" else "master"
    if ctx.get_parameter_source(idle) is ParameterSource.COMMANDLINE:
        what = f"--{idle} says nothing to --engine {engine}"
        raise UsageError("engine", what, mend="--jobs goes with local, --master with spark")


def _columns(_: click.Context, __: click.Parameter, names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


@click.command()
@store_option
@baseline_option
@click.option(
    "--against",
    "specs",
    default=None,
    show_default="all; with --set the baseline",
    help="What to compare with: ids or rule files, or all.",
)
@set_option
@where_option
@click.option(
    "--by",
    default="",
    metavar="COLUMN,…",
    callback=_columns,
    help="Columns of hand_seats to group by, a table for each; also stake_decile and player_volume.",
)
@click.option(
    "--fail-if",
    default=None,
    metavar="CONDITION",
    help="Leave with 1 if it holds for a rule set: SQL over the numbers of docs/metrics.md.",
)
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="How many of the most different hands of each rule set.",
)
@advance_option
@answer_options(OF_SEVERAL)
@balances_option
@jobs_option
@output_option
@quiet_option
def compare(
    store: Path,
    baseline: str | None,
    specs: str | None,
    settings: tuple[str, ...],
    where: str | None,
    by: tuple[str, ...],
    fail_if: str | None,
    worst: int,
    advance: int | None,
    kind: Kind | None,
    encoding: Encoding,
    balances: Scenario,
    jobs: int,
    output: Path | None,
    quiet: bool,
) -> int:
    """Compare what everybody wins under a baseline and under other rule sets, over the same hands.

    A grid of more than a few variants is not stored: it gives one row for each.
    """
    from ddz_analytics.choosing import check_where
    from ddz_analytics.compared import RECONCILED, Wanted, tables_of, to_score
    from ddz_analytics.wanted import chosen_rules

    check_folder(output)
    form = form_of(kind, encoding, output, OF_SEVERAL)
    if where is not None:
        check_where(store, where)
    lang = language() if form.kind in ("table", "xlsx") else "en"
    wanted = Wanted(balances, where, by, worst, advance, lang, fail_if is not None)
    tell, varied = partial(note, quiet=quiet), bool(settings)
    chosen = chosen_rules(store, baseline, specs, settings, tell)
    score(store, to_score(chosen, wanted, varied=varied), jobs, balances, quiet=quiet)
    tables, numbers = tables_of(store, chosen, wanted, tell, varied=varied)
    warn_of_unreconciled(tables[RECONCILED], quiet=quiet)
    put_answers(titled(tables, form.kind, balances), form, output, {"scenario": balances}, quiet=quiet)
    return EXIT_FINDINGS if numbers is not None and fails(store, str(fail_if), numbers) else 0


def fails(store: Path, condition: str, numbers: pa.Table) -> bool:
    """Whether a condition over the metrics holds for some other rule set; says for which."""
    from ddz_analytics.metrics import failing

    names = list(failing(store, condition, numbers))
    for name in names:
        note(f"{name}: {condition}", quiet=False)
    return bool(names)


def warn_of_unreconciled(recorded: pa.Table, *, quiet: bool) -> None:
    """Say that the baseline does not give the scores that the log recorded under it, if that is so."""
    (row,) = recorded.to_pylist()
    if row["unexplained"]:
        told = {"unexplained": row["unexplained"], "hands": row["hands"], "rules": row["rule_set"]}
        note(said("compare.unreconciled", **told), quiet=quiet)
