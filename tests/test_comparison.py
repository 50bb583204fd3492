"""Comparisons of rule sets over six hands worked out on paper."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from ddz_analytics.comparison import compare, rule_differences
from ddz_analytics.errors import DdzError
from ddz_analytics.rules import load_rules
from ddz_analytics.store.catalog import Connection, connect
from tests.small_store import Row, facts, paired_store


def rows_of(table: Any, *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of an Arrow table as rows."""
    return list(zip(*(table[column].to_pylist() for column in columns), strict=True))


def test_bands_count_seats_in_stakes_of_the_baseline(views: Connection) -> None:
    """Hands 1 and 4 move two stakes and one, hand 6 moves 32, and the undefined hand 5 is left out."""
    bands = compare(views, "jj-classic", ["own-share"]).bands()
    counted = rows_of(bands, "role", "hands", "loses_over_16", "loses", "same", "gains", "gains_over_16")
    assert counted == [
        ("landlord", 3, 0, 0, 3, 0, 0),
        ("landlord_down", 3, 1, 1, 0, 1, 0),
        ("landlord_up", 3, 0, 0, 0, 2, 1),
        (None, 3, 0, 0, 3, 0, 0),
    ]


def test_comparisons_in_turn_keep_to_their_own_rule_sets(views: Connection) -> None:
    """Of two comparisons on one connection, each the other's reverse, what one gives to a role the other takes from it."""
    there, back = compare(views, "jj-classic", ["own-share"]), compare(views, "own-share", ["jj-classic"])
    differences = [rows_of(each.roles(), "role", "total_difference") for each in (there, back, there)]
    assert differences[0] == differences[2] == [(role, -total) for role, total in differences[1]]
    assert dict(differences[0])["landlord_down"] == -42
    peasants = [each.changed().to_pylist()[0]["peasants"] for each in (there, back)]
    assert peasants == [60, -60]


def test_roles_have_means_and_percentiles_of_the_difference(views: Connection) -> None:
    """The down peasant differs by -40, +30 and -32 on the three hands that both rule sets score."""
    roles = compare(views, "jj-classic", ["own-share"]).roles().filter(pc.field("role") == "landlord_down")
    (row,) = roles.to_pylist()
    assert (row["hands"], row["differing"], row["total_difference"]) == (3, 3, Decimal(-42))
    assert (row["mean_baseline"], row["mean_other"], row["mean_difference"]) == (0, -14, -14)
    assert (row["p1"], row["p50"], row["p99"]) == (-40, -32, 30)
    assert (row["largest_loss"], row["largest_gain"]) == (-40, 30)
    assert row["share_better"] + row["share_worse"] + row["share_same"] == pytest.approx(1)


def test_worst_twentieth(tmp_path: Path) -> None:
    """Of forty hands the two that fare worst are the worst twentieth: -30 and -10; of one hand it is that one."""
    heads: list[Row] = [{}] * 40
    store = paired_store(tmp_path, {"base": [0] * 40, "other": [*range(37), -10, -30, 0]}, heads)
    with connect(store) as connection:
        found = compare(connection, "base", ["other"]).roles()
    shown = dict(rows_of(found, "role", "worst_twentieth"))
    assert (shown["landlord"], shown["landlord_down"]) == (-20, Decimal("-35.5"))


def test_break_even(tmp_path: Path) -> None:
    """A landlord who wins 20 in two hands and loses 20 in two is 4 worse off in each: he would have to win one in ten more."""
    won = [facts(place + 1, 0, winner) for place, winner in enumerate((0, 0, 1, 2))]
    scores = {"base": [20, 20, -20, -20], "other": [16, 16, -24, -24]}
    store = paired_store(tmp_path, scores, [{}] * 4, facts=won)
    with connect(store) as connection:
        (row,) = compare(connection, "base", ["other"]).break_even().to_pylist()
    assert (row["hands"], row["win_rate"], row["mean_difference"]) == (4, Decimal("0.5"), -4)
    assert (row["mean_if_won"], row["mean_if_lost"], row["break_even"]) == (20, -20, Decimal("0.1"))


def test_multipliers_leave_out_what_was_not_played(views: Connection) -> None:
    """Each multiplier is counted for each rule set, with how many of its hands a cap cut."""
    found = compare(views, "jj-classic", ["own-share"]).multipliers()
    assert rows_of(found, "rule_set", "multiplier", "hands", "capped") == [
        ("jj-classic", 1, 1, 0), ("jj-classic", 2, 1, 0), ("jj-classic", 32, 1, 0),
        ("own-share", 1, 2, 0), ("own-share", 2, 1, 0), ("own-share", 32, 1, 1),
    ]  # fmt: skip


def test_the_worst_hands_come_first(views: Connection) -> None:
    """The hands that differ most come first, as many as asked for, with both scores by seat."""
    worst = compare(views, "jj-classic", ["own-share"]).worst(2)
    assert rows_of(worst, "hand_id", "source_hand_id", "largest_difference", "baseline_2", "other_2") == [
        (1, "h1", 40, -80, -40),
        (6, "h6", 32, -64, -32),
    ]


def test_statuses_assumptions_and_house(views: Connection) -> None:
    """Every hand is counted under its status and reason, projected ones under each assumption, the house by its parts."""
    comparison = compare(views, "jj-classic", ["own-share"])
    assert rows_of(comparison.statuses(), "rule_set", "score_status", "reason", "hands") == [
        ("jj-classic", "exact", "thrown_in", 1), ("jj-classic", "exact", None, 3), ("jj-classic", "undefined", "escaped", 1),
        ("own-share", "exact", None, 4), ("own-share", "projected", None, 1),
    ]  # fmt: skip
    assert rows_of(comparison.assumptions(), "rule_set", "assumption", "hands") == [
        ("own-share", "bid", 1),
        ("own-share", "room.fee", 1),
    ]
    assert rows_of(
        comparison.house(), "rule_set", "hands", "days", "moved", "fee", "forfeit", "fine", "net"
    ) == [
        ("jj-classic", 4, 1, 144, 0, 60, 0, 60),
        ("own-share", 5, 1, 204, 3, 0, 6, 9),
    ]


def test_the_baseline_carries_its_reconciliation(views: Connection) -> None:
    """The one hand recorded under the baseline agrees; where no hand was, it is neither true nor false that it reconciles."""
    (row,) = compare(views, "jj-classic", ["own-share"]).reconciliation().to_pylist()
    assert row == {
        "rule_set": "jj-classic", "hands": 1, "exact": 1, "explained": 0, "unexplained": 0, "reconciles": True,
    }  # fmt: skip
    (row,) = compare(views, "own-share", ["jj-classic"]).reconciliation().to_pylist()
    assert (row["hands"], row["reconciles"]) == (0, None)


def test_comparing_what_is_not_scored_is_refused(views: Connection) -> None:
    """A rule set without scores in the store is named, with what to do."""
    with pytest.raises(
        DdzError, match=r"^error\[not_scored\]: nothing is scored under 'happy', ddz rescore --rules happy"
    ):
        compare(views, "jj-classic", ["happy"])
    with pytest.raises(DdzError, match=r"ddz rescore --rules jj-classic --balances chained"):
        compare(views, "jj-classic", ["own-share"], "chained")


def test_rule_differences_are_values_beside_values() -> None:
    """Only the parameters that differ are told, with what each rests on."""
    found = rule_differences(load_rules("jj-classic"), [load_rules("jj-bomb"), load_rules("jj-classic")])
    assert rows_of(found, "rule_set", "key", "baseline", "other") == [
        ("jj-bomb", "events.bomb_reading", '"power"', '"total"')
    ]
    assert "jj J34" in found["source_other"][0].as_py()
