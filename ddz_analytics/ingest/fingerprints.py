"""Verdicts on any number of hands in little memory: sixteen bytes for each one that was parsed, and the stored ones part by part.

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
        every = _joined([_looks(connection, _parsed(file), global_ids) for file in parsed])
        known = every.ordered()
        suspects, rivals = every.among(known.repeated()), [_nothing()]
        for part in stored:
            table = read_part(part, COLUMNS)
            looks = _looks(connection, table, global_ids)
            same = looks.among(known)
            if same.any():
                rivals.append(table.filter(pa.array(same)))
                suspects |= every.among(looks.where(same).ordered())
    found = np.zeros(len(suspects), dtype=np.int8)
    found[suspects] = judge(_rows(parsed, suspects), pa.concat_tables(rivals), dedupe, global_ids)
    return found


@dataclass(frozen=True)
class _Looks:
    """The fingerprints of some hands: of their contents and of their keys."""

    contents: Prints
    keys: Prints

    def where(self, chosen: Flags) -> _Looks:
        """Those of some of the hands."""
        return _Looks(self.contents[chosen], self.keys[chosen])

    def ordered(self) -> _Looks:
        """Each of the two in its own order, as `among` and `repeated` want them."""
        return _Looks(np.sort(self.contents), np.sort(self.keys))

    def repeated(self) -> _Looks:
        """Of ordered ones those that more than one hand has."""
        return _Looks(*(column[1:][column[1:] == column[:-1]] for column in (self.contents, self.keys)))

    def among(self, known: _Looks) -> Flags:
        """Which hands have the content or the key of one that is known, whose fingerprints are in order."""
        return _is_in(self.contents, known.contents) | _is_in(self.keys, known.keys)


def _looks(connection: duckdb.DuckDBPyConnection, hands: pa.Table, global_ids: Collection[str]) -> _Looks:
    connection.from_arrow(hands).create_view("hands")
    asked = {"global_ids": list(global_ids)}
    table = connection.sql(sql_text("ingest/fingerprints"), params=asked).to_arrow_table()
    return _Looks(table["content"].to_numpy(), table["key"].to_numpy())


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
