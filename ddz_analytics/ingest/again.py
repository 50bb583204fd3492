"""Hands that earlier readings of a source stored, when it is read once more: which are its own still, and which it no longer has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.ingest.planning import Planned
from ddz_analytics.ingest.reading import Span
from ddz_analytics.store.manifest import HandsPart, Manifest, SourceFile
from ddz_analytics.store.parts import read_part
from ddz_analytics.store.stretches import generations, stretches_of

_COLUMNS = ("source_path", "content_hash")
_KEYS = pa.schema([("which", pa.int64()), ("key", pa.string())])


@dataclass(frozen=True)
class Again:
    """A source that is read once more: the content hashes of the hands in it, and of those among them that are stored already."""

    planned: Planned
    now: pa.ChunkedArray
    known: pa.ChunkedArray


def again(planned: Planned, hashes: pa.ChunkedArray, known: Flags, spans: Sequence[Span]) -> Again:
    """A source among all hands that were parsed: their content hashes, and which are stored already."""
    ranges = [np.arange(row, row + counts.hands) for _, counts, row in spans]
    own = np.concatenate([np.empty(0, dtype=np.int64), *ranges])
    return Again(planned, hashes.take(pa.array(own)), hashes.take(pa.array(own[known[own]])))


@dataclass
class Kept:
    """The parts of hands, in which those that are in a source still came with its new reading.

    By source: `still` counts the different hands among these, `gone` the hands of its last readings that are not in it. By source
    and publish: `others` counts hands of another sample of it.
    """

    parts: list[HandsPart] = field(default_factory=list)
    still: Counter[str] = field(default_factory=Counter)
    gone: Counter[str] = field(default_factory=Counter)
    others: Counter[tuple[str, int]] = field(default_factory=Counter)


def kept(store: Path, before: Manifest, after: Manifest, sources: Sequence[Again]) -> Kept:
    """What becomes of the hands in `after`, when some sources were read once more; `before` knows their earlier readings."""
    if not sources:
        return Kept(list(after.hands))
    return _Keeping(before, sources).kept(store, after)


class _Keeping:
    """Tells, for each stored hand of some sources, what it is to their new readings."""

    def __init__(self, before: Manifest, sources: Sequence[Again]) -> None:
        self._sources = sources
        self._labels = pa.array([each.planned.label for each in sources], type=pa.string())
        self._now = _keys_of([each.now for each in sources])
        self._known = _keys_of([each.known for each in sources])
        self._earlier = {(entry.path, entry.generation) for entry in before.ledger}
        self._kept = Kept()
        self._still: list[pa.Table] = []

    def kept(self, store: Path, after: Manifest) -> Kept:
        """The verdicts on all parts."""
        for part in after.hands:
            table = read_part(store / part.path, _COLUMNS)
            which = pc.fill_null(pc.index_in(table["source_path"], value_set=self._labels), -1).to_numpy()
            rows = np.flatnonzero(which >= 0)
            publishes = generations(part.stretches)
            mine = self._mine(which[rows], publishes[rows], table["content_hash"].take(pa.array(rows)))
            if mine.any():
                publishes[rows[mine]] = after.generation + 1
                part = structs.replace(part, stretches=stretches_of(publishes))
            self._kept.parts.append(part)
        different = (
            pa.concat_tables([_KEYS.empty_table(), *self._still]).group_by(["which", "key"]).aggregate([])
        )
        for each in different["which"].value_counts().to_pylist():
            self._kept.still[self._sources[each["values"]].planned.label] = each["counts"]
        return self._kept

    def _mine(self, which: Ints, publishes: Ints, hashes: pa.ChunkedArray) -> Flags:
        """Which hands came with the new readings now; the others are counted."""
        keys = _keyed(pa.array(which, type=pa.int64()), hashes)
        inside = pc.is_in(keys, value_set=self._now).to_numpy()
        mine = np.zeros(len(which), dtype=bool)
        for place, publish in sorted(set(zip(which.tolist(), publishes.tolist(), strict=True))):
            plan = self._sources[place].planned
            if publish in plan.follows:
                continue
            meant = (which == place) & (publishes == publish)
            own = inside | (publish in plan.covers - plan.samples)
            mine |= meant & own
            if publish in plan.samples:
                self._kept.others[plan.label, publish] += int((meant & ~own).sum())
            if plan.state == "changed" and (plan.label, publish) in self._earlier:
                self._kept.gone[plan.label] += int((meant & ~inside).sum())
        still = mine & pc.is_in(keys, value_set=self._known).to_numpy()
        self._still.append(pa.table([which, keys], schema=_KEYS).filter(pa.array(still)))
        return mine


def _keys_of(hashes: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    """A text for each hash, with the place of its source before it."""
    keyed = (_keyed(pa.array(np.full(len(each), place)), each) for place, each in enumerate(hashes))
    return pa.chunked_array([chunk for keys in keyed for chunk in keys.chunks], type=pa.string())


def _keyed(place: pa.Array, hashes: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(pa.chunked_array([place.cast(pa.string())]), hashes, "/")


def entry_of(source: SourceFile, found: Kept) -> SourceFile:
    """A reading's entry in the ledger, which counts hands of earlier readings that are in the file still as its own."""
    still = found.still[source.path]
    others = min(
        source.skipped, sum(hands for (path, _), hands in found.others.items() if path == source.path)
    )
    return structs.replace(
        source,
        read=source.read - others,
        stored=source.stored + still,
        duplicate=source.duplicate - still,
        skipped=source.skipped - others,
    )


def reduced(entry: SourceFile, found: Kept) -> SourceFile:
    """The entry of another sample of a file that was read once more: no more than its own hands."""
    hands = found.others.get((entry.path, entry.generation))
    if hands is None:
        return entry
    return structs.replace(entry, read=hands, stored=hands, duplicate=0, rejected=0, skipped=0)
