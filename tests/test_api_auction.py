"""`ddz.auction`: how acts are given, what comes back beside the rule cases, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import ddz_analytics as ddz
from ddz_analytics.errors import UsageError
from ddz_analytics.hands import Action

ROOM = (1, 2)


def refusal(actions: Any, rules: str = "qq-classic", **named: Any) -> str:
    """The code with which an auction is refused."""
    with pytest.raises(UsageError) as caught:
        ddz.auction(actions, rules, **named)
    return caught.value.code


def test_acts_may_be_given_in_three_ways() -> None:
    """As in a log, as its struct, or short."""
    short = ddz.auction([(0, "decline"), (1, "bid", 2), (2, "decline")], "qq-classic", first=0)
    as_in_log = ddz.auction(
        [
            {"seat": 0, "act": "bid", "value": 0},
            {"seat": 1, "act": "bid", "value": "2"},
            {"seat": 2, "act": "decline"},
        ],
        ddz.load_rules("qq-classic"),
        first=0,
    )
    structs = ddz.auction(
        [Action(0, "decline"), Action(1, "bid", 2), Action(2, "decline")], "qq-classic", first=0
    )
    assert short == as_in_log == structs
    assert short.landlord == 1 and short.bid == 2 and short.legal


def test_nobody_has_spoken_yet() -> None:
    """Before the first word all three may speak, from the one who begins; who that is may not be known."""
    begun = ddz.auction([], "qq-classic", first=2)
    assert (begun.may_speak, begun.next_to_speak, begun.actions_left, begun.over) == ((2, 0, 1), 2, 3, False)
    unknown = ddz.auction([], "qq-classic")
    assert (unknown.may_speak, unknown.next_to_speak, unknown.redeal) == ((), None, False)


def test_whose_turn_it_is() -> None:
    """The next seat that may still speak stands first."""
    going = ddz.auction([(1, "bid", 1)], "qq-classic", first=1)
    assert (going.may_speak, going.landlord, going.over) == ((2, 0), None, False) and going.bid == 1


def test_J6_landlord_without_a_bid() -> None:
    """The first to speak is landlord at 1, and it is said how."""
    result = ddz.auction([(2, "decline"), (0, "decline"), (1, "decline")], "jj-classic")
    assert (result.landlord, result.forced, result.redeal) == (2, "starter", False) and result.bid == 1


def test_H5_first_opener_without_a_call() -> None:
    """The first who opened is landlord; there is no bid in an auction by call and rob."""
    acts: list[Any] = [
        {"seat": 1, "act": "open", "stage": "deal", "value": 4},
        (1, "decline"),
        (2, "decline"),
        (0, "decline"),
    ]
    result = ddz.auction(acts, "happy", first=0)
    assert (result.landlord, result.bid, result.forced) == (1, None, "first_opener")
    assert (result.first_opener, result.opened, result.open_multiplier) == (1, (1,), 4)


def test_openings_and_doubles_are_told() -> None:
    """A peasant's opening after the bottom does not count, and a double of 4 is one of 2; both are noted at their place."""
    acts: list[Any] = [
        (0, "call"), (1, "decline"), (2, "decline"),
        {"seat": 0, "act": "open", "stage": "bottom"},
        {"seat": 1, "act": "open", "stage": "bottom"},
        (0, "double", 4), (1, "double", 1),
    ]  # fmt: skip
    result = ddz.auction(acts, "happy", first=0)
    assert result.legal and (result.opened, result.open_multiplier, result.doubled) == ((0,), 2, (4, 1, None))
    assert [(note.code, note.action_index) for note in result.notes] == [
        ("open_not_landlord", 4),
        ("double_super", 5),
    ]


def test_C38_kick_that_does_not_count() -> None:
    """A kick by a seat that may not kick is heard, noted and legal."""
    result = ddz.auction([(0, "decline"), (1, "bid", 2), (0, "kick", 1)], "casino-capped", first=0, room=ROOM)
    assert (result.kicked, result.eligible_kickers, result.legal) == ((0,), (2,), True)
    assert [(note.code, note.action_index, note.seat) for note in result.notes] == [
        ("kick_not_allowed", 2, 0)
    ]


def test_bids_of_half_a_coin() -> None:
    """Amounts with decimals are given as text or Decimal and come back exact."""
    result = ddz.auction([(0, "bid", "0.5")], "casino-capped", first=0, room=("0.25", Decimal("0.5")))
    assert (result.over, result.landlord, result.bid) == (True, 0, Decimal("0.5"))


def test_J26_autoplay_before_the_play() -> None:
    """A timeout, the button and the line put a seat on autoplay; a word by hand takes it off again."""
    acts: list[Any] = [
        {"seat": 0, "act": "autoplay", "value": 1},
        {"seat": 2, "act": "disconnect"},
        {"seat": 0, "act": "bid", "value": 1},
        {"seat": 1, "act": "decline", "actor": "timeout", "ms": 20000},
        {"seat": 2, "act": "decline", "actor": "autoplay"},
    ]
    result = ddz.auction(acts, "jj-classic", first=0)
    assert (result.autoplay, result.landlord, result.notes) == ((1, 2), 0, ())


def test_late_word_by_hand_is_noted() -> None:
    """A bid by hand after the limit stands, with a note."""
    act = {"seat": 0, "act": "bid", "value": 3, "ms": 20001}
    result = ddz.auction([act], "jj-classic", first=0)
    assert (result.landlord, [note.code for note in result.notes]) == (0, ["late_manual_act"])


def test_faults_come_in_order_with_their_place() -> None:
    """Every act that breaks the rules is told; the turn goes on from who spoke, so that seat 1 still has its own."""
    result = ddz.auction([(0, "bid", 2), (2, "bid", 1), (1, "call")], "qq-classic", first=0)
    found = [(fault.code, fault.action_index, fault.seat) for fault in result.faults]
    assert found == [("auction_turn", 1, 2), ("bid_not_higher", 1, 2), ("auction_act", 2, 1)]
    assert (result.illegal_at, result.legal, result.landlord) == (1, False, 0)


def test_act_that_comes_too_late() -> None:
    """An opening before the deal cannot follow the calling."""
    acts: list[Any] = [(0, "call"), {"seat": 1, "act": "open", "stage": "start"}]
    assert [fault.code for fault in ddz.auction(acts, "happy", first=0).faults] == ["act_order"]


def test_landlord_of_the_log_is_checked() -> None:
    """A landlord whom the auction did not choose is a fault of the whole, at no act; so is one named before it is decided."""
    wrong = ddz.auction([(0, "bid", 3)], "qq-classic", first=0, landlord=1)
    assert ([fault.code for fault in wrong.faults], wrong.illegal_at) == (["landlord_mismatch"], None)
    early = ddz.auction([(0, "bid", 1)], "qq-classic", first=0, landlord=0)
    assert [fault.code for fault in early.faults] == ["auction_incomplete"]
    assert ddz.auction([(0, "bid", 3)], "qq-classic", first=0, landlord=0).legal


def test_Q2_raises_are_counted() -> None:
    """Each bid above another is a raise."""
    assert ddz.auction([(0, "bid", 1), (1, "bid", 2), (2, "bid", 3)], "qq-classic", first=0).raises == 2


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ((0, "play"), "not_before_play"),
        ((0, "pass"), "not_before_play"),
        ({"seat": 0, "act": "escape"}, "not_before_play"),
        ((0, "bid"), "missing_field"),
        ((0, "call", 1), "unknown_field"),
        ((0, "double", 3), "out_of_range"),
        ((0, "bid", -1), "out_of_range"),
        ((3, "bid", 1), "out_of_range"),
        ((0, "shout"), "out_of_range"),
        ({"seat": 0, "act": "bid", "value": 1, "colour": 1}, "unknown_field"),
        ((0, "bid", 1.5), "wrong_type"),
        ((0,), "wrong_type"),
        (7, "wrong_type"),
        (Action(seat=True, act="bid", value=1), "wrong_type"),
    ],
)
def test_act_of_a_wrong_shape_is_refused(action: Any, code: str) -> None:
    """What a log could not say is an error, not a fault of the auction."""
    assert refusal([action]) == code


def test_seats_and_rooms_are_checked() -> None:
    """A seat that is none, a room that is not given where bids are its own, and an inexact amount are refused."""
    assert refusal([], first=3) == "seat"
    assert refusal([], landlord=True) == "seat"
    assert refusal([(0, "bid", 1)], "casino-capped") == "room_missing"
    assert refusal([], "casino-capped", room=(0.5, 1)) == "amount"
    assert refusal([], "casino-capped", room=(2, 1)) == "room"
    assert refusal([], "no-such-rules") == "rules_unknown"
