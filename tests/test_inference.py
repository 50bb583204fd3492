"""By which rules recorded scores come about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ddz_analytics import inference
from ddz_analytics.errors import UsageError
from ddz_analytics.evidence import telling, told_by_nothing
from ddz_analytics.inference import Inference, infer
from ddz_analytics.rules import RuleSet, load_rules, shipped_rules
from ddz_analytics.settlement.settle import settle
from ddz_analytics.simulate import simulate
from ddz_analytics.store import open_store
from tests.stores import take


@pytest.fixture
def shipped_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that tries the shipped rule sets, those with an overlay, and goes no further."""
    monkeypatch.setattr(inference, "MOST_ROUNDS", 0)


def scored_log(folder: Path, base: str, rules: RuleSet, hands: int = 150, seed: int = 5) -> Path:
    """A store of hands simulated under one rule set, with the scores that another gives them in their log."""
    log = b"\n".join(simulate(load_rules(base), hands=hands, seed=seed, players=12))
    (folder / "plain.jsonl").write_bytes(log)
    take(folder / "plain", folder / "plain.jsonl")
    rows = settle(open_store(folder / "plain").read("facts"), rules).to_pylist()
    documents = [json.loads(line) for line in log.splitlines()]
    for document, row in zip(documents, rows, strict=True):
        if row["score_status"] != "undefined":
            nets = [row[f"net_{role}"] for role in ("landlord", "down", "up")]
            landlord = document["landlord"] or 0
            document["recorded"] = {"scores": [str(nets[(seat - landlord) % 3]) for seat in range(3)]}
    (folder / "log.jsonl").write_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in documents))
    take(folder / "store", folder / "log.jsonl")
    return folder / "store"


def first(found: Inference) -> tuple[str, int, int]:
    """The plainest of the best, how many hands it reproduces, and how many there are."""
    match = found.classes[0][0]
    return match.candidate.rules.id, match.reproduced, found.recorded


@pytest.mark.parametrize("name", ["qq-classic", "jj-bomb", "casino-capped"])
def test_shipped_rule_set_is_found(tmp_path: Path, name: str) -> None:
    """Scores of a shipped rule set are all reproduced by it, before any other."""
    found = infer(scored_log(tmp_path, name, load_rules(name)))
    assert first(found) == (name, found.recorded, found.recorded)
    assert found.recorded >= 140 and found.tried > 300


def test_two_settings_are_found_one_after_the_other(tmp_path: Path) -> None:
    """Scores of a rule set with two settings of its own are reproduced in full."""
    rules = load_rules(
        "jj-classic[cap.doublings=1,liability.both_winning=normal,liability.when_winning=none]"
    )
    found = infer(scored_log(tmp_path, "jj-classic", rules))
    name, reproduced, recorded = first(found)
    assert reproduced == recorded
    assert "cap.doublings=1" in name and "liability.when_winning=none" in name
    shipped = [match.reproduced for alike in found.classes for match in alike if not match.candidate.settings]
    assert max(shipped) < recorded


@pytest.mark.usefixtures("shipped_only")
def test_ties_stay_ties(tmp_path: Path) -> None:
    """A single hand without any event is reproduced by rule sets that nothing in it tells apart, which stand together."""
    line = next(
        line
        for line in simulate(load_rules("qq-classic"), hands=50, seed=2, players=6)
        if json.loads(line)["landlord"] == 0
    )
    document = json.loads(line) | {"recorded": {"scores": ["1000000", "-500000", "-500000"]}}
    document.pop("rules", None)
    (tmp_path / "log.jsonl").write_bytes(json.dumps(document).encode() + b"\n")
    take(tmp_path / "store", tmp_path / "log.jsonl")
    found = infer(tmp_path / "store")
    assert found.recorded == 1
    assert {match.reproduced for alike in found.classes for match in alike} == {0}
    assert found.classes[0][0].candidate.settings == ()


def test_keys_that_no_hand_tells(tmp_path: Path) -> None:
    """Hands without doubles and openings say nothing about their factors, and the value of the best comes first."""
    found = infer(scored_log(tmp_path, "qq-classic", load_rules("qq-classic")))
    silent = told_by_nothing(found.classes[0])
    assert silent["double.factor"] == ["1", "2", "3", "4", "5", "6"]
    assert "events.spring" not in silent


@pytest.mark.usefixtures("shipped_only")
def test_hands_that_tell_two_apart(tmp_path: Path) -> None:
    """An example between two rule sets has the recorded scores, equal to those of the one that reproduces them alone."""
    store = scored_log(tmp_path, "jj-bomb", load_rules("jj-bomb"))
    found = infer(store)
    both = [alike[0] for alike in found.classes if alike[0].candidate.rules.id in ("jj-bomb", "jj-classic")]
    rows: list[dict[str, Any]] = telling(store, both)
    assert rows and {row["rule_set"] for row in rows} == {"jj-classic"}
    for row in rows:
        assert row["recorded"] == row["first"] != row["other"]
        assert row["apart"] >= row["alike"] >= 1
    assert rows[0]["apart"] == both[0].reproduced - both[1].reproduced


@pytest.mark.usefixtures("shipped_only")
def test_scores_in_part_and_undefined_hands_are_counted(tmp_path: Path) -> None:
    """Hands with scores of some seats only are left out and counted, and so are hands that no rule set scores."""
    lines = [json.loads(line) for line in simulate(load_rules("qq-classic"), hands=4, seed=9, players=6)]
    for document in lines:
        document.pop("rules", None)
        document["recorded"] = {"scores": [0, 0, 0]}
    cut = lines[0]
    cut["actions"] = [act for act in cut["actions"] if act["act"] != "play"][:3]
    cut["outcome"] = "unfinished"
    (tmp_path / "log.jsonl").write_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in lines))
    take(tmp_path / "store", tmp_path / "log.jsonl")
    found = infer(tmp_path / "store")
    assert (found.recorded, found.partly, found.nowhere) == (4, 0, 1)
    assert found.formats == {"ddz/1": 4}


@pytest.mark.usefixtures("shipped_only")
def test_only_some_hands(tmp_path: Path) -> None:
    """The search may be limited to some hands."""
    store = scored_log(tmp_path, "qq-classic", load_rules("qq-classic"), hands=20)
    assert infer(store, pa.array([1, 2, 3])).recorded == 3


@pytest.mark.usefixtures("shipped_only")
def test_no_recorded_scores(tmp_path: Path) -> None:
    """Without recorded scores there is nothing to infer from."""
    (tmp_path / "log.jsonl").write_bytes(
        b"\n".join(simulate(load_rules("happy"), hands=3, seed=1, players=6))
    )
    take(tmp_path / "store", tmp_path / "log.jsonl")
    with pytest.raises(UsageError) as error:
        infer(tmp_path / "store")
    assert error.value.code == "no_recorded_scores"


def test_what_was_not_tried_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where balances make nearly every hand distinct, rule sets that read them are left out and counted."""
    monkeypatch.setattr(inference, "MANY_ROWS", 10)
    monkeypatch.setattr(inference, "FEW_ROWS", 10)
    found = infer(scored_log(tmp_path, "qq-classic", load_rules("qq-classic"), hands=30))
    assert found.untried >= len(shipped_rules())
    assert not [
        match for alike in found.classes for match in alike if "minimised" in match.candidate.rules.id
    ]
