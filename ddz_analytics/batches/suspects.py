"""Cheap checks over columns that find every hand whose play must be walked through act by act.

They may name a hand that turns out to be in order, never miss one that is not.
"""

from __future__ import annotations

import numpy as np

from ddz_analytics import cards
from ddz_analytics.batches.batch import IS_PRELUDE, NOBODY, PASS, PLAY, Batch
from ddz_analytics.batches.course import Plays
from ddz_analytics.columns import Flags, Ints, ints
from ddz_analytics.hands import SEATS


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
    row = np.flatnonzero((batch.act == PLAY) | (batch.act == PASS))
    hand, seat = batch.hand[row], batch.seat[row]
    begins, ends = np.ones(len(row), dtype=bool), np.ones(len(row), dtype=bool)
    begins[1:] = ends[:-1] = hand[1:] != hand[:-1]
    expected = np.where(begins, batch.landlord[hand], (np.roll(seat, 1) + 1) % SEATS)
    out = np.isin(row, plays.row[plays.cards_left <= 0])
    guilty = (
        (seat != expected)
        | _passes_on_lead(batch, plays, row)
        | (out & ~ends)
        | (batch.landlord[hand] == NOBODY)
    )
    prelude = np.flatnonzero(IS_PRELUDE[batch.act])
    late = prelude[prelude > batch.first_turn[batch.hand[prelude]]]
    return np.concatenate((hand[guilty], batch.hand[late]))


def _passes_on_lead(batch: Batch, plays: Plays, row: Ints) -> Flags:
    is_pass: Flags = batch.act[row] == PASS
    if not len(plays.row):
        return is_pass
    last = np.searchsorted(plays.row, row) - 1
    before = np.maximum(last, 0)
    leads: Flags = (
        (last < 0) | (plays.hand[before] != batch.hand[row]) | (plays.seat[before] == batch.seat[row])
    )
    return is_pass & leads


def with_declared_readings(batch: Batch) -> Ints:
    """Hands in which the log itself says how a set is meant."""
    declared = (ints(batch.declared.is_valid()) | ints(batch.wilds_as.is_valid())) == 1
    hands: Ints = batch.hand[declared]
    return hands
