"""The parts into which a seat splits its hand, as small values made once each and kept.

A set of ranks is an int with one bit per rank (bit 0 = 3, … bit 14 = the big joker). A hand is four such sets: the ranks
held at least once, twice, three times and four times. Taking a run of cards out of a hand is then a handful of bit
operations, and every part is looked up by the bits of its core and of its kickers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from ddz_analytics.cards import BIG_JOKER, RANKS, SMALL_JOKER
from ddz_analytics.combinations import CODE_OF

Held = list[int]

CHAIN_RANKS = (1 << 12) - 1  # 3 to A
JOKERS = 1 << SMALL_JOKER | 1 << BIG_JOKER

_BARE = {1: ("single", "straight"), 2: ("pair", "pair_chain"), 3: ("trio", "trio_chain"), 4: ("bomb", "bomb")}
_CARRYING = {
    (3, 1): ("trio_single", "plane_single"),
    (3, 2): ("trio_pair", "plane_pair"),
    (4, 1): ("four_two_single", "four_two_single"),
    (4, 2): ("four_two_pair", "four_two_pair"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A combination a seat means to play: its form and main rank, its text and how many cards it has.

    `other` is the second reading (form and main rank) of a set that may be read in two ways, None for all others.
    Parts are made once and compared by identity.
    """

    form: int
    main: int
    text: str
    size: int
    other: tuple[int, int] | None = None


def form_of(category: str, length: int) -> int:
    """One number for a category and a chain length; plays of different numbers cannot follow each other."""
    return CODE_OF[category] << 5 | length


SINGLE, PAIR = form_of("single", 1), form_of("pair", 1)
BOMB, ROCKET = form_of("bomb", 1), form_of("rocket", 1)
BOMBS = tuple(  # every form of them, from weak to strong
    form_of(category, 1) for category in ("bomb", "bomb_soft", "bomb_hard", "bomb_pure", "rocket")
)
ROCKET_PART = Part(ROCKET, BIG_JOKER, "BR", 2)
NO_PART = Part(0, -1, "", 0)


def as_meant(part: Part) -> Part:
    """A part that has two readings, under its second."""
    return replace(part, form=part.other[0], main=part.other[1]) if part.other else part


def as_read(part: Part, top: Part) -> Part:
    """A part that follows: if it beats under its second reading in the form of the play to beat, that is how it is read."""
    if part.other and part.form != top.form and part.other[0] == top.form and part.other[1] > top.main:
        return as_meant(part)
    return part


@cache
def ranks_in(ranks: int) -> tuple[int, ...]:
    """The ranks of a set, from low to high."""
    return tuple(rank for rank in range(ranks.bit_length()) if ranks >> rank & 1)


@cache
def text_of_ranks(ranks: int, copies: int) -> str:
    """The card text of `copies` cards of each rank."""
    return "".join(RANKS[rank] * copies for rank in ranks_in(ranks))


@cache
def part(core: int, copies: int, wings: int = 0, wing_copies: int = 0) -> Part:
    """The combination of `copies` cards of each rank of `core`, carrying `wing_copies` cards of each rank of `wings`."""
    length, main = core.bit_count(), core.bit_length() - 1
    names = _CARRYING[copies, wing_copies] if wings else _BARE[copies]
    text = text_of_ranks(core, copies) + text_of_ranks(wings, wing_copies)
    # Four trios in a row are read as a chain when led, but they may also have been meant as three that carry the fourth.
    other = (form_of("plane_single", 3), main) if (copies, length, wings) == (3, 4, 0) else None
    return Part(form_of(names[length > 1], length), main, text, len(text), other)


@cache
def parts_in(ranks: int, copies: int) -> tuple[Part, ...]:
    """One single, pair or trio of each rank, from low to high."""
    return tuple(part(1 << rank, copies) for rank in ranks_in(ranks))


@cache
def longest_run(ranks: int, shortest: int) -> int:
    """The longest run of consecutive ranks, the lowest of equal ones; 0 when none has `shortest` ranks."""
    best = 0
    while ranks:
        run = ranks & ~(ranks + (ranks & -ranks))
        best = max(best, run, key=int.bit_count)
        ranks &= ~run
    return best if best.bit_count() >= shortest else 0


@cache
def lowest(ranks: int, number: int) -> int:
    """The `number` lowest ranks of a set; 0 when it has fewer."""
    found = ranks_in(ranks)[:number]
    return sum(1 << rank for rank in found) if len(found) == number else 0


def without(held: Held, ranks: int, copies: int) -> Held:
    """What is left of a hand without `copies` cards of each of the ranks, all of which it must hold."""
    keep = ~ranks
    ones, twos, threes, fours = held
    if copies == 1:
        return [
            ones & keep | twos & ranks,
            twos & keep | threes & ranks,
            threes & keep | fours & ranks,
            fours & keep,
        ]
    if copies == 2:
        return [ones & keep | threes & ranks, twos & keep | fours & ranks, threes & keep, fours & keep]
    if copies == 3:
        return [ones & keep | fours & ranks, twos & keep, threes & keep, fours & keep]
    return [ones & keep, twos & keep, threes & keep, fours & keep]


def held_in(text: str) -> Held:
    """The hand that a card text tells."""
    return [
        sum(1 << rank for rank, letter in enumerate(RANKS) if text.count(letter) > less) for less in range(4)
    ]
