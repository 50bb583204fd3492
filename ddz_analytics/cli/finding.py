"""`ddz find`: which hands there are of a player, a table, some days."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.answering import answer_options, form_of, put_answer
from ddz_analytics.cli.common import (
    days_option,
    note,
    output_option,
    quiet_option,
    store_option,
    where_option,
)
from ddz_analytics.locale import said

if TYPE_CHECKING:
    from ddz_analytics.answers import Encoding, Kind


@click.command()
@store_option
@click.option("--player", default=None, help="A player's name, as the log has it.")
@click.option("--table", default=None, help="A table's id.")
@days_option
@where_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="The most hands to list; 0: all.",
)
@answer_options()
@output_option
@quiet_option
def find(
    store: Path, player: str | None, table: str | None, first_day: date | None, last_day: date | None,
    where: str | None, limit: int, kind: Kind | None, encoding: Encoding, output: Path | None, quiet: bool,
) -> None:  # fmt: skip
    """List hands with their players, who was landlord, who won, and where each stands in its log."""
    from ddz_analytics.choosing import check_where, limited
    from ddz_analytics.store.catalog import connect, sql_text

    form = form_of(kind, encoding, output)
    if where is not None:
        check_where(store, where)
    values = {"player": player, "table": table, "from": first_day, "to": last_day}
    with connect(store) as connection:
        found = connection.sql(limited(sql_text("find"), where), params=values).to_arrow_table()
    shown = found.slice(0, limit) if limit else found
    put_answer(shown, form, output, quiet=quiet)
    left = found.num_rows - shown.num_rows
    note(said("find.left" if left else "find.found", hands=found.num_rows, left=left), quiet=quiet)
