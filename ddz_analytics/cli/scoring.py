"""`ddz rescore` and `ddz compare`."""

from __future__ import annotations

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
    check_folder,
    jobs_option,
    json_option,
    note,
    output_option,
    print_json,
    quiet_option,
    recorded_baseline,
    rules_named,
    set_option,
    split_specs,
    store_option,
    where_option,
)
from ddz_analytics.cli.compared import RECONCILED, Wanted, in_words, tables_of, titled
from ddz_analytics.cli.progress import Bar
from ddz_analytics.errors import EXIT_FINDINGS, UsageError
from ddz_analytics.locale import language, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from ddz_analytics.answers import Encoding, Kind
    from ddz_analytics.rescore import Scenario
    from ddz_analytics.rules import RuleSet


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
    _refuse_option_of_other_engine(ctx, engine)
    wanted = rules_named(specs, settings)
    warn_of_idle(specs, settings, quiet=quiet)
    bar = Bar(quiet=quiet)
    with bar:
        if engine == "spark":
            from ddz_analytics import spark

            done = spark.rescore(store, wanted, master, balances, bar.scored)
        else:
            from ddz_analytics.rescore import rescore as run

            done = run(store, wanted, jobs, balances, bar.scored)
    hashes = {rules.id: rules.rule_hash for rules in wanted}
    if as_json:
        print_json(
            {
                "scenario": balances,
                "settled": dict(done.settled),
                "replayed": done.replayed,
                "rule_hashes": hashes,
            }
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


def warn_of_idle(specs: str, settings: Sequence[str] = (), *, quiet: bool) -> None:
    """Say which rule files, overlays and settings change nothing in what they stand on."""
    from ddz_analytics.rules.checking import idle_parts, idle_settings

    named = [] if specs == "all" else [spec.strip() for spec in split_specs(specs)]
    found = [idle for spec in named for idle in idle_parts(spec)]
    for rules in rules_named(specs) if settings else ():
        found += idle_settings(rules, settings)
    for idle in found:
        note(said("common.note", words=idle.told(language())), quiet=quiet)


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

    check_folder(output)
    form = form_of(kind, encoding, output, OF_SEVERAL)
    if where is not None:
        check_where(store, where)
    lang = language() if form.kind in ("table", "xlsx") else "en"
    wanted = Wanted(balances, where, by, worst, advance, lang, fail_if is not None)
    chosen = chosen_rules(store, baseline, specs, settings, quiet=quiet)
    tables, numbers = tables_of(store, chosen, wanted, jobs, varied=bool(settings), quiet=quiet)
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


def chosen_rules(
    store: Path, baseline: str | None, specs: str | None, settings: tuple[str, ...], *, quiet: bool
) -> list[RuleSet]:
    """The baseline and the others, in order, without the baseline among the others; settings vary the others.

    Without `specs` the others are all complete shipped rule sets, or with settings the baseline.
    """
    from ddz_analytics.rules import changes_nothing, load_rules

    name = baseline or recorded_baseline(store)
    if baseline is None:
        note(said("compare.baseline", name=name), quiet=quiet)
    base, against = load_rules(name), specs or (name if settings else "all")
    named = rules_named(against)
    if specs not in (None, "all") and any(r.id == base.id and r.rule_hash != base.rule_hash for r in named):
        mend = "give one of them another id"
        raise UsageError("rule_set_twice", f"two rule sets are called {base.id}", mend=mend)
    warn_of_idle(name, quiet=quiet)
    if specs is not None:
        warn_of_idle(specs, quiet=quiet)
    others = [rules for rules in rules_named(against, settings) if rules.id != base.id]
    for rules in others:
        if changes_nothing(base, rules):
            note(said("compare.no_difference", name=rules.id, base=base.id), quiet=quiet)
    return [base, *others]


def warn_of_unreconciled(recorded: pa.Table, *, quiet: bool) -> None:
    """Say that the baseline does not give the scores that the log recorded under it, if that is so."""
    (row,) = recorded.to_pylist()
    if row["unexplained"]:
        told = {"unexplained": row["unexplained"], "hands": row["hands"], "rules": row["rule_set"]}
        note(said("compare.unreconciled", **told), quiet=quiet)
