"""What the commands about one hand share: which hand it is, and under which rule sets it is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.common import Command, note, recorded_baseline
from ddz_analytics.locale import said

if TYPE_CHECKING:
    from typing import Any

    from ddz_analytics.rescore import Scenario
    from ddz_analytics.rules import RuleSet


def rules_option(command: Command) -> Command:
    """`--rules` of one hand."""
    return click.option(
        "--rules", "spec", default=None,
        help="Default: those that the hand was recorded under, else the one recorded rule set, else qq-classic.",
    )(command)  # fmt: skip


def vs_option(command: Command) -> Command:
    """`--vs`."""
    return click.option("--vs", default=None, help="A second rule set to set beside it.")(command)


def player_option(command: Command) -> Command:
    """`--player` of one hand."""
    return click.option(
        "--player", default=None, help="Only this player keeps his name; the others are seats."
    )(command)


def named_hand(store: Path, name: str, *, quiet: bool) -> tuple[int, str | None]:
    """The hand_id that a name means, and what the log says it was played under; raises as `find_hand` does."""
    from ddz_analytics.explain.record import find_hand, read_hand
    from ddz_analytics.store.catalog import connect

    with connect(store) as connection:
        hand_id, others = find_hand(connection, name)
        recorded: str | None = read_hand(connection, hand_id).head["recorded_rules"]
    _tell_others(hand_id, others, quiet=quiet)
    return hand_id, recorded


def rules_of(store: Path, recorded: str | None) -> str:
    """The rule set that the hand was recorded under, where it is a shipped one, else the store's."""
    from ddz_analytics.rules import shipped_rules

    return recorded if recorded in shipped_rules() else recorded_baseline(store)


def rules_wanted(store: Path, specs: list[str], balances: Scenario, jobs: int) -> list[RuleSet]:
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
        note(inert(said("explain.others", hand_id=hand_id, named=named)), quiet=quiet)
