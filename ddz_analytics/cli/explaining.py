"""`ddz explain`: how one hand comes to its score, in the terminal, as JSON, or as a sheet to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.common import (
    balances_option,
    check_folder,
    jobs_option,
    json_option,
    lang_option,
    note,
    print_json,
    quiet_option,
    recorded_baseline,
    store_option,
    write_out,
)

if TYPE_CHECKING:
    from typing import Any

    from ddz_analytics.rescore import Scenario
    from ddz_analytics.rules import RuleSet


@click.command()
@click.argument("hand")
@store_option
@click.option(
    "--rules",
    "spec",
    default=None,
    help="Default: those that the hand was recorded under, else the one recorded rule set, else qq-classic.",
)
@click.option("--vs", default=None, help="A second rule set to set beside it.")
@balances_option
@click.option("--player", default=None, help="Only this player keeps his name; the others are seats.")
@click.option(
    "--sheet",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=None,
    help="Write one printable page (HTML) instead; without --player all players are seats.",
)
@lang_option
@jobs_option
@quiet_option
@json_option
def explain(
    hand: str, store: Path, spec: str | None, vs: str | None, balances: Scenario, player: str | None, sheet: Path | None, lang: str,
    jobs: int, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Show each step of a hand's settlement with its clause and its place in the hand.

    HAND is a hand_id, the id that its source gave it, or TABLE/ID.
    """
    import msgspec

    from ddz_analytics.explain.explained import Question, explain, seats_only
    from ddz_analytics.explain.plain import as_text
    from ddz_analytics.explain.record import find_hand, read_hand
    from ddz_analytics.explain.sheet import as_sheet
    from ddz_analytics.store.catalog import connect

    to_file = sheet is not None and str(sheet) != "-"
    check_folder(sheet if to_file else None)
    with connect(store) as connection:
        hand_id, others = find_hand(connection, hand)
        recorded = read_hand(connection, hand_id).head["recorded_rules"]
    _tell_others(hand_id, others, quiet=quiet)
    wanted = _wanted(store, [spec or _default(store, recorded), *([vs] if vs else [])], balances, jobs)
    with connect(store) as connection:
        told = explain(connection, Question(hand_id, wanted, balances, lang, player))
    if sheet is not None:
        write_out(as_sheet(told if player else seats_only(told)), sheet if to_file else None)
    if as_json and (sheet is None or to_file):
        print_json(msgspec.to_builtins(told))
    elif sheet is None:
        click.echo(as_text(told))


def _default(store: Path, recorded: str | None) -> str:
    """The rule set that the hand was recorded under, where it is a shipped one, else the store's."""
    from ddz_analytics.rules import shipped_rules

    return recorded if recorded in shipped_rules() else recorded_baseline(store)


def _wanted(store: Path, specs: list[str], balances: Scenario, jobs: int) -> list[RuleSet]:
    """The rule sets asked for; chained balances need every hand settled."""
    from ddz_analytics.rules import load_rules

    wanted = [load_rules(spec) for spec in specs]
    if balances == "chained":
        from ddz_analytics.rescore import rescore

        rescore(store, wanted, jobs, balances)
    return wanted


def _tell_others(hand_id: int, others: list[dict[str, Any]], *, quiet: bool) -> None:
    """A number that is a hand_id may be the id that a source gave to other hands."""
    from ddz_analytics.answers.plain import inert

    if others:
        named = ", ".join(str(row["hand_id"]) for row in others[:10])
        note(
            inert(f"note: {hand_id} is taken as a hand_id; a source calls hands {named} so too"), quiet=quiet
        )
