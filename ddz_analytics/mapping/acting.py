"""The acts of one hand in their order, out of the rows of several tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.fields import ActFields
from ddz_analytics.mapping.rows import Rows
from ddz_analytics.mapping.spec import Meaning
from ddz_analytics.mapping.values import instant_of

if TYPE_CHECKING:
    from ddz_analytics.mapping.assembling import Assembly
    from ddz_analytics.mapping.seating import Seating

PLAYS, BIDS = frozenset(("play", "pass", "turn")), frozenset(("bid", "call", "rob", "decline"))
VALUED = {"bid", "double", "kick", "open", "autoplay"}
SKIP = "skip"
ALSO = {"open": ("dealt",), "play": ("sent",), "pass": ("sent",)}


class Acting:
    """The acts of a hand; without `seating` only those that have an order of their own."""

    def __init__(self, assembly: Assembly, seating: Seating | None = None) -> None:
        self._assembly = assembly
        self._seating = seating

    def actions(self) -> list[dict[str, Any]]:
        """Every act as `ddz/1` has it."""
        assert self._seating is not None
        found = []
        for section, row in self.in_order():
            seat = self._seating.seat_of(section.whose, self._rows(section), row)
            if action := self._action(section, row):
                found.append({"seat": seat, **action})
        return found

    def players(self, acts: Collection[str]) -> Iterator[str]:
        """The players of some kinds of acts, one after the other."""
        for section, row in self.in_order():
            if self._meaning(section, row).act in acts:
                yield section.whose.of(self._rows(section), row)

    def in_order(self) -> list[tuple[ActFields, int]]:
        """Section and row of each act; raises BadRecord `repeated_row` where two have the same place."""
        keyed = [
            (self._key(section, row), place, row)
            for place, section in enumerate(self._assembly.fields.acts)
            if section.order or self._seating is not None
            for row in self._assembly.rows_of(section.acts.of)
        ]
        keyed.sort()
        sections = self._assembly.fields.acts
        for (key, place, row), (next_key, next_place, next_row) in pairwise(keyed):
            if key == next_key and (place == next_place or key[1] == 0):
                one, other = (
                    self._rows(sections[place]).where(row),
                    self._rows(sections[next_place]).where(next_row),
                )
                raise BadRecord(
                    "repeated_row", f"two acts at the same place of the order - at {one} and {other}"
                )
        return [(sections[place], row) for _, place, row in keyed]

    def _rows(self, section: ActFields) -> Rows:
        return self._assembly.tables[section.acts.of]

    def _key(self, section: ActFields, row: int) -> tuple[int, int, tuple[int, ...]]:
        rows = self._rows(section)
        if not section.order:
            assert self._seating is not None
            return section.phase, 1, (self._seating.seat_of(section.whose, rows, row),)
        return section.phase, 0, tuple(_place(rows, row, column) for column in section.order)

    def _meaning(self, section: ActFields, row: int) -> Meaning:
        if section.acts.every:
            return Meaning(act=section.acts.every)
        value = section.fields["act"].of(self._rows(section), row)
        if value is UNSET:
            where = self._rows(section).where(row, section.fields["act"].column.column)
            raise BadRecord("missing_field", f"nothing says what act it is - at {where}")
        return value if isinstance(value, Meaning) else Meaning(act=value)

    def _action(self, section: ActFields, row: int) -> dict[str, Any]:
        """The act of a row with its fields, but for the seat; empty if it is none."""
        meaning = self._meaning(section, row)
        if meaning.act == SKIP:
            return {}
        action = self._with_cards(meaning.act, section, row)
        act = action["act"]
        for name in ("ms", "actor", *ALSO.get(act, ())):
            action[name] = self._of(section, name, row)
        if act in VALUED:
            action["value"] = self._of(section, "value", row)
        if act == "open":
            action["stage"] = self._of(section, "stage", row)
        for name in ("value", "actor", "stage"):
            if (constant := getattr(meaning, name)) is not UNSET:
                action[name] = constant
        if SKIP in action.values():
            return {}
        return {name: value for name, value in action.items() if value is not UNSET}

    def _with_cards(self, act: str, section: ActFields, row: int) -> dict[str, Any]:
        cards = self._of(section, "cards", row) if act in ("turn", "play", "pass") else UNSET
        played = cards is not UNSET and cards != ""
        if act == "turn":
            act = "play" if played else "pass"
        if played == (act == "play"):
            return {"act": act, "cards": cards} if played else {"act": act}
        where = self._rows(section).where(
            row, *[section.fields[each].column.column for each in ("cards",) if each in section.fields]
        )
        code, detail = (
            ("out_of_range", "a pass with cards") if played else ("missing_field", "a play without cards")
        )
        raise BadRecord(code, f"{detail} - at {where}")

    def _of(self, section: ActFields, name: str, row: int) -> Any:
        field = section.fields.get(name)
        return UNSET if field is None else field.of(self._rows(section), row)


def _place(rows: Rows, row: int, column: str) -> int:
    text = rows.columns[column][row]
    try:
        if text is None:
            raise BadRecord("missing_field", "no place in the order")
        return instant_of(text)
    except BadRecord as fault:
        raise BadRecord(fault.code, f"{fault.detail} - at {rows.where(row, column)}") from None
