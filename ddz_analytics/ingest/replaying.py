"""The second stage of an ingest: parsed hands get their ids, are replayed, and become parts.

Runs in worker processes; what it hands back are counts, because the parts are on disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Ints
from ddz_analytics.parsers import parsers
from ddz_analytics.replay import REPLAY_VERSION, replay
from ddz_analytics.store.manifest import MappedFormat, ReplayedPart
from ddz_analytics.store.parts import REPLAYED, read_part, write_part


@dataclass(frozen=True)
class Chosen:
    """Some rows, in order, of an Arrow file of hands."""

    file: Path
    rows: Ints


@dataclass(frozen=True)
class StoreTask:
    """Hands that become one part of each table; `parts` names them, below the folder `store`."""

    chosen: tuple[Chosen, ...]
    first_hand_id: int
    store: Path
    parts: Mapping[str, str]
    mapped: Sequence[MappedFormat] = ()


@dataclass(frozen=True)
class ReplayTask:
    """A part of hands that is to be replayed again; `parts` names the new parts, below the folder `store`."""

    hands: str
    store: Path
    parts: Mapping[str, str]
    mapped: Sequence[MappedFormat] = ()


@dataclass(frozen=True)
class Written:
    """The parts that came of one part of hands, and the formats of its hands."""

    hands: str
    rows: Mapping[str, int]
    formats: tuple[str, ...]
    parts: Mapping[str, str]

    def replayed(self, table: str) -> ReplayedPart:
        """The manifest's entry for the part of a replayed table."""
        return ReplayedPart(self.parts[table], self.rows[table], self.hands, REPLAY_VERSION)


def store_hands(task: StoreTask) -> Written:
    """Number the chosen hands, write them as a part, and replay them."""
    hands = pa.concat_tables([_rows(chosen) for chosen in task.chosen]).combine_chunks()
    ids = np.arange(task.first_hand_id, task.first_hand_id + hands.num_rows)
    hands = hands.set_column(0, hands.schema.field("hand_id"), pa.array(ids))
    write_part(task.store / task.parts["hands"], "hands", [hands])
    return _write_replayed(task.parts["hands"], hands, task)


def replay_part(task: ReplayTask) -> Written:
    """Replay a part of hands that is stored."""
    return _write_replayed(task.hands, read_part(task.store / task.hands), task)


def _write_replayed(name: str, hands: pa.Table, task: StoreTask | ReplayTask) -> Written:
    replayed = replay(hands, {**parsers(), **{each.name: each for each in task.mapped}})
    store, parts = task.store, task.parts
    rows = {table: write_part(store / parts[table], table, [getattr(replayed, table)]) for table in REPLAYED}
    formats = sorted(pc.unique(hands["source_format"]).to_pylist())
    return Written(name, {**rows, "hands": hands.num_rows}, tuple(formats), parts)


def _rows(chosen: Chosen) -> pa.Table:
    table = pa.ipc.open_file(pa.memory_map(str(chosen.file))).read_all()
    first, last = int(chosen.rows[0]), int(chosen.rows[-1])
    if last - first + 1 == len(chosen.rows):
        return table.slice(first, len(chosen.rows))
    return table.take(pa.array(chosen.rows))


def cut_evenly(count: int, most: int) -> Sequence[tuple[int, int]]:
    """Ranges of equal length (but for one) and at most `most`, that together cover `count` places."""
    pieces = -(-count // most)
    ends = [count * piece // max(pieces, 1) for piece in range(pieces + 1)]
    return list(pairwise(ends))
