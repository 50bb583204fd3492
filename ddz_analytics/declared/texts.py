"""Columns of text as columns of their types, strictly: a value that is no such number, flag or time is a fault of its row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import AMOUNT, Flags, ints, whole
from ddz_analytics.errors import BadRecord
from ddz_analytics.tabulate import FIRST_YEAR, LAST_YEAR

_SAID = {
    pa.int64(): (r"^-?[0-9]{1,18}$", "is no whole number"),
    pa.int8(): (r"^-?[0-9]{1,18}$", "is no whole number"),
    AMOUNT: (r"^-?[0-9]{1,14}(\.[0-9]{1,4}0*)?$", "is no amount with at most 14 digits and four decimals"),
    pa.bool_(): (r"^(true|false)$", "is neither true nor false"),
}
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6}0*)?)?(?P<offset>Z|[+-]\d\d(:?\d\d)?)?", re.ASCII
)
_NEEDLESS_ZEROS = r"(\.[0-9]{4})0*$"
_SHOWN = 100  # characters of a value that a message shows


class Texts:
    """A table of text columns on its way to its types; `faults` has the first fault of each row that has one."""

    def __init__(self, table: pa.Table, zone: ZoneInfo | None) -> None:
        self.table = table
        self.faults: dict[int, BadRecord] = {}
        self._zone = zone

    def __len__(self) -> int:
        return len(self.table)

    def blame(self, where: Flags, code: str, name: str, what: str) -> None:
        """Note a fault of a column in some rows, with the value that stands there."""
        column = self.table[name] if name in self.table.column_names else None
        for row in np.flatnonzero(where).tolist():
            said = None if column is None else column[row].as_py()
            shown = "" if said is None else f" {said[:_SHOWN]}"
            self.faults.setdefault(row, BadRecord(code, f"`{name}`{shown} {what}"))

    def column(self, name: str, kind: pa.DataType) -> pa.Array:
        """One column; null where nothing is said, where the value is at fault, and everywhere if there is no such column."""
        if name not in self.table.column_names:
            return pa.nulls(len(self), kind)
        texts = whole(self.table[name])
        if pa.types.is_string(kind):
            return texts
        if pa.types.is_timestamp(kind):
            return self._times(name, texts)
        pattern, what = _SAID[kind]
        wrong = _flags(pc.invert(pc.match_substring_regex(texts, pattern)))
        self.blame(wrong, "wrong_type", name, what)
        texts = pc.if_else(pa.array(wrong), None, texts)
        if kind == pa.bool_():
            return pc.equal(texts, "true")
        if kind == AMOUNT:
            return pc.replace_substring_regex(texts, _NEEDLESS_ZEROS, r"\1").cast(AMOUNT)
        numbers = texts.cast(pa.int64())
        return self._within(name, numbers, np.iinfo(np.int8).max).cast(kind) if kind == pa.int8() else numbers

    def counts(self, name: str, most: int) -> pa.Array:
        """A column of whole numbers from 0 to `most`."""
        return self._within(name, self.column(name, pa.int64()), most)

    def words(self, name: str, allowed: Sequence[str]) -> pa.Array:
        """A column of some words."""
        texts = self.column(name, pa.string())
        wrong = _flags(pc.invert(pc.is_in(texts, value_set=pa.array(allowed)))) & ~_flags(texts.is_null())
        self.blame(wrong, "out_of_range", name, f"is none of {', '.join(allowed)}")
        return texts

    def names(self, name: str) -> pa.Array:
        """A column of texts that are not empty."""
        texts = self.column(name, pa.string())
        self.blame(_flags(pc.equal(texts, "")), "out_of_range", name, "is empty")
        return texts

    def _within(self, name: str, numbers: pa.Array, most: int) -> pa.Array:
        values = ints(numbers)
        wrong = (values < 0) | (values > most)
        self.blame(wrong, "out_of_range", name, f"is not between 0 and {most}")
        return pc.if_else(pa.array(wrong), None, numbers)

    def _times(self, name: str, texts: pa.Array) -> pa.Array:
        times: list[datetime | None] = []
        for row, text in enumerate(texts.to_pylist()):
            try:
                times.append(None if text is None else instant(text, self._zone))
            except BadRecord as fault:
                times.append(None)
                self.faults.setdefault(row, BadRecord(fault.code, f"`{name}` {text[:_SHOWN]} {fault.detail}"))
        return pa.array(times, pa.timestamp("us", tz="UTC"))


def instant(text: str, zone: ZoneInfo | None) -> datetime:
    """A moment from a text such as 2026-01-02T11:04:05+08:00, without an offset by a zone's clock.

    Raises BadRecord `wrong_type`, `out_of_range` or `naive_time`.
    """
    match = _TIME.fullmatch(text)
    try:
        time = datetime.fromisoformat(text) if match else None
    except ValueError:
        time = None
    if match is None or time is None:
        raise BadRecord("wrong_type", "is no time such as 2026-01-02T11:04:05+08:00")
    if not FIRST_YEAR <= time.year <= LAST_YEAR:
        raise BadRecord("out_of_range", f"is before {FIRST_YEAR} or after {LAST_YEAR}")
    return time if match["offset"] else localised(time, zone)


def localised(time: datetime, zone: ZoneInfo | None) -> datetime:
    """A time without offset by a zone's clock; raises BadRecord `naive_time` where that is none, or shows it never or twice."""
    if zone is None:
        raise BadRecord("naive_time", "has no offset, and no zone is named")
    local = time.replace(tzinfo=zone)
    if local.utcoffset() != local.replace(fold=1).utcoffset():
        raise BadRecord("naive_time", f"is when the clock of {zone.key} was changed")
    return local


def _flags(column: pa.Array) -> Flags:
    found: Flags = column.fill_null(fill_value=False).to_numpy(zero_copy_only=False)
    return found
