"""Hands with wild cards: what a seat takes them for, and the parts that come of it.

Before a seat splits its hand it takes each wild card for some rank. The hand is then split as any other, and where a card
of that rank came to lie, the wild card lies in fact. A part counts as what it leads as: of all its readings of that form
this one has the highest main rank, so that a follow is read in the same way.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from ddz_analytics.cards import ACE, RANKS, SMALL_JOKER, pack_counts
from ddz_analytics.combinations import Reading, Switches
from ddz_analytics.simulate.parts import BOMB, Part, form_of, held_in
from ddz_analytics.simulate.split import Draw, Split, add, split
from ddz_analytics.wilds import readings_with_wilds

_KEEPS_PURE_BOMB = 0.5
_IS_ITSELF, _MAKES_MORE = (
    0.15,
    0.65,
)  # below: a wild card is what it shows; below: it joins most cards of a rank; above: a gap
_REMEMBERED = 1 << 16


class Wild(NamedTuple):
    """The wild rank of a hand as a letter, and the switches by which its sets are read."""

    letter: str
    switches: Switches


def split_with_wilds(hand: str, wild: Wild, draw: Draw) -> Split:
    """The combinations into which a hand is split; together they are the whole hand."""
    others = hand.replace(wild.letter, "")
    taken_for = _taken_for(others, len(hand) - len(others), wild, draw)
    forms: Split = {}
    left = Counter(taken_for)
    parts = [each for same in split(held_in(others + "".join(taken_for)), draw).values() for each in same]
    for each in sorted(parts, key=_size, reverse=True):
        add(forms, _with_true_cards(each, left, wild))
    return forms


def in_wild_hand(part: Part, wild: Wild) -> Part:
    """A part as what it counts in a hand with wild cards."""
    return part if part.form != BOMB and wild.letter not in part.text else _part(part.text, wild)


def _size(part: Part) -> int:
    return part.size


def _with_true_cards(part: Part, left: Counter[str], wild: Wild) -> Part:
    """A part with wild cards in the place of those they were taken for; what it uses is no longer left."""
    text = part.text
    for letter in left.keys() & set(text):
        used = min(left[letter], text.count(letter))
        text = text.replace(letter, wild.letter, used)
        left[letter] -= used
    return in_wild_hand(part, wild) if text == part.text else _part(text, wild)


@lru_cache(maxsize=_REMEMBERED)
def _part(text: str, wild: Wild) -> Part:
    """The part that a set of cards is; a soft bomb may also have been meant as a trio with a single."""
    ranks = [RANKS.index(letter) for letter in text]
    readings = readings_with_wilds(pack_counts(ranks), RANKS.index(wild.letter), wild.switches)
    other = _place(readings[1]) if readings[0].category == "bomb_soft" else None
    return Part(*_place(readings[0]), "".join(sorted(text, key=RANKS.index)), len(text), other)


def _place(reading: Reading) -> tuple[int, int]:
    return form_of(reading.category, reading.length), reading.main


def _taken_for(others: str, number: int, wild: Wild, draw: Draw) -> list[str]:
    """What so many wild cards are taken for beside the other cards of a hand."""
    if number == 4 and draw() < _KEEPS_PURE_BOMB:
        return [wild.letter] * number
    taken: list[str] = []
    for _ in range(number):
        copies = [
            (others.count(letter) + taken.count(letter), draw(), letter) for letter in RANKS[:SMALL_JOKER]
        ]
        choice = draw()
        if choice < _IS_ITSELF:
            taken.append(wild.letter)
        elif choice < _MAKES_MORE:
            taken.append(max(each for each in copies if each[0] < 4)[2])
        else:
            taken.append(min(copies[: ACE + 1])[2])
    return taken
