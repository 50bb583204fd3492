"""The auctions of a batch: each distinct course of acts is gone through once, however many hands took it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ddz_analytics.auction_state import Auction, Deal, Fault, Said
from ddz_analytics.batches.auction_facts import COLUMNS, auction_columns, numbers_of
from ddz_analytics.batches.batch import ESCAPE, NOBODY, PLAY, Batch, alike, or_none
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
    deals, said = _deals(batch), _said(batch, row)
    place, hands = alike(pa.array(batch.context), _each(deals, np.arange(len(batch) + 1)), _each(said, begin))
    if len(_held) > _REMEMBERED:
        _held.clear()
    under = [None if each.rules is None else each.rules.id + each.rules.rule_hash for each in batch.contexts]
    keys = [
        (under[batch.context[hand]], deals[hand].tobytes(), said[begin[hand] : begin[hand + 1]].tobytes())
        for hand in hands.tolist()
    ]
    new = {key: hand for key, hand in zip(keys, hands.tolist(), strict=True) if key not in _held}
    acts = _acts_of(batch, row, begin, np.array([*new.values()], dtype=np.int64))
    for (key, hand), acted in zip(new.items(), acts, strict=True):
        auction = hold_auction(acted, _deal(batch.contexts[batch.context[hand]].rules, deals[hand].tolist()))
        _held[key] = auction, numbers_of(auction)
    held = [_held[key] for key in keys]
    told = np.array([numbers for _, numbers in held], dtype=np.int64).reshape(len(held), len(COLUMNS))
    return Auctions([auction for auction, _ in held], told, place, row, begin)


def _deals(batch: Batch) -> Ints:
    """What the log says of each deal beside its acts and its rules, in numbers."""
    low, high = (_amount_or_nobody(batch, name) for name in ("room_low", "room_high"))
    return np.stack((batch.first, batch.landlord, batch.outcome, low, high), axis=1)


def _said(batch: Batch, row: Ints) -> Ints:
    """What some acts of auctions say, in numbers."""
    columns = (batch.act, batch.seat, batch.value, batch.stage, batch.dealt)
    return np.stack([column[row] for column in columns], axis=1)


def _acts_of(batch: Batch, row: Ints, begin: Ints, hands: Ints) -> Iterator[list[Said]]:
    """The acts of the auctions of some hands, each auction's numbered from 0."""
    lengths = begin[hands + 1] - begin[hands]
    ends = np.cumsum(lengths)
    number = np.arange(lengths.sum()) - np.repeat(ends - lengths, lengths)
    acts = batch.said(row[np.repeat(begin[hands], lengths) + number], number)
    return (acts[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist(), strict=True))


def _each(rows: Ints, ends: Ints) -> pa.Array:
    """The rows of each hand as one value."""
    bounds = ends * rows.itemsize * rows.shape[1]
    return pa.Array.from_buffers(
        pa.large_binary(), len(ends) - 1, [None, pa.py_buffer(bounds), pa.py_buffer(rows)]
    )


def _amount_or_nobody(batch: Batch, name: str) -> Ints:
    """An amount that cannot be negative in 1/10,000, `NOBODY` where it is null."""
    column = batch.table[name]
    return np.where(known(column), from_amounts(column), NOBODY)


def _deal(rules: RuleSet | None, numbers: list[int]) -> Deal:
    first, landlord, outcome, low, high = numbers
    return Deal(rules, or_none(first), or_none(landlord), OUTCOMES[outcome], or_none(low), or_none(high))
