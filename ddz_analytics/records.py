"""Rows of the `hands` table back into the hands that parsers gave: the inverse of `tabulate`, in canonical writing.

Cards stand from low to high, times are in UTC, whole amounts are numbers, `auto` is written out as `actor`. A hand that came in
another format than `ddz/1` names it in the field `_format`, because by that it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec
import pyarrow as pa
from msgspec import UNSET

from ddz_analytics.cards import text_of
from ddz_analytics.hands import ACTORS, ACTS, SCALE, STAGES, Action, Declared, Hand, Located, Recorded, Room
from ddz_analytics.parsers.ddz1 import ORIGIN, Ddz1
from ddz_analytics.schema import SEAT_NUMBERS

_ROWS = 5000
Row = Mapping[str, Any]

_PLAIN = {
    "id": "source_hand_id", "table": "table_id", "match": "match_id", "no": "hand_no", "event": "event",
    "started_at": "started_at", "ended_at": "ended_at", "rules": "recorded_rules", "balance_kind": "balance_kind",
    "wild": "wild_rank", "shuffle": "shuffle", "outcome": "outcome", "first": "first_seat",
}  # fmt: skip


def hands_of(table: pa.Table) -> Iterator[Hand]:
    """The hands that some rows of the `hands` table hold, in order, with their `_format`."""
    for located in located_of(table):
        if located.format != Ddz1.name:
            extra = {} if located.hand.extra is UNSET else located.hand.extra
            located.hand.extra = {**extra, ORIGIN: located.format}
        yield located.hand


def located_of(table: pa.Table) -> Iterator[Located]:
    """The same, each with its line and format and without its bytes."""
    for batch in table.to_batches(max_chunksize=_ROWS):
        for row in batch.to_pylist():
            yield Located(_hand(row), row["source_line"], b"", row["source_format"])


def _hand(row: Row) -> Hand:
    suited = row["suited"]
    return Hand(
        format="ddz/1",
        landlord=row["landlord_seat"],
        players=_three(row, "player_{}"),
        dealt=_three(row, "dealt_{}", partial(text_of, suited=suited)),
        bottom=text_of(row["bottom"], suited=suited),
        actions=[_action(act, suited=suited) for act in row["actions"]],
        room=_room(row),
        registered=_three(row, "registered_{}"),
        kinds=_three(row, "kind_{}"),
        balances=_three(row, "balance_{}", _amount),
        recorded=_recorded(row),
        extra=UNSET if row["extra"] is None else msgspec.json.decode(row["extra"]),
        **{name: _said(row[column]) for name, column in _PLAIN.items()},
    )


def _said(value: Any) -> Any:
    return UNSET if value is None else value


def _same(value: Any) -> Any:
    return value


def _three(row: Row, name: str, written: Callable[[Any], Any] = _same) -> Any:
    """The values of the seats, which a log gives together or not at all."""
    values = [row[name.format(seat)] for seat in SEAT_NUMBERS]
    return UNSET if None in values else tuple(map(written, values))


def _amount(amount: Decimal) -> int | str:
    """An amount as `ddz/1` writes it: a number, or a text if it has decimals."""
    whole = int(amount)
    return whole if whole == amount else format(amount.normalize(), "f")


def _said_amount(amount: Decimal | None) -> Any:
    return UNSET if amount is None else _amount(amount)


def _room(row: Row) -> Any:
    found = {key: _said_amount(row[f"room_{key}"]) for key in Room.__struct_fields__}
    return _unless_silent(Room, found)


def _recorded(row: Row) -> Any:
    found = {
        "scores": _three(row, "recorded_score_{}", _amount),
        "bid": _said_amount(row["recorded_bid"]),
        "multiplier": _said(row["recorded_multiplier"]),
        "fees": _three(row, "recorded_fee_{}", _amount),
        "balances_after": _three(row, "recorded_balance_after_{}", _amount),
    }
    return _unless_silent(Recorded, found)


def _unless_silent(struct: type[Room | Recorded], found: Mapping[str, Any]) -> Any:
    return UNSET if all(value is UNSET for value in found.values()) else struct(**found)


def _action(act: Row, *, suited: bool) -> Action:
    value, cards = act["value"], act["cards"]
    return Action(
        seat=act["seat"],
        act=ACTS[act["act"]],  # type: ignore[arg-type]  # one of the acts
        value=UNSET if value is None else _amount(Decimal(value) / SCALE),
        cards=UNSET if cards is None else text_of(cards, suited=suited),
        ms=_said(act["ms"]),
        actor=_named(act["actor"], ACTORS),
        stage=_named(act["stage"], STAGES),
        dealt=_said(act["dealt"]),
        sent=_said(act["sent"]),
        declared=UNSET if act["declared"] is None else _declared(act["declared"]),
        wilds_as=UNSET if act["wilds_as"] is None else list(act["wilds_as"]),
    )


def _named(code: int | None, names: Sequence[str]) -> Any:
    return UNSET if code is None else names[code]


def _declared(text: str) -> Any:
    """A category, or `category:length:main` of which the last two may be empty."""
    category, *more = text.split(":")
    if not more:
        return category
    length, main = more
    return Declared(category, int(length) if length else UNSET, main or UNSET)  # type: ignore[arg-type]
