"""`ddz explain`: how one hand comes to its score."""

from __future__ import annotations

from pathlib import Path

import click

from ddz_analytics.cli.common import print_json, recorded_baseline, store_option
from ddz_analytics.errors import UsageError


@click.command()
@click.argument("hand")
@store_option
@click.option("--rules", "spec", default=None, help="Default: the one recorded rule set, else qq-classic.")
@click.option("--vs", default=None, help="A second rule set to set beside it.")
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    envvar="DDZ_LANG",
    show_envvar=True,
)
@click.option("--json", "as_json", is_flag=True, help="The steps as JSON.")
def explain(hand: str, store: Path, spec: str | None, vs: str | None, lang: str, as_json: bool) -> None:
    """Show each step of a hand's settlement with its clause; HAND is a hand_id, or the id that its source gave it."""
    from ddz_analytics.explain import worked
    from ddz_analytics.rules import load_rules
    from ddz_analytics.schema import FACTS
    from ddz_analytics.store.catalog import connect, sql_text

    wanted = [load_rules(spec or recorded_baseline(store)), *([load_rules(vs)] if vs else [])]
    with connect(store) as connection:
        rows = connection.sql(sql_text("hands_named"), params={"hand": hand}).to_arrow_table()
    if rows.num_rows != 1:
        ids = ", ".join(str(row) for row in rows["hand_id"].to_pylist()[:10])
        mend = (
            f"say which hand_id: {ids}"
            if ids
            else '`ddz sql "SELECT hand_id, source_hand_id FROM hands"` lists them'
        )
        raise UsageError("hand_unknown", f"{rows.num_rows} hands are called {hand!r}", mend=mend)
    facts = rows.select(FACTS.names).cast(FACTS)
    told = {rules.id: worked(facts, rules, lang) for rules in wanted}
    if as_json:
        hashes = {rules.id: rules.rule_hash for rules in wanted}
        print_json(
            {name: [step._asdict() for step in steps] for name, steps in told.items()}
            | {"rule_hashes": hashes}
        )
        return
    for rules in wanted:
        steps = told[rules.id]
        click.echo(
            f"{rules.id} {rules.rule_hash}\n{'':60} {'landlord':>12} {'down':>12} {'up':>12} {'house':>12}"
        )
        for step in steps:
            click.echo(
                f"{step.words:60} {step.landlord:>12} {step.down:>12} {step.up:>12} {step.house:>12}  {step.citation}"
            )
        click.echo()
