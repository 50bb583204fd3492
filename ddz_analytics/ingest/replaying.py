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
from ddz_analytics.store.manifest import ReplayedPart
from ddz_analytics.store.parts import REPLAYED, read_part, write_part

_ACTS_AT_ONCE = 500_000  # a hand that breaks a rule with each of its acts takes a kilobyte for each


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


@dataclass(frozen=True)
class ReplayTask:
    """A part of hands that is to be replayed again; `parts` names the new parts, below the folder `store`."""

    hands: str
    store: Path
    parts: Mapping[str, str]


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
    return _write_replayed(task.parts["hands"], hands, task.store, task.parts)


def replay_part(task: ReplayTask) -> Written:
    """Replay a part of hands that is stored."""
    return _write_replayed(task.hands, read_part(task.store / task.hands), task.store, task.parts)


def _write_replayed(name: str, hands: pa.Table, store: Path, parts: Mapping[str, str]) -> Written:
    cuts = cut_evenly(acts_of(hands), _ACTS_AT_ONCE)
    replayed = [replay(hands.slice(begin, end - begin), parsers()) for begin, end in cuts]
    rows = {
        table: write_part(store / parts[table], table, [getattr(each, table) for each in replayed])
        for table in REPLAYED
    }
    formats = sorted(pc.unique(hands["source_format"]).to_pylist())
    return Written(name, {**rows, "hands": hands.num_rows}, tuple(formats), parts)


def _rows(chosen: Chosen) -> pa.Table:
    table = pa.ipc.open_file(pa.memory_map(str(chosen.file))).read_all()
    first, last = int(chosen.rows[0]), int(chosen.rows[-1])
    if last - first + 1 == len(chosen.rows):
        return table.slice(first, len(chosen.rows))
    return table.take(pa.array(chosen.rows))


def acts_of(hands: pa.Table) -> Ints:
    """How many acts each hand of a table has."""
    lengths: Ints = pc.list_value_length(hands["actions"]).to_numpy().astype(np.int64)
    return lengths


def cut_evenly(weights: Ints, most: int) -> Sequence[tuple[int, int]]:
    """Ranges of about equal weight, at most `most` each but for a place more, that together cover all places."""
    upto = np.cumsum(weights)
    total = int(upto[-1]) if len(upto) else 0
    pieces = max(-(-total // most), 1)
    shares = np.array([total * piece // pieces for piece in range(1, pieces)], dtype=np.int64)
    ends = np.searchsorted(upto, shares, side="right").tolist()
    return [cut for cut in pairwise([0, *ends, len(upto)]) if cut[0] < cut[1]]
