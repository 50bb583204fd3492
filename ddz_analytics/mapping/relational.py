"""Hands out of tables that were joined: one row of the table of hands, and the rows of other tables that belong to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Located, Rejected, Skipped
from ddz_analytics.mapping.assembling import Assembly
from ddz_analytics.mapping.fields import Fields
from ddz_analytics.mapping.rows import Bundle, Rows
from ddz_analytics.mapping.shaping import hand_of
from ddz_analytics.mapping.spec import Relational
from ddz_analytics.mapping.trace import Trace
from ddz_analytics.mapping.used import columns_used
from ddz_analytics.parsers.base import Parsed, Source

_NO_HAND = "no row of the table of hands has this key"


class RelationalReader:
    """Reads bundles: of hands, or of rows of another table that are refused."""

    def __init__(self, mapping: Relational, trace: Trace | None = None) -> None:
        self._fields = Fields(mapping)
        if trace is not None:
            self._fields.watch(trace)
        self._columns = columns_used(mapping)

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or rejection for each row of the table of hands; of another table a rejection for each refused row."""
        bundle = Bundle(stream)
        first = bundle.read()
        if "others" not in first.column_names:
            yield from _refused(first)
            yield Skipped(0, "rows of hands", bundle.read()["taken"][0].as_py())
            return
        (hands, hand_columns), *others = self._columns.items()
        tables = {hands: bundle.rows(hands, hand_columns, first)}
        for name, columns in others:
            tables[name] = bundle.rows(name, columns, bundle.read())
        about = [first[name].to_pylist() for name in ("code", "detail", "others")]
        for row, (code, detail, repeated) in enumerate(zip(*about, strict=True)):
            yield (
                self._record(tables, row, repeated)
                if code is None
                else _unread(tables[hands], row, code, detail)
            )

    def _record(self, tables: dict[str, Rows], row: int, repeated: str | None) -> Located | Rejected:
        assembly = Assembly(self._fields, tables, row)
        line, raw = next(iter(tables.values())).line[row], assembly.raw()
        try:
            if repeated is not None:
                raise BadRecord(
                    "repeated_row", f"the hand is there twice - at {assembly.where} and {repeated}"
                )
            return Located(hand_of(assembly.document(), assembly.where), line, raw)
        except BadRecord as fault:
            return Rejected(line, fault.code, fault.detail, raw)


def _unread(rows: Rows, row: int, code: str, detail: str) -> Rejected:
    return Rejected(rows.line[row], code, detail, rows.raw[row])


def _refused(table: pa.Table) -> Iterator[Rejected]:
    for line, raw, code, detail in zip(
        *(table[name].to_pylist() for name in ("line", "raw", "code", "detail")), strict=True
    ):
        yield Rejected(line, code or "orphan_row", detail or _NO_HAND, raw)
