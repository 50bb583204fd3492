"""One hand put together from its rows, as the document that a line of `ddz/1` would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.acting import Acting
from ddz_analytics.mapping.fields import Field, Fields
from ddz_analytics.mapping.rows import Rows
from ddz_analytics.mapping.seating import SEATS, Seating, seating_by_acts, seating_by_number, seating_of
from ddz_analytics.mapping.spec import Constants

_KEYS = {"dealt": "dealt", "kind": "kinds", "registered": "registered", "balance": "balances"}
_RECORDED = {"score": "scores", "fee": "fees", "balance_after": "balances_after"}


class Assembly:
    """The rows of one hand on their way to a document; raises BadRecord for what does not fit, with its place."""

    def __init__(self, fields: Fields, tables: Mapping[str, Rows], row: int) -> None:
        self.fields = fields
        self.tables = tables
        self.row = row
        self._hands = tables[fields.mapping.hand.of]
        self._place = int(self._hands.hand[row])
        self._found: dict[str, Sequence[int]] = {fields.mapping.hand.of: (row,)}

    @property
    def where(self) -> str:
        """The place of the hand's row, in words."""
        return self._hands.where(self.row)

    def raw(self) -> bytes:
        """The bytes of all rows as they came, a line each."""
        each = (rows.raw[row] for name, rows in self.tables.items() for row in self._all_of(name))
        return b"".join(raw if raw.endswith(b"\n") else raw + b"\n" for raw in each)

    def document(self) -> dict[str, Any]:
        """The hand."""
        document: dict[str, Any] = {"format": "ddz/1", **_said(self.fields.mapping.constants)}
        fields = dict(self.fields.hand)
        landlord, first, outcome = (fields.pop(name, None) for name in ("landlord", "first", "outcome"))
        document.update(self._values(fields))
        seating = self._seating()
        document["players"] = seating.players
        document["landlord"] = self._seat(landlord, seating) if landlord else self._landlord_by_role(seating)
        if first is not None and (speaks := self._seat(first, seating)) is not None:
            document["first"] = speaks
        self._say_outcome(document, outcome)
        document.update(self._per_seat(seating, document))
        document["actions"] = Acting(self, seating).actions()
        self._say_nested(document)
        return document

    def rows_of(self, table: str) -> Sequence[int]:
        """The rows of a table that belong to the hand; where the mapping says so, those that are the same count as one."""
        if table not in self._found:
            found: Sequence[int] = self._all_of(table)
            if self.fields.mapping.tables[table].repeated == "once":
                columns = self.tables[table].columns.values()
                found = list(
                    {tuple(column[row] for column in columns): row for row in reversed(found)}.values()
                )[::-1]
            self._found[table] = found
        return self._found[table]

    def _all_of(self, table: str) -> Sequence[int]:
        return (self.row,) if table == self._hands.table else self.tables[table].of_hand(self._place)

    def _value(self, field: Field) -> Any:
        """A field of the hand as a whole; rows of another table must agree on it."""
        rows = self.tables[field.table]
        found = UNSET
        for row in field.chosen(rows, self.rows_of(field.table)):
            value = field.of(rows, row)
            if found is not UNSET and value is not UNSET and value != found:
                detail = f"rows of one hand do not agree: {found} and"
                raise BadRecord(
                    "repeated_row", f"{detail} {value} - at {rows.where(row, field.column.column)}"
                )
            found = value if found is UNSET else found
        return found

    def _values(self, fields: Mapping[str, Field]) -> dict[str, Any]:
        values = {name: self._value(field) for name, field in fields.items()}
        return {name: value for name, value in values.items() if value is not UNSET}

    def _say_nested(self, document: dict[str, Any]) -> None:
        for name, fields in (("room", self.fields.room), ("recorded", self.fields.recorded)):
            if values := self._values(fields):
                document[name] = {**document.get(name, {}), **values}
        if extra := self._values(self.fields.extra):
            document["_extra"] = extra

    def _say_outcome(self, document: dict[str, Any], field: Field | None) -> None:
        without = self.fields.mapping.hand.without_landlord
        if document["landlord"] is None and without is not UNSET:
            document["outcome"] = without
        elif field is not None and (outcome := self._value(field)) is not UNSET:
            document["outcome"] = outcome

    def _seat(self, field: Field, seating: Seating) -> int | None:
        """The seat that a column of the hand names by its player or number."""
        value = self._value(field)
        if value is UNSET:
            return None
        if field.column.by == "seat":
            return int(value)
        if value not in seating.players:
            detail = f"{value!r} is none of the players {', '.join(seating.players)}"
            raise BadRecord("out_of_range", f"{detail} - at {self.where}, for `{field.name}`")
        return seating.players.index(value)

    def _landlord_by_role(self, seating: Seating) -> int | None:
        (role,) = self.fields.seats["role"]
        landlords = [seat for seat in SEATS if self._of_seat(role, seat, seating) == "landlord"]
        if len(landlords) > 1:
            raise BadRecord("repeated_row", f"{len(landlords)} landlords - at {self.where}")
        return landlords[0] if landlords else None

    def _seating(self) -> Seating:
        seats, given = self.fields.mapping.seats, self.fields.seats.get("players")
        if given is not None:
            return seating_of([self._value(field) for field in given], self.where)
        if seats.order == "acts":
            return seating_by_acts(self)
        return seating_by_number(self)

    def _per_seat(self, seating: Seating, document: dict[str, Any]) -> dict[str, Any]:
        """What each seat has, for those fields that a column holds."""
        found: dict[str, Any] = {}
        recorded: dict[str, Any] = {}
        for name, fields in self.fields.seats.items():
            if name in _KEYS or name in _RECORDED:
                place = found if name in _KEYS else recorded
                if values := self._three(fields, seating):
                    place[{**_KEYS, **_RECORDED}[name]] = values
        landlord = document["landlord"]
        if self.fields.mapping.seats.bottom_in_hand and landlord is not None and "dealt" in found:
            dealt = found["dealt"]
            dealt[landlord] = self.fields.alphabet.without(dealt[landlord], document.get("bottom", ""))
        return {**found, "recorded": recorded} if recorded else found

    def _three(self, fields: Sequence[Field], seating: Seating) -> list[Any]:
        """A value for each seat, or none for any; a field of only one or two seats is a fault."""
        if len(fields) == 3:
            values = [self._value(field) for field in fields]
        else:
            values = [self._of_seat(fields[0], seat, seating) for seat in SEATS]
        silent = values.count(UNSET)
        if 0 < silent < 3:
            detail = f"no `{fields[0].name}` of the seat {values.index(UNSET)}, but of others"
            raise BadRecord("missing_field", f"{detail} - at {self.where}")
        return [] if silent else values

    def _of_seat(self, field: Field, seat: int, seating: Seating) -> Any:
        """What a row of a seat says; the table of seats must have one for each, any other at most one."""
        rows, whose = self.tables[field.table], self.fields.whose[field.table]
        own = [
            row
            for row in field.chosen(rows, self.rows_of(field.table))
            if seating.seat_of(whose, rows, row) == seat
        ]
        if len(own) > 1:
            detail = f"two rows of the player {seating.players[seat]!r} where one is expected"
            raise BadRecord("repeated_row", f"{detail} - at {rows.where(own[0])} and {rows.where(own[1])}")
        if own:
            return field.of(rows, own[0])
        if field.table == self.fields.mapping.seats.of:
            detail = f"`{field.table}` has no row of the player {seating.players[seat]!r}"
            raise BadRecord("missing_row", f"{detail} - at {self.where}")
        return UNSET


def _said(constants: Constants) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(constants)
    return found
