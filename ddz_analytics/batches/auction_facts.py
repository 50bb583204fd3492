"""What an auction tells in the facts of its hand: once per distinct auction as numbers, and the columns that these become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ddz_analytics.auction_state import Auction, offers
from ddz_analytics.bidding import may_kick, opening_multiplier, whole
from ddz_analytics.columns import Ints, amounts
from ddz_analytics.hands import SEATS, STAGES
from ddz_analytics.schema import FACTS, ROLES

SEATING_SCOPES = ("ever", "match", "day")
_WORDS: dict[str, tuple[str, ...]] = {
    "auction_kind": ("none", "score", "room", "rob"),
    "auction_forced": ("starter", "first_opener"),
    "seating_scope": SEATING_SCOPES,
    "open_stage": STAGES,
}
_MISSING = -1


def _nobody_bid(auction: Auction) -> bool:
    deal = auction.deal
    return (auction.nobody_bid and deal.landlord is not None) or deal.outcome == "redeal"


def _rotates(auction: Auction) -> bool:
    rules = auction.deal.rules
    return rules is not None and rules.auction_rotates


def _seating_scope(auction: Auction) -> str | None:
    """Within what the recorded rules keep players who sat together apart."""
    rules = auction.deal.rules
    return rules.seating_scope if rules is not None and rules.seating_scope in SEATING_SCOPES else None


def _turns(auction: Auction) -> list[int | None]:
    first = auction.first
    return [None if first is None else (seat - first) % SEATS for seat in range(SEATS)]


def _offered(auction: Auction, act: str, said: Sequence[object]) -> bool:
    """Whether the recorded rules offer an act, or the hand itself shows that it was offered."""
    rules = auction.deal.rules
    return (rules is not None and offers(rules, act)) or any(word is not None for word in said)


def _could_kick(auction: Auction) -> list[bool]:
    return [may and _offered(auction, "kick", auction.kicked) for may in may_kick(auction)]


def _could_double(auction: Auction) -> list[bool]:
    return [auction.deal.landlord is not None and _offered(auction, "double", auction.doubled)] * SEATS


def _opening(name: str) -> Callable[[Auction], list[Any]]:
    return lambda auction: [None if said is None else getattr(said, name) for said in auction.opened]


_OF_HAND: dict[str, Callable[[Auction], int | str | None]] = {
    "auction_kind": lambda auction: auction.kind,
    "auction_forced": lambda auction: auction.forced,
    "bid": lambda auction: auction.bid,
    "auction_silent": lambda auction: auction.silent,
    "nobody_bid": _nobody_bid,
    "raises": lambda auction: auction.raises,
    "robs": lambda auction: auction.robs,
    "first_seat": lambda auction: auction.first,
    "first_opener_seat": lambda auction: auction.first_opener,
    "first_rotates": _rotates,
    "seating_scope": _seating_scope,
    "open_multiplier": opening_multiplier,
    "open_offered": lambda auction: _offered(auction, "open", auction.opened),
    "double_offered": lambda auction: _offered(auction, "double", auction.doubled),
    "kick_offered": lambda auction: _offered(auction, "kick", auction.kicked),
}
_OF_SEATS: dict[str, Callable[[Auction], Sequence[int | str | None]]] = {
    "open_value": lambda auction: [whole(value) for value in _opening("value")(auction)],
    "open_dealt": _opening("dealt"),
    "open_stage": _opening("stage"),
    "doubled": lambda auction: auction.doubled,
    "auction_turn": _turns,
    "kicked": lambda auction: [said is not None and bool(said.value) for said in auction.kicked],
    "could_kick": _could_kick,
    "bid": lambda auction: auction.bid_at_all,
    "robbed": lambda auction: auction.robbed,
    "could_bid": lambda auction: auction.could_bid,
    "could_rob": lambda auction: auction.could_rob,
    "could_double": _could_double,
}
COLUMNS = [(name, name) for name in _OF_HAND] + [
    (f"{role}_{name}", name) for name in _OF_SEATS for role in ROLES
]


def numbers_of(auction: Auction) -> Ints:
    """All that an auction tells, a number a column; without a landlord the three roles are seats 0, 1, 2."""
    told = [_number(name, value(auction)) for name, value in _OF_HAND.items()]
    landlord = auction.deal.landlord or 0
    for name, values in _OF_SEATS.items():
        by_seat = values(auction)
        told += [_number(name, by_seat[(landlord + place) % SEATS]) for place in range(SEATS)]
    return np.array(told, dtype=np.int64)


def _number(name: str, value: int | str | None) -> int:
    if value is None:
        return _MISSING
    return _WORDS[name].index(value) if isinstance(value, str) else int(value)


def auction_columns(numbers: Ints) -> dict[str, pa.Array]:
    """The columns of the facts that auctions fill, from the numbers of some auctions, a row each."""
    return {
        column: _column(FACTS.field(column).type, name, values)
        for (column, name), values in zip(COLUMNS, numbers.T, strict=True)
    }


def _column(kind: pa.DataType, name: str, values: Ints) -> pa.Array:
    missing = values == _MISSING
    if pa.types.is_decimal(kind):
        return amounts(np.ascontiguousarray(values), ~missing)
    if pa.types.is_string(kind):
        return pa.array(_WORDS[name], type=kind).take(pa.array(values, mask=missing))
    return pa.array(values, mask=missing).cast(kind)
