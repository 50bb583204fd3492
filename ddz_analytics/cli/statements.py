"""`ddz statement`: one player's balance from the opening to the closing, hand by hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.answers import BESIDE_WORDS
from ddz_analytics.cli.answering import answer_options, form_of, put_answers
from ddz_analytics.cli.common import (
    balances_option,
    days_option,
    jobs_option,
    json_option,
    lang_option,
    note,
    output_option,
    print_json,
    store_option,
    write_out,
)

if TYPE_CHECKING:
    from ddz_analytics.answers import Encoding, Kind
    from ddz_analytics.rescore import Scenario
    from ddz_analytics.statement import Asked, Statement

SHOWN = (
    "hand_id", "source_hand_id", "local_time", "role", "balance_before", "transfer", "liability", "balance_cut", "fee", "rake",
    "fine", "score", "fee_apart", "balance_after", "unexplained",
)  # fmt: skip


@click.command()
@store_option
@click.option("--player", required=True, help="The player's name, as the log has it.")
@days_option
@click.option("--rules", "spec", default=None, help="Default: the one recorded rule set, else qq-classic.")
@balances_option
@lang_option
@jobs_option
@answer_options(BESIDE_WORDS)
@output_option
@json_option
def statement(
    store: Path, player: str, first_day: date | None, last_day: date | None, spec: str | None, balances: Scenario, lang: str,
    jobs: int, kind: Kind | None, encoding: Encoding, output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Show a player's hands under a rule set, from the opening balance to the closing one, and what no hand explains."""
    from ddz_analytics.rescore import rescore
    from ddz_analytics.rules import load_rules
    from ddz_analytics.statement import TABLES, Asked, statement_of
    from ddz_analytics.store.catalog import connect
    from ddz_analytics.wanted import recorded_baseline

    form = form_of(kind, encoding, output, BESIDE_WORDS)
    rules = load_rules(spec or recorded_baseline(store, note))
    rescore(store, [rules], jobs, balances)
    asked = Asked(player, rules.id, balances, first_day, last_day)
    with connect(store) as connection:
        found = statement_of(connection, asked)
    if as_json:
        tables = {name: getattr(found, name).to_pylist() for name in TABLES}
        print_json(
            {
                "player": player,
                "rule_set": rules.id,
                "rule_hash": rules.rule_hash,
                "scenario": balances,
                **tables,
            }
        )
    elif form.kind == "table":
        write_out(f"{_text(asked, found, lang)}\n".encode(), output)
    else:
        put_answers({name: getattr(found, name) for name in TABLES}, form, output, {}, quiet=False)


def _text(asked: Asked, found: Statement, lang: str) -> str:
    from ddz_analytics.answers.aligned import as_table
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.locale import text

    scenario = text(f"statement.scenario.{asked.scenario}", lang)
    parts = [
        text("statement.title", lang, player=inert(asked.player), rules=asked.rule_set, scenario=scenario),
        as_table(found.hands.select(SHOWN)),
        text("statement.totals", lang),
        as_table(found.totals),
    ]
    for name in ("undefined", "without_balance"):
        number = sum(found.totals[name].to_pylist())
        if number:
            parts.append(text(f"statement.{name}", lang, number=number) + "\n")
    if found.missing.num_rows:
        parts += [text("statement.missing", lang), as_table(found.missing)]
    return "\n".join(parts).rstrip("\n")
