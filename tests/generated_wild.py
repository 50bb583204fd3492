"""Sets with wild cards for generated hands: any form with some of its cards made of them, and bombs of every kind."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

from tests.generated_cards import DECK, EVERY_FORM, FORMS, JOKERS, TWO, Counts, Gifts, Sets, counts_of, set_of
from tests.oracle import combos
from tests.oracle.cards import RANKS
from tests.oracle.names import Ranks, Reading
from tests.oracle.wild import declared_ranks
from tests.oracle.wild import readings_as as oracle_readings_as

NATURAL_FORMS = [form for form in EVERY_FORM if form[0] not in ("bomb", "rocket")]
TRIES = 6
KINDS = ("bomb_soft", "bomb_hard", "bomb_pure", "rocket")  # from weak to strong


def made_of(counts: Counts, wild: int, form: tuple[str, int], rng: Random, above: int = -1) -> Ranks | None:
    """A set of some form with at least one wild card and one other, its main rank above a given one; None if none was found."""
    others = [0 if rank == wild else count for rank, count in enumerate(counts)]
    for _ in range(TRIES):
        with_made = [*others]
        for rank in rng.choices(range(TWO + 1), k=counts[wild]):
            with_made[rank] = min(4, with_made[rank] + 1)
        found = set_of(with_made, form, rng, above)
        if found is None:
            continue
        kept = [rank for rank in set(found) for _ in range(min(found.count(rank), others[rank]))]
        if 0 < len(kept) < len(found):
            return tuple(sorted(kept + [wild] * (len(found) - len(kept))))
    return None


def lead_with_wilds(counts: Counts, wild: int, rng: Random) -> Ranks | None:
    """A lead with wild cards, rather long than short; None if none was found."""
    found = [made_of(counts, wild, form, rng) for form in rng.sample(NATURAL_FORMS, 6)]
    return max(filter(None, found), key=len, default=None)


def follow_with_wilds(counts: Counts, wild: int, to_beat: Reading, rng: Random) -> Ranks | None:
    """Something with wild cards, or a bomb, over a reading; None if there is nothing."""
    category, length, main = to_beat
    if category not in KINDS and rng.random() < 0.8:
        same = made_of(counts, wild, (category, length), rng, above=main)
        if same is not None:
            return same
    stronger = [bomb for bomb in bombs_of(counts, wild, rng) if _beats(bomb, wild, to_beat)]
    return rng.choice(stronger) if stronger else None


def _beats(ranks: Ranks, wild: int, to_beat: Reading) -> bool:
    return combos.follow_reading(combos.readings(ranks, None, wild), to_beat) is not None


def bombs_of(counts: Counts, wild: int, rng: Random) -> list[Ranks]:
    """A bomb of each kind that a hand holds, and the rocket."""
    soft = made_of(counts, wild, ("bomb", 1), rng)
    hard = [(rank,) * 4 for rank in range(13) if counts[rank] == 4]
    found = [soft, *hard, JOKERS if counts[13] and counts[14] else None]
    return [ranks for ranks in found if ranks is not None]


def wild_gifts(wild: int) -> Sets:
    """In place of `gifts`, for hands with this wild rank: bombs over bombs, sets in another reading, every form with wild cards."""

    def gifts(number: int, rng: Random) -> Gifts:
        turn, place = divmod(number, 4)
        if place == 0:
            return _bombs_in_turn(wild, rng)
        if place == 1:
            return _read_otherwise(wild, rng)
        found = _replaced(wild, NATURAL_FORMS[(2 * turn + place) % len(NATURAL_FORMS)], rng)
        return [found] if found else []

    return gifts


def _replaced(wild: int, form: tuple[str, int], rng: Random) -> Ranks | None:
    """A set of some form with one to four of its cards replaced by wild ones; None if it has too many of them by itself."""
    ranks = set_of(counts_of(DECK), form, rng) or ()
    places = [place for place, rank in enumerate(ranks) if rank not in (wild, *JOKERS)]
    most = min(4 - ranks.count(wild), len(places))
    if most < 1:
        return None
    chosen = rng.sample(places, rng.randint(1, most))
    return tuple(sorted(wild if place in chosen else rank for place, rank in enumerate(ranks)))


def _bombs_in_turn(wild: int, rng: Random) -> Gifts:
    """Three bombs, or two and the rocket, each weaker than the next; ranks count within a kind only."""
    low, middle, high, highest = sorted(rng.sample([rank for rank in range(13) if rank != wild], 4))
    found = [_soft(low, wild, 1), _soft(middle, wild, rng.randrange(1, 4)), (high,) * 4, (highest,) * 4]
    if rng.random() < 0.3:
        found = [_soft(high, wild, 1), _soft(highest, wild, 1), (low,) * 4, (middle,) * 4]
    found += [(wild,) * 4, JOKERS]
    start = rng.randrange(4)
    return found[start : start + 3]


def _soft(rank: int, wild: int, wilds: int) -> Ranks:
    return tuple(sorted([rank] * (4 - wilds) + [wild] * wilds))


def _read_otherwise(wild: int, rng: Random) -> Gifts:
    """A set of several readings over one that only another reading beats, or under one that only beats another."""
    left = counts_of(DECK)
    mine = _replaced(wild, rng.choice(NATURAL_FORMS), rng)
    others = [] if mine is None else combos.readings(mine, None, wild)[1:]
    if mine is None or not others:
        return [] if mine is None else [mine]
    category, length, main = rng.choice(others)
    if category not in FORMS:
        return [mine]
    for rank in mine:
        left[rank] -= 1
    under = set_of(left, (category, length), rng)
    if under and rng.random() < 0.4 and _beats(mine, wild, combos.readings(under, None, wild)[0]):
        return [under, mine]
    over = set_of(left, (category, length), rng, above=main)
    return [mine, over] if over else [mine]


def readings_as(ranks: Ranks, wild: int, switches: dict[str, bool], made: list[str]) -> list[Reading]:
    """The readings of a set whose wild cards stand for some ranks."""
    values = tuple(switches[name] for name in combos.SWITCHES)
    return list(oracle_readings_as(ranks, wild, declared_ranks(made) or [], values))


def stand_for(ranks: Ranks, wild: int, switches: dict[str, bool], reading: Reading, rng: Random) -> list[str]:
    """Ranks that the wild cards of a set can stand for to be read in a way."""
    number = ranks.count(wild)
    ways = list(combinations_with_replacement([*RANKS[: TWO + 1]], number))
    for way in rng.sample(ways, len(ways)):
        if reading in readings_as(ranks, wild, switches, list(way)):
            return rng.sample(way, number)
    return [RANKS[wild]] * number
