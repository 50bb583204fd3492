"""The lines of simulated hands: the same bytes from the same seed, canonical, and marked as synthetic."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise

import pytest
from msgspec import UNSET

from ddz_analytics.errors import UsageError
from ddz_analytics.parsers.ddz1 import read_line, write_line
from ddz_analytics.rules import load_rules
from ddz_analytics.simulate import simulate
from tests.simulated import PLAYERS, SEED, SHIPPED, UNUSUAL, WILD, hands_of, rules_named


@pytest.mark.parametrize("name", ["happy", "happy-laizi"])
def test_the_seed_decides_every_byte(name: str) -> None:
    """A seed gives the same lines whatever the hash seed, another seed gives others, fewer hands are the beginning of more."""
    rules = load_rules(name)
    lines = list(simulate(rules, hands=600, seed=SEED, players=PLAYERS))
    assert list(simulate(rules, hands=40, seed=SEED, players=PLAYERS)) == lines[:40]
    assert lines[:5] != list(simulate(rules, hands=5, seed=SEED + 1, players=PLAYERS))
    program = (
        "import sys; from ddz_analytics.rules import load_rules; from ddz_analytics.simulate import simulate;"
        f"sys.stdout.buffer.write(b'|'.join(simulate(load_rules('{name}'), hands=600, seed={SEED}, players={PLAYERS})))"
    )
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, check=True, env=environment
        )
        assert run.stdout.split(b"|") == lines


@pytest.mark.parametrize("name", [*SHIPPED, *UNUSUAL, *WILD])
def test_lines_are_canonical(name: str) -> None:
    """Reading a line and writing it again gives the same bytes."""
    for line in simulate(rules_named(name), hands=2_000, seed=SEED, players=PLAYERS):
        assert write_line(read_line(line)) == line


def test_hands_are_marked_as_synthetic() -> None:
    """Ids, tables, matches, players and kinds all say that a hand was simulated; nothing recorded is made up."""
    hands = hands_of(load_rules("jj-classic"), 2_000)
    for hand in hands:
        ids = [hand.id, hand.table, *([] if hand.match is UNSET else [hand.match])]
        assert all(str(each).startswith(f"synthetic-{SEED}-") for each in ids)
        assert all(name.startswith("synthetic-") and name[10:].isdigit() for name in hand.players)
        assert hand.kinds == ("simulated",) * 3
        assert hand.rules == "jj-classic" and hand.recorded is UNSET
    assert len({hand.id for hand in hands}) == len(hands)
    assert len({hand.table for hand in hands if hand.match is not UNSET}) > 1


@pytest.mark.parametrize("name", ["qq-classic", "casino-capped"])
def test_tables_sit_together_and_the_first_speaker_rotates(name: str) -> None:
    """A table keeps its three players, counts its hands from 1, moves on in time, and the first to speak by one seat."""
    tables = defaultdict(list)
    for hand in hands_of(load_rules(name), 3_000):
        tables[hand.table].append(hand)
    for sitting in tables.values():
        assert [hand.no for hand in sitting] == list(range(1, len(sitting) + 1))
        for before, after in pairwise(sitting):
            assert after.players == before.players and len(set(after.players)) == 3
            assert before.first is not UNSET and after.first == (before.first + 1) % 3
            assert before.started_at is not UNSET and after.started_at is not UNSET
            assert before.started_at < after.started_at and str(after.started_at).endswith("+08:00")


@pytest.mark.parametrize(("players", "seed", "hands"), [(2, 1, 1), (3, -1, 1), (3, 1, -1)])
def test_impossible_numbers_are_refused(players: int, seed: int, hands: int) -> None:
    """Fewer than three players and numbers below zero are refused before anything is played."""
    with pytest.raises(UsageError):
        simulate(load_rules("qq-classic"), hands=hands, seed=seed, players=players)


def test_three_players_are_enough() -> None:
    """With three players there is one table at a time."""
    hands = [read_line(line) for line in simulate(load_rules("jj-classic"), hands=100, seed=0, players=3)]
    assert {frozenset(hand.players) for hand in hands} == {frozenset(f"synthetic-000{n}" for n in (1, 2, 3))}
