"""What a row of facts says without saying it: filled in where it follows, left null where it does not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Flags, ints, known
from ddz_analytics.schema import FACTS, ROLES

# what was offered, or is recorded, and the columns by role in which it shows
SHOWN = {
    "open_offered": ("open_stage",),
    "double_offered": ("doubled",),
    "kick_offered": ("kicked",),
    "autoplay_recorded": ("autoplay", "autoplay_ever"),
}


def completed(facts: pa.Table) -> pa.Table:
    """The facts with what follows from others.

    A row that says of any seat whether it doubled, kicked, opened or was on autoplay shows that this was offered, or is recorded.
    Where the landlord's side won, it was the landlord who went out. A hand of which nothing else is said was completed, or, if
    nobody bid and nobody is landlord, thrown in.
    """
    columns = dict(zip(facts.column_names, facts.columns, strict=True))
    for name, suffixes in SHOWN.items():
        shows = np.any([known(facts[f"{role}_{suffix}"]) for role in ROLES for suffix in suffixes], axis=0)
        columns[name] = _filled(facts[name], shows)
    by_side = pc.equal(facts["winner_side"], "landlord").fill_null(fill_value=False)
    landlord = pc.if_else(by_side, facts["landlord_seat"], pa.scalar(None, pa.int8()))
    columns["winner_seat"] = pc.coalesce(facts["winner_seat"], landlord)
    played = known(facts["landlord_seat"]) | (ints(facts["nobody_bid"]) != 1)
    columns["outcome"] = pc.coalesce(
        facts["outcome"], pa.array(np.where(played, "complete", "redeal"), pa.string())
    )
    return pa.table([columns[name] for name in FACTS.names], schema=FACTS)


def _filled(column: pa.ChunkedArray, shows: Flags) -> pa.ChunkedArray:
    return pc.coalesce(column, pa.array(shows, mask=~shows))
