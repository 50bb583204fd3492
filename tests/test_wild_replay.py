"""Hands with wild cards played again: readings, bombs by kind, what needs a wild card, autoplay, and what is rejected."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ddz_analytics.hands import Located
from ddz_analytics.parsers.ddz1 import Ddz1, read_line
from ddz_analytics.tabulate import hands_table
from tests.parsing import code_of
from tests.wild_hands import PASS, RANKS, bombs, said, wild_hand


def test_bombs_of_each_kind_are_counted() -> None:
    """Soft, hard and pure bombs beat each other in this order, and all of them are bombs (jj2 L14, L15, L27)."""
    facts, plays, issues = said(wild_hand("3337", "4444", PASS, "BR"))
    assert plays == ["bomb_soft 3", "bomb_hard 4", "rocket BR"] and not issues
    assert bombs(facts) == (2, 1, 1, 0) and facts["rockets"] == 1
    assert (facts["landlord_bombs"], facts["down_bombs"], facts["up_bombs"]) == (1, 1, 0)
    assert facts["needs_wild"] and facts["wild_rank"] == "7"
    facts, plays, issues = said(wild_hand("AAAA", "7777", PASS, PASS, "5"))
    assert plays[:2] == ["bomb_hard A", "bomb_pure 7"]
    assert bombs(facts) == (2, 0, 1, 1) and not facts["needs_wild"]


@pytest.mark.parametrize(
    ("lead", "follow"), [("4444", "3337"), ("7777", "2222"), ("BR", "7777"), ("44", "47")]
)
def test_weaker_sets_do_not_beat(lead: str, follow: str) -> None:
    """No soft bomb over a hard one, no hard over a pure one, none over the rocket; a made pair is no better (happy H37)."""
    _, plays, issues = said(wild_hand(lead, follow))
    assert plays[1] == "none" and issues == [("does_not_beat", 2)]


def test_soft_bombs_beat_each_other_by_rank() -> None:
    """Within a kind the higher rank wins (jj2 L28); a lower soft bomb shows that a trio with a single was meant before it."""
    assert said(wild_hand("4447", "5557"))[1:] == (["bomb_soft 4", "bomb_soft 5"], [])
    declared = wild_hand(played("5557", **{"as": "bomb_soft"}), "4447")
    assert said(declared)[2] == [("does_not_beat", 2)]
    assert said(wild_hand("5557", "4447"))[1:] == (["trio_single 5 reread", "bomb_soft 4"], [("reread", 1)])


def test_bomb_in_a_natural_hand_has_no_kind() -> None:
    """Without a wild rank a bomb is just a bomb."""
    facts, plays, _ = said(wild_hand("3333", "7777", wild=None))
    assert plays == ["bomb 3", "bomb 7"]
    assert bombs(facts) == (2, 0, 0, 0) and not facts["needs_wild"]


@pytest.mark.parametrize(
    ("turns", "plays"),
    [
        (("3337",), ["bomb_soft 3"]),
        (("5553", "8887"), ["trio_single 5", "trio_single 8"]),
        (("8883", "5557"), ["trio_single 8", "bomb_soft 5"]),
        (("334477",), ["pair_chain 5"]),
        (("334455", "667788"), ["pair_chain 5", "pair_chain 8"]),
        (("333444", "556677"), ["trio_chain 4", "trio_chain 6"]),
        (("3333AA", "445577"), ["four_two_single 3", "four_two_single 5"]),
        (("34567", "89TJ7"), ["straight 7", "straight Q"]),
        (("7", "8", "9"), ["single 7", "single 8", "single 9"]),
        (("66", "77", "88"), ["pair 6", "pair 7", "pair 8"]),
        (("666", "777", "888"), ["trio 6", "trio 7", "trio 8"]),
    ],
)
def test_readings_used(turns: tuple[str, ...], plays: list[str]) -> None:
    """A lead takes the first reading, a follow the form it must beat with the highest main rank, else a bomb (RULES "Wild cards")."""
    _, found, issues = said(wild_hand(*turns))
    assert found == plays and not issues


def test_soft_bomb_is_reread_as_a_trio_with_a_single() -> None:
    """333+W leads as a soft bomb; a trio with a single after it shows that the trio was meant, and no bomb was played."""
    facts, plays, issues = said(wild_hand("3337", "4445"))
    assert plays == ["trio_single 3 reread", "trio_single 4"] and issues == [("reread", 1)]
    assert bombs(facts) == (0, 0, 0, 0) and not facts["needs_wild"]


def test_only_the_last_play_is_reread() -> None:
    """A reading two plays back stays."""
    _, plays, issues = said(wild_hand("3337", "4447", "5556"))
    assert plays == ["bomb_soft 3", "bomb_soft 4", "none"] and issues == [("does_not_beat", 3)]


def played(cards: str, **declared: Any) -> dict[str, Any]:
    """A play with a declared reading or declared ranks of its wild cards."""
    return {"act": "play", "cards": cards, **declared}


@pytest.mark.parametrize(
    ("declared", "reading"),
    [
        ({"as": "bomb_soft"}, "bomb_soft 3"),
        ({"as": "bomb"}, "bomb_soft 3"),
        ({"as": "trio_single"}, "trio_single 3"),
        ({"as": {"category": "trio_single", "main": "3"}}, "trio_single 3"),
        ({"wilds_as": ["3"]}, "bomb_soft 3"),
        ({"wilds_as": ["7"]}, "trio_single 3"),
        ({"wilds_as": ["A"]}, "trio_single 3"),
        ({"as": "trio_single", "wilds_as": ["A"]}, "trio_single 3"),
    ],
)
def test_declared_readings(declared: dict[str, Any], reading: str) -> None:
    """A declared category or declared ranks of the wild cards decide how a set is read."""
    assert said(wild_hand(played("3337", **declared)))[1:] == ([reading], [])


@pytest.mark.parametrize(
    ("cards", "declared"),
    [
        ("3337", {"as": "bomb_hard"}),
        ("3337", {"as": "bomb_soft", "wilds_as": ["4"]}),
        ("77", {"wilds_as": ["5", "5"]}),  # alone a wild card is itself (jj2 L3)
        ("3347", {"wilds_as": ["5"]}),
        ("3333", {"as": "bomb_soft"}),
    ],
)
def test_impossible_declarations(cards: str, declared: dict[str, Any]) -> None:
    """A set that cannot be what it is declared to be is a fault."""
    assert said(wild_hand(played(cards, **declared)))[1:] == (["none"], [("declared_reading", 1)])


def test_declared_sets_are_not_reread() -> None:
    """What the log declares stands, whether by category or by the ranks of the wild cards."""
    for declared in ({"as": "bomb_soft"}, {"wilds_as": ["3"]}):
        assert said(wild_hand(played("3337", **declared), "4445"))[2] == [("does_not_beat", 2)]


def test_straight_is_reread_to_be_beaten() -> None:
    """A straight that leads as the higher of two is re-read as the lower one when the next play beats only that."""
    assert said(wild_hand("89TJ7", "9TJQK"))[1:] == (["straight Q", "straight K"], [])
    lower = said(wild_hand("89TJ7", "89TJQ"))
    assert lower[1:] == (["straight J reread", "straight Q"], [("reread", 1)])
    assert not lower[0]["needs_wild"]  # 789TJ at face value


@pytest.mark.parametrize(
    ("turns", "needed"),
    [
        (("3337",), True),
        (("5553", "8887"), False),
        (("47",), True),
        (("34567",), False),
        (("89TJ7",), True),
        (("7777",), False),
        (("3333",), False),
    ],
)
def test_hands_that_need_a_wild(turns: tuple[str, ...], needed: bool) -> None:  # noqa: FBT001 - a table column
    """A hand needs wild cards when a reading used is none of the cards at face value (RULES "Wild cards")."""
    assert said(wild_hand(*turns))[0]["needs_wild"] is needed


def test_sets_that_no_wild_card_makes_legal() -> None:
    """No bomb has five cards, no rocket is made, a joker is never replaced (jj2 L2)."""
    for cards in ("33337", "B7", "R7", "BR7"):
        assert said(wild_hand(cards))[1:] == (["none"], [("illegal_combination", 1)])


def test_cards_must_be_held_at_face_value() -> None:
    """A wild card leaves the hand as itself."""
    document = wild_hand("3337")
    document["actions"].append({"seat": 0, "act": "play", "cards": "7777"})
    assert ("cards_not_held", 2) in said(document)[2]


def test_autoplay_leads_the_smallest_card_a_wild_at_face_value() -> None:
    """The system leads its smallest single; a wild 3 counts as a 3, and a 4 before it breaks the conduct (RULES "Autoplay")."""
    auto = {"act": "play", "actor": "autoplay"}
    start = {"act": "autoplay", "value": 1}
    fine = wild_hand(start | {"seat": 0}, wild="3")
    fine["actions"].append({"seat": 0, **auto, "cards": smallest(fine)})
    assert said(fine)[2] == []
    other = wild_hand(start | {"seat": 0}, wild="3")
    other["actions"].append({"seat": 0, **auto, "cards": "4"})
    assert smallest(other) == "3" and said(other)[2] == [("autoplay_conduct", 2)]


def smallest(document: dict[str, Any]) -> str:
    """The landlord's smallest card."""
    cards: str = document["dealt"][0] + document["bottom"]
    return min(cards, key=RANKS.index)


@pytest.mark.parametrize("rank", ["B", "R", "10", "1", "", None])
def test_wild_rank_must_be_a_rank_of_four_cards(rank: str | None) -> None:
    """A joker cannot be wild (jj2 L10), nor anything else that is no rank."""
    assert code_of(Ddz1(), wild_hand("3") | {"wild": rank}) in ("out_of_range", "wrong_type")


@pytest.mark.parametrize(
    ("cards", "ranks", "wild"),
    [
        ("3337", ["3", "3"], "7"),
        ("3337", [], "7"),
        ("3334", ["3"], "7"),
        ("3337", ["3"], None),
        ("33", [], "7"),
    ],
)
def test_declared_ranks_must_match_the_wild_cards(cards: str, ranks: list[str], wild: str | None) -> None:
    """`wilds_as` has one rank for each wild card played, and stands nowhere else."""
    document = wild_hand(played(cards, wilds_as=ranks), wild=wild)
    located = Located(read_line(json.dumps(document).encode()), 1, b"raw")
    table, (rejected,) = hands_table([located], Ddz1(), "log")
    assert len(table) == 0 and (rejected.code, rejected.raw) == ("out_of_range", b"raw")


@pytest.mark.parametrize("rank", ["B", "R", "X"])
def test_no_wild_card_stands_for_a_joker(rank: str) -> None:
    """A declared rank is one of thirteen (jj2 L2, happy H32)."""
    assert code_of(Ddz1(), wild_hand(played("3337", wilds_as=[rank]))) == "out_of_range"
