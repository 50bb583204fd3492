"""Tables with a row for each seat, folded into a row for each hand.

The three rows of a hand stand together. What is said of the seat differs from row to row; all else must be the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Flags, Ints, ints, known
from ddz_analytics.declared.checks import SIDES
from ddz_analytics.declared.names import (
    BY_ROLE,
    BY_SEAT,
    GIVEN_ANEW,
    ID,
    LANDLORD,
    OF_A_ROW,
    OF_A_SEAT,
    ROLE,
    SEAT,
    STORE_ID,
    WON,
)
from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.tables import ABOUT_THE_ROW, CODE, DETAIL, RAW
from ddz_analytics.schema import ROLES, SEAT_NUMBERS

_NUMBER = len(SEAT_NUMBERS)
_SEATS = {str(seat): seat for seat in SEAT_NUMBERS}
_PLACES = {"landlord": 0, "down": 1, "landlord_down": 1, "up": 2, "landlord_up": 2}
_UNKNOWN, _WRONG = -1, -2


def is_by_seat(names: Iterable[str]) -> bool:
    """Whether a header is that of a table with a row for each seat; raises BadRecord `duplicate_key`."""
    found = set(names)
    if found.isdisjoint((SEAT, ROLE)):
        return False
    meant = [OF_A_ROW[name] for name in sorted(found) if name in OF_A_ROW]
    twice = [name for name in meant if meant.count(name) > 1] + sorted(found & {*BY_SEAT, *BY_ROLE})
    if twice:
        raise BadRecord("duplicate_key", f"`{twice[0]}` of a seat is said twice")
    return True


def folded(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Tables with a row for each hand; what is wrong with the rows of a hand stands as its code and detail."""
    waiting: pa.Table | None = None
    for table in tables:
        rows = table if waiting is None else pa.concat_tables([waiting, table])
        begins = _begins(rows)
        waiting = rows.slice(int(begins[-1]))
        if len(begins) > 1:
            yield _fold(rows.slice(0, int(begins[-1])), begins[:-1])
    if waiting is not None and len(waiting):
        yield _fold(waiting, np.zeros(1, dtype=np.int64))


def _begins(rows: pa.Table) -> Ints:
    """The first row of each hand: where the table or the id is another than in the row before, or not known."""
    begins = np.zeros(len(rows), dtype=bool)
    begins[:1] = True
    for name in ("table_id", ID if ID in rows.column_names else STORE_ID):
        if name in rows.column_names:
            codes = _codes(rows[name])
            begins[1:] |= codes[1:] != codes[:-1]
            begins |= (codes == _UNKNOWN) & (name != "table_id")
    return np.flatnonzero(begins)


def _codes(column: pa.ChunkedArray) -> Ints:
    """A number per value, -1 for null."""
    return ints(column.combine_chunks().dictionary_encode().indices, missing=_UNKNOWN)


def _fold(rows: pa.Table, begins: Ints) -> pa.Table:
    sizes = np.diff(np.append(begins, len(rows)))
    three = np.minimum(begins[:, None] + np.arange(_NUMBER), len(rows) - 1)  # of each hand, (hands, 3)
    hands = _Hands(rows, three)
    hands.take_over_faults(begins)
    for number in sorted(set(sizes.tolist()) - {_NUMBER}):
        hands.blame(sizes == number, "missing_field", f"{number} rows of this hand, not {_NUMBER}")
    return hands.table(sizes)


class _Hands:
    """Hands of three rows each; `three` has the places of these rows (hands, 3), `faults` what is wrong with a hand."""

    def __init__(self, rows: pa.Table, three: Ints) -> None:
        self._rows, self._three = rows, three
        self.faults: dict[int, BadRecord] = {}

    def take_over_faults(self, begins: Ints) -> None:
        """What is wrong with a row is wrong with its hand; `begins` are the first rows of the hands."""
        for row in np.flatnonzero(known(self._rows[CODE])).tolist():
            code, detail = (self._rows[name][row].as_py() for name in (CODE, DETAIL))
            hand = int(np.searchsorted(begins, row, side="right")) - 1
            self.faults.setdefault(hand, BadRecord(code, detail or ""))

    def blame(self, where: Flags, code: str, detail: str) -> None:
        """Note what is wrong with some hands, if nothing was before."""
        for hand in np.flatnonzero(where).tolist():
            self.faults.setdefault(hand, BadRecord(code, detail))

    def table(self, sizes: Ints) -> pa.Table:
        """One row a hand, of so many rows each."""
        columns = {name: self._of_the_hand(name) for name in self._rows.column_names if _is_of_the_hand(name)}
        columns |= self._of_the_seats(columns)
        about = {name: self._rows[name].take(pa.array(self._three[:, 0])) for name in ABOUT_THE_ROW.names}
        about[RAW] = self._bytes(sizes)
        faults = [self.faults.get(hand) for hand in range(len(self._three))]
        about[CODE] = pa.array([None if fault is None else fault.code for fault in faults], pa.string())
        about[DETAIL] = pa.array([None if fault is None else fault.detail for fault in faults], pa.string())
        return pa.table({**columns, **about})

    def _of_the_hand(self, name: str) -> pa.ChunkedArray:
        codes = _codes(self._rows[name])[self._three]
        if name not in GIVEN_ANEW:
            unlike = (codes != codes[:, :1]).any(axis=1)
            self.blame(unlike, "contradiction", f"the rows of the hand differ in `{name}`")
        return self._rows[name].take(pa.array(self._three[:, 0]))

    def _of_the_seats(self, columns: dict[str, pa.ChunkedArray]) -> dict[str, pa.ChunkedArray]:
        """What is said of each seat, under the names that it has in a table with a row for each hand."""
        place, seat = self._numbers(ROLE, _PLACES), self._numbers(SEAT, _SEATS)
        found: dict[str, pa.ChunkedArray] = {}
        if seat is None:
            rows = by_role = self._sorted(self._places(place, columns), ROLE)
        else:
            rows = self._sorted(seat, SEAT)
            landlord = self._landlord(place, seat, columns)
            found[LANDLORD] = pa.array([_text_of(seat) for seat in landlord.tolist()], pa.string())
            turns = (np.maximum(landlord, 0)[:, None] + np.arange(_NUMBER)) % _NUMBER
            by_role = np.take_along_axis(rows, turns, axis=1)
        for name, meant in OF_A_ROW.items():
            if name in self._rows.column_names:
                to_seat = seat is not None and meant in OF_A_SEAT
                parts = (
                    [f"{meant}_{seat}" for seat in SEAT_NUMBERS]
                    if to_seat
                    else [f"{role}_{meant}" for role in ROLES]
                )
                for part, chosen in zip(parts, (rows if to_seat else by_role).T, strict=True):
                    found[part] = self._rows[name].take(pa.array(chosen))
        if WON in self._rows.column_names:
            found["winner_side"] = self._side(by_role)
        return found

    def _numbers(self, name: str, meaning: Mapping[str, int]) -> Ints | None:
        """What a column says of each seat as a number (hands, 3), -1 where it says nothing; None without such a column."""
        if name not in self._rows.column_names:
            return None
        texts = self._rows[name].to_pylist()
        numbers = np.array(
            [_UNKNOWN if text is None else meaning.get(text, _WRONG) for text in texts], dtype=np.int64
        )
        found: Ints = numbers[self._three]
        self.blame((found == _WRONG).any(axis=1), "out_of_range", f"`{name}` is none of {', '.join(meaning)}")
        return found

    def _places(self, place: Ints | None, columns: Mapping[str, pa.ChunkedArray]) -> Ints:
        """The place of each row among the roles; of a deal that was thrown in nobody has a role, and the rows stand as they are."""
        assert place is not None
        outcome = columns["outcome"].to_pylist() if "outcome" in columns else [None] * len(place)
        thrown_in = (place == _UNKNOWN).all(axis=1) & np.array(
            [said == "redeal" for said in outcome], dtype=bool
        )
        return np.where(thrown_in[:, None], np.arange(_NUMBER), place)

    def _sorted(self, number: Ints, name: str) -> Ints:
        """The rows of each hand in the order of their numbers, which must be 0, 1 and 2."""
        order = np.argsort(number, axis=1, kind="stable")
        wrong = (np.take_along_axis(number, order, axis=1) != np.arange(_NUMBER)).any(axis=1)
        self.blame(wrong, "contradiction", f"the three rows of the hand do not say each `{name}` once")
        found: Ints = np.take_along_axis(self._three, order, axis=1)
        return found

    def _landlord(self, place: Ints | None, seat: Ints, columns: Mapping[str, pa.ChunkedArray]) -> Ints:
        """The landlord's seat of each hand, -1 if he is not known; what says it twice must say it alike."""
        stated = None
        if LANDLORD in columns:
            stated = np.array(
                [_SEATS.get(text or "", _UNKNOWN) for text in columns[LANDLORD].to_pylist()], dtype=np.int64
            )
        if place is None:
            return np.full(len(seat), _UNKNOWN) if stated is None else stated
        landlord: Ints = np.where(place == 0, seat, _UNKNOWN).max(axis=1)
        turned = np.where(landlord[:, None] == _UNKNOWN, _UNKNOWN, (seat - landlord[:, None]) % _NUMBER)
        self.blame((place != turned).any(axis=1), "contradiction", f"`{ROLE}` is not that of `{SEAT}`")
        if stated is not None:
            self.blame(stated != landlord, "contradiction", f"`{LANDLORD}` is not the seat of the landlord")
        return landlord

    def _side(self, by_role: Ints) -> pa.Array:
        """The side that won, from who did; peasants win and lose together, and one side does."""
        texts = self._rows[WON].to_pylist()
        sides = {
            ("true", "false", "false"): SIDES[0],
            ("false", "true", "true"): SIDES[1],
            (None,) * _NUMBER: None,
        }
        won = [tuple(texts[row] for row in rows) for rows in by_role.tolist()]
        wrong = np.array([who not in sides for who in won], dtype=bool)
        self.blame(wrong, "contradiction", f"`{WON}` is not that of one side")
        return pa.array([sides.get(who) for who in won], pa.string())

    def _bytes(self, sizes: Ints) -> pa.Array:
        raw = self._rows[RAW].to_pylist()
        return pa.array(
            [
                b"".join(raw[first : first + size])
                for first, size in zip(self._three[:, 0], sizes, strict=True)
            ],
            pa.binary(),
        )


def _is_of_the_hand(name: str) -> bool:
    return name not in OF_A_ROW and name not in (SEAT, ROLE, WON) and name not in ABOUT_THE_ROW.names


def _text_of(seat: int) -> str | None:
    return None if seat == _UNKNOWN else str(seat)
