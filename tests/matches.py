"""Matches made by hand, for the tests of standings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ddz_analytics.standings import Standings
from tests.in_memory import views_over
from tests.small_store import HASH, Row, each, facts, hand, settlement

RULES = "r"


def played(number: int, scores: dict[str, Any], *, landlord_won: bool = True, **more: Any) -> Row:
    """A hand of three players by name with their scores, the first of them landlord."""
    names = list(scores)
    head = hand(number, 0, match_id="cup", event="regular", **each("player_{}", names))
    undefined = None in scores.values()
    fact = facts(number, 0, 0 if landlord_won else 1)
    net = None if undefined else tuple(scores.values())
    settled = settlement(number, RULES, net, reason="unfinished" if undefined else None)
    status = more.pop("status", None)
    return {
        "hand": head | more,
        "facts": fact,
        "settled": settled | ({"score_status": status} if status else {}),
    }


def registered(rows: Sequence[Row], places: dict[str, int | None]) -> Sequence[Row]:
    """The same hands with each player's place of registration."""
    for row in rows:
        for seat in range(3):
            row["hand"][f"registered_{seat}"] = places.get(row["hand"][f"player_{seat}"])
    return rows


def tables(rows: Sequence[Row], parameters: str = "{}") -> dict[str, Any]:
    """The stored tables of such hands, scored under one rule set with these parameters."""
    rule_set = {"rule_set": RULES, "rule_hash": HASH, "assumed": False, "parameters": parameters}
    return {
        "hands": [row["hand"] for row in rows],
        "facts": [row["facts"] for row in rows],
        "settlements": [row["settled"] for row in rows],
        "rule_sets": [rule_set],
    }


def order(rows: Sequence[Row], parameters: str = "{}", only: str = "") -> list[tuple[str, int, str]]:
    """Player, rank and what decided, in the order of the standings; `only` keeps players whose names begin so."""
    with views_over(tables(rows, parameters)) as connection:
        found = Standings(connection, RULES).order().to_pylist()
    return [
        (row["player"], row["rank"], row["decided_by"]) for row in found if row["player"].startswith(only)
    ]


def between(rows: Sequence[Row], one: str, two: str) -> tuple[str, str, str]:
    """Who is ahead, what decided it and why."""
    with views_over(tables(rows)) as connection:
        found = Standings(connection, RULES).between(one, two)
    return found["ahead"], found["decided_by"], found["why"]
