"""How each set of cards of a batch is read, as far as the hand is in order.

A set that leads takes its first reading, and so does a follow that has no other. The few follows with several readings are
read one after the other, each by what it must beat. What is left without a reading makes its hand one to walk through.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics import cards
from ddz_analytics.batches.batch import Batch
from ddz_analytics.batches.course import Plays
from ddz_analytics.columns import Codes, Ints
from ddz_analytics.combinations import (
    CATEGORIES,
    CODE_OF,
    NO_FORM,
    FormTable,
    Reading,
    Switches,
    following,
    form_table,
)
from ddz_analytics.wilds import all_readings, kinds_of_bombs, lookup_with_wilds

_Read = tuple[int, int, int]  # code of the category, length, main rank
_REMEMBERED = 1 << 16
_WILD = 60  # place of the wild rank above the cards of a set


class Read(NamedTuple):
    """What the sets of some plays are, an array each; where there are `several` readings, the form is that with which a set leads."""

    counts: Ints
    size: Codes
    category: Codes  # NO_FORM where there is no legal reading
    length: Codes
    main: Codes
    several: Codes


def read_sets(batch: Batch, hand: Ints, masks: Ints) -> Read:
    """Read the sets that some plays show, under the switches and the wild rank of their hands: each distinct one once."""
    encoded = pa.array(masks | batch.wild[hand] << _WILD).dictionary_encode()
    sets, kind = encoded.dictionary.to_numpy(), encoded.indices.to_numpy().astype(np.int64)
    counts, wild = cards.counts(sets & (1 << _WILD) - 1), sets >> _WILD & 15
    dialects: dict[Switches, int] = {}
    dialect = np.array([dialects.setdefault(each.switches, len(dialects)) for each in batch.contexts])
    place = dialect[batch.context[hand]] * len(sets) + kind
    is_used = np.zeros(len(dialects) * len(sets), dtype=bool)
    is_used[place] = True
    forms = np.full((4, len(is_used)), NO_FORM, dtype=np.int8)
    for switches, number in dialects.items():
        first = number * len(sets)
        own = np.flatnonzero(is_used[first : first + len(sets)])
        forms[:, first + own] = _forms(form_table(switches), counts[own], wild[own])
    return Read(counts[kind], cards.sizes(counts).astype(np.int8)[kind], *(form[place] for form in forms))


def _forms(table: FormTable, counts: Ints, wild: Ints) -> Ints:
    """Category, length and main rank with which each set leads, and whether it has other readings: shape (4, sets)."""
    first, last = lookup_with_wilds(table, counts, wild)
    forms = np.where(
        first == NO_FORM, NO_FORM, np.stack((table.category, table.length, table.main))[:, first]
    )
    forms[0] = kinds_of_bombs(forms[0], counts, wild)
    return np.concatenate((forms, [first != last]))


def read_follows(batch: Batch, plays: Plays, places: Ints) -> None:
    """Read the follows at some places, whose sets have several readings, one after the other, each by what it must beat."""
    for column in (plays.category, plays.length, plays.main):
        column[places] = NO_FORM
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
