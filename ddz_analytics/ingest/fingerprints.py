"""Verdicts on any number of hands in little memory: sixteen bytes for each one that was parsed, and the stored ones read once.

Hands are told apart by fingerprints of their contents and of their keys. Only those that look like another one, few as a rule, are
then judged by what they are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ddz_analytics.columns import Flags
from ddz_analytics.ingest.dedupe import COLUMNS, Dedupe, Verdicts, judge
from ddz_analytics.ingest.parsing import read_columns
from ddz_analytics.schema import HANDS
from ddz_analytics.store.definitions import sql_text
from ddz_analytics.store.parts import read_part

if TYPE_CHECKING:
    import duckdb

Prints = npt.NDArray[np.uint64]


def verdicts(
    parsed: Sequence[Path], stored: Sequence[Path], dedupe: Dedupe, global_ids: Collection[str]
) -> Verdicts:
    """What `judge` says of the hands in some Arrow files, in order, against those in some parts; raises as `read_part` does."""
    import duckdb  # the processes that parse have no need of it

    with duckdb.connect() as connection:
        connection.execute("SET VARIABLE global_ids = $ids", {"ids": list(global_ids)})
        every = _joined([_looks(connection, _parsed(file)) for file in parsed])
        try:
            rivals = _rivals(connection, stored, every)
        except duckdb.Error:
            for part in stored:
                read_part(part, COLUMNS)  # says which one it is
            raise
    suspects = every.among(every.ordered().repeated()) | every.among(_of(rivals).ordered())
    found = np.zeros(len(suspects), dtype=np.int8)
    found[suspects] = judge(_rows(parsed, suspects), rivals.select(COLUMNS), dedupe, global_ids)
    return found


@dataclass(frozen=True)
class _Looks:
    """The fingerprints of some hands: of their contents and of their keys."""

    contents: Prints
    keys: Prints

    def ordered(self) -> _Looks:
        """Each of the two in its own order, as `among` and `repeated` want them."""
        return _Looks(np.sort(self.contents), np.sort(self.keys))

    def repeated(self) -> _Looks:
        """Of ordered ones those that more than one hand has."""
        return _Looks(*(column[1:][column[1:] == column[:-1]] for column in (self.contents, self.keys)))

    def among(self, known: _Looks) -> Flags:
        """Which hands have the content or the key of one that is known, whose fingerprints are in order."""
        return _is_in(self.contents, known.contents) | _is_in(self.keys, known.keys)


def _looks(connection: duckdb.DuckDBPyConnection, hands: pa.Table) -> _Looks:
    connection.from_arrow(hands).create_view("hands")
    return _of(connection.sql(sql_text("ingest/fingerprints")).select("content", "key").to_arrow_table())


def _rivals(connection: duckdb.DuckDBPyConnection, stored: Sequence[Path], every: _Looks) -> pa.Table:
    """The stored hands that look like one that was parsed, with their fingerprints."""
    if not stored:
        connection.from_arrow(_nothing()).create_view("hands")
        return connection.sql(sql_text("ingest/fingerprints")).to_arrow_table()
    known = pa.table({"content": every.contents, "key": every.keys})
    connection.from_arrow(known).create_view("known")
    connection.read_parquet([str(part) for part in stored]).create_view("hands")
    connection.sql(sql_text("ingest/fingerprints")).create_view("looks")
    return connection.sql(sql_text("ingest/rivals")).to_arrow_table()


def _of(hands: pa.Table) -> _Looks:
    return _Looks(hands["content"].to_numpy(), hands["key"].to_numpy())


def _joined(looks: Sequence[_Looks]) -> _Looks:
    nothing = np.empty(0, dtype=np.uint64)
    contents, keys = ([each.contents for each in looks], [each.keys for each in looks])
    return _Looks(np.concatenate([nothing, *contents]), np.concatenate([nothing, *keys]))


def _is_in(values: Prints, ordered: Prints) -> Flags:
    """Which values are among some that are in order."""
    if not len(ordered):
        return np.zeros(len(values), dtype=bool)
    places = np.searchsorted(ordered, values)
    flags: Flags = ordered[np.minimum(places, len(ordered) - 1)] == values
    return flags


def _parsed(file: Path) -> pa.Table:
    return read_columns(file, HANDS, COLUMNS)


def _nothing() -> pa.Table:
    return HANDS.empty_table().select(COLUMNS)


def _rows(files: Sequence[Path], chosen: Flags) -> pa.Table:
    """The chosen rows of some files, whose rows are counted through."""
    found, first, places = [_nothing()], 0, np.flatnonzero(chosen)
    for file in files if len(places) else ():
        table = _parsed(file)
        own = places[np.searchsorted(places, first) : np.searchsorted(places, first + table.num_rows)]
        found.append(table.take(pa.array(own - first)))
        first += table.num_rows
    return pa.concat_tables(found)
