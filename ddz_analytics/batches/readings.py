"""How each set of cards of a batch is read, as far as the hand is in order.

A set that leads takes its first reading, and so does a follow that has no other. The few follows with several readings are
read one after the other, each by what it must beat. What is left without a reading makes its hand one to walk through.
"""

from __future__ import annotations

import numpy as np

from ddz_analytics.batches.batch import Batch
from ddz_analytics.batches.course import Plays
from ddz_analytics.columns import Ints
from ddz_analytics.combinations import CATEGORIES, CODE_OF, NO_FORM, Reading, following, form_table
from ddz_analytics.wilds import all_readings, kinds_of_bombs, lookup_with_wilds


def read_plays(batch: Batch, plays: Plays) -> None:
    """Fill in category, length and main rank of the plays, under the switches and the wild rank of their hands."""
    several = np.zeros(len(plays.row), dtype=bool)
    context, wild = batch.context[plays.hand], batch.wild[plays.hand]
    for place, found in enumerate(batch.contexts):
        table = form_table(found.switches)
        chosen = np.flatnonzero(context == place)
        first, last = lookup_with_wilds(table, plays.counts[chosen], wild[chosen])
        several[chosen] = (first != last) & ~plays.is_lead[chosen]
        known = (first != NO_FORM) & ~several[chosen]
        chosen, first = chosen[known], first[known]
        plays.category[chosen], plays.length[chosen] = table.category[first], table.length[first]
        plays.main[chosen] = table.main[first]
    plays.category = kinds_of_bombs(plays.category, plays.counts, wild)
    _read_by_what_they_follow(batch, plays, np.flatnonzero(several))


def _read_by_what_they_follow(batch: Batch, plays: Plays, places: Ints) -> None:
    columns = (plays.category, plays.length, plays.main)
    hands = plays.hand[places]
    rows = (places, plays.counts[places], batch.context[hands], batch.wild[hands])
    for place, counts, context, wild in zip(*(row.tolist() for row in rows), strict=True):
        code, length, main = (int(column[place - 1]) for column in columns)
        if code == NO_FORM:
            continue
        readings = all_readings(counts, wild, batch.contexts[context].switches)
        reading = following(readings, Reading(CATEGORIES[code], length, main))
        if reading is not None:
            plays.category[place] = CODE_OF[reading.category]
            plays.length[place], plays.main[place] = reading.length, reading.main
