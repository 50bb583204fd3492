"""Cards for generated hands: sets a hand can play, combinations to be dealt on purpose, and decks that hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from tests.oracle.names import Ranks, Reading

DECK = [rank for rank in range(13) for _ in range(4)] + [13, 14]
ACE, TWO, JOKERS = 11, 12, (13, 14)

# category: (cards of a rank of the core, cards of a kicker, kickers for each rank of the core, lengths of the core)
FORMS: dict[str, tuple[int, int, int, range]] = {
    "single": (1, 0, 0, range(1, 2)), "pair": (2, 0, 0, range(1, 2)), "trio": (3, 0, 0, range(1, 2)),
    "trio_single": (3, 1, 1, range(1, 2)), "trio_pair": (3, 2, 1, range(1, 2)),
    "straight": (1, 0, 0, range(5, 13)), "pair_chain": (2, 0, 0, range(3, 11)), "trio_chain": (3, 0, 0, range(2, 7)),
    "plane_single": (3, 1, 1, range(2, 6)), "plane_pair": (3, 2, 1, range(2, 5)),
    "four_two_single": (4, 1, 2, range(1, 2)), "four_two_pair": (4, 2, 2, range(1, 2)),
    "bomb": (4, 0, 0, range(1, 2)), "rocket": (0, 0, 0, range(1, 2)),
}  # fmt: skip
EVERY_FORM = [(category, length) for category, form in FORMS.items() for length in form[3]]
_CATEGORIES = list(FORMS)

Counts = list[int]  # how many cards of each of the fifteen ranks


def counts_of(ranks: Ranks | list[int]) -> Counts:
    """How many cards of each rank."""
    counted = Counter(ranks)
    return [counted[rank] for rank in range(15)]


def set_of(counts: Counts, form: tuple[str, int], rng: Random, above: int = -1) -> Ranks | None:
    """A set of some form out of some cards, its main rank above a given one; None if there is none."""
    category, length = form
    if category not in FORMS:  # a form that only a switch allows
        return None
    unit, kicker, each, _ = FORMS[category]
    if category == "rocket":
        return JOKERS if counts[13] and counts[14] else None
    last = 14 if category == "single" else TWO if length == 1 else ACE
    mains = [
        main
        for main in range(max(above + 1, length - 1), last + 1)
        if all(counts[rank] >= unit for rank in range(main - length + 1, main + 1))
    ]
    if not mains:
        return None
    main = rng.choice(mains)
    core = range(main - length + 1, main + 1)
    wings = _kickers(counts, core, kicker, each * length, rng)
    return None if wings is None else tuple(sorted([rank for rank in core for _ in range(unit)] + wings))


def _kickers(counts: Counts, core: range, size: int, number: int, rng: Random) -> list[int] | None:
    if size == 0:
        return []
    there = [rank for rank in range(15) if rank not in core for _ in range(counts[rank] // size)]
    if len(there) < number:
        return None
    return [rank for rank in rng.sample(there, number) for _ in range(size)]


def lead_of(counts: Counts, rng: Random) -> Ranks:
    """Something that a hand can lead, rather long than short."""
    found: list[Ranks] = []
    for category in rng.sample(_CATEGORIES, 5):
        for length in reversed(FORMS[category][3]):
            ranks = set_of(counts, (category, length), rng)
            if ranks is not None:
                found.append(ranks)
                break
    return max(found, key=len, default=None) or (next(rank for rank in range(15) if counts[rank]),)


def follow_of(counts: Counts, to_beat: Reading, rng: Random) -> Ranks | None:
    """Something that a hand can play over a reading; None if there is nothing."""
    category, length, main = to_beat
    if category == "rocket":
        return None
    same = set_of(counts, (category, length), rng, above=main)
    if same is not None or category == "bomb":
        return same or set_of(counts, ("rocket", 1), rng)
    return set_of(counts, ("bomb", 1), rng) or set_of(counts, ("rocket", 1), rng)


# Combinations dealt on purpose: a set to lead, one to follow it with, and one to follow that; the last two may be missing.

Gifts = list[Ranks]
Sets = Callable[[int, Random], Gifts]  # what is dealt to a hand, by its number
_PLANE = "plane_single"


def _trios(low: int, length: int, kickers: int, rng: Random) -> Ranks:
    """Some trios in a row, with so many other cards of different ranks."""
    core = range(low, low + length)
    others = rng.sample([rank for rank in range(15) if rank not in core], kickers)
    return tuple(sorted([rank for rank in core for _ in range(3)] + others))


def _trio_gifts(length: int, kickers: int, rng: Random) -> list[Gifts]:
    """Four, five or six trios in a row: between them and before and after them a plane that they beat, or that beats them."""
    low = rng.randrange(13 - length)
    mine = _trios(low, length, kickers, rng)
    if length == 6:  # the landlord's whole hand
        return [[mine]]
    carried = length - 1
    left = counts_of(DECK)
    for rank in mine:
        left[rank] -= 1
    before = [set_of(left, (_PLANE, carried), rng), set_of(left, ("trio_chain", length), rng)]
    after = [
        set_of(left, (_PLANE, carried), rng, above=low + length - 1),
        set_of(left, ("trio_chain", length), rng, above=low + length - 1),
    ]
    led = [[mine, ranks] for ranks in after if ranks]
    following = [[ranks, mine] for ranks in before if ranks]
    return [[mine], *led, *following, *following]


def _quad_gifts(rng: Random) -> list[Gifts]:
    """Two quads, led or followed with, and quads with pairs that beat one reading or both."""
    low, middle, high, highest = sorted(rng.sample(range(13), 4))
    left = counts_of(DECK)
    for rank in (low, middle, high, highest):
        left[rank] = 0
    pairs = [rank for rank in range(13) if left[rank]]

    def carrying(rank: int) -> Ranks:
        return tuple(sorted([rank] * 4 + [kicker for kicker in rng.sample(pairs, 2) for _ in range(2)]))

    mine = tuple([low] * 4 + [high] * 4)
    between = tuple([middle] * 4 + [high] * 4)
    return [
        [mine],
        [mine, carrying(middle)],
        [mine, carrying(highest)],
        [carrying(low), between],
        [carrying(low), between, carrying(highest)],
        [tuple([low] * 4 + [highest] * 4), tuple([middle] * 4 + [high] * 4)],
    ]


def _form_gifts(form: tuple[str, int], rng: Random) -> list[Gifts]:
    first = set_of(counts_of(DECK), form, rng)
    return [[first]] if first else []


AMBIGUOUS: dict[str, Callable[[Random], list[Gifts]]] = {
    "four trios": lambda rng: _trio_gifts(4, 0, rng),
    "five trios and 1": lambda rng: _trio_gifts(5, 1, rng),
    "six trios and 2": lambda rng: _trio_gifts(6, 2, rng),
    "two quads": _quad_gifts,
}

# What is dealt in turn; None: the next of all forms.
_TURNS = (
    None, "four trios", "five trios and 1", "two quads", None, "five trios and 1", "six trios and 2", "two quads",
)  # fmt: skip


def gifts(number: int, rng: Random) -> Gifts:
    """A combination to be dealt; the kinds and the forms take turns by number, so that none is missed."""
    turn, place = divmod(number, len(_TURNS))
    name = _TURNS[place]
    if name is None:
        found = _form_gifts(EVERY_FORM[(2 * turn + place) % len(EVERY_FORM)], rng)
    else:
        found = AMBIGUOUS[name](rng)
    possible = [each for each in found if can_be_dealt(each)]
    return rng.choice(possible) if possible else []


def _tripled(*ranks: int) -> Ranks:
    return tuple(rank for rank in ranks for _ in range(3))


def _switched(name: str, rng: Random) -> list[Gifts]:
    """Sets that only one setting of a switch of combinations allows, to be led or played over another of their form."""
    low = rng.randrange(6)
    two, high = (low, low + 1), low + 2
    other, another, third = rng.sample([rank for rank in range(13) if not low <= rank <= low + 6], 3)
    by_switch: dict[str, list[Gifts]] = {
        "kicker_may_match_core": [
            [(*_tripled(*two), low, other)], [(*_tripled(low), other), (high,) * 4], [(*_tripled(low), low)],
        ],
        "both_jokers_as_two_singles": [[(low,) * 4 + JOKERS], [(*_tripled(*two), *JOKERS)]],
        "quad_as_single_wings": [[(*_tripled(*two, high, low + 3), *(other,) * 4)]],
        "same_rank_pairs": [[(low,) * 4 + (other,) * 4], [(*_tripled(*two), *(other,) * 4)]],
        "adjacent_triple_as_wings": [
            [(*_tripled(*two, high), other, another, third), _tripled(*range(low + 3, low + 7))],
        ],
        "repeated_rank_singles": [[(*_tripled(*two), other, other)], [(low,) * 4 + (other, other)]],
        "four_two_mixed": [
            [(low,) * 4 + (other, another, another)],
            [(low,) * 4 + (other, another, another), (high,) * 4 + (low + 1, low + 3, low + 3)],
        ],
    }  # fmt: skip
    return by_switch[name]


def switched_sets(name: str) -> Sets:
    """In place of `gifts`: the sets that matter to one switch of combinations."""
    return lambda number, rng: [tuple(sorted(ranks)) for ranks in rng.choice(_switched(name, rng))]


def can_be_dealt(wanted: Gifts) -> bool:
    """Whether the first fits into the landlord's hand and the others into seventeen cards, and all come out of one deck."""
    left = Counter(DECK)
    left.subtract(rank for ranks in wanted for rank in ranks)
    return min(left.values()) >= 0 and all(len(ranks) <= 17 for ranks in wanted[1:])


def deal(wanted: dict[int, Ranks], landlord: int | None, rng: Random) -> tuple[list[list[int]], list[int]]:
    """Three hands of seventeen that hold what is wanted by seat, and the bottom (which takes what the landlord's hand cannot)."""
    left = Counter(DECK)
    left.subtract(rank for ranks in wanted.values() for rank in ranks)
    others = [rank for rank in left for _ in range(left[rank])]
    if rng.random() < 0.4:  # hardly shuffled: many bombs and chains
        order = rng.sample(range(15), 15)
        others.sort(key=order.index)
    else:
        rng.shuffle(others)
    hands, bottom = [list(wanted.get(seat, ())) for seat in range(3)], list[int]()
    if landlord is not None and len(hands[landlord]) > 17:
        rng.shuffle(hands[landlord])
        bottom, hands[landlord] = hands[landlord][17:], hands[landlord][:17]
    for hand in hands:
        lacking = 17 - len(hand)
        hand += others[:lacking]
        del others[:lacking]
    return hands, bottom + others
