"""Who sits where, since when, in which room and with how much: tables of three players that stay together for a while."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

import msgspec

from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet
from ddz_analytics.simulate.split import Draw

_OPENED = datetime(2026, 1, 1, 8, 0, 0, tzinfo=timezone(timedelta(hours=8)))
_HAND_SECONDS = 240  # from the start of one hand to that of the next, at least
_PAUSE_SECONDS = 120  # at most, on top of that
_MOST_TABLES = 16  # at which people play at the same time
_SITTING = (8, 24)  # hands that three players stay together, at least and at most
_ROUND = (3, 6)  # the same in a round of a match
_ROUNDS = 3
_MATCHES = 0.4  # share of sessions that are a match
_EVENTS = ("regular", "championship", "swiss")

_UNITS = (1, 5, 10, 20, 50)
_BIDS = ((1, 2), (2, 4), (5, 10), (20, 40), (50, 100))  # low and high of a room
_RATES = (10, 50, 100, 1000)
_FEE = 20  # a fee is one part in so many of a room's point
_THRESHOLD = 200  # points of the room that one must have to double
# How many points of the room a player has: (of players up to this share, at least, at most), below, about, above the threshold.
_PURSES = ((0.2, 2, 150), (0.6, 100, 600), (1.0, 1000, 20_000))
_SWING = 40  # points of the room between the best and the worst that a hand does to a purse


class Room(NamedTuple):
    """The fields of a room that a rule set reads, and what one point is worth there."""

    fields: dict[str, int]
    point: int


def choose_room(rules: RuleSet, draw: Draw) -> Room:
    """A room with amounts that make sense for the rule set."""
    fields: dict[str, int] = {}
    point = 1
    if rules.stake_unit == "room.unit":
        fields["unit"] = point = _UNITS[int(draw() * len(_UNITS))]
    if rules.auction_kind == "room":
        low, point = _BIDS[int(draw() * len(_BIDS))]
        fields |= {"low": low, "high": point}
    if rules.stake_unit == "room.rate":
        fields["rate"] = point = _RATES[int(draw() * len(_RATES))]
    if rules.house_fee == "room.fee":
        fields["fee"] = max(1, point // _FEE)
    if rules.double_check == "threshold":
        fields["double_threshold"] = point * _THRESHOLD
    return Room(fields, point)


def json_text(value: object) -> str:
    """The canonical JSON text of a value."""
    return msgspec.json.encode(value).decode()


class Table:
    """A table for one sitting. Its texts are fields of the line that stay the same; `number` counts its hands from 1."""

    __slots__ = (
        "_draw",
        "_first",
        "_purses",
        "_seconds",
        "balance_kind",
        "number",
        "players",
        "room",
        "rules_to_kinds",
        "table_and_match",
    )

    def __init__(self, texts: tuple[str, str, str, str], room: Room, seconds: int, draw: Draw) -> None:
        """Sits down before the first hand, so many seconds after the opening."""
        self.players, self.table_and_match, self.rules_to_kinds, self.balance_kind = texts
        self.room = room
        self.number = 0
        self._seconds, self._draw = seconds, draw
        self._first = int(draw() * SEATS)
        self._purses = [_purse(room.point, draw) for _ in range(SEATS)]

    def next_hand(self) -> int:
        """Begins a hand; returns the seconds from the opening to then."""
        draw, swing = self._draw, self.room.point * _SWING
        self.number += 1
        self._seconds += _HAND_SECONDS + int(draw() * _PAUSE_SECONDS)
        self._purses = [max(0, purse + int((draw() - 0.5) * swing)) for purse in self._purses]
        return self._seconds

    def rotating_first(self) -> int:
        """The seat that speaks first where that moves on by one seat each hand."""
        return (self._first + self.number) % SEATS

    def started_at(self) -> str:
        """When the hand began, with its offset."""
        return (_OPENED + timedelta(seconds=self._seconds)).isoformat()

    def balances(self) -> str:
        """What the three have before the hand. It is not what the last hand left: a purse also changes in other ways."""
        first, second, third = self._purses
        return f"[{first},{second},{third}]"


def _purse(point: int, draw: Draw) -> int:
    kind = draw()
    _, least, most = next(purse for purse in _PURSES if kind < purse[0])
    return point * (least + int(draw() * (most - least)))


class Hall:
    """Brings players together: sessions one after the other, some of them a match of several rounds."""

    def __init__(self, rules: RuleSet, mark: str, players: int, draw: Draw) -> None:
        """So many players come; `mark` begins the id of every table and match."""
        self._rules, self._mark, self._draw = rules, mark, draw
        self._people = list(range(players))
        self._seated = SEATS * min(players // SEATS, _MOST_TABLES)
        self._tables = self._matches = self._seconds = 0

    def seatings(self) -> Iterator[Table]:
        """The table at which each hand is played, without end; tables that sit at the same time take turns."""
        while True:
            self._mix(len(self._people))
            room = choose_room(self._rules, self._draw)
            if self._draw() >= _MATCHES:
                yield from self._sitting(room, ("", ""), _SITTING)
                continue
            self._matches += 1
            match = f',"match":{json_text(f"{self._mark}-m{self._matches:04d}")}'
            event = f',"event":"{_EVENTS[int(self._draw() * len(_EVENTS))]}"'
            registered = {person: place + 1 for place, person in enumerate(self._people[: self._seated])}
            for _ in range(_ROUNDS):
                yield from self._sitting(room, (match, event), _ROUND, registered)
                self._mix(self._seated)

    def _mix(self, among: int) -> None:
        """Draws who sits down, and where, from the first so many people."""
        people = self._people
        for place in range(self._seated):
            other = place + int(self._draw() * (among - place))
            people[place], people[other] = people[other], people[place]

    def _sitting(
        self,
        room: Room,
        texts: tuple[str, str],
        hands: tuple[int, int],
        registered: dict[int, int] | None = None,
    ) -> Iterator[Table]:
        least, most = hands
        groups = [self._people[start : start + SEATS] for start in range(0, self._seated, SEATS)]
        tables = [self._table(room, texts, group, registered) for group in groups]
        for _ in range(least + int(self._draw() * (most - least + 1))):
            for table in tables:
                self._seconds = max(self._seconds, table.next_hand())
                yield table

    def _table(
        self, room: Room, texts: tuple[str, str], people: list[int], registered: dict[int, int] | None
    ) -> Table:
        match, event = texts
        self._tables += 1
        names = json_text([f"synthetic-{person + 1:04d}" for person in people])
        rules = f',"rules":{json_text(self._rules.id)}' + (
            f',"room":{json_text(room.fields)}' if room.fields else ""
        )
        order = f',"registered":{json_text([registered[person] for person in people])}' if registered else ""
        kind = "points" if match else "coins"
        table = f',"table":{json_text(f"{self._mark}-t{self._tables:04d}")}'
        return Table(
            (names, table + match, rules + event + order + _KINDS, kind), room, self._seconds, self._draw
        )


_KINDS = ',"kinds":' + json_text(["simulated"] * SEATS)
