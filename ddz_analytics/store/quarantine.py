"""The quarantine: the records that could not become hands, kept with their bytes; picking some out, and dropping them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.store import Store, Writer, open_store
from ddz_analytics.store.compacting import compacted
from ddz_analytics.store.forgetting import without_rejected
from ddz_analytics.store.manifest import Manifest
from ddz_analytics.store.parts import read_part

KEYS = ("source_path", "line", "code")


@dataclass(frozen=True)
class Record:
    """One rejected record."""

    source_path: str
    line: int
    code: str
    detail: str
    raw: bytes


@dataclass(frozen=True)
class Group:
    """The records of one code: how many, and the first of them."""

    code: str
    records: int
    first: Record


@dataclass(frozen=True)
class Selection:
    """Which records: of a code, of a source (a file, the members of a zip file, all below a folder), on a line of it; None: any."""

    code: str | None = None
    source: str | None = None
    line: int | None = None

    def of(self, table: pa.Table) -> Flags:
        """Which rows of a table with the columns `KEYS` are meant."""
        chosen = np.ones(table.num_rows, dtype=bool)
        if self.code is not None:
            chosen &= pc.equal(table["code"], self.code).to_numpy()
        if self.line is not None:
            chosen &= pc.equal(table["line"], self.line).to_numpy()
        if self.source is not None:
            paths = table["source_path"].to_pylist()
            chosen &= np.fromiter((is_of(path, self.source) for path in paths), dtype=bool, count=len(paths))
        return chosen


ALL = Selection()


def is_of(path: str, source: str) -> bool:
    """Whether a path of `source_files` is a source, a member of it (a zip file), or below it (a folder)."""
    return path == source or path.startswith((f"{source}!", f"{source.rstrip('/')}/"))


def records(store: Path, selection: Selection = ALL) -> Iterator[Record]:
    """The rejected records that are meant, in order; raises StoreError as `open_store` does."""
    opened = open_store(store)
    for table in _tables(opened):
        chosen = table.filter(pa.array(selection.of(table)))
        yield from (Record(**row) for row in chosen.to_pylist())


def groups(store: Path, selection: Selection = ALL) -> list[Group]:
    """The rejected records that are meant by code, the code with most records first; raises StoreError as `open_store` does."""
    found: dict[str, Group] = {}
    for record in records(store, selection):
        known = found.get(record.code)
        found[record.code] = Group(
            record.code, known.records + 1 if known else 1, known.first if known else record
        )
    return sorted(found.values(), key=lambda group: (-group.records, group.code))


def purge(writer: Writer, selection: Selection) -> int:
    """Drop the records that are meant and unlink the parts that held them; how many there were."""
    manifest = without_selected(writer, writer.manifest, selection)
    dropped = rows_of(writer.manifest) - rows_of(manifest)
    if dropped:
        writer.publish(compacted(writer, manifest))
        writer.discard_old()
    return dropped


def without_selected(writer: Writer, manifest: Manifest, selection: Selection) -> Manifest:
    """The manifest without the records that are meant; the parts that it newly names are written."""

    def doomed(table: pa.Table, _: Ints) -> Flags:
        return selection.of(table)

    return without_rejected(writer, manifest, KEYS, doomed)


def rows_of(manifest: Manifest) -> int:
    """How many rejected records there are."""
    return sum(part.rows for part in manifest.rejected)


def _tables(store: Store) -> Iterator[pa.Table]:
    paths: Sequence[Path] = [store.path / part.path for part in store.manifest.rejected]
    return (read_part(path) for path in paths)
