"""Which hands could not have been played without wild cards."""

from __future__ import annotations

import numpy as np

from ddz_analytics.batches.batch import Batch
from ddz_analytics.batches.course import Plays
from ddz_analytics.columns import Flags, Ints
from ddz_analytics.combinations import BOMB, CATEGORIES, NO_FORM, ROCKET, FormTable, Reading, form_table
from ddz_analytics.wilds import needs_wild, wilds_of


def hands_that_need_wilds(batch: Batch, plays: Plays) -> Flags:
    """The hands with a play whose reading its cards do not have at face value (RULES "Wild cards")."""
    needing = np.zeros(len(batch), dtype=bool)
    with_wilds = wilds_of(plays.counts, batch.wild[plays.hand]) > 0
    chosen = np.flatnonzero(with_wilds & (plays.category != NO_FORM))
    context = batch.context[plays.hand[chosen]]
    for place, found in enumerate(batch.contexts):
        own = chosen[context == place]
        own = own[~_reads_so_by_itself(plays, own, form_table(found.switches))]
        columns = (plays.hand, plays.counts, plays.category, plays.length, plays.main)
        for hand, counts, code, length, main in zip(
            *(column[own].tolist() for column in columns), strict=True
        ):
            if needs_wild(Reading(CATEGORIES[code], length, main), counts, found.switches):
                needing[hand] = True
    return needing


def _reads_so_by_itself(plays: Plays, places: Ints, table: FormTable) -> Flags:
    """Whether the reading of each play is the first of those that its cards have at face value; nearly always it is."""
    first, _ = table.lookup(plays.counts[places])
    code = plays.category[places]
    natural = np.where((code > BOMB) & (code < ROCKET), BOMB, code)
    same: Flags = (first != NO_FORM) & (table.category[first] == natural)
    same &= table.length[first] == plays.length[places]
    same &= table.main[first] == plays.main[places]
    return same
