"""Stacked deals: a seat is given the cards of a rare combination, so that every form is played often enough.

The hand of such a deal says `"shuffle": "other"`. The forms are taken in turn, so none is missed for long. A combination
that has two readings is led under the leading one; in a duel the next seat can follow it under the other reading only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle

import numpy as np
import numpy.typing as npt

from ddz_analytics.cards import RANKS, TWO
from ddz_analytics.rules import RuleSet
from ddz_analytics.simulate.parts import JOKERS, Part, form_of, part, ranks_in, text_of_ranks
from ddz_analytics.simulate.split import Draw

Gifts = dict[int, Part]  # by seat
Recipe = Callable[[Draw], list[Part]]  # a part for the seat chosen, and perhaps one for the seat after it

SHARE = 0.06  # of all deals are stacked
SEAT_CARDS = 17
_CHAIN_LENGTHS = {1: range(5, 13), 2: range(3, 11), 3: range(2, 7)}
_WINGED_LENGTHS = {1: range(2, 6), 2: range(2, 5)}  # planes with singles, with pairs
_CHAIN_RANKS, _PAIR_RANKS, _ALL_RANKS = 12, TWO + 1, 15


class Stacker:
    """Stacks a share of the deals with the combinations that a rule set's switches leave no doubt about."""

    def __init__(self, rules: RuleSet) -> None:
        """Begins with the first form."""
        self._recipes = cycle(_recipes(rules))

    def stack(self, deck: npt.NDArray[np.uint8], draw: Draw) -> Gifts:
        """Changes a deck in place if its turn has come; says which seat was given what."""
        if draw() >= SHARE:
            return {}
        seat = int(draw() * 3)
        gifts = {(seat + after) % 3: gift for after, gift in enumerate(next(self._recipes)(draw))}
        _give(deck, gifts)
        return gifts


def _give(deck: npt.NDArray[np.uint8], gifts: Gifts) -> None:
    """Puts each gift into its seat's cards, what is more than a seat's cards into the bottom; the others keep their order."""
    wanted = {seat: [RANKS.index(letter) for letter in gift.text] for seat, gift in gifts.items()}
    others = deck.tolist()
    for rank in (rank for ranks in wanted.values() for rank in ranks):
        others.remove(rank)
    bottom: list[int] = []
    dealt: list[int] = []
    for seat in range(3):
        mine = wanted.get(seat, [])
        bottom += mine[SEAT_CARDS:]
        lacking = max(0, SEAT_CARDS - len(mine))
        dealt += mine[:SEAT_CARDS] + others[:lacking]
        del others[:lacking]
    deck[:] = dealt + bottom + others


def _recipes(rules: RuleSet) -> list[Recipe]:
    recipes: list[Recipe] = [
        partial(_chain, copies, length) for copies, each in _CHAIN_LENGTHS.items() for length in each
    ]
    for wing_copies, lengths in _WINGED_LENGTHS.items():
        recipes += [partial(_plane, length, wing_copies) for length in lengths]
        recipes.append(partial(_quad, wing_copies))
    if rules.combination_kicker_may_match_core:
        return recipes  # the sets below would have still other readings
    repeated = rules.combination_repeated_rank_singles
    if repeated and rules.combination_adjacent_triple_as_wings:
        recipes += [partial(_trios_and_singles, 5), partial(_trios_and_singles, 6), _trio_duel]
    if repeated and rules.combination_quad_as_single_wings:
        recipes.append(_quad_as_wings)
    if rules.combination_same_rank_pairs:
        recipes += [_two_quads, _quad_duel]
    if rules.combination_both_jokers_as_two_singles:
        recipes.append(_carried_jokers)
    return recipes


def _run(length: int, draw: Draw) -> int:
    """A run of consecutive ranks somewhere from 3 to A."""
    return ((1 << length) - 1) << int(draw() * (_CHAIN_RANKS + 1 - length))


def _choose(number: int, among: int, draw: Draw) -> int:
    """So many of the ranks in a set."""
    left = [*ranks_in(among)]
    return sum(1 << left.pop(int(draw() * len(left))) for _ in range(number))


def _wings(number: int, wing_copies: int, core: int, draw: Draw) -> int:
    """Kickers of different ranks, never both jokers."""
    if wing_copies == 2:
        return _choose(number, (1 << _PAIR_RANKS) - 1 & ~core, draw)
    one_joker = JOKERS & -JOKERS if draw() < 0.5 else JOKERS & (JOKERS - 1)
    return _choose(number, (1 << _ALL_RANKS) - 1 & ~core & ~one_joker, draw)


def _chain(copies: int, length: int, draw: Draw) -> list[Part]:
    return [part(_run(length, draw), copies)]


def _plane(length: int, wing_copies: int, draw: Draw) -> list[Part]:
    core = _run(length, draw)
    return [part(core, 3, _wings(length, wing_copies, core, draw), wing_copies)]


def _quad(wing_copies: int, draw: Draw) -> list[Part]:
    core = 1 << int(draw() * _PAIR_RANKS)
    return [part(core, 4, _wings(2, wing_copies, core, draw), wing_copies)]


def _carried_jokers(draw: Draw) -> list[Part]:
    return [part(1 << int(draw() * _PAIR_RANKS), 4, JOKERS, 1)]


def _trios_and_singles(trios: int, draw: Draw) -> list[Part]:
    """Five trios in a row and one card, or six and two: the lowest trio is carried, because the higher main rank leads."""
    core = _run(trios, draw)
    wings = _wings(trios - 4, 1, core, draw)
    text = text_of_ranks(core, 3) + text_of_ranks(wings, 1)
    return [Part(form_of("plane_single", trios - 1), core.bit_length() - 1, text, len(text))]


def _quad_as_wings(draw: Draw) -> list[Part]:
    core = _run(4, draw)
    wings = _choose(1, (1 << _PAIR_RANKS) - 1 & ~(core << 1 | core | core >> 1), draw)
    text = text_of_ranks(core, 3) + text_of_ranks(wings, 4)
    return [Part(form_of("plane_single", 4), core.bit_length() - 1, text, len(text))]


def _quads(low: int, high: int) -> Part:
    """Two quads: the lower one is carried as two pairs, because the higher main rank leads."""
    form = form_of("four_two_pair", 1)
    return Part(form, high, text_of_ranks(1 << low | 1 << high, 4), 8, (form, low))


def _two_quads(draw: Draw) -> list[Part]:
    low, high = ranks_in(_choose(2, (1 << _PAIR_RANKS) - 1, draw))
    return [_quads(low, high)]


def _quad_duel(draw: Draw) -> list[Part]:
    """Two quads, and after them a quad between the two that carries pairs."""
    low, between, high = ranks_in(_choose(3, (1 << _PAIR_RANKS) - 1, draw))
    wings = _wings(2, 2, 1 << low | 1 << between | 1 << high, draw)
    return [_quads(low, high), part(1 << between, 4, wings, 2)]


def _trio_duel(draw: Draw) -> list[Part]:
    """Four trios in a row, and after them three higher ones that carry singles."""
    core = (1 << 4) - 1 << int(draw() * (_CHAIN_RANKS - 6))
    higher = (1 << 3) - 1 << core.bit_length()
    return [part(core, 3), part(higher, 3, _wings(3, 1, core | higher, draw), 1)]
