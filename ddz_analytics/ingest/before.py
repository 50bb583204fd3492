"""What a store knew before an ingest: hands that a file no longer has, formats that earlier mappings defined."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.store.manifest import Manifest, MappedFormat
from ddz_analytics.store.parts import read_part


def hands_gone(store: Path, before: Manifest, label: str, now: pa.ChunkedArray) -> int:
    """How many stored hands of a file are no longer in it; `now` has the content hashes of those that are."""
    publishes = {entry.generation for entry in before.ledger if entry.path == label}
    gone = 0
    for part in before.hands:
        if not publishes.isdisjoint(stretch.generation for stretch in part.stretches):
            stored = read_part(store / part.path, ["source_path", "content_hash"])
            hashes = stored["content_hash"].filter(pc.equal(stored["source_path"], label))
            gone += len(hashes) - (pc.sum(pc.is_in(hashes, value_set=now)).as_py() or 0)
    return gone


def mapped_formats(before: Manifest, new: MappedFormat | None) -> list[MappedFormat]:
    """The formats that mappings define, with that of this ingest, which says no more than every mapping of its name could."""
    if new is None:
        return before.mapped
    for old in before.mapped:
        if old.name == new.name and any(new.name in part.parsers for part in before.hands):
            new = structs.replace(new, records=new.records & old.records)
    return [*(each for each in before.mapped if each.name != new.name), new]
