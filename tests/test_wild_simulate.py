"""Simulated hands with wild cards: legal, of every form with and without them, and replayed without a fault."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from msgspec import UNSET

from ddz_analytics.rules import load_rules
from ddz_analytics.simulate import simulate
from tests.simulated import PLAYERS, SEED, WILD, checked, hands_of
from tests.test_simulate import EVERY_FORM
from tests.wild_hands import replayed

HANDS = 3_000
KINDS = {("bomb_soft", 1), ("bomb_hard", 1), ("bomb_pure", 1)}


def tally(name: str) -> Counter[object]:
    """What the hands of a rule set come to."""
    return checked(name, HANDS)


@pytest.mark.parametrize("name", WILD)
def test_every_hand_is_legal(name: str) -> None:
    """Each hand stands up to the checker of hands; a wild rank is drawn as soon as there is a landlord."""
    assert tally(name)["complete"] > HANDS / 2


@pytest.mark.parametrize("name", WILD)
def test_every_form_occurs(name: str) -> None:
    """Every category is played in every length, and bombs of each kind."""
    forms = EVERY_FORM - {("bomb", 1)} | KINDS
    assert not {form for form in forms if not tally(name)[form]}
    assert not tally(name)["bomb", 1]


@pytest.mark.parametrize("name", WILD)
def test_wild_cards_are_used_in_many_ways(name: str) -> None:
    """Wild cards make pairs, trios, straights, chains, planes, quads that carry, and soft and pure bombs."""
    used = {key[1] for key in tally(name) if isinstance(key, tuple) and key[0] == "with wilds"}
    assert used >= {
        "single", "pair", "trio", "trio_single", "trio_pair", "straight", "pair_chain", "trio_chain",
        "plane_single", "plane_pair", "four_two_single", "four_two_pair", "bomb_soft", "bomb_pure",
    }  # fmt: skip


@pytest.mark.parametrize("name", WILD)
def test_rates(name: str) -> None:
    """With wild cards a hand has about one bomb and a half, most of them soft; both sides win."""
    found = tally(name)
    bombs = {kind: found[kind, 1] / HANDS for kind in ("bomb_soft", "bomb_hard", "bomb_pure")}
    assert 0.7 <= bombs["bomb_soft"] <= 1.4 and 0.15 <= bombs["bomb_hard"] <= 0.4
    assert 0.005 <= bombs["bomb_pure"] <= 0.03
    assert 0.35 <= found["landlord wins"] / found["complete"] <= 0.65
    assert found["reread", "trio_single"]


def test_wild_ranks_are_drawn_evenly() -> None:
    """Each of the thirteen ranks comes about as often as the others, and none before there is a landlord."""
    drawn = Counter(
        hand.wild for hand in hands_of(load_rules("happy-laizi"), HANDS) if hand.wild is not UNSET
    )
    assert len(drawn) == 13 and max(drawn.values()) < 2 * min(drawn.values())


@pytest.mark.parametrize("name", WILD)
def test_replay_finds_no_fault(name: str) -> None:
    """Replay finds nothing to report but sets that are re-read, and autoplay that keeps to its conduct."""
    documents = [
        json.loads(line) for line in simulate(load_rules(name), hands=HANDS, seed=SEED, players=PLAYERS)
    ]
    found = replayed(*documents)
    assert set(found.issues["severity"].to_pylist()) <= {"note"}
    assert set(found.issues["code"].to_pylist()) <= {"reread", "double_super"}
