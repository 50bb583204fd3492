"""Which columns a table of facts may have, and what its header makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import BalanceKind, Event, Shuffle
from ddz_analytics.rules.values import nearest
from ddz_analytics.schema import FACTS, ROLES, SEAT_NUMBERS

ID, STORE_ID = "source_hand_id", "hand_id"
LANDLORD = "landlord_seat"
# what is said of the hand and is no fact that settling reads
OF_THE_HAND = (
    ID, "table_id", "match_id", "hand_no", "event", "started_at", "ended_at", "shuffle", "balance_kind", "recorded_bid",
    "recorded_multiplier",
)  # fmt: skip
# what is said of a seat: `player_0` or `landlord_player`
OF_A_SEAT = (
    "player",
    "kind",
    "registered",
    "balance",
    "recorded_score",
    "recorded_fee",
    "recorded_balance_after",
)
WORDS_OF_THE_HAND: Mapping[str, tuple[str, ...]] = {
    "event": get_args(Event),
    "shuffle": get_args(Shuffle),
    "balance_kind": get_args(BalanceKind),
}
# what a store gives its hands itself; it is given anew
GIVEN_ANEW = (
    STORE_ID, "evidence", "content_hash", "deal_id", "source_format", "source_path", "source_line", "local_time", "local_day",
)  # fmt: skip
OF_FACTS = tuple(name for name in FACTS.names if name not in GIVEN_ANEW)
BY_SEAT = {f"{name}_{seat}": name for name in OF_A_SEAT for seat in SEAT_NUMBERS}
BY_ROLE = {f"{role}_{name}": name for name in OF_A_SEAT for role in ROLES}
NAMES = frozenset((*OF_THE_HAND, *OF_FACTS, *GIVEN_ANEW, *BY_SEAT, *BY_ROLE))
OF_A_ROLE = tuple(name.removeprefix("down_") for name in FACTS.names if name.startswith("down_"))

# In a table with a row for each seat, what is said of the seat; its bids and bombs have names of their own, because `bid` and
# `bombs` are those of the hand.
OF_A_ROW: Mapping[str, str] = {
    **{name: name for name in (*OF_A_SEAT, *OF_A_ROLE) if name not in ("bid", "bombs")},
    "seat_bid": "bid", "seat_bombs": "bombs",
    "balance_before": "balance", "autoplay_at_end": "autoplay", "autoplay_started_with": "autoplay_cards",
}  # fmt: skip
SEAT, ROLE, WON = "seat", "role", "won"

_NEEDED = (
    ("bombs",),
    ("rockets",),
    ("winner_seat", "winner_side"),
    *((f"{role}_plays", "spring") for role in ROLES),
)
_SEATS_TOLD = ("winner_seat", "first_seat", "first_opener_seat", "escaped_seat")


@dataclass(frozen=True)
class Layout:
    """How the columns of a table with a row for each hand are to be taken.

    `id`: the column of the source's ids; `by_role`: what is said of seats by role, the rest by seat; `counted_from_landlord`: no
    column names a seat, so that the landlord's is 0.
    """

    id: str
    by_role: frozenset[str]
    counted_from_landlord: bool


def layout_of(names: Iterable[str]) -> Layout:
    """How a header is to be taken; raises BadRecord `unknown_field`, `missing_field` or `duplicate_key`."""
    found = [name for name in names if not name.startswith("_")]
    for name in found:
        if name not in NAMES:
            raise BadRecord(
                "unknown_field", f"unknown column `{name}`, nearest: {nearest(name, sorted(NAMES))}"
            )
    by_seat, by_role = ({of[name] for name in found if name in of} for of in (BY_SEAT, BY_ROLE))
    if both := sorted(by_seat & by_role):
        raise BadRecord("duplicate_key", f"`{both[0]}` is said by seat and by role")
    told = set(found)
    for either in (*_NEEDED, (ID, STORE_ID)):
        if told.isdisjoint(either):
            raise BadRecord("missing_field", f"the column `{'` or `'.join(either)}` is missing")
    from_landlord = LANDLORD not in told
    if from_landlord and (by_seat or not told.isdisjoint(_SEATS_TOLD)):
        raise BadRecord("missing_field", f"seats are named, and the column `{LANDLORD}` is missing")
    return Layout(ID if ID in told else STORE_ID, frozenset(by_role), from_landlord)
