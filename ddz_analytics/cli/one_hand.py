"""What the commands about one hand share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.common import Command, note
from ddz_analytics.locale import said

if TYPE_CHECKING:
    from ddz_analytics.explain.asked import Named


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


def tell_others(named: Named, *, quiet: bool) -> None:
    """A number that is a hand_id may be the id that a source gave to other hands."""
    from ddz_analytics.answers.plain import inert

    if named.others:
        listed = ", ".join(str(row["hand_id"]) for row in named.others[:10])
        note(inert(said("explain.others", hand_id=named.hand_id, named=listed)), quiet=quiet)
