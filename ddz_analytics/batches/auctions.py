"""The auctions of a batch: each distinct course of acts is gone through once, however many hands took it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from ddz_analytics.auction_state import Auction, Deal, Fault, Said
from ddz_analytics.batches.batch import ESCAPE, NOBODY, PLAY, Batch, or_none
from ddz_analytics.bidding import hold_auction
from ddz_analytics.columns import Ints, from_amounts, known
from ddz_analytics.hands import OUTCOMES


@dataclass
class Auctions:
    """The distinct auctions of a batch, and which of them each hand had; `row` and `begin` locate the acts of each hand."""

    distinct: list[Auction]
    example: Ints  # of each distinct auction, a hand that had it
    place: Ints  # n
    row: Ints
    begin: Ints  # n + 1, into row

    def each(self, value: Callable[[Auction], Any], missing: int = NOBODY) -> Ints:
        """A number (or three, by seat) of each distinct auction; `missing` for None."""
        values = [value(auction) for auction in self.distinct]
        if values and isinstance(values[0], list):
            return np.array([_numbers(three, missing) for three in values], dtype=np.int64)
        return np.array(_numbers(values, missing), dtype=np.int64)

    def by_hand(self, columns: Mapping[str, pa.Array]) -> dict[str, pa.Array]:
        """Columns over the distinct auctions as columns over the hands."""
        place = pa.array(self.place)
        return {name: column.take(place) for name, column in columns.items()}

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
    row = np.flatnonzero(batch.act < PLAY)
    row = row[row < first_turn[batch.hand[row]]]
    begin = np.searchsorted(batch.hand[row], np.arange(len(batch) + 1))
    columns = (batch.act, batch.seat, batch.value, batch.stage, batch.dealt)
    said = _bytes_by_hand(np.stack([column[row] for column in columns], axis=1), begin.tolist())
    low, high = (_amount_or_nobody(batch, name) for name in ("room_low", "room_high"))
    deals = np.stack((batch.context, batch.first, batch.landlord, batch.outcome, low, high), axis=1)
    places: dict[tuple[bytes, bytes], int] = {}
    keys = zip(_bytes_by_hand(deals, range(len(batch) + 1)), said, strict=True)
    place = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)
    example = np.unique(place, return_index=True)[1]
    acts = _acts_of(batch, row, begin, example)
    held = map(hold_auction, acts, (_deal(batch, numbers) for numbers in deals[example].tolist()))
    return Auctions(list(held), example, place, row, begin)


def _acts_of(batch: Batch, row: Ints, begin: Ints, hands: Ints) -> Iterator[list[Said]]:
    """The acts of the auctions of some hands, each auction's numbered from 0."""
    lengths = begin[hands + 1] - begin[hands]
    ends = np.cumsum(lengths)
    number = np.arange(lengths.sum()) - np.repeat(ends - lengths, lengths)
    acts = batch.said(row[np.repeat(begin[hands], lengths) + number], number)
    return (acts[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist(), strict=True))


def _bytes_by_hand(rows: Ints, ends: Sequence[int]) -> list[bytes]:
    content, width = rows.tobytes(), rows.itemsize * rows.shape[1]
    return [content[begin * width : end * width] for begin, end in pairwise(ends)]


def _amount_or_nobody(batch: Batch, name: str) -> Ints:
    """An amount that cannot be negative in 1/10,000, `NOBODY` where it is null."""
    column = batch.table[name]
    return np.where(known(column), from_amounts(column), NOBODY)


def _deal(batch: Batch, numbers: list[int]) -> Deal:
    """What a log says of a deal."""
    context, first, landlord, outcome, low, high = numbers
    rules = batch.contexts[context].rules
    return Deal(rules, or_none(first), or_none(landlord), OUTCOMES[outcome], or_none(low), or_none(high))
