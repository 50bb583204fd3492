"""What the keys of a mapping of events must agree on among themselves."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from ddz_analytics.mapping.sections import check_time, check_words, refused
from ddz_analytics.mapping.spec import Column, EventKind, Events, Where


def check_events(mapping: Events) -> None:
    """Raise UsageError `mapping_value` for the first thing that does not fit."""
    for name, event in mapping.on.items():
        where = f"on.{name}"
        for key, column in _columns(event):
            check_time(column, f"{where}.{key}")
            if isinstance(column, Column) and (column.of or column.where or column.less):
                raise refused("`of`, `where` and `less` are for tables", f"{where}.{key}")
        check_words(event.act, f"{where}.act")
        whose = event.seat or event.player
        if event.act and not whose:
            raise refused("whose act it is, `seat` or `player` says", where)
        if event.seats and not whose and not event.each:
            raise refused("whose fields they are, `seat`, `player` or the list `each` says", where)
    _check_whole(mapping)


def _check_whole(mapping: Events) -> None:
    on = mapping.on.values()
    told = {name for event in on for name in event.hand} | {name for event in on for name in event.seats}
    for name in ("rules", "match", "event", "balance_kind", "shuffle"):
        if name in told and getattr(mapping.constants, name) is not UNSET:
            raise refused(f"an event says `{name}`, and it is a constant too", "constants")
    for name in ("id", "player", "dealt", "bottom"):
        if name not in told:
            raise refused(f"an event must say `{name}`", "on")
    if not mapping.stream.game and not any(event.opens for event in on):
        raise refused("where events have no id of their `game`, one must open it", "stream.game")
    said = "outcome" in told or any(event.outcome is not UNSET for event in on)
    if not said and mapping.constants.outcome is UNSET:
        raise refused("how a game ended, an event must say, or `constants.outcome`", "on")


def _columns(event: EventKind) -> Iterator[tuple[str, Where]]:
    single = ("act", "seat", "player", "value", "cards", "ms", "actor", "stage", "dealt", "sent", "each_seat")
    yield from ((name, getattr(event, name)) for name in single)
    yield from event.hand.items()
    yield from event.seats.items()
