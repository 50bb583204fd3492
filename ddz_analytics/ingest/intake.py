"""From what was read to what is stored: which hands are new, their ids, their parts, and the ledger's entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain, groupby
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics.columns import Ints
from ddz_analytics.declared.form import Facts, formats
from ddz_analytics.hands import Rejected
from ddz_analytics.ingest.again import Kept, again, entry_of, kept, reduced
from ddz_analytics.ingest.before import mapped_formats
from ddz_analytics.ingest.conflicts import PLACES, Rivals, places_by_key, without_rivals
from ddz_analytics.ingest.dedupe import COLUMNS, CONFLICT, DUPLICATE, NEW, Dedupe, Verdicts, keys_of
from ddz_analytics.ingest.fingerprints import verdicts
from ddz_analytics.ingest.parsing import read_columns, rejected_table
from ddz_analytics.ingest.planning import Planned
from ddz_analytics.ingest.reading import Reading, Span, Watch
from ddz_analytics.ingest.recovering import RecoverTask, recover_conflicts
from ddz_analytics.ingest.replaying import Chosen, StoreTask, acts_in, cut_evenly, store_hands
from ddz_analytics.ingest.summary import Counts, FileCounts, Summary, refused_by_code
from ddz_analytics.parsers.base import Format
from ddz_analytics.schema import HANDS, REJECTED
from ddz_analytics.store import Writer
from ddz_analytics.store.compacting import HANDS_PER_PART, compacted
from ddz_analytics.store.manifest import (
    HandsPart,
    Manifest,
    MappedFormat,
    RejectedPart,
    ReplayedPart,
    SourceFile,
    Stretch,
)
from ddz_analytics.store.parts import REPLAYED, read_part, write_part
from ddz_analytics.workers import Run

_ACTS_PER_HAND = 100  # a part of longer hands has fewer of them
_SECONDS_PER_HAND = 5e-5  # roughly, to replay it and to write it


@dataclass
class Intake:
    """One reading on its way into a store whose manifest, but for this reading, is `before`."""

    writer: Writer
    reading: Reading
    before: Manifest
    dedupe: Dedupe
    run: Run
    replaced: int = 0  # stored hands that gave way to others with their ids
    sample: str = ""
    mapped: MappedFormat | None = None

    @property
    def _read(self) -> list[Planned]:
        return [source for source in self.reading.sources if not source.unchanged]

    def _of_parsed(self, columns: Sequence[str]) -> pa.Table:
        nothing = HANDS.empty_table().select(columns)
        return pa.concat_tables(
            [nothing, *(read_columns(task.hands, HANDS, columns) for task, _ in self.reading.done)]
        )

    @cached_property
    def _kept(self) -> Kept:
        """What becomes of stored hands of the sources that are read once more."""
        sources = [source for source in self._read if source.state != "new"]
        hashes = self._of_parsed(["content_hash"] if sources else [])
        known, spans = self._verdicts == DUPLICATE, self._spans_by_source
        read = [again(each, hashes["content_hash"], known, spans.get(each.label, [])) for each in sources]
        return kept(self.writer.path, self.writer.manifest, self.before, read)

    def _of_stored(self, columns: Sequence[str]) -> pa.Table:
        nothing = HANDS.empty_table().select(columns)
        return pa.concat_tables(
            [nothing, *(read_part(self.writer.path / part.path, columns) for part in self.before.hands)]
        )

    @cached_property
    def _mapped(self) -> list[MappedFormat]:
        """The formats that mappings define, with the one of this ingest."""
        return mapped_formats(self.before, self.mapped)

    @cached_property
    def _formats(self) -> dict[str, Format | MappedFormat]:
        """Every format by name, those of mappings too."""
        return {**formats(), **{form.name: form for form in self._mapped}}

    @property
    def _global_ids(self) -> list[str]:
        """The formats whose ids are global."""
        named = [name for name, form in formats().items() if form.ids_are_global]
        return [*named, *(form.name for form in self._mapped)]

    @cached_property
    def _verdicts(self) -> Verdicts:
        """A verdict on every hand that was parsed."""
        parsed = [task.hands for task, _ in self.reading.done]
        stored = [self.writer.path / part.path for part in self.before.hands]
        return verdicts(parsed, stored, self.dedupe, self._global_ids)

    def in_place_of_rivals(self) -> Intake:
        """The same intake into a store without the hands that contradict those that were parsed."""
        if self.dedupe != "content":
            return self
        told = self._of_parsed([*COLUMNS, *PLACES])
        before = without_rivals(self.writer, self.before, told, self._global_ids)
        gone = sum(part.rows for part in self.before.hands) - sum(part.rows for part in before.hands)
        return replace(self, before=before, replaced=gone)

    @cached_property
    def _conflicts(self) -> dict[int, str]:
        """By the place of a conflict among all hands that were parsed: what is said of it."""
        rows = np.flatnonzero(self._verdicts == CONFLICT)
        if not len(rows):
            return {}
        parsed, stored = self._of_parsed([*COLUMNS, *PLACES]), self._of_stored([*COLUMNS, *PLACES])
        own = parsed.take(pa.array(rows))
        keys = keys_of(own, self._global_ids).to_pylist()
        rivals = Rivals(
            places_by_key(parsed, self._global_ids, set(keys)),
            places_by_key(stored, self._global_ids, set(keys)),
            frozenset(source.label for source in self._read if source.follows),
        )
        details = map(rivals.conflict, keys, *(own[name].to_pylist() for name in PLACES))
        return dict(zip(rows.tolist(), details, strict=True))

    @property
    def changes_the_store(self) -> bool:
        """Whether anything was read, or the store is new."""
        return bool(self._read) or not self.before.generation

    @cached_property
    def summary(self) -> Summary:
        """The counts of every source that was read."""
        spans = self._spans_by_source
        files = [self._counted(source, spans.get(source.label, [])) for source in self._read]
        unchanged = [source.label for source in self.reading.sources if source.unchanged]
        refused = refused_by_code(self._refused())
        return Summary(files, unchanged, self.sample, refused=refused, replaced=self.replaced)

    def _refused(self) -> Iterator[pa.Table]:
        """What was rejected, in order, without the bytes."""
        for source in self._read:
            if source.fault is not None:
                yield rejected_table(source.label, [source.fault])
        for task, spans in self.reading.done:
            if any(counts.rejected for _, counts, _ in spans):
                yield read_columns(task.rejected, REJECTED, REJECTED.names[:-1])
        if self._conflicts:
            places = self._of_parsed(PLACES).take(pa.array(list(self._conflicts)))
            for (path, line), detail in zip(_pairs(places), self._conflicts.values(), strict=True):
                yield rejected_table(path, [Rejected(line, "conflict", detail, b"")])

    def stored(self, watch: Watch) -> Manifest:
        """The manifest with all that is new, and with the ledger's entries; its parts are written."""
        generation = self.before.generation + 1
        manifest = self.with_parts(generation, watch)
        ledger = [reduced(entry, self._kept) for entry in self.before.ledger]
        ledger += [entry_of(entry, self._kept) for entry in self._entries(generation)]
        return compacted(self.writer, structs.replace(manifest, ledger=ledger), HANDS_PER_PART)

    def with_parts(self, generation: int, watch: Watch) -> Manifest:
        """The manifest with the hands and rejected records that are new, as those of a publish."""
        hands: list[HandsPart] = []
        replayed: dict[str, list[ReplayedPart]] = {table: [] for table in REPLAYED}
        next_hand_id = self.before.next_hand_id
        new = np.flatnonzero(self._verdicts == NEW)
        for part in self.run(store_hands, self._store_tasks(new), len(new) * _SECONDS_PER_HAND):
            parsers_of = {name: self._formats[name].version for name in part.formats}
            rows = part.rows["hands"]
            hands.append(HandsPart(part.hands, rows, [Stretch(rows, generation)], parsers_of))
            for table in REPLAYED:
                replayed[table].append(part.replayed(table))
            next_hand_id += rows
            watch(self.reading.progress(stored=next_hand_id - self.before.next_hand_id))
        return structs.replace(
            self.before,
            next_hand_id=next_hand_id,
            hands=[*self._kept.parts, *hands],
            **{table: [*getattr(self.before, table), *replayed[table]] for table in REPLAYED},
            rejected=[*self.before.rejected, *self._rejected_part(generation)],
            mapped=self._mapped,
        )

    @cached_property
    def _spans_by_source(self) -> dict[str, list[Span]]:
        every = chain.from_iterable(spans for _, spans in self.reading.done)
        return {label: list(group) for label, group in groupby(every, key=lambda span: span.piece.label)}

    def _counted(self, source: Planned, spans: Sequence[Span]) -> FileCounts:
        verdicts = np.zeros(3, dtype=np.int64)
        for _, counts, row in spans:
            verdicts += np.bincount(self._verdicts[row : row + counts.hands], minlength=3)
        rejected = sum(counts.rejected for _, counts, _ in spans) + (source.fault is not None)
        total = Counts(
            sum(counts.read for _, counts, _ in spans) + (source.fault is not None),
            int(verdicts[NEW]),
            int(verdicts[DUPLICATE]),
            rejected + int(verdicts[CONFLICT]),
            sum(counts.skipped for _, counts, _ in spans),
        )
        whole = len(spans) == len(source.pieces) and all(counts.whole for _, counts, _ in spans)
        gone = self._kept.gone[source.label]
        return FileCounts(source.label, source.format or None, total, whole, source.state, gone)

    def _store_tasks(self, new: Ints) -> Iterator[StoreTask]:
        """The new hands in order, numbered and cut into parts of equal length."""
        acts = acts_in(task.hands for task, _ in self.reading.done)[new]
        cuts = cut_evenly(np.maximum(acts, _ACTS_PER_HAND), HANDS_PER_PART * _ACTS_PER_HAND)
        del acts  # 40 MB of five million hands, which are not to lie there while they are replayed
        for begin, end in cuts:
            parts = {table: self.writer.new_part(table) for table in ("hands", *REPLAYED)}
            chosen = tuple(self._chosen(new[begin:end]))
            yield StoreTask(chosen, self.before.next_hand_id + begin, self.writer.path, parts, self._mapped)

    def _chosen(self, rows: Ints) -> Iterator[Chosen]:
        """Where some rows, of all that were parsed, stand in the files of the tasks."""
        for task, spans in self.reading.done:
            first, last = _rows(spans)
            begin, end = np.searchsorted(rows, (first, last)).tolist()
            if begin < end:
                is_declared = isinstance(spans[0].piece.parser, Facts)
                yield Chosen(task.hands, rows[begin:end] - first, task.facts if is_declared else None)

    def _rejected_part(self, generation: int) -> list[RejectedPart]:
        if not any(counted.counts.rejected for counted in self.summary.files):
            return []
        path = self.writer.new_part("rejected")
        rows = write_part(self.writer.path / path, "rejected", self._rejected())
        return [RejectedPart(path, rows, [Stretch(rows, generation)])]

    def _rejected(self) -> Iterator[pa.Table]:
        """Sources that no parser knows, then what parsers refused, then conflicts."""
        for source in self._read:
            if source.fault is not None:
                yield rejected_table(source.label, [source.fault])
        files = [
            task.rejected
            for task, spans in self.reading.done
            if any(counts.rejected for _, counts, _ in spans)
        ]
        for file in chain(files, self.run(recover_conflicts, self._recover_tasks(), 0.0)):
            with pa.OSFile(str(file)) as stream:
                batches = pa.ipc.open_file(stream)
                for number in range(batches.num_record_batches):
                    yield pa.Table.from_batches([batches.get_batch(number)])

    def _recover_tasks(self) -> Iterator[RecoverTask]:
        for task, spans in self.reading.done:
            first, end = _rows(spans)
            if not (self._verdicts[first:end] == CONFLICT).any():
                continue
            hands = read_columns(task.hands, HANDS, ("source_line", "source_hand_id"))
            for piece, counts, row in spans:
                conflicts = row + np.flatnonzero(self._verdicts[row : row + counts.hands] == CONFLICT)
                if len(conflicts):
                    records = _pairs(hands.take(pa.array(conflicts - first)))
                    details = map(self._conflicts.__getitem__, conflicts.tolist())
                    wanted = dict(zip(records, details, strict=True))
                    file = self.writer.scratch / f"conflicts-{row:012d}.arrow"
                    yield RecoverTask(piece, wanted, file, task.naming)

    def _entries(self, generation: int) -> Iterator[SourceFile]:
        now = datetime.now(UTC)
        for source, counted in zip(self._read, self.summary.files, strict=True):
            yield SourceFile(
                path=source.label,
                sha256=source.sha256 if counted.whole else "",
                size=source.size,
                mtime=source.mtime,
                format=source.format,
                parser_version=source.parser_version,
                **asdict(counted.counts),
                ingested_at=now,
                generation=generation,
                sample=self.sample,
            )


def _pairs(table: pa.Table) -> list[tuple[Any, Any]]:
    """The rows of a table of two columns."""
    first, second = (column.to_pylist() for column in table.columns)
    return list(zip(first, second, strict=True))


def _rows(spans: Sequence[Span]) -> tuple[int, int]:
    """The range of the hands of a task among all hands that were parsed."""
    return spans[0].first_row, spans[-1].first_row + spans[-1].counts.hands
