"""The columns that explain a stake, in the settlement of a hand that somebody left: what they show of the fine."""

from __future__ import annotations

from typing import Any

import pytest

import ddz_analytics as ddz
from tests.test_api_settle import table

# The landlord, seat 1, plays at 2 with one bomb; seat 2 leaves.
LEFT: dict[str, Any] = {"outcome": "escaped", "winner_seat": None, "escaped_seat": 2, "escape_stage": "play"}
BEFORE = LEFT | {"escape_stage": "before_any_bid", "bid": None, "landlord_seat": None, "bombs": 0}
# Robbed twice, opened before the deal, doubled by all: none of that multiplies a fine.
ROBBED: dict[str, Any] = {
    "auction_kind": "rob", "bid": None, "robs": 2, "landlord_open_stage": "start", "landlord_doubled": 2, "down_doubled": 2,
    "up_doubled": 2, "room_rate": 10, "open_offered": True, "double_offered": True,
}  # fmt: skip
WHOLE = {
    "auction_multiplier": 1,
    "pair_multiplier_down": 1,
    "pair_multiplier_up": 1,
    "cap_bites": False,
    "cap_amount": 0,
}
NO_STAKE = WHOLE | {"stake_down": 0, "stake_up": 0, "transfer_landlord": 0}


@pytest.mark.parametrize(
    ("spec", "row", "fine", "shown"),
    [
        # RULES' own example: in play at 3 with a bomb and a rocket 3 · 3 · 4 = 36 (qq Q21)
        ("qq-classic", {**LEFT, "bid": 3, "rockets": 1}, 36, {"unit": 1, "bid": 3, "event_multiplier": 4, "doublings_uncapped": 2, "doublings": 2}),
        ("qq-classic", {**LEFT, "escape_stage": "auction", "bombs": 0}, 6, {"unit": 1, "bid": 2, "event_multiplier": 1, "doublings": 0}),
        ("qq-classic", BEFORE, 3, {"unit": 1, "bid": None, "event_multiplier": 1, "doublings_uncapped": 0, "doublings": 0}),
        # a cap on doublings acts on a fine: 3 · 3 · 2, which the two numbers of doublings tell
        ("qq-classic[cap.doublings=1]", {**LEFT, "bid": 3, "rockets": 1}, 18, {"event_multiplier": 2, "doublings_uncapped": 2, "doublings": 1}),
        # and so does one on the multiplier: 3 · 3 · 3
        ("qq-classic[cap.multiplier=3]", {**LEFT, "bid": 3, "rockets": 1}, 27, {"event_multiplier": 4, "doublings": 2}),
        # no spring, though the peasants played nothing (qq Q21)
        ("qq-classic", {**LEFT, "down_plays": 0, "up_plays": 0}, 12, {"event_multiplier": 2}),
        ("happy[escape.kind=fine]", {**LEFT, **ROBBED}, 60, {"unit": 10, "bid": 1, "event_multiplier": 2}),
    ],
)  # fmt: skip
def test_Q21_what_a_fine_is_made_of(spec: str, row: dict[str, Any], fine: int, shown: dict[str, Any]) -> None:
    """Unit, bid and events make the fine; robs, openings and doubles are 1, there is no stake, and no cap changed any."""
    (found,) = ddz.settle(table(row), spec).to_pylist()
    assert found["house_fine"] == fine
    assert {name: found[name] for name in NO_STAKE | shown} == NO_STAKE | shown
