"""Tables of settlement rows, file by file, as hands with their facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from zoneinfo import ZoneInfo

import pyarrow as pa
from msgspec import UNSET

from ddz_analytics.columns import known
from ddz_analytics.declared.mapped import FactsMapping, mapped
from ddz_analytics.declared.names import layout_of
from ddz_analytics.declared.rows import Declared, Reading, declared
from ddz_analytics.declared.seats import folded, is_by_seat
from ddz_analytics.errors import BadRecord, DdzError
from ddz_analytics.hands import Rejected
from ddz_analytics.ingest.summary import Shown
from ddz_analytics.mapping.formats import TableFormat
from ddz_analytics.mapping.tables import ABOUT_THE_ROW, CODE, DETAIL, LINE, RAW, read_table
from ddz_analytics.mapping.trace import Became
from ddz_analytics.mapping.values import as_column
from ddz_analytics.schema import FACTS, HANDS
from ddz_analytics.streams import Opener, Place

_DELIMITERS = ",;\t|"
_PARQUET = b"PAR1"


@dataclass(frozen=True)
class FactsFile:
    """A file of settlement rows: where it is, the name it goes by, and the mapping that names its columns, if there is one."""

    path: Path
    label: str
    mapping: FactsMapping | None


def declared_in(file: FactsFile, zone: ZoneInfo | None, most: int | None = None) -> Iterator[Declared]:
    """The hands of a file in order and the rows that are none, `most` rows at a time (None: as many as come together).

    A file whose header is not one of settlement rows is one rejection. Raises DdzError `mapping_column` where the mapping names a
    column that the file has not.
    """
    reading: Reading | None = None
    try:
        for table in hands_in(file):
            if known(table[CODE]).all():
                yield _nothing_but(list(_rejected(table)))
                continue
            reading = reading or Reading(layout_of(_said(table)), zone, file.label)
            for begin in range(0, len(table), most or len(table)):
                yield declared(table.slice(begin, most or len(table)), reading)
    except BadRecord as fault:
        yield _nothing_but([Rejected(1, fault.code, fault.detail, b"")])
    except DdzError as fault:
        if file.mapping is not None:
            raise
        yield _nothing_but([Rejected(1, "duplicate_key", fault.what, b"")])


def hands_in(file: FactsFile) -> Iterator[pa.Table]:
    """The rows of a file as texts under our names, one a hand, with what `read_table` says of them.

    Raises BadRecord `duplicate_key`, and DdzError `mapping_column` where two columns have one name, or one is missing.
    """
    tables = _rows_of(file)
    for table in tables:
        if known(table[CODE]).all():  # no row yet that could be read
            yield table
            continue
        alike = (_with_columns(each, table.column_names) for each in chain((table,), tables))
        yield from folded(alike) if is_by_seat(_said(table)) else alike


def first_rows(file: FactsFile, most: int) -> Iterator[Shown]:
    """What each column that a mapping names became in the first rows of a file; nothing without a mapping."""
    if file.mapping is None:
        return
    columns = {name: as_column(where) for name, where in file.mapping.columns.items()}
    for table in _as_they_stand(file):
        first = table.slice(0, most)
        most -= len(first)
        theirs, ours = first.to_pylist(), mapped(first, file.mapping).to_pylist()
        for told, meant in zip(theirs, ours, strict=True):
            became = [
                Became(text, told.get(text), name, meant[name])
                for name, column in columns.items()
                for text in filter(None, (column.column, column.less))
            ]
            fault = "" if meant[CODE] is None else f"{meant[CODE]}: {meant[DETAIL]}"
            yield Shown(file.label, meant[LINE], became, fault)
        if most == 0:
            return


def _rows_of(file: FactsFile) -> Iterator[pa.Table]:
    mapping = file.mapping
    tables = _as_they_stand(file)
    return tables if mapping is None else (mapped(table, mapping) for table in tables)


def _as_they_stand(file: FactsFile) -> Iterator[pa.Table]:
    """The rows of a file under its own names, of a mapping's columns alone."""
    mapping = file.mapping
    how = _written_as(file.path) if mapping is None or mapping.table is UNSET else mapping.table
    batches = read_table([(file.label, file.path)], how, () if mapping is None else mapping.used)
    return (pa.Table.from_batches([batch]) for batch in batches)


def _with_columns(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The table; one that tells of a fault of its file, and has not its columns, with them."""
    silent = pa.nulls(len(table), pa.string())
    return pa.table({name: table[name] if name in table.column_names else silent for name in names})


def _written_as(path: Path) -> TableFormat:
    """How a file is written that nothing else is said of: the delimiter is the one that its header has most of."""
    with Opener() as opener, opener.open(Place(path)) as stream:
        header = stream.readline(1 << 20)
    if header.startswith(_PARQUET):
        return TableFormat(format="parquet")
    return TableFormat(delimiter=max(_DELIMITERS, key=lambda mark: header.count(mark.encode())))


def _said(table: pa.Table) -> list[str]:
    return [name for name in table.column_names if name not in ABOUT_THE_ROW.names]


def _rejected(table: pa.Table) -> Iterator[Rejected]:
    for row in table.select([LINE, CODE, DETAIL, RAW]).to_pylist():
        yield Rejected(row[LINE], row[CODE], row[DETAIL] or "", row[RAW])


def _nothing_but(rejected: list[Rejected]) -> Declared:
    return Declared(HANDS.empty_table(), FACTS.empty_table(), rejected)
