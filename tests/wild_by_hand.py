"""Readings of sets with wild cards by definition: every card put to every rank, every core taken out, the rest looked at.

It knows nothing of the engine, is slow, and holds for the default switches.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

Named = tuple[str, int, int]  # category, length of the core, its highest rank

TWO, SMALL_JOKER, BIG_JOKER = 12, 13, 14
ACE = 11
# copies of each rank of the core; its least and greatest length; what it is called with what it carries
_CORES = (
    (1, 1, 1, {"": "single"}), (1, 5, 12, {"": "straight"}),
    (2, 1, 1, {"": "pair"}), (2, 3, 10, {"": "pair_chain"}),
    (3, 1, 1, {"": "trio", "singles": "trio_single", "pairs": "trio_pair"}),
    (3, 2, 6, {"": "trio_chain", "singles": "plane_single", "pairs": "plane_pair"}),
    (4, 1, 1, {"": "bomb", "singles": "four_two_single", "pairs": "four_two_pair"}),
)  # fmt: skip


def natural(ranks: Counter[int]) -> set[Named]:
    """All readings of a set without wild cards."""
    if any(count > (1 if rank >= SMALL_JOKER else 4) for rank, count in ranks.items()):
        return set()
    found: set[Named] = {("rocket", 1, BIG_JOKER)} if ranks == Counter((SMALL_JOKER, BIG_JOKER)) else set()
    for copies, least, greatest, names in _CORES:
        for length in range(least, greatest + 1):
            last = ACE if length > 1 else BIG_JOKER if copies == 1 else TWO
            for main in range(length - 1, last + 1):
                core = Counter({rank: copies for rank in range(main - length + 1, main + 1)})
                if core <= ranks:
                    name = names.get(_carried(core, ranks - core, 2 if copies == 4 else length))
                    found |= {(name, length, main)} if name else set()
    return found


def _carried(core: Counter[int], rest: Counter[int], number: int) -> str:
    """What a core carries: nothing, so many singles, so many pairs; "other" is no combination."""
    if not rest:
        return ""
    if core.keys() & rest.keys():
        return "other"
    if rest.total() == number:
        return "singles"
    pairs = all(count % 2 == 0 and rank < SMALL_JOKER for rank, count in rest.items())
    return "pairs" if pairs and rest.total() == 2 * number else "other"


def with_wilds(ranks: Counter[int], wild: int) -> set[Named]:
    """All readings of a set in a hand with this wild rank."""
    number = ranks[wild]
    others = Counter({rank: count for rank, count in ranks.items() if rank != wild})
    if not number or not others:
        found = natural(ranks)
    else:
        ways = combinations_with_replacement(range(TWO + 1), number)
        found = {reading for way in ways for reading in natural(others + Counter(way))}
    kind = "bomb_hard" if not number else "bomb_soft" if others else "bomb_pure"
    return {(kind if name == "bomb" else name, length, main) for name, length, main in found}
