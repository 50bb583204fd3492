"""Matches drawn at random from a pool of hands: few players, few totals, so that many of them are tied."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from tests.oracle.names import Document
from tests.pools import SCORED, UNDEFINED, ZERO, Dealt, Pool

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
NAMES = ("ann", "bo", "cy", "dee", "eve", "fay", "gus")
EVENTS: list[list[str | None]] = [
    [None], ["regular"], ["championship"], ["swiss"], [None, "swiss"], [None, "regular", "championship", "swiss"],
]  # fmt: skip
BY_TIME, BY_NUMBER, BY_LOG = "by time", "by number", "by log"


class Match(NamedTuple):
    """The hands of one match in the order in which they were played, and for each its place in the log."""

    hands: list[Dealt]
    logged: list[int]

    def log(self) -> list[Dealt]:
        """The hands in the order of the log."""
        return [hand for _, hand in sorted(zip(self.logged, self.hands, strict=True), key=itemgetter(0))]


def a_match(pool: Pool, kinds: dict[str, list[int]], name: str, rng: Random) -> Match:
    """A match of a few hands, most of them the same ones over and over."""
    some, events, registered = (
        rng.sample(kinds[SCORED], rng.randint(1, 3)),
        rng.choice(EVENTS),
        registrations(rng),
    )
    seatings = rounds(rng) if rng.random() < 0.6 else anybody(rng)
    if seatings.fixed:
        some = some[:1]
    hands = []
    for seated in seatings.players:
        odd = rng.random() < 0.2
        place = rng.choice(kinds[rng.choice((ZERO, UNDEFINED, UNDEFINED))] if odd else some)
        head: Document = {"match": name, "players": seated, "event": rng.choice(events)}
        if all(player in registered for player in seated) and rng.random() < 0.9:
            head["registered"] = [registered[player] for player in seated]
        hands.append(Dealt(place, without_nothing(pool.documents[place] | head)))
    return in_an_order(hands, rng)


class Seatings(NamedTuple):
    """Who sits where, hand after hand; `fixed`: the same three at a table all along."""

    players: list[list[str]]
    fixed: bool


def anybody(rng: Random) -> Seatings:
    """One to seven hands of any three of some players; now and then a name sits on two seats of the last one."""
    players = NAMES[: rng.randint(3, len(NAMES))]
    seated = [rng.sample(players, 3) for _ in range(rng.randint(1, 7))]
    if rng.random() < 0.05:  # two bots of one name
        seated[-1][2] = seated[-1][0]
    return Seatings(seated, fixed=False)


def rounds(rng: Random) -> Seatings:
    """One to three rounds at one table or two, where the players change their seats: with equal hands many of them end level."""
    players = rng.sample(NAMES, rng.choice((3, 6, 6)))
    tables = [players[:3], players[3:]] if len(players) == 6 else [players]
    return Seatings([rng.sample(table, 3) for _ in range(rng.randint(1, 3)) for table in tables], fixed=True)


def registrations(rng: Random) -> dict[str, int]:
    """Places of registration: of all players or of some, some places now and then given twice, or none at all."""
    places = rng.sample(range(1, 30), len(NAMES))
    if rng.random() < 0.15:
        places = [rng.choice(places) for _ in places]
    known = 0 if rng.random() < 0.1 else len(NAMES) if rng.random() < 0.8 else rng.randint(3, len(NAMES))
    return dict(zip(rng.sample(NAMES, known), places, strict=False))


def without_nothing(document: Document) -> Document:
    """The same document without what is None, but for the landlord."""
    return {key: value for key, value in document.items() if value is not None or key == "landlord"}


def in_an_order(hands: Sequence[Dealt], rng: Random) -> Match:
    """Hands with what tells their order: times (some of them equal), numbers at one table, or nothing but the log."""
    how, logged = rng.choice([BY_TIME, BY_TIME, BY_NUMBER, BY_LOG]), list(range(len(hands)))
    if how != BY_LOG:
        rng.shuffle(logged)
    tables, found, minutes = rng.randint(1, 3), [], 0
    for place, hand in enumerate(hands):
        # hands that began at the same time go by their place in the log
        minutes += 1 if place == 0 or logged[place] < logged[place - 1] else rng.randint(0, 2)
        head: dict[str, Any] = {"table": f"t{place % tables}"}
        if how == BY_TIME or (place and rng.random() < 0.3):  # of some hands only: no order
            head["started_at"] = (
                NOON + timedelta(minutes=rng.randint(0, 99) if how != BY_TIME else minutes)
            ).isoformat()
        if how == BY_NUMBER:
            head |= {"table": "t1", "no": 10 + place}
        elif how == BY_LOG and tables > 1:  # of several tables: no order
            head["no"] = rng.randint(1, 9)
        found.append(Dealt(hand.place, hand.document | head))
    return Match(found, logged)
