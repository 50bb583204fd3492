"""Deals: shuffled decks by the block, and the few in which one seat is given a rare combination.

A shuffle sorts the cards by raw words of a PCG64 stream, so it does not depend on how NumPy draws from a stream. The low six
bits of each word give way to the card itself: no two words are equal, and every way to sort gives the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ddz_analytics.cards import RANKS
from ddz_analytics.simulate.parts import Held
from ddz_analytics.simulate.split import Draw
from ddz_analytics.simulate.stack import SEAT_CARDS, Gifts, Stacker

BLOCK = 512  # deals made at once
DECK = 54
BOTTOM = 3
_RANK_OF = np.array([rank for rank in range(13) for _ in range(4)] + [13, 14], dtype=np.uint8)
_LETTERS = np.frombuffer(RANKS.encode(), dtype=np.uint8)
_PART_OF = np.repeat(np.arange(4), (SEAT_CARDS, SEAT_CARDS, SEAT_CARDS, BOTTOM))  # seat 0, 1, 2 or the bottom
_RANK_BITS = 1 << np.arange(15)
_COPIES = np.arange(1, 5)[:, None]
_CARDS = np.arange(DECK, dtype=np.uint64)
_CARD_BITS = np.uint64(63)
_CLEAR = ~_CARD_BITS
# What a rank is worth to who thinks of becoming landlord; a quad is worth more than its cards.
_WORTH = np.array([0] * 10 + [1, 2, 4, 6, 8])
_WORTH_OF_QUAD = 6

Decks = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]


class Deal(NamedTuple):
    """One deal: four card texts (seats 0, 1, 2 and the bottom), and for each seat its hand before and with the bottom.

    `worth` is how strong each hand is for a landlord; `gifts` the combinations given to seats, empty in a fair shuffle.
    """

    texts: tuple[str, str, str, str]
    held: list[list[Held]]
    worth: list[int]
    gifts: Gifts


def deals(seed: int, draw: Draw, stacker: Stacker) -> Iterator[Deal]:
    """Deals without end, the same for the same seed and stream of draws."""
    words = np.random.PCG64(seed)
    while True:
        keys = words.random_raw(BLOCK * DECK).reshape(BLOCK, DECK) & _CLEAR | _CARDS
        keys.sort(axis=1)
        decks = _RANK_OF[keys & _CARD_BITS]
        gifts = [stacker.stack(deck, draw) for deck in decks]
        counts = _counts(decks)
        yield from map(Deal, _texts(counts), _held(counts), _worth(counts), gifts)


def _counts(decks: Decks) -> Counts:
    """How many of each rank the three seats and the bottom of each deck hold: decks × 4 × 15."""
    cell = (np.arange(len(decks))[:, None] * 4 + _PART_OF) * 15 + decks
    return np.bincount(cell.ravel(), minlength=len(decks) * 60).reshape(-1, 4, 15)


def _texts(counts: Counts) -> list[tuple[str, str, str, str]]:
    letters = np.repeat(np.tile(_LETTERS, len(counts) * 4), counts.ravel()).tobytes().decode("ascii")
    one, two, three = SEAT_CARDS, 2 * SEAT_CARDS, 3 * SEAT_CARDS
    decks = [letters[start : start + DECK] for start in range(0, len(letters), DECK)]
    return [(deck[:one], deck[one:two], deck[two:three], deck[three:]) for deck in decks]


def _held(counts: Counts) -> list[list[list[Held]]]:
    both = np.stack((counts[:, :3], counts[:, :3] + counts[:, 3:]), axis=2)
    held: list[list[list[Held]]] = ((both[..., None, :] >= _COPIES) @ _RANK_BITS).tolist()
    return held


def _worth(counts: Counts) -> list[list[int]]:
    seats = counts[:, :3]
    worth: list[list[int]] = (seats @ _WORTH + (seats == 4).sum(axis=2) * _WORTH_OF_QUAD).tolist()
    return worth
