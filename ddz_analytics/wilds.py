"""Wild cards (癞子): the readings of a set in which up to four cards may stand for any rank but a joker.

A set with wild cards reads as any natural set that it becomes when each of them is put to some rank, so all its readings
are found in the natural table, under whichever switches: one wild card has 13 ways, two 91, three 455, four 1,820.
A play of nothing but wild cards is only what it shows.
Sources: jj2 L2, L3, L14, L15, L27, L28; happy H32–H37; RULES "Wild cards".
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations_with_replacement as choose_repeating

import numpy as np

from ddz_analytics.cards import TWO, Mask, pack_counts
from ddz_analytics.combinations import (
    BOMB,
    CODE_OF,
    DEFAULT_SWITCHES,
    NO_FORM,
    FormTable,
    Reading,
    Switches,
    form_table,
    leading_order,
    readings_of,
)

NO_WILD = 15  # in the place of a wild rank: a rank that no card has

_BOMB_KINDS = ("bomb_hard", "bomb_soft", "bomb_soft", "bomb_soft", "bomb_pure")  # by its number of wild cards
_BOMB_CODES = np.array([CODE_OF[kind] for kind in _BOMB_KINDS])
_PLACE = 60  # of the number of wild cards, above the fifteen counts of the other cards
_AT_ONCE = 1 << 20  # sets looked up at the same time
_REMEMBERED = 1 << 16  # sets that were read one by one


@cache
def _substitutes(number: int) -> tuple[int, ...]:
    """The packed counts of every choice of ranks that so many wild cards can stand for."""
    return tuple(pack_counts([*ranks]) for ranks in choose_repeating(range(TWO + 1), number))


def all_readings(
    count_set: int, wild: int, switches: Switches = DEFAULT_SWITCHES, stand_for: int | None = None
) -> tuple[Reading, ...]:
    """All readings of a set of counts in a hand with or without (`NO_WILD`) wild cards, in leading order."""
    if wild == NO_WILD:
        return readings_of(count_set, switches)
    return readings_with_wilds(count_set, wild, switches, stand_for)


@lru_cache(maxsize=_REMEMBERED)
def readings_with_wilds(
    count_set: int, wild: int, switches: Switches = DEFAULT_SWITCHES, stand_for: int | None = None
) -> tuple[Reading, ...]:
    """All readings of a set of counts in a hand whose wild rank is `wild`, in leading order; bombs with their kind.

    `stand_for`: the packed counts of what the wild cards are declared to be; None when the log does not say.
    """
    number = count_set >> 4 * wild & 15
    own = number << 4 * wild
    others = count_set - own
    ways = _substitutes(number) if others else (own,)
    if stand_for is not None:
        ways = (stand_for,) if stand_for in ways else ()
    natural = form_table(switches).readings
    found = {reading for way in ways for reading in natural.get(others + way, ())}
    return tuple(_of_kind(reading, number) for reading in sorted(found, key=leading_order))


def _of_kind(reading: Reading, number: int) -> Reading:
    return reading._replace(category=_BOMB_KINDS[number]) if reading.category == "bomb" else reading


def needs_wild(reading: Reading, count_set: int, switches: Switches = DEFAULT_SWITCHES) -> bool:
    """Whether a reading is none of those that the cards of a set have at face value."""
    is_bomb = reading.category in _BOMB_KINDS
    natural = reading._replace(category="bomb") if is_bomb else reading
    return natural not in readings_of(count_set, switches)


def lookup_with_wilds(table: FormTable, count_sets: Mask, wild: Mask) -> tuple[Mask, Mask]:
    """As `FormTable.lookup`, for sets of hands whose wild ranks are `wild` (`NO_WILD`: none)."""
    first, last = table.lookup(count_sets)
    number = wilds_of(count_sets, wild)
    others = count_sets - (number << 4 * wild)
    mixed = np.flatnonzero((number > 0) & (others > 0))
    distinct, place = np.unique(others[mixed] | number[mixed] << _PLACE, return_inverse=True)
    found = np.full((2, len(distinct)), NO_FORM)
    for some in range(1, 5):
        alike = np.flatnonzero(distinct >> _PLACE == some)
        for part in np.array_split(alike, 1 + len(alike) * len(_substitutes(some)) // _AT_ONCE):
            found[:, part] = _over_all_ways(table, distinct[part] & (1 << _PLACE) - 1, some)
    first[mixed], last[mixed] = found[:, place]
    return first, last


def _over_all_ways(table: FormTable, others: Mask, number: int) -> tuple[Mask, Mask]:
    first, last = table.lookup(others[:, None] + np.array(_substitutes(number)))
    best = np.where(first == NO_FORM, len(table.category), first).min(axis=1)
    return np.where(best == len(table.category), NO_FORM, best), last.max(axis=1)


def wilds_of(count_sets: Mask, wild: Mask) -> Mask:
    """How many wild cards each set holds."""
    return count_sets >> 4 * wild & 15


def kinds_of_bombs(category: Mask, count_sets: Mask, wild: Mask) -> Mask:
    """Codes of categories, with the kind of each bomb of a hand that has wild cards."""
    kinds = _BOMB_CODES[np.minimum(wilds_of(count_sets, wild), 4)]
    return np.where((category == BOMB) & (wild != NO_WILD), kinds, category)
