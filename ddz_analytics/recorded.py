"""The scores that logs record, by role, beside the facts of the same hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.distinct import Read
from ddz_analytics.schema import ROLES
from ddz_analytics.store.catalog import connect, sql_text

RECORDED = tuple(f"recorded_{role}" for role in ROLES)


@dataclass(frozen=True)
class Recorded:
    """The recorded scores of a store by role: hands with scores of all three seats, and how many have only some."""

    table: pa.Table
    partly: int
    formats: Counter[str]

    def beside(self, read: Read) -> Read:
        """Facts of the hands with recorded scores, with those scores."""
        ids = self.table["hand_id"].to_numpy()

        def joined(columns: Sequence[str]) -> Iterator[pa.Table]:
            for facts in read([name for name in columns if name not in RECORDED]):
                hands = facts["hand_id"].to_numpy()
                places = np.minimum(np.searchsorted(ids, hands), max(len(ids) - 1, 0))
                found = ids[places] == hands if len(ids) else np.zeros(len(hands), dtype=bool)
                kept, scores = facts.filter(pa.array(found)), self.table.take(pa.array(places[found]))
                for name in RECORDED:
                    kept = kept.append_column(name, scores[name])
                yield kept

        return joined


def recorded_scores(store: Path, hands: pa.Array | None = None) -> Recorded:
    """The recorded scores of all hands, or of those whose ids are given; raises as `connect` does."""
    with connect(store) as connection:
        table = connection.sql(sql_text("recorded_scores")).to_arrow_table()
    if hands is not None:
        table = table.filter(pc.is_in(table["hand_id"], value_set=hands))
    full = table.filter(table["complete"])
    return Recorded(full, len(table) - len(full), Counter(full["source_format"].to_pylist()))
