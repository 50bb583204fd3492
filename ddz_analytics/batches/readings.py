"""How each set of cards of a batch is read, as far as the hand is in order.

A set that leads takes its first reading, and so does a follow that has no other. The few follows with several readings are
read one after the other, each by what it must beat. What is left without a reading makes its hand one to walk through.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ddz_analytics.batches.batch import Batch
from ddz_analytics.batches.course import Plays
from ddz_analytics.columns import Ints
from ddz_analytics.combinations import CATEGORIES, CODE_OF, NO_FORM, Reading, Switches, following, form_table
from ddz_analytics.wilds import all_readings, kinds_of_bombs, lookup_with_wilds

_Read = tuple[int, int, int]  # code of the category, length, main rank
_REMEMBERED = 1 << 16


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
    before = zip(*(column[places - 1].tolist() for column in columns), strict=True)
    read: dict[int, _Read] = {}
    for place, counts, context, wild, earlier in zip(*(row.tolist() for row in rows), before, strict=True):
        over = read.get(place - 1, earlier)
        found = _following(counts, wild, batch.contexts[context].switches, over)
        if found is not None:
            read[place] = found
    for column, values in zip(columns, zip(*read.values(), strict=True), strict=False):
        column[[*read]] = values


@lru_cache(maxsize=_REMEMBERED)
def _following(counts: int, wild: int, switches: Switches, over: _Read) -> _Read | None:
    """With which reading a set follows another that was read so; None where it does not, or where that could not be read."""
    code, length, main = over
    if code == NO_FORM:
        return None
    readings = all_readings(counts, wild, switches)
    found = following(readings, Reading(CATEGORIES[code], length, main))
    return None if found is None else (CODE_OF[found.category], found.length, found.main)
