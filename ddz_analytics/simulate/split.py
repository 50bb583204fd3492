"""How a seat splits its hand into combinations, once, before it plays: a heuristic with some taste left to chance."""

from __future__ import annotations

from collections.abc import Callable

from ddz_analytics.simulate.parts import (
    CHAIN_RANKS,
    JOKERS,
    PAIR,
    ROCKET_PART,
    SINGLE,
    Held,
    Part,
    longest_run,
    lowest,
    part,
    parts_in,
    ranks_in,
    without,
)

Draw = Callable[[], float]  # the next number of the random stream, from 0 up to 1
Split = dict[int, list[Part]]  # the parts of a hand by form, from low to high
Core = tuple[int, int]  # its ranks, and how many cards of each

SHORTEST = {1: 5, 2: 3, 3: 2}  # ranks of the shortest chain of singles, pairs, trios
_KEEPS_ROCKET = 0.92
_KEEPS_BOMB = 0.85
_FOUR_WITH_TWO = 0.93  # below it and above the last: the quad carries; above: it is broken up
_TAKES_SINGLES = 0.6
_TAKES_PAIRS = 0.95
_KICKERS = (1 << 11) - 1  # 3 to K: higher cards are worth more on their own

# Which chains are looked for first, and whether trios are kept whole: one taste is drawn for each split.
_TASTES = (
    ((1, 2), True),
    ((1, 2), True),
    ((2, 1), True),
    ((2, 1), False),
    ((1, 2), False),
)


def split(held: Held, draw: Draw) -> Split:
    """The combinations into which a hand is split; together they are the whole hand."""
    parts: list[Part] = []
    cores: list[Core] = []
    if held[3] or held[0] & JOKERS == JOKERS:
        held = _bombs(held, parts, cores, draw)
    while run := longest_run(held[2] & CHAIN_RANKS, SHORTEST[3]):
        cores.append((run, 3))
        held = without(held, run, 3)
    order, keeps_trios = _TASTES[int(draw() * len(_TASTES))]
    for copies in order:
        usable = CHAIN_RANKS & ~held[2] if keeps_trios else CHAIN_RANKS
        while run := longest_run(held[copies - 1] & usable, SHORTEST[copies]):
            parts.append(part(run, copies))
            held = without(held, run, copies)
    ones, twos, threes, fours = held
    singles, pairs = ones & ~twos | fours, twos & ~threes
    cores += [(1 << rank, 3) for rank in ranks_in(threes)]
    for core in cores:
        singles, pairs = _carry(core, (singles, pairs), parts, draw)
    return _by_form(singles, pairs, parts)


def _by_form(singles: int, pairs: int, parts: list[Part]) -> Split:
    forms: Split = {}
    if singles:
        forms[SINGLE] = [*parts_in(singles, 1)]
    if pairs:
        forms[PAIR] = [*parts_in(pairs, 2)]
    for each in parts:
        add(forms, each)
    return forms


def add(forms: Split, part: Part) -> None:
    """Adds a part in its place."""
    same = forms.get(part.form)
    if same is None:
        forms[part.form] = [part]
    else:
        same.append(part)
        same.sort(key=_main)


def _main(part: Part) -> int:
    return part.main


def _bombs(held: Held, parts: list[Part], cores: list[Core], draw: Draw) -> Held:
    """Sets bombs, the rocket and quads that will carry aside; a quad or two jokers may also be left to be broken up."""
    if held[0] & JOKERS == JOKERS and draw() < _KEEPS_ROCKET:
        parts.append(ROCKET_PART)
        held = without(held, JOKERS, 1)
    for rank in ranks_in(held[3]):
        fate = draw()
        if fate < _KEEPS_BOMB:
            parts.append(part(1 << rank, 4))
        elif fate < _FOUR_WITH_TWO:
            cores.append((1 << rank, 4))
        else:
            continue
        held = without(held, 1 << rank, 4)
    return held


def _carry(core: Core, loose: tuple[int, int], parts: list[Part], draw: Draw) -> tuple[int, int]:
    """Adds a core with the kickers it takes from the loose singles or pairs, if it takes any; returns what stays loose."""
    ranks, copies = core
    singles, pairs = loose
    number = 2 if copies == 4 else ranks.bit_count()
    taste = draw()
    wings = lowest(singles & _KICKERS & ~ranks, number) if taste < _TAKES_SINGLES else 0
    if wings:
        parts.append(part(ranks, copies, wings, 1))
        return singles & ~wings, pairs
    wings = lowest(pairs & _KICKERS & ~ranks, number) if taste < _TAKES_PAIRS else 0
    parts.append(part(ranks, copies, wings, 2) if wings else part(ranks, copies))
    return singles, pairs & ~wings
