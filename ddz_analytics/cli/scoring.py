"""`ddz rescore` and `ddz compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.common import (
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
    store_option,
    write_out,
)
from ddz_analytics.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from ddz_analytics.comparison import Comparison
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
@jobs_option
@quiet_option
@json_option
def rescore(
    store: Path, specs: str, settings: tuple[str, ...], jobs: int, quiet: bool, as_json: bool
) -> None:
    """Score every hand of the store under rule sets; what is current is left as it is."""
    from ddz_analytics.rescore import rescore as run

    wanted = rules_named(specs, settings)
    warn_of_idle_variants(specs, wanted, quiet=quiet)
    done = run(store, wanted, jobs)
    if as_json:
        print_json({"settled": dict(done.settled), "replayed": done.replayed})
        return
    for name, hands in done.settled.items():
        click.echo(f"{name}: {hands} hands settled" if hands else f"{name}: current")


def warn_of_idle_variants(specs: str, wanted: list[RuleSet], *, quiet: bool) -> None:
    """Say which variants of a `--set` grid change nothing."""
    from ddz_analytics.rules import changes_nothing

    bases = {rules.id: rules for rules in rules_named(specs)}
    for rules in wanted:
        base = bases.get(rules.id.split("[")[0])
        if base is not None and base.id != rules.id and changes_nothing(base, rules):
            note(f"note: {rules.id} is the same as {base.id}", quiet=quiet)


@click.command()
@store_option
@click.option("--baseline", default=None, help="Default: the one recorded rule set, else qq-classic.")
@click.option(
    "--against",
    "specs",
    default="all",
    show_default=True,
    help="What to compare with: ids or rule files, or all.",
)
@set_option
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="How many of the most different hands of each rule set.",
)
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
@jobs_option
@output_option
@quiet_option
def compare(
    store: Path,
    baseline: str | None,
    specs: str,
    settings: tuple[str, ...],
    worst: int,
    form: str,
    jobs: int,
    output: Path | None,
    quiet: bool,
) -> None:
    """Compare what everybody wins under a baseline and under other rule sets, over the same hands."""
    check_folder(output)
    chosen = chosen_rules(store, baseline, specs, settings, quiet=quiet)
    tables = comparison_tables(store, chosen, worst=worst, jobs=jobs, quiet=quiet)
    write_out(as_text(tables, form).encode(), output)


def chosen_rules(
    store: Path, baseline: str | None, specs: str, settings: tuple[str, ...], *, quiet: bool
) -> list[RuleSet]:
    """The baseline and the others, in order, without the baseline among the others."""
    from ddz_analytics.rules import changes_nothing, load_rules

    name = baseline or recorded_baseline(store)
    if baseline is None:
        note(f"baseline: {name}", quiet=quiet)
    base = load_rules(name)
    others = [
        rules
        for rules in rules_named(name if settings and specs == "all" else specs, settings)
        if rules.id != base.id
    ]
    taken = [
        rules for rules in rules_named(specs) if rules.id == base.id and rules.rule_hash != base.rule_hash
    ]
    if specs != "all" and taken:
        mend = "give one of them another id"
        raise UsageError("rule_set_twice", f"two rule sets are called {base.id}", mend=mend)
    for rules in others:
        if changes_nothing(base, rules):
            note(f"note: {rules.id} differs from {base.id} in no parameter", quiet=quiet)
    return [base, *others]


def comparison_tables(
    store: Path, chosen: list[RuleSet], *, worst: int, jobs: int, quiet: bool
) -> dict[str, pa.Table]:
    """Every table of a comparison by its title, after scoring what is missing."""
    from ddz_analytics.comparison import compare as set_against
    from ddz_analytics.comparison import rule_differences
    from ddz_analytics.rescore import rescore as run
    from ddz_analytics.store.catalog import connect

    done = run(store, chosen, jobs)
    if any(done.settled.values()):
        note(f"scored {sum(done.settled.values())} hand settlements that were missing", quiet=quiet)
    base, *others = chosen
    with connect(store) as connection:
        found = set_against(connection, base.id, [rules.id for rules in others])
        return {
            "overview": found.overview(),
            "what differs from the baseline": rule_differences(base, others),
            "who gains and who loses, in stakes of the baseline": found.bands(),
            "difference to the baseline by role": found.roles(),
            "multipliers": found.multipliers(),
            "what liability for autoplay moves": found.liability(),
            "house": found.house(),
            "exact, projected, undefined": found.statuses(),
            "assumptions": found.assumptions(),
            "most different hands": (most := found.worst(worst)),
            "how those hands are settled, step by step": worked_steps(found, most, chosen),
        }


def worked_steps(found: Comparison, most: pa.Table, chosen: list[RuleSet]) -> pa.Table:
    """Both settlements of the most different hands, each step with what every party has after it."""
    import pyarrow as pa

    from ddz_analytics.explain import worked
    from ddz_analytics.schema import FACTS

    base, *others = chosen
    by_id = {rules.id: rules for rules in others}
    pairs = list(zip(most["hand_id"].to_pylist(), most["rule_set"].to_pylist(), strict=True))
    facts = found.facts([hand for hand, _ in pairs]).select(FACTS.names).cast(FACTS)
    places = {hand: place for place, hand in enumerate(facts["hand_id"].to_pylist())}
    wanted = dict.fromkeys((hand, rules) for hand, other in pairs for rules in (base.id, other))
    rows = [
        {"hand_id": hand, "rule_set": name}
        | {
            field: getattr(step, field)
            for field in ("title", "words", "landlord", "down", "up", "house", "citation")
        }
        for hand, name in sorted(wanted)
        for step in worked(facts.slice(places[hand], 1), base if name == base.id else by_id[name], "en")
    ]
    return pa.Table.from_pylist(rows)


def as_text(tables: dict[str, pa.Table], form: str) -> str:
    """All tables one after the other as text or CSV, or as one JSON object."""
    from ddz_analytics.query import as_csv, as_json, as_table

    if form == "json":
        inside = ",\n".join(f'"{title}": {as_json(table).strip()}' for title, table in tables.items())
        return "{" + inside + "}\n"
    if form == "csv":
        return "\n".join(f"# {title}\n{as_csv(table)}" for title, table in tables.items())
    return "\n".join(
        f"{title}\n{as_table(table) if table.num_rows else '(none)' + chr(10)}"
        for title, table in tables.items()
    )
