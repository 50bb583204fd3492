"""From what was read to what is stored: which hands are new, their ids, their parts, and the ledger's entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain, groupby

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.ingest.dedupe import COLUMNS, CONFLICT, DUPLICATE, NEW, Dedupe, Verdicts, judge
from ddz_analytics.ingest.parsing import RecoverTask, read_columns, recover_conflicts, rejected_table
from ddz_analytics.ingest.planning import Planned
from ddz_analytics.ingest.reading import Reading, Span, Watch
from ddz_analytics.ingest.replaying import Chosen, StoreTask, cut_evenly, store_hands
from ddz_analytics.ingest.summary import Counts, FileCounts, Summary
from ddz_analytics.parsers import parsers
from ddz_analytics.schema import HANDS
from ddz_analytics.store import Writer
from ddz_analytics.store.compacting import HANDS_PER_PART, compacted
from ddz_analytics.store.forgetting import without_hands, without_rejected
from ddz_analytics.store.manifest import (
    HandsPart,
    Manifest,
    RejectedPart,
    ReplayedPart,
    SourceFile,
    Stretch,
)
from ddz_analytics.store.parts import REPLAYED, read_part, write_part
from ddz_analytics.workers import Run


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


@dataclass
class Intake:
    """One reading on its way into a store whose manifest, but for this reading, is `before`."""

    writer: Writer
    reading: Reading
    before: Manifest
    dedupe: Dedupe
    run: Run

    @cached_property
    def _read(self) -> list[Planned]:
        return [source for source in self.reading.sources if not source.unchanged]

    @cached_property
    def _verdicts(self) -> Verdicts:
        """A verdict on every hand that was parsed."""
        nothing = HANDS.empty_table().select(COLUMNS)
        parsed = [read_columns(task.hands, HANDS, COLUMNS) for task, _ in self.reading.done]
        stored = [read_part(self.writer.path / part.path, COLUMNS) for part in self.before.hands]
        global_ids = [parser.name for parser in parsers().values() if parser.ids_are_global]
        return judge(
            pa.concat_tables([nothing, *parsed]),
            pa.concat_tables([nothing, *stored]),
            self.dedupe,
            global_ids,
        )

    @property
    def changes_the_store(self) -> bool:
        """Whether anything was read, or the store is new."""
        return bool(self._read) or not self.before.generation

    @cached_property
    def summary(self) -> Summary:
        """The counts of every source that was read."""
        spans = {
            label: list(group) for label, group in groupby(self._spans(), key=lambda span: span.piece.label)
        }
        files = [self._counted(source, spans.get(source.label, [])) for source in self._read]
        return Summary(files, [source.label for source in self.reading.sources if source.unchanged])

    def stored(self, watch: Watch) -> Manifest:
        """The manifest with all that is new; its parts are written."""
        hands: list[HandsPart] = []
        replayed: dict[str, list[ReplayedPart]] = {table: [] for table in REPLAYED}
        generation = self.before.generation + 1
        next_hand_id = self.before.next_hand_id
        for part in self.run(store_hands, self._store_tasks()):
            parsers_of = {name: parsers()[name].version for name in part.formats}
            rows = part.rows["hands"]
            hands.append(HandsPart(part.hands, rows, [Stretch(rows, generation)], parsers_of))
            for table in REPLAYED:
                replayed[table].append(part.replayed(table))
            next_hand_id += rows
            watch(self.reading.progress(stored=next_hand_id - self.before.next_hand_id))
        manifest = structs.replace(
            self.before,
            next_hand_id=next_hand_id,
            hands=[*self.before.hands, *hands],
            **{table: [*getattr(self.before, table), *replayed[table]] for table in REPLAYED},
            rejected=[*self.before.rejected, *self._rejected_part(generation)],
            ledger=[*self.before.ledger, *self._entries(generation)],
        )
        return compacted(self.writer, manifest, HANDS_PER_PART)

    def _spans(self) -> Iterator[Span]:
        for _, spans in self.reading.done:
            yield from spans

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
        return FileCounts(source.label, source.format or None, total, whole)

    def _store_tasks(self) -> Iterator[StoreTask]:
        """The new hands in order, numbered and cut into parts of equal length."""
        new = np.flatnonzero(self._verdicts == NEW)
        for begin, end in cut_evenly(len(new), HANDS_PER_PART):
            parts = {table: self.writer.new_part(table) for table in ("hands", *REPLAYED)}
            chosen = tuple(self._chosen(new[begin:end]))
            yield StoreTask(chosen, self.before.next_hand_id + begin, self.writer.path, parts)

    def _chosen(self, rows: Ints) -> Iterator[Chosen]:
        """Where some rows, of all that were parsed, stand in the files of the tasks."""
        for task, spans in self.reading.done:
            first, last = _rows(spans)
            begin, end = np.searchsorted(rows, (first, last)).tolist()
            if begin < end:
                yield Chosen(task.hands, rows[begin:end] - first)

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
        for file in chain(files, self.run(recover_conflicts, self._recover_tasks())):
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
                conflicts = self._verdicts[row : row + counts.hands] == CONFLICT
                if conflicts.any():
                    rows = hands.slice(row - first, counts.hands).filter(pa.array(conflicts))
                    wanted = zip(*(column.to_pylist() for column in rows.columns), strict=True)
                    yield RecoverTask(
                        piece, frozenset(wanted), self.writer.scratch / f"conflicts-{row:012d}.arrow"
                    )

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
            )


def _rows(spans: Sequence[Span]) -> tuple[int, int]:
    """The range of the hands of a task among all hands that were parsed."""
    return spans[0].first_row, spans[-1].first_row + spans[-1].counts.hands
