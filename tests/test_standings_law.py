"""Standings of any match: the view gives the order that the words of the rule give, step by step."""

from __future__ import annotations

import random
from itertools import groupby
from typing import NamedTuple

from ddz_analytics.standings import Standings
from tests.in_memory import views_over
from tests.matches import RULES, played, tables
from tests.small_store import Row

PLAYERS = ("A", "B", "C", "D", "E")
MATCHES = 600


class Match(NamedTuple):
    """Hands as scores by player (None: undefined), the players in order of registration, and whether it is a swiss event."""

    hands: list[dict[str, int | None]]
    registered: list[str]
    swiss: bool


def a_match(draw: random.Random) -> Match:
    """A match of few players and small scores, so that many totals are equal."""
    hands: list[dict[str, int | None]] = []
    for _ in range(draw.randint(1, 6)):
        defined = draw.random() < 0.85
        hands.append({player: draw.randint(-1, 1) if defined else None for player in draw.sample(PLAYERS, 3)})
    return Match(hands, draw.sample(PLAYERS, len(PLAYERS)), draw.random() < 0.25)


def order_in_words(match: Match) -> list[str]:
    """Totals; a tied group by registration; then those of it who shared a last hand fill their places by points in it (jj J45-J49)."""
    there = {player for hand in match.hands for player in hand}
    total = {player: sum(hand.get(player) or 0 for hand in match.hands) for player in there}
    last: dict[str, int] = {}
    for number, hand in enumerate(match.hands):
        last |= {player: number for player, score in hand.items() if score is not None}
    by_total = sorted(there, key=lambda player: (-total[player], match.registered.index(player)))
    order: list[str] = []
    for _, tied in groupby(by_total, key=lambda player: total[player]):
        group = list(tied)
        for number in set() if match.swiss else set(last.values()):
            places = [place for place, player in enumerate(group) if last.get(player) == number]
            shared = sorted(
                (group[place] for place in places), key=lambda player: -(match.hands[number][player] or 0)
            )
            for place, player in zip(places, shared, strict=True):
                group[place] = player
        order += group
    return order


def stored(match: Match, match_id: str, first: int) -> list[Row]:
    """The hands of a match as rows, numbered from `first`."""
    event = "swiss" if match.swiss else "regular"
    rows = [
        played(first + place, dict(hand), event=event, match_id=match_id)
        for place, hand in enumerate(match.hands)
    ]
    for row in rows:
        row["hand"] |= {
            f"registered_{seat}": match.registered.index(row["hand"][f"player_{seat}"]) for seat in range(3)
        }
    return rows


def test_the_order_is_that_of_the_rule_in_words() -> None:
    """In hundreds of matches the view's order equals the one that a plain reading of the tie-breaks gives, and no place is shared."""
    draw = random.Random(5)
    matches = {f"m{number:03d}": a_match(draw) for number in range(MATCHES)}
    rows: list[Row] = []
    for match_id, match in matches.items():
        rows += stored(match, match_id, len(rows) + 1)
    with views_over(tables(rows)) as connection:
        found = (
            Standings(connection, RULES)
            .order()
            .select(["match_id", "player", "rank", "decided_by"])
            .to_pylist()
        )
    by_match = {
        match_id: list(group) for match_id, group in groupby(found, key=lambda row: str(row["match_id"]))
    }
    for match_id, match in matches.items():
        listed = by_match[match_id]
        assert [row["player"] for row in listed] == order_in_words(match), match
        assert [row["rank"] for row in listed] == list(range(1, len(listed) + 1)), match
    decided = {row["decided_by"] for row in found}
    assert decided == {"points", "last_hand", "registration"}
