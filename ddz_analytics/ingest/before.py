"""What a store knew before an ingest: of the sources that are read once more, and of formats that earlier mappings defined."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.ingest.planning import Planned
from ddz_analytics.store import Writer
from ddz_analytics.store.forgetting import without_hands, without_rejected
from ddz_analytics.store.manifest import Manifest, MappedFormat


def without_earlier(writer: Writer, sources: Sequence[Planned]) -> Manifest:
    """The store's manifest without what earlier readings said of sources that are read once more; new parts are written where needed.

    What they rejected goes, and so do their entries in the ledger and the hands of those that are replaced; all other hands stay.
    """
    again = {source.label: source for source in sources if not source.unchanged and source.state != "new"}
    if not again:
        return writer.manifest
    labels = pa.array(again, type=pa.string())

    def picked(table: pa.Table, generations: Ints, wanted: Callable[[Planned, int], bool]) -> Flags:
        gone: Flags = pc.is_in(table["source_path"], value_set=labels).to_numpy().copy()
        places = np.flatnonzero(gone)
        paths = table["source_path"].take(pa.array(places)).to_pylist()
        for place, path, publish in zip(places, paths, generations[places].tolist(), strict=True):
            gone[place] = wanted(again[path], publish)
        return gone

    manifest = writer.manifest
    if any(source.replaces for source in again.values()):
        manifest = without_hands(
            writer,
            manifest,
            ["source_path"],
            lambda table, publishes: picked(
                table, publishes, lambda source, publish: publish in source.replaces
            ),
        )
    manifest = without_rejected(
        writer,
        manifest,
        ["source_path"],
        lambda table, publishes: picked(
            table, publishes, lambda source, publish: publish not in source.follows
        ),
    )
    ledger = [
        entry
        for entry in manifest.ledger
        if entry.path not in again
        or entry.generation in again[entry.path].follows | again[entry.path].samples
    ]
    return structs.replace(manifest, ledger=ledger)


def mapped_formats(before: Manifest, new: MappedFormat | None) -> list[MappedFormat]:
    """The formats that mappings define, with that of this ingest, which says no more than every mapping of its name could."""
    if new is None:
        return before.mapped
    for old in before.mapped:
        if old.name == new.name and any(new.name in part.parsers for part in before.hands):
            new = structs.replace(new, records=new.records & old.records)
    return [*(each for each in before.mapped if each.name != new.name), new]
