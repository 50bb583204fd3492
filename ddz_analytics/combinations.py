"""Which sets of cards are combinations, how each may be read, and what beats what.

Every legal set is enumerated once per set of switches, in plain loops, into a sorted table; looking a play up is a binary
search on its counts. A set that can be read in several ways keeps all its readings in leading order. Wild cards stand on
this table too, see `wilds`.
Sources: qq Q5–Q16, jj J12–J25, casino C8–C19, happy H21–H31; kinds of bombs: jj2 L27, L28.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from itertools import combinations as choose
from itertools import combinations_with_replacement as choose_repeating
from typing import NamedTuple

import numpy as np

from ddz_analytics.cards import ACE, BIG_JOKER, LARGEST_PLAY, RANKS, SMALL_JOKER, TWO, Mask, pack_counts

CATEGORIES = (
    "single", "pair", "trio", "trio_single", "trio_pair", "straight", "pair_chain", "trio_chain",
    "plane_single", "plane_pair", "four_two_single", "four_two_pair", "four_two_mixed",
    "bomb", "bomb_soft", "bomb_hard", "bomb_pure", "rocket",  # last and from weak to strong; `bomb` where no card is wild
)  # fmt: skip
CODE_OF = {category: code for code, category in enumerate(CATEGORIES)}
BOMB, ROCKET = CODE_OF["bomb"], CODE_OF["rocket"]
NO_FORM = -1
_CARRIED = {  # cards carried for each rank of the core
    "trio_single": 1, "trio_pair": 2, "plane_single": 1, "plane_pair": 2,
    "four_two_single": 2, "four_two_pair": 4, "four_two_mixed": 3,
}  # fmt: skip

_CHAIN_RANKS = range(ACE + 1)  # no 2 and no joker in any chain
_ALL_RANKS = range(BIG_JOKER + 1)


class Switches(NamedTuple):
    """Where sources differ about combinations; the defaults are what the rule pages say or leave open."""

    kicker_may_match_core: bool = False
    both_jokers_as_two_singles: bool = True
    quad_as_single_wings: bool = True
    same_rank_pairs: bool = True
    adjacent_triple_as_wings: bool = True
    repeated_rank_singles: bool = True
    four_two_mixed: bool = False

    def bits(self) -> int:
        """The switches as one number, for a column."""
        return sum(on << place for place, on in enumerate(self))


DEFAULT_SWITCHES = Switches()


class Reading(NamedTuple):
    """One way to read a set: category, length of its core (in ranks), highest rank of its core."""

    category: str
    length: int
    main: int

    @property
    def main_text(self) -> str:
        """The main rank as text; the rocket's is both jokers."""
        return "BR" if self.category == "rocket" else RANKS[self.main]


class _Form(NamedTuple):
    counts: int
    reading: Reading


def is_declared(reading: Reading, declared: str) -> bool:
    """Whether a reading is as declared: `category` or `category:length:main`; a bomb may be declared without its kind."""
    category, length, main = [*declared.split(":"), "", ""][:3]
    return (
        (reading.category == category or (category == "bomb" and BOMB <= CODE_OF[reading.category] < ROCKET))
        and length in ("", str(reading.length))
        and (main == "" or main.replace("10", "T") in (reading.main_text, reading.main_text[::-1]))
    )


def leading_order(reading: Reading) -> tuple[int, int, int, int]:
    """The key by which the readings of a set lead: rocket, bomb, then fewest kickers, highest main rank, longest core."""
    category, length, main = reading
    return -_strength(reading), _CARRIED.get(category, 0) * length, -main, -length


def _strength(reading: Reading) -> int:
    """How far a reading beats all others whatever their form: 0 unless it is a bomb or the rocket."""
    return max(CODE_OF[reading.category] - BOMB + 1, 0)


def _chains(copies: int, shortest: int) -> Iterator[tuple[range, int]]:
    """Every run of at least `shortest` consecutive ranks that fits into one play, with its counts."""
    for low in _CHAIN_RANKS:
        for high in range(low + shortest - 1, ACE + 1):
            ranks = range(low, high + 1)
            if len(ranks) * copies <= LARGEST_PLAY:
                yield ranks, pack_counts([*ranks] * copies)


def _plain() -> Iterator[_Form]:
    for rank in _ALL_RANKS:
        yield _Form(pack_counts([rank]), Reading("single", 1, rank))
    for rank in range(TWO + 1):
        for copies, category in ((2, "pair"), (3, "trio"), (4, "bomb")):
            yield _Form(pack_counts([rank] * copies), Reading(category, 1, rank))
    yield _Form(pack_counts([SMALL_JOKER, BIG_JOKER]), Reading("rocket", 1, BIG_JOKER))
    for copies, shortest, category in ((1, 5, "straight"), (2, 3, "pair_chain"), (3, 2, "trio_chain")):
        for ranks, core in _chains(copies, shortest):
            yield _Form(core, Reading(category, len(ranks), ranks[-1]))


class _Wings(NamedTuple):
    """Some kickers: how many of each rank, packed and by rank."""

    counts: int
    copies: dict[int, int]


def _single_wings(number: int, switches: Switches) -> Iterator[_Wings]:
    """Every choice of `number` single kickers that the switches allow beside any core."""
    for chosen in choose_repeating(_ALL_RANKS, number):
        copies = {rank: chosen.count(rank) for rank in chosen}
        most = max(copies.values())
        if most > 4 or chosen.count(SMALL_JOKER) > 1 or chosen.count(BIG_JOKER) > 1:
            continue
        if not switches.both_jokers_as_two_singles and SMALL_JOKER in copies and BIG_JOKER in copies:
            continue
        if not switches.repeated_rank_singles and most > 1:
            continue
        if not switches.quad_as_single_wings and most == 4:
            continue
        yield _Wings(pack_counts([*chosen]), copies)


def _beside(core: range, wings: _Wings, switches: Switches) -> bool:
    """Whether kickers may stand beside a core of trios over these ranks.

    A kicker may be of a core rank only under its switch, and then only as the fourth card of that rank; wings that hold a trio
    next to a core of several trios would make it longer.
    """
    copies = wings.copies
    if not copies.keys().isdisjoint(core) and not (
        switches.kicker_may_match_core and all(copies.get(rank, 0) <= 1 for rank in core)
    ):
        return False
    if switches.adjacent_triple_as_wings or len(core) == 1:
        return True
    neighbours = [rank for rank in (core[0] - 1, core[-1] + 1) if rank in _CHAIN_RANKS]
    return all(copies.get(rank, 0) < 3 for rank in neighbours)


def _pair_wings(number: int, switches: Switches) -> Iterator[_Wings]:
    """Every choice of pairs as kickers; two jokers are no pair, a quad may be two pairs."""
    choices = choose_repeating if switches.same_rank_pairs else choose
    for chosen in choices(range(TWO + 1), number):
        copies = {rank: 2 * chosen.count(rank) for rank in chosen}
        if max(copies.values()) <= 4:
            yield _Wings(pack_counts([*chosen] * 2), copies)


def _with_kickers(switches: Switches) -> Iterator[_Form]:
    """Trio + single or pair, planes with wings."""
    trios = [(range(rank, rank + 1), pack_counts([rank] * 3)) for rank in range(TWO + 1)]
    singles = {number: [*_single_wings(number, switches)] for number in range(1, LARGEST_PLAY // 4 + 1)}
    pairs = {number: [*_pair_wings(number, switches)] for number in range(1, LARGEST_PLAY // 5 + 1)}
    for core, counts in (*trios, *_chains(3, 2)):
        number = len(core)
        names = ("trio_single", "trio_pair") if number == 1 else ("plane_single", "plane_pair")
        with_singles, with_pairs = (Reading(name, number, core[-1]) for name in names)
        for wings in singles.get(number, ()):
            if _beside(core, wings, switches):
                yield _Form(counts + wings.counts, with_singles)
        for wings in pairs.get(number, ()):
            if wings.copies.keys().isdisjoint(core):
                yield _Form(counts + wings.counts, with_pairs)


def _four_with_two(switches: Switches) -> Iterator[_Form]:
    single, pair = [*_single_wings(2, switches)], [*_pair_wings(2, switches)]
    for rank in range(TWO + 1):
        counts = pack_counts([rank] * 4)
        for wings in single:
            if rank not in wings.copies:
                yield _Form(counts + wings.counts, Reading("four_two_single", 1, rank))
        for wings in pair:
            if rank not in wings.copies:
                yield _Form(counts + wings.counts, Reading("four_two_pair", 1, rank))


def _four_with_two_mixed(switches: Switches) -> Iterator[_Form]:
    """A quad with a pair of one rank and a single of another, where the switch allows it."""
    ranks = range(TWO + 1) if switches.four_two_mixed else ()
    for rank, pair, single in product(ranks, ranks, _ALL_RANKS):
        if len({rank, pair, single}) == 3:
            counts = pack_counts([rank] * 4 + [pair, pair, single])
            yield _Form(counts, Reading("four_two_mixed", 1, rank))


@dataclass(frozen=True, eq=False)
class FormTable:
    """Every legal set under one set of switches.

    Its readings are numbered in leading order; `category`, `length` and `main` are columns over those numbers. Sets are
    sorted by counts; `first` and `last` have the number of the reading with which each set leads, and of its last one.
    """

    counts: Mask
    first: Mask
    last: Mask
    category: Mask
    length: Mask
    main: Mask
    readings: dict[int, tuple[Reading, ...]]  # all of each set, in leading order

    def lookup(self, count_sets: Mask) -> tuple[Mask, Mask]:
        """The numbers of the first and the last reading of each set, `NO_FORM` where it is no combination."""
        rows = np.minimum(np.searchsorted(self.counts, count_sets), len(self.counts) - 1)
        found = self.counts[rows] == count_sets
        return np.where(found, self.first[rows], NO_FORM), np.where(found, self.last[rows], NO_FORM)


@cache
def form_table(switches: Switches = DEFAULT_SWITCHES) -> FormTable:
    """The table of forms under these switches, made once per process."""
    found: dict[int, list[Reading]] = {}
    for counts, reading in chain(
        _plain(), _with_kickers(switches), _four_with_two(switches), _four_with_two_mixed(switches)
    ):
        found.setdefault(counts, []).append(reading)
    distinct = dict.fromkeys(reading for counts in sorted(found) for reading in found[counts])
    numbered = sorted(distinct, key=leading_order)
    number = {reading: place for place, reading in enumerate(numbered)}
    readings = {counts: tuple(sorted(found[counts], key=number.__getitem__)) for counts in sorted(found)}
    return FormTable(
        counts=np.fromiter(readings, dtype=np.int64),
        first=np.array([number[each[0]] for each in readings.values()]),
        last=np.array([number[each[-1]] for each in readings.values()]),
        category=np.array([CODE_OF[reading.category] for reading in numbered]),
        length=np.array([reading.length for reading in numbered]),
        main=np.array([reading.main for reading in numbered]),
        readings=readings,
    )


def readings_of(count_set: int, switches: Switches = DEFAULT_SWITCHES) -> tuple[Reading, ...]:
    """All readings of a set of counts in leading order; empty when it is no combination."""
    return form_table(switches).readings.get(count_set, ())


def beats(reading: Reading, previous: Reading) -> bool:
    """Whether one reading beats another: by a higher main rank of the same form, else as a stronger bomb or the rocket."""
    if reading[:2] == previous[:2]:
        return reading.main > previous.main
    return _strength(reading) > _strength(previous)


def following(readings: Iterable[Reading], previous: Reading) -> Reading | None:
    """The reading with which a play follows: of the form to beat with the highest winning main, else bomb or rocket."""
    winning = [reading for reading in readings if beats(reading, previous)]
    same_form = [reading for reading in winning if reading[:2] == previous[:2]]
    return max(same_form or winning, key=lambda reading: reading.main, default=None)
