"""Which hand a name means, and the rule sets under which it is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ddz_analytics.explain.record import find_hand, read_hand
from ddz_analytics.rules import RuleSet, load_rules, shipped_rules
from ddz_analytics.store.catalog import connect
from ddz_analytics.wanted import Tell, recorded_baseline


class Named(NamedTuple):
    """A hand, what the log says it was played under, and the other hands that its source gave the same name."""

    hand_id: int
    recorded: str | None
    others: list[dict[str, Any]]


def named_hand(store: Path, name: str) -> Named:
    """The hand that a name means; raises as `find_hand` does."""
    with connect(store) as connection:
        hand_id, others = find_hand(connection, name)
        return Named(hand_id, read_hand(connection, hand_id).head["recorded_rules"], others)


def rules_wanted(store: Path, recorded: str | None, specs: Sequence[str | None], tell: Tell) -> list[RuleSet]:
    """The rule set asked for and the one beside it.

    Without the first it is what the hand was recorded under, where that is a shipped one, else the store's.
    """
    spec, *beside = specs
    own = recorded if recorded in shipped_rules() else None
    names = [spec or own or recorded_baseline(store, tell), *filter(None, beside)]
    return [load_rules(name) for name in names]
