"""What is asked of standings: who goes on, how two orders differ, and levels (qq Q27)."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.rules import load_rules
from ddz_analytics.standings import Standings, level_of, level_tables, levels, tau_b
from tests.command import ddz
from tests.in_memory import views_over
from tests.matches import RULES, played, tables
from tests.small_store import each, facts, hand, settlement
from tests.test_cli import SAMPLES


@pytest.mark.parametrize(
    ("advance", "goes_on"),
    [(None, [None] * 3), (1, [None, None, False]), (2, [True, True, False]), (3, [True] * 3)],
)
def test_who_goes_on(advance: int | None, goes_on: list[bool | None]) -> None:
    """Where the cut falls between two who share a place, it is open which of them goes on."""
    rows = [played(1, {"cy": -20, "bo": 10, "ann": 10}, landlord_won=False)]
    with views_over(tables(rows)) as connection:
        found = Standings(connection, RULES, advance=advance).order()
    assert found["advanced"].to_pylist() == goes_on


def test_two_rule_sets_side_by_side() -> None:
    """Under the other rule set bo is first: he moves up by one, and is the one who goes on."""
    rows = [played(1, {"ann": 4, "bo": -2, "cy": -2}), played(2, {"bo": 3, "ann": -2, "cy": -1})]
    found = tables(rows)
    found["settlements"] += [settlement(1, "s", (2, -1, -1)), settlement(2, "s", (8, -4, -4))]
    with views_over(found) as connection:
        moves = Standings(connection, RULES, advance=1).moves("s").to_pylist()
    told = [
        (row["player"], row["points"], row["points_vs"], row["moved"], row["advanced"], row["advanced_vs"])
        for row in moves
    ]
    assert told == [
        ("ann", 2, -2, -1, True, False),
        ("bo", 1, 7, 1, False, True),
        ("cy", -3, -5, 0, False, False),
    ]


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4], [1, 2, 4, 3], 4 / 6),
        # one pair tied in each order, another one each: 4 pairs agree of 5 and 5 that are not tied
        ([1, 1, 3, 4], [1, 2, 3, 3], 4 / 5),
        ([1, 1, 1], [1, 2, 3], None),
        ([1], [1], None),
        ([], [], None),
    ],
)
def test_tau_b(one: list[int], two: list[int], expected: float | None) -> None:
    """Pairs in the same order less pairs in opposite ones, over the geometric mean of the pairs that each order does not tie."""
    assert tau_b(np.array(one, dtype=np.int64), np.array(two, dtype=np.int64)) == pytest.approx(expected)


def test_tau_b_agrees_with_counting_pairs() -> None:
    """On random orders with ties the count by bits equals the count pair by pair."""
    draw = np.random.default_rng(1)
    for _ in range(50):
        one, two = draw.integers(0, 6, (2, 20))
        signs = np.sign(one[:, None] - one), np.sign(two[:, None] - two)
        pairs = [int(np.abs(sign).sum()) for sign in signs]
        assert tau_b(one, two) == pytest.approx(
            float((signs[0] * signs[1]).sum()) / (pairs[0] * pairs[1]) ** 0.5
        )


@pytest.mark.parametrize(
    ("points", "name"),
    [
        (-50, "包身工"), (0, "包身工"), (Decimal("9.9999"), "包身工"), (10, "短工"), (24, "短工"), (25, "长工"), (39, "长工"),
        (40, "佃户"), (79, "佃户"), (80, "贫农"), (365, "中农"), (499, "中农"), (69_999, "丞相"), (70_000, "帝王"), (10**9, "帝王"),
    ],
)  # fmt: skip
def test_levels_begin_at_their_thresholds(points: Any, name: str) -> None:
    """A level is reached at its number of accumulated points, the first without any (Q27)."""
    table = level_tables()["qq"]
    assert table["levels"][level_of(int(points * 10_000), table)]["zh"] == name


def test_there_are_23_levels() -> None:
    """The page has 23 levels with 22 rising thresholds (Q27)."""
    thresholds = [level["from"] for level in level_tables()["qq"]["levels"][1:]]
    assert thresholds == sorted(set(thresholds))
    assert len(thresholds) == 22


def test_levels_go_by_points_and_not_by_coins() -> None:
    """12,000 coins at 1,000 a point are 12 points, fee or not: the second level; over all hands, of a match or not."""
    coins = settlement(1, "qq-coins", (11_950, -6050, -6050), unit=1000, **each("transfer_{}", (12_000, -6000, -6000)),
                       **each("fee_{}", (-50, -50, -50)))  # fmt: skip
    again = settlement(2, "qq-coins", (0, 0, 0), unit=None, reason="thrown_in")
    given = {
        "hands": [hand(1, 0, match_id="cup"), hand(2)], "facts": [facts(1, 0, 0), facts(2)], "settlements": [coins, again],
    }  # fmt: skip
    with views_over(given) as connection:
        found = levels(connection, load_rules("qq-coins")).to_pylist()
    told = [(row["player"], row["points"], row["level"], row["next_from"], row["hands"]) for row in found]
    assert told == [("ann", 12, 2, 25, 2), ("bo", -6, 1, 10, 2), ("cy", -6, 1, 10, 2)]


def test_where_a_point_is_worth_nothing_no_points_are_told() -> None:
    """In a room of rate 0 everybody gets 0 coins, whatever points: the hand counts as undefined, not as no points."""
    rows = [settlement(1, "qq-coins", (0, 0, 0), unit=0), settlement(2, "qq-coins", (4, -2, -2))]
    given = {
        "hands": [hand(1, 0), hand(2, 0)],
        "facts": [facts(1, 0, 0), facts(2, 0, 0)],
        "settlements": [rows[0], rows[1] | each("transfer_{}", (4, -2, -2))],
    }
    with views_over(given) as connection:
        first = levels(connection, load_rules("qq-coins")).to_pylist()[0]
    assert (first["points"], first["hands"], first["undefined_hands"]) == (4, 1, 1)


def test_a_rule_set_without_levels_says_so() -> None:
    """The jj page has no levels."""
    with views_over({}) as connection, pytest.raises(UsageError, match="jj-classic has no levels"):
        levels(connection, load_rules("jj-classic"))


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of simulated hands, two matches among them."""
    folder = tmp_path_factory.mktemp("cup")
    assert ddz("ingest", SAMPLES / "simulated" / "qq-classic.ddz.jsonl.gz", folder=folder).returncode == 0
    return folder


def test_the_command_shows_every_match(cup: Path) -> None:
    """What is missing is scored first; each match is in order, and its points sum to zero under rules without a house."""
    run = ddz("standings", "--rules", "qq-classic", "--json", folder=cup)
    assert run.returncode == 0
    assert run.stderr == "scored 400 hand settlements that were missing\n"
    matches = json.loads(run.stdout)["matches"]
    assert list(matches) == ["synthetic-1-qq-classic-m0001", "synthetic-1-qq-classic-m0002"]
    for players in matches.values():
        points = [Decimal(row["points"]) for row in players]
        assert points == sorted(points, reverse=True)
        assert sum(points) == 0
        assert [row["rank"] for row in players] == list(range(1, len(players) + 1))


def test_the_command_says_who_crosses_the_cut(cup: Path) -> None:
    """As many go on under one rule set only as under the other only, and both lists agree with the rows above them."""
    asked = (
        "--rules",
        "qq-classic",
        "--vs",
        "jj-bomb",
        "--advance",
        8,
        "--match",
        "synthetic-1-qq-classic-m0001",
    )
    found = json.loads(ddz("standings", *asked, "--json", folder=cup).stdout)["matches"][
        "synthetic-1-qq-classic-m0001"
    ]
    first = {row["player"] for row in found["players"] if row["rank"] <= 8}
    other = {row["player"] for row in found["players"] if row["rank_vs"] <= 8}
    crossing = {way: set(who) for way, who in found["crossing"].items()}
    assert crossing == {"in": other - first, "out": first - other, "open": set()}
    assert len(crossing["in"]) == len(crossing["out"]) > 0
    said = ddz("standings", *asked, "--lang", "zh", folder=cup).stdout
    assert "只在 jj-bomb 下晋级：" in said
    assert "Kendall τ-b" in said


def test_the_command_shows_levels(cup: Path) -> None:
    """Every player of the store has a level, the highest points first, named in the language asked for."""
    players = json.loads(ddz("standings", "--rules", "qq-classic", "--levels", "--json", folder=cup).stdout)[
        "players"
    ]
    points = [Decimal(row["points"]) for row in players]
    assert points == sorted(points, reverse=True)
    assert {row["level"] for row in players if Decimal(row["points"]) < 10} == {1}
    assert (
        "包身工" in ddz("standings", "--rules", "qq-classic", "--levels", "--lang", "zh", folder=cup).stdout
    )


def test_a_match_that_is_not_there_is_one_line(cup: Path) -> None:
    """The error names the matches that there are."""
    run = ddz("standings", "--rules", "qq-classic", "--match", "m9", "--quiet", folder=cup)
    assert run.returncode == 2
    assert run.stderr.startswith(
        "error[match_unknown]: no match is called 'm9', synthetic-1-qq-classic-m0001,"
    )
    assert run.stderr.count("\n") == 1
