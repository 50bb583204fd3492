"""Players who play hand after hand, drawn at random from a pool of hands, with a log that tells of their money what it likes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from tests.oracle.names import Document
from tests.pools import SCORED, UNDEFINED, ZERO, Dealt, Pool

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
KINDS = (None, "coins", "points")
# How often a log tells balances, scores, and what is left; and how often money comes from elsewhere.
HABITS = ((0.95, 0.9, 0.2), (0.8, 0.8, 0.5), (0.6, 0.4, 0.4), (0.3, 0.8, 0.1), (0.0, 0.5, 0.0))
ELSEWHERE = 0.12


class Evening(NamedTuple):
    """Hands of a few players in the order in which they were played, and for each its place in the log."""

    hands: list[Dealt]
    logged: list[int]

    def log(self) -> list[Dealt]:
        """The hands in the order of the log."""
        return [hand for _, hand in sorted(zip(self.logged, self.hands, strict=True), key=itemgetter(0))]


class Purses:
    """What the players of a log have, in half points, and what the log tells of it."""

    def __init__(self, names: Sequence[str], rng: Random) -> None:
        self.rng = rng
        self.has = {name: rng.randint(0, 120) for name in names}
        self.tells = rng.choice(HABITS)

    def hand(self, seated: Sequence[str]) -> Document:
        """What the log tells of one hand of some players; their purses are then what it left."""
        rng, (balances, scores, left) = self.rng, self.tells
        for player in seated:
            if rng.random() < ELSEWHERE:
                self.has[player] += rng.choice((-7, 10, 25, 60))
        told: Document = {"balances": self._amounts(seated)} if rng.random() < balances else {}
        won, recorded = rng.choice((-8, -3, 4, 12)), {}
        change = rng.sample((2 * won, -won, -won), 3)
        if rng.random() < scores:
            recorded["scores"] = [half_points(value) for value in change]
        fee = rng.choice((0, 0, 1))
        for player, value in zip(seated, change, strict=True):
            self.has[player] += value - fee
        if rng.random() < left:
            recorded["balances_after"] = self._amounts(seated)
        return told | ({"recorded": recorded} if recorded else {})

    def _amounts(self, seated: Sequence[str]) -> list[int | str]:
        return [half_points(self.has[player]) for player in seated]


def half_points(number: int) -> int | str:
    """So many half points as a log writes an amount."""
    return number // 2 if number % 2 == 0 else str(number / 2)


def an_evening(pool: Pool, kinds: dict[str, list[int]], name: str, rng: Random) -> Evening:
    """Four to fourteen hands of a few players at some tables, nearly all of them with a score."""
    names = [f"{name} {number}" for number in range(rng.randint(3, 6))]
    purses, tables, balance_kind = Purses(names, rng), rng.randint(1, 3), rng.choice(KINDS)
    number = rng.randint(4, 14)
    timed, logged = rng.random() < 0.7, list(range(number))
    if timed:
        rng.shuffle(logged)
    hands, minutes = [], 0
    for place in range(number):
        kind = rng.choices((SCORED, ZERO, UNDEFINED), (80, 5, 15))[0]
        chosen = rng.choice(kinds[kind])
        hand = {key: value for key, value in pool.documents[chosen].items() if key != "balances"}
        seated = rng.sample(names, 3)
        head: dict[str, Any] = {
            "players": seated,
            "table": f"t{rng.randint(1, tables)}",
            **purses.hand(seated),
        }
        # hands that began at the same time go by their place in the log
        minutes += 1 if place == 0 or logged[place] < logged[place - 1] else rng.randint(0, 2)
        if timed:
            head["started_at"] = (NOON + timedelta(minutes=minutes)).isoformat()
        if balance_kind:
            head["balance_kind"] = balance_kind
        hands.append(Dealt(chosen, hand | head))
    return Evening(hands, logged)
