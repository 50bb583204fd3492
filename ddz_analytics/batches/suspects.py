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

_DECK = 54  # cards: no more plays than these


def holds_too_little(batch: Batch, plays: Plays, cards_left: Ints) -> Flags:
    """Hands in which a seat plays what it does not hold: its sets must be disjoint parts of its hand.

    Sets that are, add up without a carry: the sum has as many cards as they have together, and lies within the hand.
    """
    some_suited = bool(batch.suited.any())
    parts = np.where(batch.suited[plays.hand], plays.cards, plays.counts) if some_suited else plays.counts
    total = np.zeros_like(batch.held)
    np.add.at(total.reshape(-1), plays.holder, parts)
    number = cards.sizes(batch.held_counts) - cards_left
    held = _hold_counts(batch.held_counts, total, number)
    if some_suited:
        held = np.where(batch.suited[:, None], _hold_cards(batch.held, total, number), held)
    too_many = np.bincount(plays.hand, minlength=len(batch)) > _DECK
    guilty: Flags = too_many | ~held.all(axis=1)
    return guilty


def _hold_counts(held: Ints, total: Ints, number: Ints) -> Flags:
    whole = cards.can_be_held(total) & (cards.sizes(total) == number)
    left = (held | cards.HIGHEST_BITS) - np.where(whole, total, 0)
    enough: Flags = whole & (left & cards.HIGHEST_BITS == cards.HIGHEST_BITS)
    return enough


def _hold_cards(held: Ints, total: Ints, number: Ints) -> Flags:
    within: Flags = (held & total == total) & (cards.sizes(cards.counts(total)) == number)
    return within


def turns_out_of_order(batch: Batch, plays: Plays) -> Ints:
    """Hands in which somebody acts out of turn, passes on a lead, goes on after the end, or bids during the play."""
    row, first = batch.turns, batch.first_turn
    seat, is_pass = batch.seat[row], batch.act[row] == PASS
    begins = np.searchsorted(row, first[first < len(batch.act)])
    expected = np.roll(seat, 1) + np.int8(1)
    expected[expected == SEATS] = 0
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
