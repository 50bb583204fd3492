"""The auctions of a batch: each distinct course of acts is gone through once, however many hands took it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from ddz_analytics.auction_state import Auction, Deal, Fault, Said
from ddz_analytics.batches.auction_facts import COLUMNS, auction_columns, numbers_of
from ddz_analytics.batches.batch import ESCAPE, NOBODY, PLAY, Batch, or_none
from ddz_analytics.bidding import hold_auction
from ddz_analytics.columns import Ints, from_amounts, known
from ddz_analytics.hands import OUTCOMES
from ddz_analytics.rules import RuleSet

_Key = tuple[str | None, bytes, bytes]  # the rules, the deal, what was said: an auction is nothing else
_REMEMBERED = 1 << 14
_held: dict[_Key, tuple[Auction, Ints]] = {}  # the auctions of earlier batches too, with their numbers


@dataclass
class Auctions:
    """The distinct auctions of a batch, and which of them each hand had; `row` and `begin` locate the acts of each hand."""

    distinct: list[Auction]
    numbers: Ints  # of each distinct auction, see `auction_facts`
    place: Ints  # n
    row: Ints
    begin: Ints  # n + 1, into row

    def of(self, hand: int) -> Auction:
        """The auction of one hand."""
        return self.distinct[int(self.place[hand])]

    def columns(self) -> dict[str, pa.Array]:
        """What the auctions tell, as columns over the hands."""
        place = pa.array(self.place)
        return {name: column.take(place) for name, column in auction_columns(self.numbers).items()}

    def located(self, hand: int, fault: Fault, offset: int) -> Fault:
        """A fault with its place among the hand's actions instead of its place in the course."""
        if fault.action_index is None:
            return fault
        row = int(self.row[self.begin[hand] + fault.action_index])
        return fault._replace(action_index=row - offset)


def auctions_of(batch: Batch) -> Auctions:
    """Hold the auction of every hand: everything said before the first play or pass, or the escape that ends the hand."""
    escapes = (batch.act == ESCAPE) & batch.escaped[batch.hand]
    first_turn = np.minimum(batch.first_turn, batch.first_of(np.flatnonzero(escapes)))
    row = np.flatnonzero(batch.act < PLAY)
    row = row[row < first_turn[batch.hand[row]]]
    begin = np.searchsorted(batch.hand[row], np.arange(len(batch) + 1))
    deals = _deals(batch)
    places: dict[_Key, int] = {}
    keys = _keys(batch, deals, row, begin)
    place = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)
    if len(_held) > _REMEMBERED:
        _held.clear()
    new = [(key, number) for key, number in places.items() if key not in _held]
    hands = np.unique(place, return_index=True)[1][[number for _, number in new]]
    acts = _acts_of(batch, row, begin, hands)
    rules = [batch.contexts[context].rules for context in batch.context[hands].tolist()]
    for (key, _), said, under, numbers in zip(new, acts, rules, deals[hands].tolist(), strict=True):
        auction = hold_auction(said, _deal(under, numbers))
        _held[key] = auction, numbers_of(auction)
    held = [_held[key] for key in places]
    told = np.array([numbers for _, numbers in held], dtype=np.int64).reshape(len(held), len(COLUMNS))
    return Auctions([auction for auction, _ in held], told, place, row, begin)


def _deals(batch: Batch) -> Ints:
    """What the log says of each deal beside its acts and its rules, in numbers."""
    low, high = (_amount_or_nobody(batch, name) for name in ("room_low", "room_high"))
    return np.stack((batch.first, batch.landlord, batch.outcome, low, high), axis=1)


def _keys(batch: Batch, deals: Ints, row: Ints, begin: Ints) -> Iterator[_Key]:
    columns = (batch.act, batch.seat, batch.value, batch.stage, batch.dealt)
    said = _bytes_by_hand(np.stack([column[row] for column in columns], axis=1), begin.tolist())
    rules = [None if context.rules is None else context.recorded for context in batch.contexts]
    under = map(rules.__getitem__, batch.context.tolist())
    return zip(under, _bytes_by_hand(deals, range(len(batch) + 1)), said, strict=True)


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


def _deal(rules: RuleSet | None, numbers: list[int]) -> Deal:
    first, landlord, outcome, low, high = numbers
    return Deal(rules, or_none(first), or_none(landlord), OUTCOMES[outcome], or_none(low), or_none(high))
