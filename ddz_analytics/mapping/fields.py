"""Columns on their way into fields: a mapping made ready for reading rows, and what each column became, for those who want to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.alphabet import Alphabet
from ddz_analytics.mapping.rows import Rows
from ddz_analytics.mapping.sections import columns_of, listed
from ddz_analytics.mapping.spec import Acts, Column, Relational, Where
from ddz_analytics.mapping.trace import Became, Trace
from ddz_analytics.mapping.values import Kind, amount_of, as_column, converter

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("unit", "low", "high", "rate", "fee", "double_threshold", "bid", "balance", "score", "balance_after", "value"), "amount"),
    **dict.fromkeys(("no", "multiplier", "registered", "ms"), "integer"),
    **dict.fromkeys(("started_at", "ended_at"), "time"),
    **dict.fromkeys(("bottom", "cards", "sent", "dealt"), "cards"),
    "seat": "seat",
}  # fmt: skip


def kind_of(name: str, column: Column) -> Kind:
    """What kind of value a field has, by the last part of its name."""
    key = name.rpartition(".")[2].partition("[")[0]
    if key in ("landlord", "first"):
        return "seat" if column.by == "seat" else "text"
    return _KINDS.get(key, "text")


class Field:
    """A column and the field that it fills; `of` a row is the field's value there, UNSET if it has none."""

    def __init__(
        self, name: str, where: Where, table: str, alphabet: Alphabet, kind: Kind | None = None
    ) -> None:
        self.name = name
        self.column = as_column(where)
        self.table = self.column.of or table
        kind = kind or kind_of(name, self.column)
        by_letter = kind == "cards" and not self.column.codes
        self.convert = alphabet.cards if by_letter else converter(self.column, kind)
        self.trace: Trace | None = None

    def of(self, rows: Rows, row: int) -> Any:
        """The value at a row; raises BadRecord with the place of what does not fit."""
        text = rows.columns[self.column.column][row]
        try:
            value = self._value(text, rows, row)
        except BadRecord as fault:
            where = rows.where(row, self.column.column)
            raise BadRecord(fault.code, f"{fault.detail} - at {where}") from None
        if self.trace is not None:
            shown = None if value is UNSET else str(value)
            self.trace.append(Became(f"{self.table}.{self.column.column}", text, self.name, shown))
        return value

    def _value(self, text: str | None, rows: Rows, row: int) -> Any:
        if text is None:
            return self.column.null
        if not self.column.less:
            return self.convert(text)
        less = rows.columns[self.column.less][row]
        if less is None:
            raise BadRecord("missing_field", f"no `{self.column.less}` to take from it")
        return amount_of(text, self.column.divide, less)

    def chosen(self, rows: Rows, among: Iterable[int]) -> Iterator[int]:
        """Those of some rows that the column's `where` admits."""
        wanted = [(rows.columns[name], listed(texts)) for name, texts in self.column.where.items()]
        return (row for row in among if all(column[row] in texts for column, texts in wanted))


class ActFields:
    """A section of acts made ready: `fields` by key, `whose` the field that names the player or seat."""

    def __init__(self, acts: Acts, place: int, whose: Field, alphabet: Alphabet) -> None:
        self.acts = acts
        self.phase = place if acts.phase is UNSET else acts.phase
        self.order = listed(acts.order)
        self.whose = whose
        self.fields = {
            key: Field(key, where, acts.of, alphabet, "integer" if key == "dealt" else None)
            for key, where in columns_of(acts)
        }


class Fields:
    """All fields of a relational mapping."""

    def __init__(self, mapping: Relational) -> None:
        self.mapping = mapping
        self.alphabet = Alphabet(mapping.cards)
        hand, seats, table = mapping.hand, mapping.seats, mapping.hand.of
        self.hand = self._section(columns_of(hand), "", table)
        self.room = self._section(columns_of(hand.room), "room.", table)
        self.recorded = self._section(columns_of(hand.recorded), "recorded.", table)
        self.extra = self._section(hand.extra.items(), "", table)
        self.seats: dict[str, list[Field]] = {}
        for key, where in columns_of(seats):
            of = table if "[" in key else seats.of or table
            name = key.partition("[")[0]
            self.seats.setdefault(name, []).append(Field(key, where, of, self.alphabet))
        self.whose = {
            name: self._whose(name) for name, each in mapping.tables.items() if each.player or each.seat
        }
        self.acts = [
            ActFields(acts, place, self.whose[acts.of], self.alphabet)
            for place, acts in enumerate(mapping.acts)
        ]

    def watch(self, trace: Trace) -> None:
        """Write down in `trace` what each column becomes from now on."""
        sections = [self.hand, self.room, self.recorded, self.extra, self.whose]
        sections += [section.fields for section in self.acts]
        fields = [field for section in sections for field in section.values()]
        for field in (*fields, *(field for seat in self.seats.values() for field in seat)):
            field.trace = trace

    def _section(self, columns: Iterable[tuple[str, Where]], prefix: str, table: str) -> dict[str, Field]:
        return {key: Field(prefix + key, where, table, self.alphabet) for key, where in columns}

    def _whose(self, name: str) -> Field:
        table = self.mapping.tables[name]
        if table.seat:
            return Field("seat", table.seat, name, self.alphabet)
        return Field("player", table.player, name, self.alphabet)
