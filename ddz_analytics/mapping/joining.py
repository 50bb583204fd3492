"""The tables of a mapping joined by hand, out of core, and cut into bundles of some hands each with all rows that belong to them.

A bundle is a file of Arrow streams one after the other: some rows of the table of hands, then of every other table those rows
that belong to them, in their order (`hand` is the hand's `place`). What of another table's file cannot be read, or has no hand,
is a bundle of its own, and then a stream that says how many of the file's rows were `taken`. The columns of a table are `c0`, `c1`, … here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.errors import DdzError
from ddz_analytics.mapping.sections import listed
from ddz_analytics.mapping.spec import Relational, Table
from ddz_analytics.mapping.tables import CODE, DETAIL, FILE, LINE, RAW, File, read_table
from ddz_analytics.mapping.used import columns_used

HANDS_PER_BUNDLE = 2_000
ROWS_PER_BATCH = 50_000
_MEMORY = "512MB"
_SQL = Path(__file__).parents[1] / "sql" / "mapping"
_BETWEEN, _NONE = "\0", "\0none"  # no text has a NUL
_ABOUT = {"file": FILE, "line": LINE, "raw": RAW, "code": CODE, "detail": DETAIL}
_REFUSED = pa.schema(
    [("line", pa.int64()), ("raw", pa.binary()), ("code", pa.string()), ("detail", pa.string())]
)


@dataclass(frozen=True)
class Bundle:
    """A bundle, and the name of the file in which its records stand."""

    label: str
    path: Path


@dataclass(frozen=True)
class _Cut:
    """The rows of one bundle: those at the places from `first` up to `end`."""

    bundle: Bundle
    first: int
    end: int


def join(mapping: Relational, files: Mapping[str, Sequence[File]], scratch: Path) -> list[Bundle]:
    """Read the files of every table and write the bundles into a folder; raises DdzError as `read_table` does.

    Those of hands come first, in the order of their files, and then one for each file of another table.
    """
    config: dict[str, Any] = {"memory_limit": _MEMORY, "temp_directory": str(scratch)}
    try:
        with closing(duckdb.connect(str(scratch / "joined.duckdb"), config=config)) as connection:
            connection.execute("SET enable_progress_bar = false")
            return list(_bundles(mapping, files, _Tables(connection), scratch))
    except duckdb.Error as error:
        what = "the tables cannot be joined: " + str(error).partition("\n")[0]
        raise DdzError("input_output", what, where=str(scratch)) from error


def _bundles(
    mapping: Relational, files: Mapping[str, Sequence[File]], tables: _Tables, scratch: Path
) -> Iterator[Bundle]:
    (hands, hand_columns), *others = columns_used(mapping).items()
    counts = tables.load("hands", mapping.tables[hands], hand_columns, files[hands])
    cuts = list(_cuts(counts, HANDS_PER_BUNDLE, scratch / "hands"))
    _append(tables.asked("hands", once=mapping.tables[hands].repeated == "once"), "place", cuts)
    yield from (cut.bundle for cut in cuts)
    for number, (name, columns) in enumerate(others):
        counts = tables.load("others", mapping.tables[name], columns, files[name])
        _append(tables.asked("rows"), "hand", cuts)
        own = list(_cuts(counts, None, scratch / f"refused-{number}"))
        for cut, refused in zip(own, _append(tables.asked("refused"), "place", own), strict=True):
            _add_count(cut, cut.end - cut.first - refused)
        yield from (cut.bundle for cut in own)


class _Tables:
    """The database that the rows are joined in."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def load(self, name: str, table: Table, columns: Sequence[str], files: Sequence[File]) -> Counter[str]:
        """Make a relation of all rows of a table; how many rows each file has."""
        counts = Counter({label: 0 for label, _ in files})
        wanted = list(dict.fromkeys([*columns, *listed(table.key)]))
        schema = _schema(len(columns))
        failures: list[
            BaseException
        ] = []  # what is raised while the database reads comes back as an error of its own

        def batches() -> Iterator[pa.RecordBatch]:
            place = 0
            try:
                for batch in read_table(files, table, wanted):
                    counts[batch.column(FILE)[0].as_py()] += len(batch)
                    yield _keyed(batch, place, table, columns).cast(schema)
                    place += len(batch)
            except BaseException as error:
                failures.append(error)
                raise

        self._connection.execute(f"DROP TABLE IF EXISTS {name}")
        reader = pa.RecordBatchReader.from_batches(schema, batches())
        try:
            self._connection.from_arrow(reader).create(name)
        except duckdb.Error:
            if failures:
                raise failures[0] from None
            raise
        return counts

    def asked(self, question: str, **given: object) -> pa.RecordBatchReader:
        """The answer to one of the questions over the relations."""
        return self._connection.sql(_statement(question), params=given or None).to_arrow_reader(
            ROWS_PER_BATCH
        )


@cache
def _statement(name: str) -> str:
    return (_SQL / f"{name}.sql").read_text("utf-8")


def _schema(columns: int) -> pa.Schema:
    about = [("place", pa.int64()), ("key", pa.string()), ("same", pa.string()), ("file", pa.string()), *zip(_REFUSED.names, _REFUSED.types, strict=True)]  # fmt: skip
    return pa.schema([*about, *((f"c{number}", pa.string()) for number in range(columns))])


def _keyed(batch: pa.RecordBatch, place: int, table: Table, columns: Sequence[str]) -> pa.RecordBatch:
    """The rows with their place, the key of their hand, and a text that only rows with equal values share."""
    key = [batch.column(name) for name in listed(table.key)]
    used = [batch.column(name) for name in columns]
    found = {
        "place": pa.array(np.arange(place, place + len(batch))),
        "key": pc.binary_join_element_wise(*key, _BETWEEN),
        "same": pc.binary_join_element_wise(*used, _BETWEEN, null_handling="replace", null_replacement=_NONE),
        **{name: batch.column(column) for name, column in _ABOUT.items()},
        **{f"c{number}": column for number, column in enumerate(used)},
    }
    return pa.RecordBatch.from_pydict(found)


def _cuts(counts: Mapping[str, int], most: int | None, beginning: Path) -> Iterator[_Cut]:
    """The rows of every file, in runs of bounded length or in one."""
    number = 0
    for label, (begin, end) in zip(counts, pairwise(accumulate(counts.values(), initial=0)), strict=True):
        for first in range(begin, max(end, begin + 1), most or max(end - begin, 1)):
            path = beginning.with_name(f"{beginning.name}-{number:06d}.bundle")
            yield _Cut(Bundle(label, path), first, end if most is None else min(first + most, end))
            number += 1


def _append(rows: pa.RecordBatchReader, column: str, cuts: Sequence[_Cut]) -> list[int]:
    """Write rows, which are in the order of a column, to the bundles, a stream each; how many came to each."""
    counts = []
    batches = iter(rows)
    rest = next(batches, None)
    for cut in cuts:
        counts.append(0)
        with cut.bundle.path.open("ab") as file, pa.ipc.new_stream(file, rows.schema) as writer:
            while rest is not None:
                within = int(np.searchsorted(rest.column(column).to_numpy(), cut.end))
                writer.write_batch(rest.slice(0, within))
                counts[-1] += within
                if within < len(rest):
                    rest = rest.slice(within)
                    break
                rest = next(batches, None)
    return counts


def _add_count(cut: _Cut, taken: int) -> None:
    table = pa.table({"taken": [taken]})
    with cut.bundle.path.open("ab") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
