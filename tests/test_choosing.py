"""Comparisons of chosen hands, by group, and conditions that a run leaves with 1 for."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddz_analytics.cli import ddz
from ddz_analytics.comparison import compare
from ddz_analytics.errors import UsageError
from ddz_analytics.metrics import METRICS, metrics
from ddz_analytics.store.catalog import Connection
from tests.stores import played, take

DOC = Path(__file__).parents[1] / "docs" / "metrics.md"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two hundred hands that were played out."""
    folder = tmp_path_factory.mktemp("choosing")
    (folder / "a.jsonl").write_bytes(played(200))
    take(folder / "store", folder / "a.jsonl")
    return folder / "store"


def compared(store: Path, *more: str) -> Result:
    """`ddz compare` of two rule sets with more options."""
    usual = ["compare", "--store", str(store), "--baseline", "jj-classic", "--against", "jj-bomb", "--quiet"]
    return CliRunner().invoke(ddz, [*usual, *more], standalone_mode=False)


def tables(store: Path, *more: str) -> dict[str, list[dict[str, Any]]]:
    """The tables of a comparison by title."""
    found: dict[str, list[dict[str, Any]]] = json.loads(compared(store, "--format", "json", *more).stdout)
    return found


def test_every_table_is_of_the_chosen_hands(store: Path) -> None:
    """With --where every table counts only hands with such a seat, and two complementary choices add up to the whole."""
    whole = tables(store)
    parts = [
        tables(store, "--where", f"player = 'synthetic-0010' AND role {is_so} 'landlord'")
        for is_so in ("=", "<>")
    ]
    third = tables(
        store, "--where", "hand_id NOT IN (SELECT hand_id FROM hand_seats WHERE player = 'synthetic-0010')"
    )
    hands = [
        {row["rule_set"]: row["exact"] + row["projected"] + row["undefined"] for row in each["overview"]}
        for each in (whole, *parts, third)
    ]
    for name, number in hands[0].items():
        assert sum(each.get(name, 0) for each in hands[1:]) == number
    (shares, *_) = parts[0]["what each parameter contributes to the difference"]
    assert shares["hands"] + shares["left_out"] == hands[1]["jj-bomb"] < hands[0]["jj-bomb"]


def test_condition_that_no_hand_fits(store: Path) -> None:
    """Where no hand has such a seat there is nothing to compare, and that is said."""
    error = compared(store, "--where", "player = 'nobody'").exception
    assert getattr(error, "code", None) == "no_hands"


def test_groups_are_values_of_a_column(views: Connection) -> None:
    """Of the hands that both score, 1 and 6 are of match m1 and 4 is of none; the groups of a role add up to its total."""
    rows = compare(views, "jj-classic", ["own-share"]).groups("match_id").to_pylist()
    up = {
        row["value"]: (row["hands"], row["total_difference"]) for row in rows if row["role"] == "landlord_up"
    }
    total = sum(amount for _, amount in up.values())
    assert {name: number for name, (number, _) in up.items()} == {"m1": 2, None: 1}
    roles = compare(views, "jj-classic", ["own-share"]).roles().to_pylist()
    assert total == next(row["total_difference"] for row in roles if row["role"] == "landlord_up")


def test_group_by_an_unknown_column(views: Connection) -> None:
    """A column that hand_seats does not have is refused with the nearest name, and so is SQL in its place."""
    found = compare(views, "jj-classic", ["own-share"])
    for name in ("tabel_id", 'table_id"; DROP VIEW hands; --'):
        with pytest.raises(UsageError, match="nearest: table_id") as caught:
            found.groups(name)
        assert caught.value.code == "unknown_column"


def test_groups_on_the_command_line(store: Path) -> None:
    """Each column of --by gives a table, whose groups are together all hands."""
    found = tables(store, "--by", "kind, role")
    by_role = {row["value"]: row["hands"] for row in found["by role"] if row["role"] is not None}
    assert by_role == {
        row["role"]: row["hands"] for row in found["difference to the baseline by role"] if row["role"]
    }
    assert "by kind" in found


@pytest.mark.parametrize(
    ("condition", "code"),
    [("landlord_differing >= 0", 1), ("landlord_differing < 0", 0), ("landlord_low > 1e9", 0)],
)
def test_condition_decides_the_exit_code(store: Path, condition: str, code: int) -> None:
    """A condition that holds for another rule set leaves with 1 and says for which; one that does not, or rests on NULL, with 0."""
    found = compared(store, "--fail-if", condition)
    assert found.return_value == code
    assert (f"jj-bomb: {condition}" in found.stderr) == bool(code)


@pytest.mark.parametrize(
    ("condition", "code"),
    [("landlord_lwo > 0", "sql_name"), ("landlord_low >", "sql_syntax"), ("rule_set IN (FROM read_csv('/etc/passwd'))", "sql_refused")],
)  # fmt: skip
def test_condition_that_is_none(store: Path, condition: str, code: str) -> None:
    """A misspelt number, broken SQL and a look at a file are refused with a code."""
    error = compared(store, "--fail-if", condition).exception
    assert getattr(error, "code", None) == code


def test_metrics_are_the_numbers_of_the_tables(views: Connection) -> None:
    """Each documented number is there, and is the one that the tables show."""
    found = compare(views, "jj-classic", ["own-share"])
    (row,) = metrics(found).to_pylist()
    assert list(row) == ["rule_set", *METRICS]
    assert (row["rule_set"], row["landlord_hands"], row["landlord_down_total_difference"]) == (
        "own-share",
        3,
        Decimal(-42),
    )
    assert (row["house"], row["undefined"], row["landlord_low"]) == (9, 0, None)


def test_documentation_names_every_number() -> None:
    """docs/metrics.md has a line for each number, in order, with its meaning."""
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", DOC.read_text("utf-8"), re.MULTILINE)
    assert dict(rows[1:]) == METRICS
    assert [name for name, _ in rows[1:]] == list(METRICS)


def test_a_large_grid_has_no_groups(store: Path) -> None:
    """A grid that is only counted cannot be grouped nor put to a condition, but can be of chosen hands."""
    grid = ["--set", "cap.doublings=0,1,2,3,4,5,6,7,8,9", "--against", "jj-classic"]
    for more in (["--by", "role"], ["--fail-if", "house > 0"]):
        assert getattr(compared(store, *grid, *more).exception, "code", None) == "too_many_variants"
    chosen = tables(store, *grid, "--where", "player = 'synthetic-0010'")["overview"]
    assert len(chosen) == 11
    assert chosen[0]["exact"] + chosen[0]["projected"] + chosen[0]["undefined"] < 200
