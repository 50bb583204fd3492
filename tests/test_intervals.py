"""The interval of a mean difference: its figures, what counts as independent, when it is withheld, how often it holds the truth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ddz_analytics.comparison import compare
from ddz_analytics.store.catalog import connect
from tests.intervals import PRINTED_T, covered, differing, interval
from tests.small_store import Row, ask, paired_store, write_store

BASE, OTHER = "base", "other"


def row_of(folder: Path, differences: Sequence[int], heads: Sequence[Row] = ()) -> dict[str, Any]:
    """The landlord's row where the other rule set gives him so much more in each hand, `heads` saying more of the hands."""
    said = heads or [{"table_id": None}] * len(differences)
    store = paired_store(folder, {BASE: [0] * len(differences), OTHER: differences}, said)
    with connect(store) as connection:
        rows = compare(connection, BASE, [OTHER]).intervals().to_pylist()
    return next(row for row in rows if row["role"] == "landlord")


def test_interval_of_even_differences(tmp_path: Path) -> None:
    """50 times +1 and 50 times -1: the error is sqrt(100·100/99)/100 = 0.1005, t(99) = 1.9842, and 80 % power adds 0.8416."""
    row = row_of(tmp_path, [1, -1] * 50)
    assert (row["hands"], row["differing"], row["clusters"], row["differing_clusters"]) == (
        100,
        100,
        100,
        100,
    )
    assert (row["mean_difference"], row["clustered_by"]) == (0, "hand")
    assert float(row["low"]) == pytest.approx(-0.1994, abs=1e-4)
    assert float(row["high"]) == pytest.approx(0.1994, abs=1e-4)
    assert float(row["detectable"]) == pytest.approx(0.2840, abs=1e-4)


def test_interval_that_leaves_out_zero_has_nothing_to_detect(tmp_path: Path) -> None:
    """Where all hands differ by 1 or 2 the interval is far from zero."""
    row = row_of(tmp_path, [1, 2] * 50)
    assert row["low"] > 1.3
    assert row["detectable"] is None


@pytest.mark.parametrize(("differ", "shown"), [(29, False), (30, True)])
def test_interval_is_withheld_below_30_differing_hands(tmp_path: Path, differ: int, *, shown: bool) -> None:
    """29 differing hands of a thousand are too few, 30 are enough."""
    row = row_of(tmp_path, [1] * differ + [0] * (1000 - differ))
    assert (row["low"] is not None, row["high"] is not None) == (shown, shown)


def test_interval_is_withheld_below_30_differing_clusters(tmp_path: Path) -> None:
    """A hundred differing hands of five matches are five things, not a hundred."""
    heads = [{"match_id": f"m{place % 5}"} for place in range(100)]
    row = row_of(tmp_path, [1, -1] * 50, heads)
    assert (row["clustered_by"], row["clusters"], row["low"]) == ("match", 5, None)


@pytest.mark.parametrize(
    ("heads", "kind", "clusters"),
    [
        ([{"deal_id": place // 3, "match_id": "m"} for place in range(60)], "deal", 20),
        ([{"deal_id": place, "match_id": f"m{place % 6}"} for place in range(60)], "match", 6),
        ([{"deal_id": place, "table_id": f"t{place % 4}"} for place in range(60)], "table", 4),
        ([{"deal_id": min(place, 57), "table_id": None} for place in range(60)], "hand", 60),
        ([{"table_id": f"t{place}" if place < 30 else None} for place in range(60)], "mixed", 60),
    ],
)  # fmt: skip
def test_clusters(tmp_path: Path, heads: list[Row], kind: str, clusters: int) -> None:
    """A cluster is the deal where most hands share theirs, else the match, else the table, else the hand."""
    row = row_of(tmp_path, [1, -1] * 30, heads)
    assert (row["clustered_by"], row["clusters"]) == (kind, clusters)


def test_the_same_match_id_of_two_formats_is_two_matches(tmp_path: Path) -> None:
    """Names of matches are told apart by the format of their logs."""
    heads = [{"match_id": "final", "source_format": ("ddz/1", "icga")[place % 2]} for place in range(60)]
    assert row_of(tmp_path, [1, -1] * 30, heads)["clusters"] == 2


def test_printed_quantiles(tmp_path: Path) -> None:
    """The macro gives the printed quantiles of Student's t."""
    with connect(write_store(tmp_path / "store", {})) as connection:
        for freedom, value in PRINTED_T.items():
            ((found,),) = ask(connection, f"SELECT t_quantile({freedom})")
            assert found == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_statement_and_plain_steps_agree(tmp_path: Path, seed: int) -> None:
    """On skewed differences in matches of one to nine hands the statement gives what the plain steps give."""
    generator = np.random.default_rng(seed)
    matches = generator.integers(0, 400, size=1200).tolist()
    amounts = (2 ** generator.geometric(0.5, size=1200) * (generator.random(1200) < 0.2)).tolist()
    row = row_of(tmp_path, amounts, [{"match_id": f"m{each}"} for each in matches])
    clusters: dict[str, list[float]] = {}
    for match, amount in zip(matches, amounts, strict=True):
        clusters.setdefault(str(match), []).append(float(amount))
    low, high = interval(clusters)
    assert float(row["low"]) == pytest.approx(low, abs=2e-3)
    assert float(row["high"]) == pytest.approx(high, abs=2e-3)


def test_interval_holds_the_truth_in_the_plain_case() -> None:
    """Where every hand differs, evenly on both sides, 95 of 100 intervals hold the true mean, 1.5 of them in doubt."""
    generator = np.random.default_rng(1)
    logs = (generator.normal(0.5, 2, size=(2000, 100))).tolist()
    assert 0.93 <= covered(logs, 100, 0.5) <= 0.97


def test_interval_holds_the_truth_where_differences_are_rare_and_heavy() -> None:
    """About 40 of 600 hands differ, all one way, each further doubling half as likely: at least 90 of 100 hold the true mean."""
    generator = np.random.default_rng(2)
    numbers = differing(generator, 1000, 600, 40 / 600)
    logs = [(2.0 ** np.minimum(generator.geometric(0.5, size=number), 6)).tolist() for number in numbers]
    mean = sum(0.5**k * 2.0 ** min(k, 6) for k in range(1, 60))
    assert covered(logs, 600, mean * 40 / 600) >= 0.90
