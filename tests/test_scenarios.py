"""Comparing with chained balances, and what a comparison says of the scores recorded under its baseline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddz_analytics.cli import ddz
from ddz_analytics.errors import DdzError
from ddz_analytics.report import write_report
from ddz_analytics.rescore import current, rescore
from ddz_analytics.rules import load_rules
from tests.reports import plain_text
from tests.stores import take
from tests.won_hands import won

NAMES = ["jj-classic", "jj-classic+minimised"]
AGAINST = ("--baseline", NAMES[0], "--against", NAMES[1])


def recorded(*scores: int) -> dict[str, Any]:
    """Scores as a log records them."""
    return {"recorded": {"scores": scores}}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two hands of the same three, recorded under rules by which a peasant lost 1: by those that minimise bo has nothing left."""
    hands = [
        won(1, (100, 4, 50), rules="qq-classic", **recorded(2, -1, -1)),
        won(2, (102, 3, 49), rules="qq-classic", **recorded(2, -1, -1)),
    ]
    return _ingested(tmp_path, hands)


def _ingested(folder: Path, hands: list[dict[str, Any]]) -> Path:
    (folder / "log.jsonl").write_text("".join(json.dumps(hand) + "\n" for hand in hands))
    take(folder / "store", folder / "log.jsonl")
    return folder / "store"


def run(*arguments: object) -> Result:
    """The command, which must succeed."""
    result = CliRunner().invoke(ddz, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.stderr
    return result


def test_titles_name_chained_balances_and_nothing_else(store: Path) -> None:
    """Every table's title says that balances are chained, none does where they are recorded; in JSON the scenario stands by itself.

    What each parameter contributes cannot be told where balances are chained.
    """
    compare = ("compare", "--store", store, *AGAINST, "--jobs", 1, "--quiet", "--format")
    titles = [line for line in run(*compare, "csv").stdout.splitlines() if line.startswith("# ")]
    titles = [title for title in titles if "contributes" not in title]
    chained = run(*compare, "csv", "--balances", "chained").stdout.splitlines()
    assert [line for line in chained if line.startswith("# ")] == [
        f"{title} (chained balances)" for title in titles
    ]
    assert run(*compare, "table", "--balances", "chained").stdout.startswith("overview (chained balances)\n")
    said = json.loads(run(*compare, "json", "--balances", "chained").stdout)
    assert list(said) == ["scenario", *(title[2:] for title in titles)]
    assert said["scenario"] == "chained"


def test_chained_comparison_counts_chained_scores_and_ruins(store: Path) -> None:
    """By minimised rules the first hand takes bo's 4, so that the second, for which the log gives him 3, finds him with nothing."""
    compare = (
        "compare",
        "--store",
        store,
        *AGAINST,
        "--jobs",
        1,
        "--quiet",
        "--format",
        "json",
        "--balances",
    )
    for balances, landlord, steps in (("recorded", 7, ["7", "-3", "-4"]), ("chained", 4, ["4", "0", "-4"])):
        tables = json.loads(run(*compare, balances).stdout)
        (worst,) = tables["most different hands"]
        assert (worst["source_hand_id"], worst["baseline_0"], worst["other_0"]) == ("h2", 8, landlord)
        last = tables["how those hands are settled, step by step"][-1]
        assert [last[role] for role in ("landlord", "down", "up")] == steps
    minimised = tables["payments that balances cut, and players ruined"][1]
    # under the baseline bo has nothing after the first hand and less than nothing after the second
    assert (minimised["ruins"], minimised["ruins_baseline"], minimised["newly_ruined"]) == (1, 1, 0)


def test_rescore_says_which_balances(store: Path) -> None:
    """`rescore` names chained balances beside each rule set, and does the work once."""
    command = ("rescore", "--store", store, "--rules", NAMES[1], "--jobs", 1, "--balances", "chained")
    assert run(*command).stdout.endswith(" (chained balances): 2 hands settled\n")
    assert run(*command).stdout.endswith(" (chained balances): current\n")
    assert json.loads(run(*command, "--json").stdout)["scenario"] == "chained"


def test_large_grids_refuse_chained_balances(store: Path) -> None:
    """A grid that is counted on distinct facts cannot follow balances from hand to hand."""
    grid = ("--set", "cap.doublings=none,0,1,2,3", "--set", "events.bomb=1,2")
    command = ["compare", "--store", str(store), "--baseline", NAMES[0], *grid, "--balances", "chained"]
    refused = CliRunner().invoke(ddz, command)
    assert isinstance(refused.exception, DdzError)
    assert refused.exception.code == "too_many_variants"


def test_report_names_chained_balances(store: Path) -> None:
    """Title, stamp and twin of a report on chained balances say so, in both languages; it must be scored so first."""
    base, other = map(load_rules, NAMES)
    rescore(store, [base, other])
    assert current(store) and not current(store, "chained")
    with pytest.raises(DdzError, match=r"not_scored.*--balances chained"):
        write_report(store, base, [other], balances="chained")
    rescore(store, [base, other], 1, "chained")
    assert current(store, "chained") == {rules.id: rules.rule_hash for rules in (base, other)}
    page, twin = write_report(store, base, [other], balances="chained")
    assert json.loads(twin)["scenario"] == "chained"
    for words in (
        "under other rules, balances chained</title>",
        "Balances are chained: before each",
        "余额逐局推算：每局",
    ):
        assert words in page.decode()
    last = json.loads(twin)["hands"][0]["settlings"][1]["steps"]["en"][-1]
    assert last[-4:] == ["4", "0", "-4", "0"]
    page, twin = write_report(store, base, [other])
    assert json.loads(twin)["scenario"] == "recorded"
    assert "under other rules</title>" in page.decode() and "Balances are chained" not in page.decode()


def test_baseline_that_does_not_reconcile_is_stamped(tmp_path: Path) -> None:
    """Only hands recorded under the baseline count: one agrees, one has a score that nothing explains."""
    hands = [
        won(1, (100, 50, 50), **recorded(8, -4, -4)),
        won(2, (108, 46, 46), **recorded(9, -5, -4)),
        won(3, (117, 41, 42), rules="qq-classic", **recorded(1, 0, -1)),
    ]
    store = _ingested(tmp_path, hands)
    result = run("compare", "--store", store, *AGAINST, "--jobs", 1, "--format", "json")
    (row,) = json.loads(result.stdout)["recorded scores of the baseline against recomputed ones"]
    assert {name: row[name] for name in ("hands", "exact", "explained", "unexplained", "reconciles")} == {
        "hands": 2, "exact": 1, "explained": 0, "unexplained": 1, "reconciles": False,
    }  # fmt: skip
    assert "1 of 2 scores recorded under jj-classic are unexplained" in result.stderr
    base, other = map(load_rules, NAMES)
    page, twin = write_report(store, base, [other])
    assert json.loads(twin)["answers"]["reconciled"]["rows"] == [
        {"verdict": "exact", "cause": None, "hands": 1},
        {"verdict": "unexplained", "cause": "amount_differs", "hands": 1},
    ]
    stamp = "The baseline does not reconcile: of 2 hands recorded under JJ Dou Dizhu, classic scoring, 1 have"
    assert stamp in plain_text(page)
    qq = load_rules("qq-classic")
    rescore(store, [qq])
    stamps = plain_text(write_report(store, other, [qq]).page)
    assert "No hand has a score recorded under JJ Dou Dizhu, classic scoring + minimised payments" in stamps


def test_sweep_carries_the_reconciliation_of_its_baseline(store: Path) -> None:
    """A large grid gives one row a variant, and whether its baseline gives the scores that were recorded under it."""
    grid = ("--set", "cap.doublings=none,0,1,2,3", "--set", "events.bomb=1,2")
    command = (
        "compare",
        "--store",
        store,
        "--baseline",
        "qq-classic",
        *grid,
        "--jobs",
        1,
        "--format",
        "json",
    )
    tables = json.loads(run(*command).stdout)
    assert list(tables) == ["scenario", "overview", "recorded scores of the baseline against recomputed ones"]
    (row,) = tables["recorded scores of the baseline against recomputed ones"]
    assert (row["hands"], row["unexplained"]) == (2, 2)
