"""Reconciling: hands counted by verdict and cause, scales that are no points, and what the command says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.combinations import CODE_OF
from ddz_analytics.reconcile import Reconciled, reconcile, reconciled, rules_to_score
from ddz_analytics.rules import load_rules
from ddz_analytics.scales import scales
from tests.command import ddz
from tests.in_memory import views_over
from tests.small_store import Row, ask, each, facts, hand, play, settlement
from tests.test_cli import SAMPLES


def recorded(number: int, scores: tuple[Any, Any, Any], **more: Any) -> Row:
    """A hand that the landlord on seat 0 won, with these recorded scores by seat."""
    return hand(number, 0, source_line=number, **each("recorded_score_{}", scores), **more)


QQ, JJ = {"recorded_rules": "qq-classic"}, {"recorded_rules": "jj-classic"}
# 1 and 2 agree, 3 is off by a factor of two, 4 was rounded, 5 names rules that nobody knows, 6 says nothing of its scores
SIX: dict[str, Any] = {
    "hands": [
        recorded(1, (4, -2, -2), **QQ),
        recorded(2, (8, -4, -4), **QQ),
        recorded(3, (8, -4, -4), **QQ),
        recorded(4, (15, -8, -7), **JJ),
        recorded(5, (4, -2, -2), recorded_rules="unheard-of"),
        hand(6, 0, **QQ),
    ],
    "facts": [facts(number, 0, 0, bid=2) for number in range(1, 7)],
    "settlements": [
        settlement(1, "qq-classic", (4, -2, -2)),
        settlement(2, "qq-classic", (8, -4, -4)),
        settlement(3, "qq-classic", (4, -2, -2)),
        settlement(4, "jj-classic", ("15.2", "-7.6", "-7.6")),
        settlement(6, "qq-classic", (4, -2, -2)),
    ],
}


def test_each_recorded_rule_set_has_its_own_account() -> None:
    """Hands with recorded scores are counted by the rule set that the log names: exact + explained + unexplained."""
    with views_over(SIX) as connection:
        found = {entry["rule_set"]: entry for entry in reconcile(connection, 1)}
        of_qq = reconciled(connection, "qq-classic")
        of_nobody = reconciled(connection, "happy")
    counts = {name: (e["hands"], e["exact"], e["explained"], e["unexplained"]) for name, e in found.items()}
    assert counts == {"jj-classic": (1, 0, 1, 0), "qq-classic": (3, 2, 0, 1), "unheard-of": (1, 0, 0, 1)}
    causes = {name: [(c["cause"], c["hands"]) for c in e["causes"]] for name, e in found.items()}
    assert causes == {
        "jj-classic": [("rounding", 1)], "qq-classic": [("power_of_two", 1)], "unheard-of": [("not_scored", 1)],
    }  # fmt: skip
    assert (of_qq, of_qq.hands) == (Reconciled(2, 0, 1), 3)
    assert (of_nobody, of_nobody.hands) == (Reconciled(0, 0, 0), 0)


def test_examples_say_where_the_hand_stands_and_both_scores() -> None:
    """An example has the hand, its file and line, and the recorded and recomputed scores of seats 0, 1, 2."""
    with views_over(SIX) as connection:
        (cause,) = next(entry for entry in reconcile(connection, 5) if entry["rule_set"] == "qq-classic")[
            "causes"
        ]
        assert all(not c["examples"] for entry in reconcile(connection, 0) for c in entry["causes"])
    assert cause["examples"] == [
        {
            "hand_id": 3, "source_hand_id": "h3", "source_path": "log", "source_line": 3,
            "recorded": "8.0000 / -4.0000 / -4.0000", "recomputed": "4.0000 / -2.0000 / -2.0000",
        }
    ]  # fmt: skip


def test_a_hand_counts_under_the_worst_verdict_of_its_seats() -> None:
    """Where one seat agrees and another does not, the hand does not."""
    given = {**SIX, "hands": [recorded(1, (4, -2, -3), **QQ)]}
    with views_over(given) as connection:
        assert reconciled(connection, "qq-classic") == Reconciled(0, 0, 1)


# The landlord plays a single, a pair and a bomb: 1 + 2 + 10 hundredths; the peasants a trio and a single, (4 + 1) / 2 each.
PLAYS = [(0, "3", "single"), (0, "44", "pair"), (0, "5555", "bomb"), (1, "666", "trio"), (2, "7", "single")]


@pytest.mark.parametrize(
    ("scale", "winner", "scores", "verdict"),
    [
        ("botzone-ftl1", 0, ("2.13", "0.025", "0.025"), ("explained", "other_scale")),
        ("botzone-ftl1", 1, ("0.13", "2.025", "2.025"), ("explained", "other_scale")),
        ("botzone-ftl1", 0, ("2.13", "0.04", "0.01"), ("unexplained", "scale_differs")),
        ("botzone-ftl1", None, ("-1", "2.5", "2.5"), ("explained", "other_scale")),
        ("botzone-ftl1", None, ("2.5", "-1", "-1"), ("explained", "other_scale")),
        ("botzone-ftl1", None, ("-1", "-1", "2.5"), ("unexplained", "scale_differs")),
        ("botzone-ftl1", None, ("2.5", "-1", "2.5"), ("unexplained", "scale_differs")),
        ("botzone-ftl1", 0, ("-1", "2.5", "2.5"), ("unexplained", "scale_differs")),
        ("rlcard-trace", 0, (1, 0, 0), ("explained", "other_scale")),
        ("rlcard-trace", 1, (0, 1, 1), ("explained", "other_scale")),
        ("rlcard-trace", 1, (1, 0, 0), ("unexplained", "scale_differs")),
        ("rlcard-trace", 0, (2, 0, 0), ("unexplained", "scale_differs")),
        ("rlcard-trace", None, (0, 0, 0), ("unexplained", "scale_differs")),
    ],
)
def test_scores_on_a_scale_are_checked_on_it(
    scale: str, winner: int | None, scores: tuple[Any, Any, Any], verdict: tuple[str, str]
) -> None:
    """A format whose scores are no points is explained only where the scale gives the very numbers."""
    given = {
        "hands": [recorded(1, scores, source_format=scale)],
        "facts": [facts(1, 0, winner)],
        "plays": [play(1, place, cards, category=CODE_OF[name]) | {"seat": seat} for place, (seat, cards, name) in enumerate(PLAYS)],
    }  # fmt: skip
    with views_over(given) as connection:
        assert ask(connection, "SELECT DISTINCT verdict, cause FROM reconciliation") == [verdict]


@pytest.mark.parametrize(
    ("codes", "verdict"),
    [
        (["combination_unsupported"], "explained"),
        (["combination_unsupported", "turn"], "unexplained"),
        (["illegal_combination"], "unexplained"),
    ],
)
def test_a_scale_may_know_chains_of_quads(codes: list[str], verdict: str) -> None:
    """A chain that only the format's dialect knows has points on the scale; a hand that breaks another rule has no score there."""
    found = [
        {"hand_id": 1, "issue_index": place, "code": code, "severity": "error", "action_index": place}
        for place, code in enumerate(codes)
    ]
    given = {
        "hands": [recorded(1, ("2.10", 0, 0), source_format="botzone-ftl1")],
        "facts": [facts(1, 0, 0, replay_status="faulty")],
        "plays": [play(1, 0, "33334444")],
        "issues": found,
    }
    with views_over(given) as connection:
        assert ask(connection, "SELECT DISTINCT verdict FROM reconciliation") == [(verdict,)]


def test_a_log_that_names_its_rules_counts_by_them() -> None:
    """Whatever its format's scale is."""
    given = {**SIX, "hands": [recorded(1, (4, -2, -2), source_format="rlcard-trace", **QQ)]}
    with views_over(given) as connection:
        assert reconciled(connection, "qq-classic") == Reconciled(1, 0, 0)


def test_scales_are_not_zero_sum() -> None:
    """Winners have more than losers on every scale, and no sum is zero: that is why they are no rule sets."""
    for scale in scales().values():
        assert float(scale["winner"]) > float(scale["loser"]) >= 0


def test_what_a_log_says_is_no_file() -> None:
    """Rule sets to score are shipped ones and their compositions; another name, a path say, is not looked up."""
    names = ("qq-classic", "jj-bomb+cap-4", "../x.toml", "/etc/passwd", "cap-4", "jj-bomb+x.toml", "")
    hands = [recorded(place, (4, -2, -2), recorded_rules=name) for place, name in enumerate(names)]
    with views_over({"hands": hands}) as connection:
        assert {rules.id for rules in rules_to_score(connection)} == {"qq-classic", "jj-bomb+cap-4"}


def test_the_command_scores_what_it_needs(tmp_path: Path) -> None:
    """`ddz reconcile` over a judge's log: every hand is exact or explained, and `--strict` is content."""
    assert ddz("ingest", SAMPLES / "botzone-ftl2", folder=tmp_path).returncode == 0
    run = ddz("reconcile", "--strict", "--quiet", folder=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(
        f"qq-classic {load_rules('qq-classic').rule_hash}: 22 hands with recorded scores = "
    )
    (entry,) = json.loads(ddz("reconcile", "--json", folder=tmp_path).stdout)["rule_sets"]
    assert entry["unexplained"] == 0
    assert {cause["cause"] for cause in entry["causes"]} == {
        "all_in_error",
        "forced_landlord",
        "illegal_play_counted",
    }


def test_strict_fails_on_what_is_unexplained(tmp_path: Path) -> None:
    """A recorded score that no cause explains ends with exit code 1 where that was asked for."""
    log = SAMPLES / "simulated" / "happy.ddz.jsonl"
    first = json.loads(log.read_bytes().splitlines()[0]) | {"recorded": {"scores": [7, -3, -4]}}
    (tmp_path / "log.ddz.jsonl").write_text(json.dumps(first) + "\n")
    assert ddz("ingest", "log.ddz.jsonl", folder=tmp_path).returncode == 0
    assert ddz("reconcile", folder=tmp_path).returncode == 0
    run = ddz("reconcile", "--strict", "--lang", "zh", folder=tmp_path)
    assert run.returncode == 1
    assert "不能解释，amount_differs（数目不同）：1 局" in run.stdout


def test_without_recorded_scores_the_command_says_so(tmp_path: Path) -> None:
    """Synthetic logs have no scores of their own."""
    assert ddz("ingest", SAMPLES / "simulated" / "happy.ddz.jsonl", folder=tmp_path).returncode == 0
    assert ddz("reconcile", folder=tmp_path).stdout == "no hand of the store has recorded scores\n"
