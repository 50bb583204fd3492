"""Cheap checks over columns that find every hand whose play must be walked through act by act.

They may name a hand that turns out to be in order, never miss one that is not.
"""

from __future__ import annotations

import numpy as np

from ddz_analytics import cards
from ddz_analytics.batches.batch import NOBODY, PASS, PLAY, Batch
from ddz_analytics.batches.course import Plays
from ddz_analytics.columns import Flags, Ints, known
from ddz_analytics.hands import SEATS

_NEXT = np.array([1, 2, 0], dtype=np.int8)  # the seat that acts after each


def holds_too_little(batch: Batch, plays: Plays, cards_left: Ints) -> Flags:
    """Hands in which a seat plays what it does not hold: its sets must be disjoint parts of its hand.

    Sets that are, add up without a carry: the sum has as many cards as they have together, and lies within the hand.
    """
    begin = np.searchsorted(plays.hand, np.arange(len(batch) + 1))
    parts = (
        np.where(batch.suited[plays.hand], plays.cards, plays.counts) if batch.suited.any() else plays.counts
    )
    guilty = np.zeros(len(batch), dtype=bool)
    for seat in range(SEATS):
        own = plays.seat == seat
        held = batch.held[:, seat]
        counts = cards.counts(held)
        total, number = _per_hand(np.where(own, parts, 0), begin), cards.sizes(counts) - cards_left[:, seat]
        whole = cards.can_be_held(total) & (cards.sizes(total) == number)
        enough = (counts | cards.HIGHEST_BITS) - np.where(
            whole, total, 0
        ) & cards.HIGHEST_BITS == cards.HIGHEST_BITS
        within = (held & total == total) & (cards.sizes(cards.counts(total)) == number)
        guilty |= ~np.where(batch.suited, within, whole & enough)
    return guilty


def _per_hand(values: Ints, begin: Ints) -> Ints:
    sums = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(values)))
    return np.diff(sums[begin])


def turns_out_of_order(batch: Batch, plays: Plays) -> Ints:
    """Hands in which somebody acts out of turn, passes on a lead, goes on after the end, or bids during the play."""
    row, first = batch.turns, batch.first_turn
    seat, is_pass = batch.seat[row], batch.act[row] == PASS
    begins = np.searchsorted(row, first[first < len(batch.act)])
    expected = _NEXT[np.roll(seat, 1)]
    expected[begins] = batch.landlord[batch.hand[row[begins]]]
    # With everybody in turn, a pass on a lead is the third in a row, or the first turn of all.
    on_lead = is_pass & np.roll(is_pass, 1) & np.roll(is_pass, 2)
    on_lead[begins] = is_pass[begins]
    out = np.flatnonzero(plays.cards_left <= 0)
    goes_on = plays.row[out] < batch.last_of(row)[plays.hand[out]]
    prelude = np.flatnonzero(batch.act < PLAY)
    late = prelude[prelude > first[batch.hand[prelude]]]
    guilty = row[(seat != expected) | on_lead]
    nobody = np.flatnonzero((batch.landlord == NOBODY) & (first < len(batch.act)))
    return np.concatenate((batch.hand[guilty], plays.hand[out[goes_on]], batch.hand[late], nobody))


def with_declared_readings(batch: Batch) -> Ints:
    """Hands in which the log itself says how a set is meant."""
    hands: Ints = batch.hand[known(batch.declared) | known(batch.wilds_as)]
    return hands
