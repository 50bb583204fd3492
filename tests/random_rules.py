"""Rule sets composed at random: any keys that settling reads, in any company."""

from __future__ import annotations

from random import Random
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from ddz_analytics.errors import UsageError
from ddz_analytics.rules import RuleSet
from ddz_analytics.rules.ruleset import ATTRIBUTES, TYPES, Share, with_keys

# Sections that settling does not read: they act at replay, at the table or in the standings.
_ELSEWHERE = ("autoplay", "combination", "standing", "seating", "entry")
KEYS = [key for key in ATTRIBUTES if key.partition(".")[0] not in _ELSEWHERE]
_AMOUNTS = ("cap.multiplier", "cap.pair_amount", "cap.landlord_amount")


def random_rules(rng: Random, **fixed: object) -> RuleSet:
    """A rule set in which a third of the keys have some value, and some keys (by attribute) a given one."""
    while True:
        settings = {key: _value(rng, key) for key in KEYS if rng.random() < 1 / 3}
        settings |= {key: fixed[name] for key, name in ATTRIBUTES.items() if name in fixed}
        try:
            return with_keys(RuleSet(id="composed at random"), settings)
        except UsageError:  # a factor of nothing
            continue


def _value(rng: Random, key: str) -> object:
    kind: Any = TYPES[key]
    inner = get_args(kind)
    if kind is bool:
        return rng.random() < 1 / 2
    if kind == Share:
        return rng.choice([1, 250, 500, 3333, 10_000])
    if get_origin(kind) is Literal:
        return rng.choice(inner)
    if get_origin(kind) is tuple:
        items = get_args(inner[0])
        return tuple(item for item in items if rng.random() < 1 / 2) or items
    if NoneType in inner:
        return rng.choice([None, *((7, 50, 1000) if key in _AMOUNTS else (0, 1, 4))])
    return rng.choice([1, 2, 3, 5, 1000])
