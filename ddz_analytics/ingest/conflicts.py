"""The records of hands that contradict stored ones, read once more because only now it is known that they are rejected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.declared.form import Facts
from ddz_analytics.hands import Rejected, Skipped
from ddz_analytics.ingest.declaring import FactsFile, hands_in
from ddz_analytics.ingest.parsing import HANDS_PER_BATCH, as_located, records_of, rejected_table
from ddz_analytics.ingest.planning import Piece
from ddz_analytics.mapping.tables import LINE, RAW
from ddz_analytics.schema import REJECTED
from ddz_analytics.streams import Opener


@dataclass(frozen=True)
class RecoverTask:
    """Hands of one piece (by line and source id) whose records are wanted once more, as conflicts, in the Arrow file `rejected`."""

    piece: Piece
    wanted: frozenset[tuple[int, str]]
    rejected: Path


def recover_conflicts(task: RecoverTask) -> Path:
    """Read a piece again and write the records that are wanted to the task's file."""
    detail = "another hand of this table and id, with other content, is stored already"
    found: list[Rejected] = []
    with (
        pa.OSFile(str(task.rejected), "wb") as file,
        pa.ipc.new_file(file, REJECTED) as writer,
        Opener() as opener,
    ):
        for line, raw in _wanted(task, opener):
            found.append(Rejected(line, "conflict", detail, raw))
            if len(found) == HANDS_PER_BATCH:
                writer.write_table(rejected_table(task.piece.label, found))
                found = []
        writer.write_table(rejected_table(task.piece.label, found))
    return task.rejected


def _wanted(task: RecoverTask, opener: Opener) -> Iterator[tuple[int, bytes]]:
    """The line and the bytes of each record that is wanted."""
    if isinstance(task.piece.parser, Facts):
        lines = pa.array({line for line, _ in task.wanted}, pa.int64())
        for table in hands_in(FactsFile(task.piece.place.path, task.piece.label, task.piece.parser.mapping)):
            rows = table.filter(pc.is_in(table[LINE], value_set=lines))
            yield from zip(rows[LINE].to_pylist(), rows[RAW].to_pylist(), strict=True)
        return
    for record in records_of(task.piece, opener):
        if not isinstance(record, (Rejected, Skipped)):
            located = as_located(record)
            if (located.line, located.hand.id) in task.wanted:
                yield located.line, located.raw
