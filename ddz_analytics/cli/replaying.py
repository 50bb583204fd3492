"""`ddz replay`: one hand to look at, act by act, on the terminal, as JSON, or as a page that plays it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.common import (
    balances_option,
    jobs_option,
    json_option,
    lang_option,
    note,
    print_json,
    quiet_option,
    score,
    store_option,
    write_out,
)
from ddz_analytics.cli.one_hand import player_option, rules_option, tell_others, vs_option
from ddz_analytics.files import check_folder

if TYPE_CHECKING:
    from ddz_analytics.rescore import Scenario


@click.command()
@click.argument("hand")
@store_option
@rules_option
@vs_option
@balances_option
@player_option
@click.option(
    "--html",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=None,
    help="Write a page that plays the hand (one file, needs no network) instead.",
)
@click.option("--no-color", is_flag=True, help="No colours, as with NO_COLOR or where stdout is no terminal.")
@lang_option
@jobs_option
@quiet_option
@json_option
@click.pass_context
def replay(
    ctx: click.Context, hand: str, store: Path, spec: str | None, vs: str | None, balances: Scenario, player: str | None,
    html: Path | None, no_color: bool, lang: str, jobs: int, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Play a hand, act by act: cards, tricks, the stake as it grows, autoplay, faults, and the settlement.

    HAND is a hand_id, the id that its source gave it, or TABLE/ID. With --vs two rule sets stand side by side.
    """
    from ddz_analytics.explain.asked import named_hand, rules_wanted
    from ddz_analytics.explain.explained import Question
    from ddz_analytics.store.catalog import connect
    from ddz_analytics.viewer.viewed import as_data, view

    to_file = html is not None and str(html) != "-"
    check_folder(html if to_file else None)
    named = named_hand(store, hand)
    tell_others(named, quiet=quiet)
    wanted = rules_wanted(store, named.recorded, (spec, vs), partial(note, quiet=quiet))
    if balances == "chained":  # which needs every hand settled
        score(store, wanted, jobs, balances, quiet=quiet)
    with connect(store) as connection:
        viewed = view(connection, Question(named.hand_id, wanted, balances, player=player))
    if html is not None:
        from ddz_analytics.viewer.page import as_page

        write_out(as_page(viewed, lang), html if to_file else None)
    if as_json and (html is None or to_file):
        print_json(as_data(viewed, "en"))
    elif html is None:
        from ddz_analytics.viewer.terminal import as_text

        click.echo(as_text(viewed.course, viewed.runs, lang), color=False if no_color else ctx.color)
