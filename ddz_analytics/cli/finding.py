"""`ddz find`: which hands there are of a player, a table, some days."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from ddz_analytics.cli.common import note, output_option, quiet_option, store_option, write_out

DAY = click.DateTime(["%Y-%m-%d"])


@click.command()
@store_option
@click.option("--player", default=None, help="A player's name, as the log has it.")
@click.option("--table", default=None, help="A table's id.")
@click.option("--from", "first_day", type=DAY, default=None, help="First day, in the store's time zone.")
@click.option("--to", "last_day", type=DAY, default=None, help="Last day, in the store's time zone.")
@click.option("--where", default=None, help="SQL over hand_seats: only hands with such a seat.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="The most hands to list; 0: all.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json", "jsonl"]),
    default="table",
    show_default=True,
)
@output_option
@quiet_option
def find(
    store: Path, player: str | None, table: str | None, first_day: datetime | None, last_day: datetime | None,
    where: str | None, limit: int, form: str, output: Path | None, quiet: bool,
) -> None:  # fmt: skip
    """List hands with their players, who was landlord, who won, and where each stands in its log."""
    from ddz_analytics import query
    from ddz_analytics.choosing import check_where, limited
    from ddz_analytics.store.catalog import connect, sql_text

    if where is not None:
        check_where(store, where)
    days = [None if day is None else day.date() for day in (first_day, last_day)]
    values = dict(zip(("player", "table", "from", "to"), (player, table, *days), strict=True))
    with connect(store) as connection:
        found = connection.sql(limited(sql_text("find"), where), params=values).to_arrow_table()
    shown = found.slice(0, limit) if limit else found
    write_out(query.FORMATS[form](shown).encode(), output)
    left = found.num_rows - shown.num_rows
    note(
        f"{found.num_rows} hands" + (f", {left} of them not listed (--limit 0: all)" if left else ""),
        quiet=quiet,
    )
