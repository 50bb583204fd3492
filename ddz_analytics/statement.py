"""A player's statement: from the opening balance, hand by hand and component by component, to the closing one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pyarrow as pa

from ddz_analytics.errors import UsageError
from ddz_analytics.store.catalog import Connection, sql_text

TABLES = ("totals", "hands", "missing")


@dataclass(frozen=True)
class Asked:
    """Whose statement, under which rule set, with balances of which scenario, and from which to which day of the store's zone."""

    player: str
    rule_set: str
    scenario: str = "recorded"
    first_day: date | None = None
    last_day: date | None = None


@dataclass(frozen=True)
class Statement:
    """A statement; amounts DECIMAL(18,4), per kind of balance: opening + score + fee_apart + unexplained = closing.

    `hands`: a row a hand and seat, in order. `totals`: a row a kind of balance. `missing`: runs of hand numbers that the store
    does not have, between the player's first and last hand at each table.
    """

    hands: pa.Table
    totals: pa.Table
    missing: pa.Table


def statement_of(connection: Connection, asked: Asked) -> Statement:
    """The statement of a player in a store that is scored so (see `catalog.connect`).

    Raises UsageError `player_unknown` where no such hand of the player's is scored.
    """
    values = {
        "player": asked.player,
        "rule_set": asked.rule_set,
        "scenario": asked.scenario,
        "from": asked.first_day,
        "to": asked.last_day,
    }
    hands = connection.sql(sql_text("statement/hands"), params=values).to_arrow_table()
    if not hands.num_rows:
        days = "" if asked.first_day is None and asked.last_day is None else " in these days"
        mend = "names stand in the view hand_seats"
        raise UsageError("player_unknown", f"no hand of {asked.player!r}{days}", mend=mend)
    connection.register("statement", hands)
    try:
        totals, missing = (
            connection.sql(sql_text(f"statement/{part}")).to_arrow_table() for part in ("totals", "missing")
        )
    finally:
        connection.unregister("statement")
    return Statement(hands, totals, missing)
