"""The second stage of an ingest: parsed hands get their ids, are replayed unless their facts are declared, and become parts.

Runs in worker processes; what it hands back are counts, because the parts are on disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.batches.batch import Format
from ddz_analytics.columns import Ints
from ddz_analytics.parsers import parsers
from ddz_analytics.replay import REPLAY_VERSION, Replayed, replay
from ddz_analytics.schema import FACTS
from ddz_analytics.store.manifest import MappedFormat, ReplayedPart
from ddz_analytics.store.parts import REPLAYED, read_part, write_part

DECLARED = "declared"
_ACTS_AT_ONCE = 250_000  # a hand that breaks a rule with each of its acts takes a kilobyte for each


@dataclass(frozen=True)
class Chosen:
    """Some rows, in order, of an Arrow file of hands, and of one of their facts if these are declared."""

    file: Path
    rows: Ints
    facts: Path | None = None


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
    """A part of hands that is to be replayed again, but for declared `facts`; `parts` names the new parts, below `store`."""

    hands: str
    facts: str
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
    hands = pa.concat_tables([_rows(chosen.file, chosen.rows) for chosen in task.chosen])
    ids = np.arange(task.first_hand_id, task.first_hand_id + hands.num_rows)
    hands = hands.set_column(0, hands.schema.field("hand_id"), pa.array(ids))
    write_part(task.store / task.parts["hands"], "hands", [hands])
    given = [_rows(chosen.facts, chosen.rows) for chosen in task.chosen if chosen.facts is not None]
    declared = pa.concat_tables([FACTS.empty_table(), *given]).combine_chunks()
    is_declared = pc.equal(hands["evidence"], DECLARED)
    declared = declared.set_column(0, FACTS.field("hand_id"), hands.filter(is_declared)["hand_id"])
    return _write_facts(task.parts["hands"], hands, declared, task)


def replay_part(task: ReplayTask) -> Written:
    """Replay a part of hands that is stored; facts that were declared stay as they are."""
    stored = read_part(task.store / task.facts)
    declared = stored.filter(pc.equal(stored["evidence"], DECLARED))
    return _write_facts(task.hands, read_part(task.store / task.hands), declared, task)


def _write_facts(name: str, hands: pa.Table, declared: pa.Table, task: StoreTask | ReplayTask) -> Written:
    """Write the declared facts, and what replay says of the other hands."""
    told = hands.filter(pc.not_equal(hands["evidence"], DECLARED)) if len(declared) else hands
    replayed = replayed_in_cuts(told, task.mapped)
    tables = {table: [getattr(each, table) for each in replayed] for table in REPLAYED}
    if len(declared):
        tables["facts"] = [pa.concat_tables([*tables["facts"], of_today(declared)]).sort_by("hand_id")]
    store, parts = task.store, task.parts
    rows = {table: write_part(store / parts[table], table, found) for table, found in tables.items()}
    formats = sorted(pc.unique(hands["source_format"]).to_pylist())
    return Written(name, {**rows, "hands": hands.num_rows}, tuple(formats), parts)


def replayed_in_cuts(hands: pa.Table, mapped: Sequence[MappedFormat]) -> list[Replayed]:
    """What replay says of hands, some of them at a time; `mapped`: the formats that mappings define."""
    formats_of: dict[str, Format] = {**parsers(), **{each.name: each for each in mapped}}
    return [replay(some, formats_of) for some in _at_once(hands)]


def _at_once(hands: pa.Table) -> Iterator[pa.Table]:
    """The hands in order, a moderate number of acts at a time: as they lie in memory, but for small batches, which are joined."""
    waiting: list[pa.RecordBatch] = []
    acts = 0
    for batch in hands.to_batches():
        own = acts_of(batch)
        for begin, end in cut_evenly(own, _ACTS_AT_ONCE):
            waiting.append(batch.slice(begin, end - begin))
            acts += int(own[begin:end].sum())
            if acts > _ACTS_AT_ONCE // 2:
                yield pa.Table.from_batches(waiting)
                waiting, acts = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def of_today(facts: pa.Table) -> pa.Table:
    """Facts that an older version stored, with the columns that there are now; what it did not know is null."""
    columns = [
        facts[field.name] if field.name in facts.column_names else pa.nulls(len(facts), field.type)
        for field in FACTS
    ]
    return pa.table(columns, schema=FACTS)


def _rows(file: Path, rows: Ints) -> pa.Table:
    table = _mapped(file)
    first, last = int(rows[0]), int(rows[-1])
    if last - first + 1 == len(rows):
        return table.slice(first, len(rows))
    return table.take(pa.array(rows))


def acts_in(files: Iterable[Path]) -> Ints:
    """How many acts each hand of some Arrow files has; one file is mapped at a time, so that no more than this is read."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *(acts_of(_mapped(file)) for file in files)])


def _mapped(file: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(file))).read_all()


def acts_of(hands: pa.Table | pa.RecordBatch) -> Ints:
    """How many acts each of some hands has."""
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
