"""What the keys of a mapping of tables must agree on among themselves: the tables that it names, its patterns, who is whose."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import UNSET

from ddz_analytics.mapping.sections import check_time, check_words, columns_of, listed, refused
from ddz_analytics.mapping.spec import Acts, Column, Meaning, Relational, Table


def check_tables(mapping: Relational) -> None:
    """Raise UsageError `mapping_value` for the first thing that does not fit."""
    _check_tables(mapping)
    _check_hand(mapping)
    _check_seats(mapping)
    for place, acts in enumerate(mapping.acts):
        _check_acts(mapping, acts, f"acts[{place}]")


def _check_tables(mapping: Relational) -> None:
    for name, table in mapping.tables.items():
        where = f"tables.{name}"
        table.check(where)
        if not listed(table.key) or not listed(table.files):
            raise refused("a table has files and the columns of a key", where)
        for pattern in listed(table.files):
            path = PurePosixPath(pattern)
            if path.is_absolute() or ".." in path.parts or "\\" in pattern:
                raise refused(f"the pattern {pattern!r} leads out of what is ingested", where)


def _table(mapping: Relational, name: str, where: str) -> Table:
    if name not in mapping.tables:
        raise refused(f"there is no table {name!r}, only " + ", ".join(mapping.tables), where)
    return mapping.tables[name]


def _check_hand(mapping: Relational) -> None:
    hand, constants = mapping.hand, mapping.constants
    table = _table(mapping, hand.of, "hand.of")
    if table.player or table.seat:
        raise refused("the hand's row is nobody's: its table has no `player` and no `seat`", "hand.of")
    for section, name in ((hand, "hand"), (hand.room, "hand.room"), (hand.recorded, "hand.recorded")):
        for key, column in columns_of(section):
            _check_column(mapping, column, f"{name}.{key}")
    for key in ("rules", "match", "event", "balance_kind", "shuffle"):
        if getattr(hand, key) and getattr(constants, key) is not UNSET:
            raise refused(f"`{key}` stands in a column and is a constant too", f"hand.{key}")
    one_landlord = bool(hand.landlord) != bool(mapping.seats.role)
    told = (
        (one_landlord, "landlord", "who is landlord, one column says: `hand.landlord` or `seats.role`"),
        (hand.bottom, "bottom", "a column must say what the bottom cards are"),
        (
            hand.outcome or constants.outcome,
            "outcome",
            "how a hand ended a column says, or `constants.outcome`",
        ),
    )
    for is_told, key, what in told:
        if not is_told:
            raise refused(what, f"hand.{key}")


def _check_seats(mapping: Relational) -> None:
    seats = mapping.seats
    for key, column in columns_of(seats):
        _check_column(mapping, column, f"seats.{key}")
        of = (column.of if isinstance(column, Column) else "") or seats.of
        if "[" not in key and (not of or not (mapping.tables[of].player or mapping.tables[of].seat)):
            raise refused(
                "a table with a row per seat, whose `player` or `seat` is known, or three columns",
                f"seats.{key}",
            )
    if (seats.players is UNSET) == (not seats.of):
        raise refused("who sits where, `players` say or a table `of` seats", "seats")
    if not seats.of:
        return
    table = _table(mapping, seats.of, "seats.of")
    if seats.order == "acts" and not table.player:
        raise refused(
            "the order of acts gives the seats only if the table of seats has a `player`", "seats.order"
        )
    if seats.order == "seat" and not (table.seat and table.player):
        raise refused(
            'the table of seats has no `seat` and `player`: say order = "acts", or `players`', "seats.of"
        )


def _check_acts(mapping: Relational, acts: Acts, where: str) -> None:
    table = _table(mapping, acts.of, f"{where}.of")
    if not table.player and not table.seat:
        raise refused(f"whose acts they are, the table {acts.of!r} must say: `player` or `seat`", where)
    if bool(acts.every) == bool(acts.act):
        raise refused("what act a row is, `every` says or the column `act`", where)
    for key, column in columns_of(acts):
        _check_column(mapping, column, f"{where}.{key}")
        if isinstance(column, Column) and column.of not in ("", acts.of):
            raise refused("the columns of an act stand in its own table", f"{where}.{key}")
    check_words(acts.act, f"{where}.act")


def _check_column(mapping: Relational, column: str | Column, where: str) -> None:
    if isinstance(column, str):
        return
    check_time(column, where)
    if column.of:
        _table(mapping, column.of, f"{where}.of")
    if not where.endswith(".act") and any(
        isinstance(word, Meaning) for word in [*column.codes.values(), column.null]
    ):
        raise refused("a word that is an act with its fields stands only in `act`", where)
    if column.less and column.codes:
        raise refused("`less` goes without codes", where)
