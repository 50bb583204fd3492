"""Simulated hands: legal by a checker of its own, of every form, and with everything about as often as it should be."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec import UNSET

from ddz_analytics.rules import load_rules
from tests.hand_checker import SPOKEN
from tests.simulated import HANDS, MANY_HANDS, SHIPPED, UNUSUAL, checked, hands_of, tally

_ONCE = (
    "single",
    "pair",
    "trio",
    "trio_single",
    "trio_pair",
    "four_two_single",
    "four_two_pair",
    "bomb",
    "rocket",
)
EVERY_FORM = (
    {(category, 1) for category in _ONCE}
    | {("straight", length) for length in range(5, 13)}
    | {("pair_chain", length) for length in range(3, 11)}
    | {("trio_chain", length) for length in range(2, 7)}
    | {("plane_single", length) for length in range(2, 6)}
    | {("plane_pair", length) for length in range(2, 5)}
)


@pytest.mark.parametrize("name", [*SHIPPED, *UNUSUAL])
def test_every_hand_is_legal(name: str) -> None:
    """Deal, auction, turns, cards held, follows, autoplay and outcome of every hand stand up to a checker of its own."""
    assert tally(name)["complete"] > 1_000


@pytest.mark.parametrize("name", SHIPPED)
def test_every_form_occurs(name: str) -> None:
    """Every category in every chain length that twenty cards can hold is played."""
    assert not {form for form in EVERY_FORM if not tally(name)[form]}


@pytest.mark.parametrize("name", SHIPPED)
def test_sets_with_two_readings_occur(name: str) -> None:
    """Four trios, five and a card, six and two, and two quads are led; some are followed under their other reading."""
    found = tally(name)
    led = {key[1:] for key in found if isinstance(key, tuple) and key[0] == "two readings"}
    assert led == {("trio_chain", 4), ("plane_single", 4), ("plane_single", 5), ("four_two_pair", 1)}
    assert found["reread", "plane_single"] and found["reread", "four_two_pair"]


def plausible(found: Counter[object], number: int) -> None:
    played = found["complete"]
    assert 0.2 <= (found["bomb", 1] + found["rocket", 1]) / number <= 1.0
    assert 0.01 <= found["spring"] / played <= 0.08
    assert 0.35 <= found["landlord wins"] / played <= 0.65
    assert 0.09 <= found["episode"] / number <= 0.15
    assert 0.003 <= found["void"] / number <= 0.02
    assert 0.003 <= found["unfinished"] / number <= 0.02
    assert found["redeal"] / number <= 0.03
    assert 0.03 <= found["shuffle", "other"] / number <= 0.1


@pytest.mark.parametrize("name", SHIPPED)
def test_hands_are_plausible(name: str) -> None:
    """Bombs, springs, wins, autoplay, broken-off and stacked hands come about as often as they should."""
    plausible(tally(name), HANDS)


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_many_hands_are_plausible(name: str) -> None:
    """The rates hold over twenty thousand hands."""
    plausible(checked(name, MANY_HANDS), MANY_HANDS)


@pytest.mark.parametrize(
    ("name", "acts"),
    [
        ("qq-classic", {("bid", UNSET), ("decline", UNSET)}),
        ("jj-classic", {("bid", UNSET), ("decline", UNSET)}),
        ("casino-capped", {("bid", UNSET), ("decline", UNSET), ("rob", UNSET), ("kick", UNSET)}),
        (
            "happy",
            {("call", UNSET), ("rob", UNSET), ("decline", UNSET), ("double", UNSET)}
            | {("open", "start"), ("open", "deal"), ("open", "bottom")},
        ),
        ("without-auction", set()),
        ("late-openings", {("bid", UNSET), ("decline", UNSET), ("open", "deal")}),
    ],
)
def test_acts_follow_from_the_keys(name: str, acts: set[tuple[str, object]]) -> None:
    """Exactly the acts that the keys of a rule set offer are made, and deals nobody wants are thrown in or forced."""
    found = tally(name)
    known = (*SPOKEN, "open", "double", "kick")
    assert {key for key in found if isinstance(key, tuple) and key[0] in known} == acts
    assert bool(found["redeal"]) == (name not in ("jj-classic", "without-auction"))


def test_autoplay_takes_every_way() -> None:
    """Button, timeout in auction and play, disconnection and flight begin autoplay, at one card too; it ends or does not."""
    jj, casino = tally("jj-classic"), tally("casino-capped")
    assert jj["timeout", False] and jj["timeout", True] and not jj["escape"]
    assert casino["escape"] and not casino["timeout", True]
    for found in (jj, casino):
        assert all(
            found[key] for key in ("autoplay", "disconnect", "reconnect", "last card", "returned by hand")
        )
    assert not tally("late-openings")["timeout", True]


def test_balances_allow_some_doubles_and_refuse_others() -> None:
    """Doubles are asked for by seats whose balances allow it and by seats whose balances do not."""
    allowed: Counter[bool] = Counter()
    for hand in hands_of(load_rules("happy"), 500):
        assert hand.room is not UNSET and hand.balances is not UNSET
        limit = int(str(hand.room.double_threshold))
        rich = [int(balance) > limit for balance in hand.balances]
        for act in hand.actions:
            if act.act == "double" and act.value == 2 and hand.landlord is not None:
                allowed[
                    all(rich) if act.seat == hand.landlord else rich[act.seat] and rich[hand.landlord]
                ] += 1
    assert min(allowed[True], allowed[False]) > 50
