"""The combinations with a wild rank (jj2 L2, L3, L14, L15, L27; happy H32-H37).

The four cards of the wild rank stand for any rank but the jokers, their own included; a play of wild cards
only keeps its face value.  No rank of a finished set has more than four cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .cards import ACE, RANKS, SMALL_JOKER, TWO
from .names import Counts, Document, Ranks, Reading
from .natural import SHAPES, SWITCHES, are_singles, impossible, leading_order, natural_readings, wings_allowed

SHORTEST = {"straight": 5, "pair_chain": 3, "trio_chain": 2, "plane_single": 2, "plane_pair": 2}
MADE = [category for category in SHAPES if category not in ("rocket", "bomb", "bomb_hard", "bomb_pure")]


def wild_rank(doc: Document) -> int | None:
    """The wild rank of a hand; None in a natural hand; a joker, or what is no rank, is refused."""
    text = doc.get("wild")
    if text is None:
        return None
    name = str(text).replace("10", "T")
    if len(name) != 1 or name not in RANKS[:SMALL_JOKER]:
        raise ValueError(f"out_of_range: wild {text!r}")
    return RANKS.index(name)


def declared_ranks(wilds_as: str | Iterable[str]) -> list[int] | None:
    """The ranks of a `wilds_as`, a text or a list of texts; None if one of them is no rank that a wild can be."""
    letters = "".join(wilds_as).replace("10", "T").replace(" ", "")
    if any(letter not in RANKS[:SMALL_JOKER] for letter in letters):
        return None
    return sorted(RANKS.index(letter) for letter in letters)


def face_readings(ranks: Ranks, wild: int, switch_values: tuple[bool, ...]) -> tuple[Reading, ...]:
    """The readings of cards with every wild at its face value."""
    found = []
    for category, length, main in natural_readings(ranks, switch_values):
        kind = "bomb_pure" if main == wild else "bomb_hard"
        found.append((kind if category == "bomb" else category, length, main))
    return tuple(found)


def readings_as(
    ranks: Ranks, wild: int, made: Sequence[int], switch_values: tuple[bool, ...]
) -> tuple[Reading, ...]:
    """The readings of cards whose wilds stand for these ranks, one rank each; none if that cannot be."""
    wilds = ranks.count(wild)
    alone = wilds == len(ranks)
    if len(made) != wilds or (alone and any(rank != wild for rank in made)):
        return ()
    if wilds == 0 or alone:
        return face_readings(ranks, wild, switch_values)
    finished = sorted([rank for rank in ranks if rank != wild] + list(made))
    found = natural_readings(tuple(finished), switch_values)
    return tuple(("bomb_soft" if name == "bomb" else name, length, main) for name, length, main in found)


@lru_cache(maxsize=500_000)
def wild_readings(ranks: Ranks, wild: int, switch_values: tuple[bool, ...]) -> tuple[Reading, ...]:
    """All readings of cards under a wild rank, in leading order."""
    wilds = ranks.count(wild)
    if wilds in (0, len(ranks)):
        return face_readings(ranks, wild, switch_values)
    if impossible(Counter(ranks)):
        return ()
    switches = dict(zip(SWITCHES, switch_values, strict=True))
    counts = Counter(rank for rank in ranks if rank != wild)
    found = []
    for category in MADE:
        cards = sum(SHAPES[category])
        if len(ranks) % cards == 0:
            found += _made(category, len(ranks) // cards, counts, wilds, switches)
    return tuple(sorted(found, key=leading_order))


def _made(category: str, length: int, counts: Counts, wilds: int, switches: dict[str, bool]) -> list[Reading]:
    """The readings of one category that natural cards and so many wilds can be made to."""
    if category in SHORTEST:
        possible, highest = length >= SHORTEST[category], ACE
    else:
        possible, highest = length == 1, TWO
    if not possible:
        return []
    unit = SHAPES[category][0]
    found = []
    for main in range(length - 1, highest + 1):
        core = range(main - length + 1, main + 1)
        left = wilds - sum(max(0, unit - counts[rank]) for rank in core)
        if left < 0:
            continue
        kickers = Counter(counts)
        for rank in core:
            kickers[rank] -= min(unit, counts[rank])
        if _kickers_fit(category, +kickers, left, core, switches):
            found.append((category, length, main))
    return found


def _kickers_fit(
    category: str, kickers: Counts, left: int, core: Sequence[int], switches: dict[str, bool]
) -> bool:
    """Whether the natural cards outside the core and the wilds left over are what the category carries."""
    wanted = SHAPES[category][1] * len(core)
    if wanted == 0:
        return not kickers and left == 0
    if category == "four_two_mixed":
        return switches["four_two_mixed"] and _are_mixed(kickers, left)
    if category in ("trio_pair", "plane_pair", "four_two_pair"):
        return _are_pairs(kickers, left, core, switches)
    if not are_singles(kickers, core, wanted - left, switches):
        return False
    return category != "plane_single" or wings_allowed(kickers, core, switches)


def _are_pairs(kickers: Counts, left: int, core: Sequence[int], switches: dict[str, bool]) -> bool:
    """Natural kickers and wilds as pairs: a wild for each odd card, which is no joker; the other wilds by twos."""
    odd = [rank for rank, count in kickers.items() if count % 2]
    if any(rank >= SMALL_JOKER for rank in odd) or any(rank in kickers for rank in core):
        return False
    if not switches["same_rank_pairs"] and any(count > 2 for count in kickers.values()):
        return False
    return left >= len(odd) and (left - len(odd)) % 2 == 0


def _are_mixed(kickers: Counts, left: int) -> bool:
    """Natural kickers and wilds as one pair and one single card of another rank."""
    if sum(kickers.values()) + left != 3 or len(kickers) > 2 or max(kickers.values(), default=0) > 2:
        return False
    return len(kickers) < 2 or left == 0 or any(rank < SMALL_JOKER for rank in kickers)
