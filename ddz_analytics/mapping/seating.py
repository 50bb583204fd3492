"""Who sits where in one hand: by three columns, by the numbers of the seats, or by the order in which players act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.acting import BIDS, PLAYS, Acting
from ddz_analytics.mapping.fields import Field
from ddz_analytics.mapping.rows import Rows
from ddz_analytics.mapping.spec import Column

if TYPE_CHECKING:
    from ddz_analytics.mapping.assembling import Assembly

SEATS = range(3)


def not_a_seat(seat: Any, column: Column) -> str:
    """What to say of a number that is no seat; the number after the last seat is likely one of seats counted from 1."""
    first = column.counted_from
    detail = f"not a seat from {first} to {first + SEATS[-1]}"
    return detail + (", perhaps counted_from = 1" if not first and seat == len(SEATS) else "")


class Seating(NamedTuple):
    """The players of the seats 0, 1, 2."""

    players: tuple[str, ...]

    def seat_of(self, whose: Field, rows: Rows, row: int) -> int:
        """The seat whose row it is; raises BadRecord `missing_field`, `out_of_range`."""
        value = whose.of(rows, row)
        if whose.name == "player":
            if value in self.players:
                return self.players.index(value)
            detail = f"not one of the players {', '.join(self.players)}"
        elif value in SEATS:
            return int(value)
        else:
            detail = not_a_seat(value, whose.column)
        where = rows.where(row, whose.column.column)
        if not isinstance(value, str | int):
            raise BadRecord("missing_field", f"nobody's row - at {where}")
        raise BadRecord("out_of_range", f"{detail} - at {where}")


def seating_of(players: Sequence[Any], where: str) -> Seating:
    """Three players in order; raises BadRecord `missing_field`, `repeated_row`."""
    if UNSET in players:
        raise BadRecord("missing_field", f"no player of the seat {list(players).index(UNSET)} - at {where}")
    if len(set(players)) < len(players):
        raise BadRecord("repeated_row", f"a player sits twice: {', '.join(players)} - at {where}")
    return Seating(tuple(players))


def seating_by_number(assembly: Assembly) -> Seating:
    """The players of a table whose rows have a seat each; raises BadRecord `missing_row`, `repeated_row`, `out_of_range`."""
    rows = assembly.tables[assembly.fields.mapping.seats.of]
    found: dict[int, int] = {}
    for row in assembly.rows_of(rows.table):
        seat = Seating(()).seat_of(assembly.fields.whose[rows.table], rows, row)
        if seat in found:
            both = f"{rows.where(found[seat])} and {rows.where(row)}"
            raise BadRecord("repeated_row", f"two rows of the seat {seat} where one is expected - at {both}")
        found[seat] = row
    for seat in SEATS:
        if seat not in found:
            raise BadRecord(
                "missing_row", f"`{rows.table}` has no row of the seat {seat} - at {assembly.where}"
            )
    names = rows.columns[assembly.fields.mapping.tables[rows.table].player]
    return seating_of(
        [UNSET if names[found[seat]] is None else names[found[seat]] for seat in SEATS], assembly.where
    )


def seating_by_acts(assembly: Assembly) -> Seating:
    """The players of a table in the order in which the first two of them play, else bid; raises BadRecord as the others do.

    Whoever plays second plays after the first, because every pass is a row too; of bids a log may leave some out.
    """
    rows = assembly.tables[assembly.fields.mapping.seats.of]
    players = _players_of(assembly, rows)
    acting = Acting(assembly)
    for acts in (PLAYS, BIDS):
        first_two = list(islice(_each_once(acting.players(acts)), 2))
        for player in first_two:
            if player not in players:
                detail = f"{player!r} acts and has no row in `{rows.table}`"
                raise BadRecord("out_of_range", f"{detail} - at {assembly.where}")
        if len(first_two) == 2:
            return Seating((*first_two, *(each for each in players if each not in first_two)))
    detail = "fewer than two players play or bid, so that nothing tells who sits where"
    raise BadRecord("missing_row", f"{detail} - at {assembly.where}")


def _each_once(players: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for player in players:
        if player not in seen:
            seen.add(player)
            yield player


def _players_of(assembly: Assembly, rows: Rows) -> dict[str, int]:
    """The three players of the rows of seats, each with his row."""
    whose = assembly.fields.whose[rows.table]
    players: dict[str, int] = {}
    for row in assembly.rows_of(rows.table):
        player = whose.of(rows, row)
        if player is UNSET:
            raise BadRecord("missing_field", f"nobody's row - at {rows.where(row, whose.column.column)}")
        if player in players:
            both = f"{rows.where(players[player])} and {rows.where(row)}"
            raise BadRecord(
                "repeated_row", f"two rows of the player {player!r} where one is expected - at {both}"
            )
        players[player] = row
    if len(players) != len(SEATS):
        code = "missing_row" if len(players) < len(SEATS) else "repeated_row"
        raise BadRecord(code, f"`{rows.table}` has rows of {len(players)} players - at {assembly.where}")
    return players
