"""What a store knew before an ingest: what is read anew, hands that a file no longer has, formats that earlier mappings defined."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.ingest.planning import Planned
from ddz_analytics.store import Writer
from ddz_analytics.store.forgetting import without_hands, without_rejected
from ddz_analytics.store.manifest import Manifest, MappedFormat
from ddz_analytics.store.parts import read_part


def without_replaced(writer: Writer, sources: Sequence[Planned]) -> Manifest:
    """The store's manifest without what came of earlier readings that are replaced; new parts are written where needed."""
    replaced = {(source.label, generation) for source in sources for generation in source.replaces}
    if not replaced:
        return writer.manifest

    def doomed(table: pa.Table, generations: Ints) -> Flags:
        gone = np.zeros(table.num_rows, dtype=bool)
        for generation in {publish for _, publish in replaced}:
            labels = [label for label, publish in replaced if publish == generation]
            named = pc.is_in(table["source_path"], value_set=pa.array(labels, type=pa.string()))
            gone |= (generations == generation) & named.to_numpy()
        return gone

    manifest = without_hands(writer, writer.manifest, ["source_path"], doomed)
    manifest = without_rejected(writer, manifest, ["source_path"], doomed)
    ledger = [entry for entry in manifest.ledger if (entry.path, entry.generation) not in replaced]
    return structs.replace(manifest, ledger=ledger)


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
