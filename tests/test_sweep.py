"""Sweeps: one row for each of many rule sets, without storing a score."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from ddz_analytics import sweep as sweeping
from ddz_analytics.comparison import compare
from ddz_analytics.errors import StoreError
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules, variants
from ddz_analytics.store.catalog import connect
from ddz_analytics.sweep import facts_of, sweep, weighted
from tests.stores import lines, played, take

JJ = load_rules("jj-classic")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with hands that were played out and some that were thrown in, in two parts."""
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "a.jsonl").write_bytes(played(150))
    (folder / "b.jsonl").write_bytes(lines(0, 3))
    take(folder / "store", folder / "a.jsonl")
    take(folder / "store", folder / "b.jsonl")
    return folder / "store"


def test_a_sweep_says_what_a_comparison_says(store: Path) -> None:
    """Every column that a stored comparison's overview has too has the same value in a sweep."""
    others = [
        *variants(JJ, ["cap.doublings=1,none", "events.bomb=2,3"]),
        load_rules("casino-capped"),
        load_rules("happy"),
        load_rules("qq-coins"),
        load_rules("qq-coins[house.fee_in_score=false]"),
        load_rules("jj-bomb+minimised"),
        load_rules("jj-classic+no-liability"),
    ]
    swept = sweep(facts_of(store), JJ, others)
    rescore(store, [JJ, *others])
    with connect(store) as connection:
        overview = compare(connection, JJ.id, [rules.id for rules in others]).overview()
    assert (
        overview.select(["rule_set", "rule_hash"]).to_pylist()
        == swept.select(["rule_set", "rule_hash"]).to_pylist()
    )
    for name in overview.column_names:
        assert swept[name].to_pylist() == overview[name].to_pylist(), name


def test_changes_are_counted_beside_the_baseline(store: Path) -> None:
    """Twice the bid's worth changes every hand that was played by as much again, and what repeats the baseline changes none."""
    rows = sweep(facts_of(store), JJ, variants(JJ, ["cap.doublings=none,0"])).to_pylist()
    assert (rows[1]["changed_hands"], rows[1]["landlord_change"]) == (0, 0)
    with connect(store) as connection:
        (doubled,) = connection.sql(
            "SELECT count(*) FROM hand_facts WHERE winner_seat IS NOT NULL AND (bombs + rockets > 0 OR spring <> 'none')"
        ).fetchall()[0]
    assert rows[2]["changed_hands"] == doubled > 0
    assert rows[2]["landlord_change"] == rows[2]["landlord_mean"] - rows[0]["landlord_mean"]


def test_sums_beyond_sixty_four_bits_are_exact() -> None:
    """A sum of amounts over hands is exact however large it is."""
    values, hands = np.array([9 * 10**17, -1]), np.array([10**6, 3])
    assert weighted(values, hands) == 9 * 10**23 - 3
    assert weighted(np.array([5, -2]), np.array([2, 5])) == 0
    assert weighted(np.array([], dtype=np.int64), np.array([], dtype=np.int64)) == 0


def test_means_are_of_hands_with_a_landlord(store: Path) -> None:
    """Hands that were thrown in are exact zeros and count in no mean."""
    (row,) = sweep(facts_of(store), JJ, []).to_pylist()
    assert row["exact"] + row["projected"] + row["undefined"] == 153
    assert abs(row["landlord_mean"] + 2 * row["peasant_mean"]) <= Decimal("0.02") + abs(row["house"])


def test_older_facts_are_refused(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts that an older version made are not mixed with scores of this one."""
    monkeypatch.setattr(sweeping, "REPLAY_VERSION", 99)
    with pytest.raises(StoreError) as error:
        facts_of(store)
    assert (error.value.code, "rescore" in error.value.mend) == ("facts_outdated", True)
