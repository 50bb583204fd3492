"""What a table of declared facts must say of each hand, and what it cannot say."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import ddz_analytics as ddz
from ddz_analytics.settlement.assumptions import BIT_OF
from tests.test_api_settle import nets, refusal, table

# The same hand, left by a peasant before anybody was out.
LEFT: dict[str, Any] = {"outcome": "escaped", "winner_seat": None, "escaped_seat": 2, "escape_stage": "play"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("outcome", "Void"),
        ("auction_kind", "bids"),
        ("replay_status", "good"),
        ("down_open_stage", "after_bottom"),
        ("landlord_seat", 3),
        ("winner_seat", -1),
        ("up_doubled", 3),
        ("down_plays", -1),
        ("bombs", 14),
        ("soft_bombs", 1),
        ("pure_bombs", 1),
        ("rockets", 2),
        ("robs", 4),
        ("bid", -1),
        ("room_unit", -5),
    ],
)
def test_impossible_value_is_refused(name: str, value: Any) -> None:
    """A word that is not known, or a number that cannot be, is an error that names its row; it would not score rightly."""
    error = refusal(table({}, {name: value, "hand_id": 8}), "jj-classic")
    assert error.code == "facts_value" and error.what.startswith(name) and error.where == "row 1, hand_id 8"


@pytest.mark.parametrize(
    "row",
    [
        {"winner_seat": None},
        {"landlord_seat": None},
        {"landlord_plays": None},
        {"bombs": None},
        {"bid": None},
        {"bid": None, "auction_kind": "room"},
        {"outcome": "redeal", "landlord_seat": None},
        {"down_autoplay": True},
        {"up_autoplay_ever": True},
        {"wild_rank": "7"},
        {"wild_rank": "7", "soft_bombs": 0, "hard_bombs": 1, "pure_bombs": 0},
        {**LEFT, "escape_stage": None},
        {**LEFT, "escaped_seat": None},
        {**LEFT, "bombs": None},
        {**LEFT, "bid": None},
        {**LEFT, "bid": None, "escape_stage": "auction"},
    ],
)
def test_silence_is_not_taken_for_zero(row: dict[str, Any]) -> None:
    """A hand that is to be scored must say who won, what was played and bid, and with how many cards autoplay began."""
    assert refusal(table(row)).code == "facts_null"


@pytest.mark.parametrize(
    ("row", "status", "reason"),
    [
        ({"outcome": "void"}, "exact", "void"),
        ({"outcome": "redeal", "nobody_bid": True}, "exact", "thrown_in"),
        ({"replay_status": "faulty"}, "undefined", "faulty"),
        ({"outcome": "unfinished"}, "undefined", "unfinished"),
    ],
)
def test_hand_that_is_not_scored_may_be_silent(row: dict[str, Any], status: str, reason: str) -> None:
    """Of a hand that was thrown in, void, faulty or unfinished nothing more need be known."""
    nothing = dict.fromkeys(
        (
            "winner_seat",
            "landlord_seat",
            "bombs",
            "rockets",
            "landlord_plays",
            "down_plays",
            "up_plays",
            "bid",
        )
    )
    settled = ddz.settle(table({}, {**nothing, **row}), "qq-classic")
    assert (settled["score_status"][1].as_py(), settled["reason"][1].as_py()) == (status, reason)


def test_Q22_escape_before_any_bid_needs_no_play() -> None:
    """Who left before any bid is fined whatever else is not known."""
    nothing = dict.fromkeys(
        ("landlord_seat", "bombs", "rockets", "landlord_plays", "down_plays", "up_plays", "bid")
    )
    settled = ddz.settle(table({}, {**LEFT, **nothing, "escape_stage": "before_any_bid"}), "qq-classic")
    assert nets(settled)[1] == (0, 0, -3) and settled["score_status"][1].as_py() == "exact"


@pytest.mark.parametrize(
    "row",
    [
        {"bombs": 2, "soft_bombs": 0, "hard_bombs": 1, "pure_bombs": 0, "needs_wild": False},
        {"bombs": 1, "soft_bombs": 1, "hard_bombs": 0, "pure_bombs": 0, "needs_wild": False},
    ],
)
def test_kinds_of_bombs_must_agree(row: dict[str, Any]) -> None:
    """With wild cards the kinds make up all bombs, and a soft one needs a wild card."""
    assert refusal(table({"wild_rank": "7", **row}), "laizi-general").code == "facts_value"


def test_C4_rob_without_a_bid_is_no_silence() -> None:
    """After a rob the room's high is the bid, so none need be given."""
    facts = table({"auction_kind": "room", "robs": 1, "bid": None, "room_high": 4})
    assert nets(ddz.settle(facts, "casino-capped")) == [(Decimal("15.2"), -8, -8)]


@pytest.mark.parametrize(
    ("asks", "balances", "refused"),
    [
        ("down", {"down": 100}, "own"),
        ("down", {"landlord": 100, "down": 101}, "landlord"),
        ("down", {"up": 100}, None),
        ("landlord", {"up": 100}, "someone"),
        ("landlord", {"landlord": 100}, "own"),
        ("landlord", {"landlord": 101, "down": 101}, None),
    ],
)
def test_H19_a_balance_that_is_known_refuses_a_double(
    asks: str, balances: dict[str, int], refused: str | None
) -> None:
    """Whatever the other balances are; only what nothing known refuses is taken as allowed, and named."""
    row: dict[str, Any] = {f"{role}_balance": Decimal(amount) for role, amount in balances.items()}
    settled = ddz.settle(table({**row, f"{asks}_doubled": 2, "room_double_threshold": Decimal(100)}), "happy")
    assert settled[f"double_refused_{asks}"].to_pylist() == [refused]
    assumed = settled["assumed"][0].as_py() & BIT_OF["doubles_allowed"]
    assert bool(assumed) == (refused is None)


def test_H19_a_peasants_double_needs_two_balances() -> None:
    """His own and the landlord's are above the threshold: the other peasant's is not asked for."""
    rich = {
        "landlord_balance": Decimal(101),
        "down_balance": Decimal(101),
        "room_double_threshold": Decimal(100),
    }
    settled = ddz.settle(table({**rich, "down_doubled": 2}), "happy")
    assert settled["pair_multiplier_down"].to_pylist() == [2]
    assert settled["assumed"][0].as_py() & BIT_OF["doubles_allowed"] == 0


@pytest.mark.parametrize(
    ("row", "net"),
    [
        ({"winner_seat": None, "winner_side": "landlord"}, (8, -4, -4)),
        ({"winner_seat": None, "winner_side": "peasants"}, (-8, 4, 4)),
        ({"spring": "spring", **dict.fromkeys(("landlord_plays", "down_plays", "up_plays"))}, (16, -8, -8)),
        ({"spring": "none", **dict.fromkeys(("landlord_plays", "down_plays", "up_plays"))}, (8, -4, -4)),
        (
            {"winner_seat": 0, "spring": "anti_spring", "landlord_plays": None, "down_plays": None},
            (-16, 8, 8),
        ),
    ],
)
def test_Q20_side_and_spring_stand_for_seat_and_plays(row: dict[str, Any], net: tuple[int, ...]) -> None:
    """Who won may be said by side, and a spring in place of the plays, each as exactly as the other (qq Q18-Q20)."""
    settled = ddz.settle(table({}, row), "qq-classic")
    assert nets(settled)[1] == net and settled["score_status"][1].as_py() == "exact"


def test_J43_side_that_won_is_enough_for_liability() -> None:
    """A peasant on autoplay answers for his side whether or not it is known who went out (jj J42-J43)."""
    on = {"down_autoplay": True, "down_autoplay_cards": 9, "room_unit": 1}
    rows = [{**on, "winner_seat": None, "winner_side": side} for side in ("landlord", "peasants")]
    assert nets(ddz.settle(table(*rows), "jj-classic")) == [(8, -8, 0), (-8, 0, 8)]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"winner_side": "peasants"}, "facts_value"),
        ({"spring": "anti_spring"}, "facts_value"),
        ({"spring": "spring"}, "facts_value"),
        ({"down_kicked": True}, "facts_null"),
        ({"winner_side": "nobody"}, "facts_value"),
    ],
)
def test_row_must_agree_with_itself(row: dict[str, Any], code: str) -> None:
    """A side that is not the winner's, a spring that the plays deny, a kick of which nobody says whether it was allowed."""
    assert refusal(table({}, row), "qq-classic").code == code


def test_what_a_row_shows_was_offered() -> None:
    """A row that says of a seat whether it doubled needs not say that doubling was offered."""
    asked = {"landlord_doubled": 1, "down_doubled": 1, "up_doubled": 1}
    first, second = (ddz.settle(table(row), "happy")["assumed"][0].as_py() for row in ({}, asked))
    assert first - second == BIT_OF["doubles"]
