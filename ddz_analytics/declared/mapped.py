"""Operators' own settlement rows: a mapping that says which of their columns is which of ours, and what their words mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pyarrow as pa
from msgspec import UNSET, Struct, UnsetType

from ddz_analytics.columns import ints, known, whole
from ddz_analytics.declared.names import NAMES, OF_A_ROW, ROLE, SEAT, WON
from ddz_analytics.errors import BadRecord, UsageError
from ddz_analytics.mapping.formats import TableFormat
from ddz_analytics.mapping.load import read_as
from ddz_analytics.mapping.sections import check_time
from ddz_analytics.mapping.spec import Column, Where
from ddz_analytics.mapping.tables import ABOUT_THE_ROW, CODE, DETAIL
from ddz_analytics.mapping.values import amount_of, as_column, integer_of, time_of
from ddz_analytics.rules.values import nearest
from ddz_analytics.schema import SEAT_NUMBERS

_VERSION = 1  # of how mappings of facts are read
_KNOWN = sorted(NAMES | set(OF_A_ROW) | {SEAT, ROLE, WON})
_TIMES = ("started_at", "ended_at")
Convert = Callable[[str], str]


class FactsMapping(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag="facts"
):
    """What the columns of settlement rows are called and mean.

    `columns`: by our name the column that says it, `constants`: what is the same in every row and stands in no column; `table`:
    how the files are written; `zone`: that of times without an offset.
    """

    columns: dict[str, Where]
    constants: dict[str, str | int | bool] = {}
    table: TableFormat | UnsetType = UNSET
    zone: str = ""

    @property
    def version(self) -> int:
        """A number that another content hardly has."""
        content = msgspec.json.encode([_VERSION, self])
        return int.from_bytes(sha256(content).digest()[:4], "big") >> 1

    @property
    def used(self) -> list[str]:
        """The columns of the files that are read."""
        columns = [as_column(where) for where in self.columns.values()]
        named = [name for column in columns for name in (column.column, column.less) if name]
        return list(dict.fromkeys(named))


def load_facts_mapping(path: Path) -> FactsMapping:
    """The mapping of a TOML file; raises UsageError as `load_mapping` does."""
    mapping: FactsMapping = read_as(path, FactsMapping, _check)
    return mapping


def _check(mapping: FactsMapping) -> None:
    _check_names(mapping)
    if both := sorted(mapping.columns.keys() & mapping.constants.keys()):
        raise UsageError("mapping_value", f"{both[0]} is a column and a constant", where="constants")
    for name, where in mapping.columns.items():
        column = as_column(where)
        if column.of or column.where or column.by != "player":
            what = "of, where and by are for mappings of several tables"
            raise UsageError("mapping_value", what, where=f"columns.{name}")
        check_time(column, f"columns.{name}")
    if mapping.table is not UNSET:
        mapping.table.check("table")
    if mapping.zone:
        try:
            ZoneInfo(mapping.zone)
        except (ValueError, OSError, KeyError):
            raise UsageError(
                "mapping_value", f"no time zone is called {mapping.zone!r}", where="zone"
            ) from None


def _check_names(mapping: FactsMapping) -> None:
    for name in (*mapping.columns, *mapping.constants):
        if name not in _KNOWN and not name.startswith("_"):
            mend = f"nearest: {nearest(name, _KNOWN)}"
            raise UsageError("mapping_key", f"facts have no column {name!r}", where="columns", mend=mend)


def mapped(table: pa.Table, mapping: FactsMapping) -> pa.Table:
    """The rows of an operator's table under our names; a value that the mapping does not know is a fault of its row."""
    faults: dict[int, BadRecord] = {}
    columns = {
        name: _column(table, name, as_column(where), faults) for name, where in mapping.columns.items()
    }
    for name, value in mapping.constants.items():
        columns[name] = pa.repeat(pa.scalar(_text(value)), len(table))
    about = {name: table[name] for name in ABOUT_THE_ROW.names}
    if faults:
        there = known(table[CODE])
        new = [None if there[row] else faults.get(row) for row in range(len(table))]
        for name, said in ((CODE, "code"), (DETAIL, "detail")):
            old = table[name].to_pylist()
            texts = [old[row] if fault is None else getattr(fault, said) for row, fault in enumerate(new)]
            about[name] = pa.array(texts, pa.string())
    return pa.table({**columns, **about})


def _column(table: pa.Table, name: str, column: Column, faults: dict[int, BadRecord]) -> pa.Array:
    """One column in the words of ours."""
    texts = whole(table[column.column])
    if column.less:
        pairs = zip(texts.to_pylist(), table[column.less].to_pylist(), strict=True)
        return pa.array(list(_less(pairs, name, column, faults)), pa.string())
    convert = _converter(name, column)
    coded = texts.dictionary_encode()
    meant: list[str | None] = []
    wrong: dict[int, BadRecord] = {}
    for place, text in enumerate(coded.dictionary.to_pylist()):
        try:
            meant.append(convert(text))
        except BadRecord as fault:
            meant.append(None)
            wrong[place] = BadRecord(fault.code, f"`{name}`: {fault.detail} - in `{column.column}`")
    if wrong:
        for row, place in enumerate(ints(coded.indices, missing=-1).tolist()):
            if place in wrong:
                faults.setdefault(row, wrong[place])
    found = pa.array(meant, pa.string()).take(coded.indices)
    return found if column.null is UNSET else found.fill_null(_text(column.null))


def _less(
    pairs: Iterator[tuple[str | None, str | None]], name: str, column: Column, faults: dict[int, BadRecord]
) -> Iterator[str | None]:
    """What one column says less than another, row by row."""
    for row, (text, less) in enumerate(pairs):
        try:
            yield None if text is None or less is None else str(amount_of(text, column.divide, less))
        except BadRecord as fault:
            faults.setdefault(row, BadRecord(fault.code, f"`{name}`: {fault.detail} - in `{column.column}`"))
            yield None


def _converter(name: str, column: Column) -> Convert:
    """What makes our text of one of theirs; it raises BadRecord."""
    if column.codes:
        return lambda text: _word(text, column)
    if column.divide != 1:
        return lambda text: str(amount_of(text, column.divide))
    if column.counted_from:
        return lambda text: str(_seat(text, column.counted_from))
    if name in _TIMES and column.time != "iso":
        return lambda text: time_of(text, column.time).isoformat()
    return str


def _seat(text: str, first: int) -> int:
    """A seat that is counted from another number than 0."""
    seat = integer_of(text) - first
    if seat not in SEAT_NUMBERS:
        last = first + SEAT_NUMBERS[-1]
        raise BadRecord("out_of_range", f"the seat {text[:40]} is none from {first} to {last}")
    return seat


def _word(text: str, column: Column) -> str:
    if text not in column.codes:
        raise BadRecord("out_of_range", f"the code {text[:40]!r} is none of " + ", ".join(column.codes))
    return _text(column.codes[text])


def _text(word: object) -> str:
    return str(word).lower() if isinstance(word, bool) else str(word)
