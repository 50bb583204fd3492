"""Which hands could not have been played without wild cards."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ddz_analytics.batches.batch import Batch
from ddz_analytics.batches.course import Plays
from ddz_analytics.columns import Flags
from ddz_analytics.combinations import CATEGORIES, NO_FORM, Reading, Switches
from ddz_analytics.wilds import NO_WILD, needs_wild, wilds_of

_REMEMBERED = 1 << 16  # plays that were looked at one by one


def hands_that_need_wilds(batch: Batch, plays: Plays) -> Flags:
    """The hands with a play whose reading its cards do not have at face value (RULES "Wild cards")."""
    needing = np.zeros(len(batch), dtype=bool)
    chosen = np.flatnonzero((batch.wild != NO_WILD)[plays.hand] & (plays.category != NO_FORM))
    chosen = chosen[wilds_of(plays.counts[chosen], batch.wild[plays.hand[chosen]]) > 0]
    hand = plays.hand[chosen]
    columns = (hand, plays.counts[chosen], batch.context[hand])
    forms = (column[chosen].tolist() for column in (plays.category, plays.length, plays.main))
    rows = zip(*(column.tolist() for column in columns), *forms, strict=True)
    for place, counts, context, category, length, main in rows:
        if _needs_wild(category, length, main, counts, batch.contexts[context].switches):
            needing[place] = True
    return needing


@lru_cache(maxsize=_REMEMBERED)
def _needs_wild(category: int, length: int, main: int, counts: int, switches: Switches) -> bool:
    return needs_wild(Reading(CATEGORIES[category], length, main), counts, switches)
