"""`ddz explain`: how one hand comes to its score, in the terminal, as JSON, or as a sheet to print."""

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

    from ddz_analytics.explain.asked import named_hand, rules_wanted
    from ddz_analytics.explain.explained import Question, explain, seats_only
    from ddz_analytics.explain.plain import as_text
    from ddz_analytics.explain.sheet import as_sheet
    from ddz_analytics.store.catalog import connect

    to_file = sheet is not None and str(sheet) != "-"
    check_folder(sheet if to_file else None)
    named = named_hand(store, hand)
    tell_others(named, quiet=quiet)
    wanted = rules_wanted(store, named.recorded, (spec, vs), partial(note, quiet=quiet))
    if balances == "chained":  # which needs every hand settled
        score(store, wanted, jobs, balances, quiet=quiet)
    with connect(store) as connection:
        told = {
            words: explain(connection, Question(named.hand_id, wanted, balances, words, player))
            for words in ({lang, "en"} if as_json else {lang})  # what machines read is always English
        }
    if sheet is not None:
        page = as_sheet(told[lang] if player else seats_only(told[lang]))
        write_out(page, sheet if to_file else None)
    if as_json and (sheet is None or to_file):
        print_json(msgspec.to_builtins(told["en"]))
    elif sheet is None:
        click.echo(as_text(told[lang]))
