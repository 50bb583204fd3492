"""Synthetic facts: one ordinary hand, and what may be otherwise in it, one or a few things at a time.

A feature is a choice within a group (bombs, kicks, balances …) and sets that group's columns; a few set columns of a group before
it too. The rows are all hands with at most some number of features, the plainest first, so the first row on which two rule sets
differ is as small as any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Ints
from ddz_analytics.combinations import DEFAULT_SWITCHES
from ddz_analytics.rules import RuleSet, autoplay_bits
from ddz_analytics.schema import FACTS, ROLES

Feature = tuple[str, dict[str, Any]]
Group = Sequence[Feature]  # the first is the ordinary one and has no words

DEEPEST = 3  # features in one hand
_PEASANTS = ("down", "up")


def synthetic(most: int = DEEPEST) -> tuple[pa.Table, list[str]]:
    """The facts of every hand with at most `most` features, and each hand's features in words; `hand_id` counts from 0."""
    groups = _groups()
    chosen = np.array(list(_choices([len(group) for group in groups], most)), dtype=np.int64)
    columns: dict[str, Any] = {"hand_id": pa.array(np.arange(len(chosen)))}
    for place, group in enumerate(groups):
        for name in dict.fromkeys(name for _, said in group for name in said):
            columns[name] = _column(name, group, chosen[:, place], columns.get(name))
    silent = {field.name: pa.nulls(len(chosen), field.type) for field in FACTS}
    facts = pa.table([(silent | columns)[name] for name in FACTS.names], schema=FACTS)
    return facts, [_words(groups, row) for row in chosen.tolist()]


@cache
def probe() -> pa.Table:
    """Each feature once: few rows, but whatever settling may look at in a hand stands in one of them."""
    return synthetic(1)[0]


def _column(name: str, group: Group, places: Ints, before: pa.Array | None) -> pa.Array:
    """A column by what is chosen in a group; where that says nothing, what the groups before it say."""
    ordinary = group[0][1].get(name)
    values = pa.array([said.get(name, ordinary) for _, said in group], FACTS.field(name).type).take(
        pa.array(places)
    )
    if before is None:
        return values
    says = np.array([name in said for _, said in group])[places]
    return pc.if_else(pa.array(says), values, before)


def _choices(sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """One place in each group, with at most `most` places that are not the first, the fewest such first."""
    for number in range(most + 1):
        for otherwise in combinations(range(len(sizes)), number):
            for places in product(*(range(1, sizes[group]) for group in otherwise)):
                row = [0] * len(sizes)
                for group, place in zip(otherwise, places, strict=True):
                    row[group] = place
                yield row


def _words(groups: Sequence[Group], row: Sequence[int]) -> str:
    said = [groups[group][place][0] for group, place in enumerate(row) if place]
    return ", ".join(said) or "an ordinary hand that the peasants win"


@cache
def _groups() -> tuple[Group, ...]:
    return (
        _results(), _bombs(), [("", {"rockets": 0}), ("the rocket", {"rockets": 1})], _auctions(), _openings(),
        *(_doubles(role) for role in ROLES), *(_kicks(role) for role in _PEASANTS), *(_autoplay(role) for role in ROLES), _both(),
        _balances(), _rooms(), _courses(), _records(),
    )  # fmt: skip


def _results() -> Group:
    def plays(*numbers: int) -> dict[str, int]:
        return {f"{role}_plays": number for role, number in zip(ROLES, numbers, strict=True)}

    return [
        ("", {"winner_seat": 1, **plays(5, 6, 4)}),
        ("the landlord wins", {"winner_seat": 0, **plays(6, 5, 4)}),
        ("spring", {"winner_seat": 0, **plays(6, 0, 0)}),
        ("anti-spring", {"winner_seat": 1, **plays(1, 6, 4)}),
    ]


def _bombs() -> Group:
    def wild(**kinds: int) -> dict[str, Any]:
        named = {f"{kind}_bombs": kinds.get(kind, 0) for kind in ("soft", "hard", "pure")}
        return {"bombs": sum(kinds.values()), "wild_rank": "7", "needs_wild": "soft" in kinds, **named}

    natural = {"soft_bombs": 0, "hard_bombs": 0, "pure_bombs": 0, "needs_wild": False}
    return [
        ("", {"bombs": 0, "wild_rank": None, **natural}),
        *((f"{number} bombs" if number > 1 else "a bomb", {"bombs": number, **natural}) for number in range(1, 8)),
        ("wild cards", wild()),
        ("a soft bomb", wild(soft=1)), ("a hard bomb", wild(hard=1)), ("a pure bomb", wild(pure=1)),
        ("a soft and a hard bomb", wild(soft=1, hard=1)), ("two soft, two hard and a pure bomb", wild(soft=2, hard=2, pure=1)),
    ]  # fmt: skip


def _auctions() -> Group:
    def auction(kind: str, bid: int | None, **more: Any) -> dict[str, Any]:
        said = {
            "auction_silent": False, "auction_forced": None, "raises": 0, "robs": 0, "nobody_bid": False,
            "first_seat": 0, "first_opener_seat": None,
        }  # fmt: skip
        return {"auction_kind": kind, "bid": None if bid is None else Decimal(bid), **said, **more}

    nobody: dict[str, Any] = {"nobody_bid": True, "auction_forced": "starter"}
    opener: dict[str, Any] = {"nobody_bid": True, "auction_forced": "first_opener", "first_opener_seat": 0}
    return [
        ("", auction("score", 1)),
        ("a bid of 2", auction("score", 2)),
        ("a bid of 3 after two others", auction("score", 3, raises=2)),
        ("a call", auction("rob", None)),
        *((f"{number} robs" if number > 1 else "a rob", auction("rob", None, robs=number)) for number in (1, 2, 3)),
        ("a bid of the room's low", auction("room", 2)),
        ("a bid of the room's high", auction("room", 4)),
        ("the high taken by a rob", auction("room", 4, robs=1)),
        ("nobody bids and the first speaker plays", auction("score", None, **nobody)),
        ("nobody bids and another than the first speaker plays", auction("score", None, **nobody | {"first_seat": 1})),
        ("nobody calls and the first opener plays", auction("rob", None, **opener)),
        ("a log without an auction", auction("none", None, auction_silent=True, first_seat=None)),
    ]  # fmt: skip


def _openings() -> Group:
    def opened(role: str, stage: str, value: int | None = None, dealt: int | None = None) -> dict[str, Any]:
        return {f"{role}_open_stage": stage, f"{role}_open_value": value, f"{role}_open_dealt": dealt}

    none = {f"{role}_open_{what}": None for role in ROLES for what in ("stage", "value", "dealt")}
    return [
        ("", none),
        ("the landlord opens at the start", opened("landlord", "start")),
        ("the landlord opens early in the deal", opened("landlord", "deal", dealt=3)),
        ("the landlord opens after ten cards", opened("landlord", "deal", dealt=10)),
        ("the landlord opens in the deal, no one says when", opened("landlord", "deal")),
        ("the landlord opens after the bottom", opened("landlord", "bottom")),
        ("a peasant opens at the start", opened("down", "start")),
        ("a peasant opens after the bottom", opened("up", "bottom")),
    ]


def _doubles(role: str) -> Group:
    name = f"{role}_doubled"
    return [("", {name: 1}), (f"{role} doubles", {name: 2}), (f"{role} doubles by 4", {name: 4})]


def _kicks(role: str) -> Group:
    def kick(kicked: int, could: int) -> dict[str, bool]:
        return {f"{role}_kicked": bool(kicked), f"{role}_could_kick": bool(could)}

    return [("", kick(0, 1)), (f"{role} kicks", kick(1, 1)), (f"{role} kicks and may not", kick(1, 0))]


def _autoplay(role: str) -> Group:
    return [
        ("", _on(role, 0, None, 5, None)),
        (f"{role} on autoplay from nine cards", _on(role, 1, 9, 5, 9)),
        (f"{role} on autoplay from two cards", _on(role, 1, 2, 2, 2)),
        (f"{role} on autoplay from its last card", _on(role, 1, 1, 1, 1)),
        (f"{role} on autoplay from nine cards down to one", _on(role, 1, 9, 1, 9)),
        (f"{role} on autoplay for a while", _on(role, 0, None, 5, 9)),
    ]


def _both() -> Group:
    """Both peasants at once, so that this counts as one feature."""
    both = _on("down", 1, 9, 5, 9) | _on("up", 1, 9, 5, 9)
    return [("", {}), ("both peasants on autoplay from nine cards", both)]


def _on(role: str, at_end: int, cards: int | None, left: int, most: int | None) -> dict[str, Any]:
    return {
        f"{role}_autoplay": bool(at_end), f"{role}_autoplay_cards": cards, f"{role}_cards_left": left,
        f"{role}_autoplay_cards_at_end": left if at_end else None, f"{role}_autoplay_ever": most is not None,
        f"{role}_autoplay_most_cards": most,
    }  # fmt: skip


def _balances() -> Group:
    def held(*numbers: int | None) -> dict[str, Any]:
        named = zip(ROLES, numbers, strict=True)
        return {f"{role}_balance": None if number is None else Decimal(number) for role, number in named}

    return [
        ("", held(10**8, 10**8, 10**8)),
        ("the landlord has 30", held(30, 10**8, 10**8)),
        ("down has 30", held(10**8, 30, 10**8)),
        ("up has 30", held(10**8, 10**8, 30)),
        ("the landlord has 3, which is less than the fee", held(3, 10**8, 10**8)),
        ("down has nothing", held(10**8, 0, 10**8)),
        ("up has exactly the threshold", held(10**8, 10**8, 1000)),
        ("no balances", held(None, None, None)),
    ]


def _rooms() -> Group:
    def room(**values: Any) -> dict[str, Any]:
        said = {"unit": 10, "low": 2, "high": 4, "rate": 100, "fee": 5, "double_threshold": 1000} | values
        return {f"room_{key}": None if value is None else Decimal(value) for key, value in said.items()}

    silent = dict.fromkeys(("unit", "low", "high", "rate", "fee", "double_threshold"))
    return [
        ("", room()),
        ("a room of unit 1", room(unit=1)),
        ("a room that counts in tenths", room(unit="0.1", low="0.1", high="0.3", rate="0.3")),
        ("a room that says nothing", room(**silent)),
    ]


def _courses() -> Group:
    def course(outcome: str, status: str = "ok", **more: Any) -> dict[str, Any]:
        return {
            "outcome": outcome,
            "replay_status": status,
            "escaped_seat": None,
            "escape_stage": None,
            **more,
        }

    def escape(seat: int, stage: str) -> dict[str, Any]:
        return {"escaped_seat": seat, "escape_stage": stage, "winner_seat": None}

    nobody: dict[str, Any] = {"landlord_seat": None, **{f"{role}_plays": 0 for role in ROLES}}
    no_bid: dict[str, Any] = {"bid": None, **nobody}
    thrown_in: dict[str, Any] = {"nobody_bid": True, "winner_seat": None, **no_bid}
    return [
        ("", course("complete", landlord_seat=0)),
        ("the landlord escapes in play", course("escaped", "unfinished", **escape(0, "play"))),
        ("a peasant escapes in play", course("escaped", "unfinished", **escape(1, "play"))),
        (
            "a seat escapes before any bid",
            course("escaped", "no_play", **escape(0, "before_any_bid"), **no_bid),
        ),
        ("a seat escapes after a bid", course("escaped", "no_play", **escape(0, "auction"), **nobody)),
        ("void", course("void")),
        ("not finished", course("unfinished", "unfinished", winner_seat=None)),
        ("faulty", course("complete", "faulty")),
        ("nobody bids and the deal is thrown in", course("redeal", "no_play", **thrown_in)),
    ]


def _records() -> Group:
    usual = {
        "open_offered": True, "double_offered": True, "kick_offered": True, "autoplay_recorded": True,
        "combination_switches": DEFAULT_SWITCHES.bits(), "autoplay_rules": autoplay_bits(RuleSet(id="")),
        "evidence": "replayed", "reread": False,
    }  # fmt: skip
    return [("", usual), ("a log that records little", usual | dict.fromkeys(
        ("open_offered", "double_offered", "kick_offered", "autoplay_recorded"), False))]  # fmt: skip
