"""Which keys act in a settlement, and which values of them are worth trying."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from types import NoneType
from typing import Literal, get_args, get_origin

from ddz_analytics.errors import UsageError
from ddz_analytics.rules.ruleset import ATTRIBUTES, TYPES, Counted, Share
from ddz_analytics.rules.values import parse_text

_ELSEWHERE = {
    "autoplay": "replay", "combination": "replay", "seating": "seating", "standing": "standings", "entry": "entry",
}  # fmt: skip
_AT_REPLAY = (
    "auction.rotates",
    "auction.rob_back",
    "kick.eligibility",
    "kick.rob_eligibility",
    "open_hand.bottom_who",
)
_NUMBERS = tuple(str(number) for number in range(7))
_LARGE = ("8", "16", "32", "64", "128", "256")
_SHARES = ("0", "0.01", "0.02", "0.03", "0.05", "0.1")


def acts_at(key: str) -> str:
    """Where a key acts: `settlement`, or `replay`, `standings`, `seating`, `entry`, which no score of a hand depends on."""
    return "replay" if key in _AT_REPLAY else _ELSEWHERE.get(key.partition(".")[0], "settlement")


@cache
def values_worth_trying(key: str) -> tuple[str, ...]:
    """Values of a key as typed on a command line: every one of a list of words, and the usual ones of numbers."""
    kind = TYPES[key]
    if get_origin(kind) is tuple:
        names = get_args(Counted)
        return tuple(":".join(chosen) for number in range(1, 5) for chosen in combinations(names, number))
    if get_origin(kind) is Literal:
        return tuple(str(value) for value in get_args(kind))
    if kind is bool:
        return ("false", "true")
    numbers = _SHARES if kind == Share else (*_NUMBERS, *(_LARGE if key == "cap.multiplier" else ()))
    none = ("none",) if NoneType in get_args(kind) else ()
    return (*none, *_allowed(key, numbers))


def settings_worth_trying() -> Iterator[tuple[str, str]]:
    """Every key that acts in a settlement, with each of its values that is worth trying."""
    for key in ATTRIBUTES:
        if acts_at(key) == "settlement":
            yield from ((key, value) for value in values_worth_trying(key))


def _allowed(key: str, texts: tuple[str, ...]) -> Iterator[str]:
    for text in texts:
        try:
            parse_text(key, text)
        except UsageError:
            continue
        yield text
