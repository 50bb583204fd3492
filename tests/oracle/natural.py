"""The combinations of natural cards: what a set of cards can be read as.

A reading is a tuple (category, length, main): length is the number of core units in the chain (1 outside
chains), main the rank number of the highest core card (the rocket's is 14, the big joker).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from .cards import ACE, BIG_JOKER, SMALL_JOKER
from .names import Counts, Ranks, Reading

SWITCHES = {
    "kicker_may_match_core": False,
    "both_jokers_as_two_singles": True,
    "quad_as_single_wings": True,
    "same_rank_pairs": True,
    "adjacent_triple_as_wings": True,
    "repeated_rank_singles": True,
    "four_two_mixed": False,
}

# category: (cards of one core unit, kicker cards carried by each core unit)
SHAPES = {
    "single": (1, 0),
    "pair": (2, 0),
    "trio": (3, 0),
    "trio_single": (3, 1),
    "trio_pair": (3, 2),
    "straight": (1, 0),
    "pair_chain": (2, 0),
    "trio_chain": (3, 0),
    "plane_single": (3, 1),
    "plane_pair": (3, 2),
    "four_two_single": (4, 2),
    "four_two_mixed": (4, 3),
    "four_two_pair": (4, 4),
    "bomb": (4, 0),
    "bomb_soft": (4, 0),
    "bomb_hard": (4, 0),
    "bomb_pure": (4, 0),
    "rocket": (2, 0),
}


@lru_cache(maxsize=500_000)
def natural_readings(ranks: Ranks, switch_values: tuple[bool, ...]) -> tuple[Reading, ...]:
    switches = dict(zip(SWITCHES, switch_values, strict=True))
    counts = Counter(ranks)
    if impossible(counts):
        return ()
    found = _same_rank(counts, len(ranks)) + _bare_chains(counts)
    for rank in counts:
        if counts[rank] >= 3:
            found += _trio_with_kickers(counts, rank, switches)
        if counts[rank] == 4:
            found += _quad_with_kickers(counts, rank, switches)
    for low in range(ACE + 1):
        for length in range(2, ACE - low + 2):
            core = range(low, low + length)
            if all(counts[rank] >= 3 for rank in core):
                found += _plane(counts, core, switches)
    return tuple(sorted(set(found), key=leading_order))


def impossible(counts: Counts) -> bool:
    """More cards of a rank than the deck has."""
    return any(count > (4 if rank < SMALL_JOKER else 1) for rank, count in counts.items())


def leading_order(reading: Reading) -> tuple[int, int, int, int, str]:
    """Sort key: rocket, bomb, then fewest kickers, then highest main, then longest core."""
    category, length, main = reading
    _, kickers = SHAPES[category]
    kind = 0 if category == "rocket" else 1 if category.startswith("bomb") else 2
    return (kind, kickers * length, -main, -length, category)


def _same_rank(counts: Counts, size: int) -> list[Reading]:
    """Single, pair, trio, bomb, rocket."""
    if size == 2 and counts[SMALL_JOKER] == 1 and counts[BIG_JOKER] == 1:
        return [("rocket", 1, BIG_JOKER)]
    if len(counts) != 1:
        return []
    (rank,) = counts
    return [({1: "single", 2: "pair", 3: "trio", 4: "bomb"}[size], 1, rank)]


def _bare_chains(counts: Counts) -> list[Reading]:
    """Straights of at least five, pair chains of three, trio chains of two; 3 to A only."""
    low, high, length = min(counts), max(counts), len(counts)
    if high > ACE or high - low + 1 != length:
        return []
    for unit, shortest, category in ((1, 5, "straight"), (2, 3, "pair_chain"), (3, 2, "trio_chain")):
        if length >= shortest and all(count == unit for count in counts.values()):
            return [(category, length, high)]
    return []


def rest_of(counts: Counts, core: Sequence[int], unit: int) -> Counts:
    """What is left of the cards when the core is taken away."""
    rest = Counter(counts)
    for rank in core:
        rest[rank] -= unit
    return +rest


def are_singles(kickers: Counts, core: Sequence[int], wanted: int, switches: dict[str, bool]) -> bool:
    """Whether these cards may be carried as that many single cards."""
    if sum(kickers.values()) != wanted:
        return False
    if not switches["kicker_may_match_core"] and any(rank in kickers for rank in core):
        return False
    if not switches["both_jokers_as_two_singles"] and SMALL_JOKER in kickers and BIG_JOKER in kickers:
        return False
    return switches["repeated_rank_singles"] or all(count == 1 for count in kickers.values())


def are_pairs(kickers: Counts, wanted: int, switches: dict[str, bool]) -> bool:
    """Whether these cards may be carried as that many pairs."""
    if sum(kickers.values()) != 2 * wanted:
        return False
    for count in kickers.values():
        if count == 4 and not switches["same_rank_pairs"]:
            return False
        if count not in (2, 4):
            return False
    return True


def _trio_with_kickers(counts: Counts, rank: int, switches: dict[str, bool]) -> list[Reading]:
    kickers = rest_of(counts, [rank], 3)
    found = []
    if are_singles(kickers, [rank], 1, switches):
        found.append(("trio_single", 1, rank))
    if are_pairs(kickers, 1, switches):
        found.append(("trio_pair", 1, rank))
    return found


def _quad_with_kickers(counts: Counts, rank: int, switches: dict[str, bool]) -> list[Reading]:
    kickers = rest_of(counts, [rank], 4)
    found = []
    if are_singles(kickers, [rank], 2, switches):
        found.append(("four_two_single", 1, rank))
    if are_pairs(kickers, 2, switches):
        found.append(("four_two_pair", 1, rank))
    if switches["four_two_mixed"] and sorted(kickers.values()) == [1, 2]:
        found.append(("four_two_mixed", 1, rank))
    return found


def _plane(counts: Counts, core: Sequence[int], switches: dict[str, bool]) -> list[Reading]:
    kickers = rest_of(counts, core, 3)
    length, main = len(core), core[-1]
    found = []
    if are_singles(kickers, core, length, switches) and wings_allowed(kickers, core, switches):
        found.append(("plane_single", length, main))
    if are_pairs(kickers, length, switches):
        found.append(("plane_pair", length, main))
    return found


def wings_allowed(kickers: Counts, core: Sequence[int], switches: dict[str, bool]) -> bool:
    """The two switches that only concern the single wings of a plane."""
    if not switches["quad_as_single_wings"] and any(count == 4 for count in kickers.values()):
        return False
    if not switches["adjacent_triple_as_wings"]:
        neighbours = [rank for rank in (core[0] - 1, core[-1] + 1) if 0 <= rank <= ACE]
        if any(kickers[rank] >= 3 for rank in neighbours):
            return False
    return True
