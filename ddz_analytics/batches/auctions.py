"""The auctions of a batch: each distinct course of acts is gone through once, however many hands took it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ddz_analytics.auction_state import Auction, Deal, Fault
from ddz_analytics.batches.batch import ESCAPE, IS_PRELUDE, NOBODY, Batch, amounts_or_none
from ddz_analytics.bidding import hold_auction
from ddz_analytics.columns import Ints


@dataclass
class Auctions:
    """The distinct auctions of a batch, and which of them each hand had; `row` and `begin` locate the acts of each hand."""

    distinct: list[Auction]
    place: Ints  # n
    row: Ints
    begin: Ints  # n + 1, into row

    def each(self, value: Callable[[Auction], Any], missing: int = NOBODY) -> Ints:
        """A number (or three, by seat) of each hand's auction; `missing` for None."""
        values = [value(auction) for auction in self.distinct]
        if values and isinstance(values[0], list):
            values = [_numbers(three, missing) for three in values]
        else:
            values = _numbers(values, missing)
        chosen: Ints = np.array(values, dtype=np.int64)[self.place]
        return chosen

    def located(self, hand: int, fault: Fault, offset: int) -> Fault:
        """A fault with its place among the hand's actions instead of its place in the course."""
        if fault.action_index is None:
            return fault
        row = int(self.row[self.begin[hand] + fault.action_index])
        return fault._replace(action_index=row - offset)


def _numbers(values: list[Any], missing: int) -> list[Any]:
    return [missing if value is None else value for value in values]


def auctions_of(batch: Batch) -> Auctions:
    """Hold the auction of every hand: everything said before the first play or pass, or the escape that ends the hand."""
    escapes = (batch.act == ESCAPE) & batch.escaped[batch.hand]
    first_turn = np.minimum(batch.first_turn, batch.first_of(np.flatnonzero(escapes)))
    row = np.flatnonzero(IS_PRELUDE[batch.act])
    row = row[row < first_turn[batch.hand[row]]]
    begin = np.searchsorted(batch.hand[row], np.arange(len(batch) + 1))
    columns = (batch.act, batch.seat, batch.value, batch.stage, batch.dealt)
    words = np.stack([column[row] for column in columns], axis=1)
    width, spoken = words.itemsize * words.shape[1], words.tobytes()
    ends = (begin * width).tolist()
    deals = list(zip(batch.context.tolist(), _deals(batch), strict=True))
    places: dict[tuple[Any, bytes], int] = {}
    auctions = Auctions([], np.zeros(len(batch), dtype=np.int64), row, begin)
    for hand, deal in enumerate(deals):
        key = deal, spoken[ends[hand] : ends[hand + 1]]
        place = places.setdefault(key, len(places))
        auctions.place[hand] = place
        if place == len(auctions.distinct):
            acts = batch.said(row[begin[hand] : begin[hand + 1]])
            auctions.distinct.append(
                hold_auction(acts, deal[1]._replace(rules=batch.contexts[deal[0]].rules))
            )
    return auctions


def _deals(batch: Batch) -> list[Deal]:
    """What each log says of the deal; the rules are told apart by the context."""
    columns = (
        [None if seat == NOBODY else seat for seat in batch.first.tolist()],
        [None if seat == NOBODY else seat for seat in batch.landlord.tolist()],
        batch.outcome.tolist(),
        amounts_or_none(batch.table, "room_low"),
        amounts_or_none(batch.table, "room_high"),
    )
    return [Deal(None, *row) for row in zip(*columns, strict=True)]
