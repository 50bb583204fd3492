"""Parsing rejected records again from the bytes that were kept, with the parsers of today.

What becomes a hand is stored as one of the reading that had rejected it, under the usual rules for duplicates, and leaves the
quarantine; what does not stays, with what is wrong with it now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.ingest.intake import Intake
from ddz_analytics.ingest.planning import Piece, Planned
from ddz_analytics.ingest.reading import Reader, Watch, unwatched
from ddz_analytics.ingest.sources import Found
from ddz_analytics.ingest.summary import Counts, FileCounts, Refused
from ddz_analytics.parsers import parsers, sniff
from ddz_analytics.parsers.base import KEPT_BYTES
from ddz_analytics.store import Writer, open_writer
from ddz_analytics.store.compacting import compacted
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.store.forgetting import without_rejected
from ddz_analytics.store.manifest import Manifest, SourceFile
from ddz_analytics.store.parts import read_part
from ddz_analytics.store.quarantine import KEYS, Record, Selection
from ddz_analytics.store.stretches import generations
from ddz_analytics.streams import Place
from ddz_analytics.workers import Run, workers


@dataclass(frozen=True)
class Retried:
    """What came of the records that were tried again, by source; `kept_in_part` counts those whose bytes are not all there."""

    files: list[FileCounts]
    refused: list[Refused]
    kept_in_part: int

    @property
    def total(self) -> Counts:
        """The sums over all sources."""
        return sum((file.counts for file in self.files), Counts())


class _Kept(NamedTuple):
    """A record in the quarantine, whose bytes stand in the file of them from `start` to `end`."""

    source_path: str
    line: int
    parser: str
    start: int
    end: int


class _How(NamedTuple):
    """How records are read: the zone of times without an offset (None: they are rejected), by what, and who watches."""

    zone: str | None
    run: Run
    watch: Watch


def retry(
    store: Path, selection: Selection, zone: str | None, jobs: int = 1, watch: Watch = unwatched
) -> Retried:
    """Try the records that are meant again; `zone` is that of times without an offset (None: they are rejected).

    Raises StoreError as `open_writer` does.
    """
    with plain_faults(), open_writer(store) as writer, workers(jobs) as run:
        retrying = _Retrying(writer, selection, _How(zone, run, watch))
        manifest = writer.manifest
        for generation in sorted(retrying.publishes()):
            manifest = retrying.again(manifest, generation)
        if any(counts.read != counts.rejected for counts in (file.counts for file in retrying.files)):
            writer.publish(compacted(writer, manifest))
            writer.discard_old()
        return Retried(retrying.files, retrying.refused, retrying.kept_in_part)


class _Retrying:
    """The records that are meant, publish by publish."""

    def __init__(self, writer: Writer, selection: Selection, reading: _How) -> None:
        self.files: list[FileCounts] = []
        self.refused: list[Refused] = []
        self.kept_in_part = 0
        self._writer, self._selection, self._how = writer, selection, reading
        self._format_of = {(entry.path, entry.generation): entry.format for entry in writer.manifest.ledger}

    def publishes(self) -> set[int]:
        """The publishes that any rejected record came with."""
        return {stretch.generation for part in self._writer.manifest.rejected for stretch in part.stretches}

    def again(self, manifest: Manifest, generation: int) -> Manifest:
        """The manifest after the records of one publish were tried again."""
        folder = self._writer.scratch / f"retry-{generation}"
        folder.mkdir()
        kept = _written(folder / "records", self._rows(generation))
        if not kept:
            return manifest
        reader = Reader(_Plans(folder / "records", kept), folder, self._how.zone, None)
        reading = reader.read([Found("", folder / "records")], self._how.run, self._how.watch)

        def tried(table: pa.Table, publishes: Ints) -> Flags:
            chosen: Flags = (publishes == generation) & self._can_be_tried(table, generation)
            return chosen

        before = without_rejected(self._writer, manifest, [*KEYS, "raw"], tried)
        intake = Intake(self._writer, reading, before, "content", self._how.run)
        counted = Counter(record.source_path for record in kept)
        summary = intake.summary
        self.files += summary.files
        self.refused += summary.refused
        after = intake.with_parts(generation, self._how.watch)
        found = {file.path: file.counts for file in summary.files}
        ledger = [
            _counted_anew(entry, found[entry.path], counted[entry.path])
            if entry.generation == generation and entry.path in found
            else entry
            for entry in after.ledger
        ]
        return structs.replace(after, ledger=ledger)

    def _rows(self, generation: int) -> Iterator[tuple[Record, str]]:
        """The records of a publish that can be tried again, each with its parser."""
        for part in self._writer.manifest.rejected:
            of_publish = generations(part.stretches) == generation
            if not of_publish.any():
                continue
            table = read_part(self._writer.path / part.path).filter(pa.array(of_publish))
            able = self._can_be_tried(table, generation)
            self.kept_in_part += int((self._selection.of(table) & ~able).sum())
            for row in table.filter(pa.array(able)).to_pylist():
                record = Record(**row)
                yield record, self._parser_of(record.source_path, record.raw, generation)

    def _can_be_tried(self, table: pa.Table, generation: int) -> Flags:
        """Which records are meant and kept as a whole, in a format that is known."""
        chosen = self._selection.of(table)
        for place in np.flatnonzero(chosen).tolist():
            path, code, raw = (table[name][place].as_py() for name in ("source_path", "code", "raw"))
            whole = bool(raw) and code != "too_large" and len(raw) != KEPT_BYTES
            chosen[place] = whole and self._parser_of(path, raw, generation) != ""
        return chosen

    def _parser_of(self, path: str, raw: bytes, generation: int) -> str:
        """The format of the source, unless its own parser is sure that the record is none and another one knows it."""
        named = parsers().get(self._format_of.get((path, generation), ""))
        if named is not None and named.sniff(raw) > 0:
            return named.name
        told = sniff(raw) or named
        return "" if told is None else told.name


def _written(file: Path, rows: Iterable[tuple[Record, str]]) -> list[_Kept]:
    """The bytes of some records one after the other in a file that does not begin with any of them."""
    kept = []
    with file.open("wb") as target:
        target.write(b"\n")
        for record, parser in rows:
            start = target.tell()
            target.write(record.raw)
            kept.append(_Kept(record.source_path, record.line, parser, start, target.tell()))
    return kept


@dataclass(frozen=True)
class _Plans:
    """Plans the records in one file, source by source."""

    file: Path
    kept: list[_Kept]

    def plan_all(self, _: Sequence[Found]) -> Iterator[Planned]:
        """A source with a piece for each of its records."""
        in_order = sorted(self.kept, key=lambda record: record.source_path)
        for label, group in groupby(in_order, key=lambda record: record.source_path):
            records = list(group)
            pieces = tuple(map(self._piece, records))
            yield Planned(label, "", 0, 0, records[0].parser, pieces=pieces)

    def _piece(self, record: _Kept) -> Piece:
        place = Place(self.file, None, record.start, record.end)
        return Piece(record.source_path, place, record.parser, record.line, record.end - record.start)


def _counted_anew(entry: SourceFile, found: Counts, tried: int) -> SourceFile:
    """The ledger's entry, with what came of the records that were tried again in the place of them."""
    return structs.replace(
        entry,
        read=entry.read + found.read - tried,
        stored=entry.stored + found.stored,
        duplicate=entry.duplicate + found.duplicate,
        rejected=entry.rejected + found.rejected - tried,
        skipped=entry.skipped + found.skipped,
    )
