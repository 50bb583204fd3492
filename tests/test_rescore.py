"""Re-scoring: what is missing or out of date is settled, and nothing else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from ddz_analytics import rescore as rescoring
from ddz_analytics.errors import StoreError, UsageError
from ddz_analytics.ingest import intake
from ddz_analytics.rescore import Rescored, current, rescore
from ddz_analytics.rules import RuleSet, load_rules
from ddz_analytics.store import open_store
from tests.stores import column, content, lines, parts_of, played, take, ten_hands_in

JJ, QQ = load_rules("jj-classic"), load_rules("qq-classic")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with ten hands that were played out."""
    return ten_hands_in(tmp_path)


def test_what_is_missing(store: Path, tmp_path: Path) -> None:
    """Every hand is settled once under each rule set, and new hands when they come."""
    assert rescore(store, [JJ, QQ]) == Rescored({"jj-classic": 10, "qq-classic": 10}, 0)
    (tmp_path / "more.jsonl").write_bytes(lines(0, 3))
    take(store, tmp_path / "more.jsonl")
    assert current(store) == {}
    assert rescore(store, [JJ]) == Rescored({"jj-classic": 3}, 0)
    assert current(store) == {JJ.id: JJ.rule_hash}
    assert rescore(store, [QQ]).settled == {"qq-classic": 3}
    assert column(store, "settlements", "rule_set") == ["jj-classic"] * 13 + ["qq-classic"] * 13
    assert column(store, "settlements", "hand_id") == [*range(1, 14)] * 2


def test_what_is_current(store: Path) -> None:
    """What is current is not settled again, and nothing is published."""
    rescore(store, [JJ])
    before = (store / "manifest.json").read_bytes()
    assert rescore(store, [JJ]) == Rescored({"jj-classic": 0}, 0)
    assert (store / "manifest.json").read_bytes() == before


def test_rule_sets_table(store: Path) -> None:
    """Each rule set is kept with its titles, citations, hash and parameters."""
    rescore(store, [JJ])
    (row,) = open_store(store).read("rule_sets").to_pylist()
    assert (row["rule_set"], row["title_en"], row["rule_hash"], row["assumed"]) == (
        JJ.id,
        JJ.title_en,
        JJ.rule_hash,
        JJ.assumed,
    )
    assert msgspec.json.decode(row["parameters"])["events.bomb"] == JJ.events_bomb
    assert all(piece in row["source"] for source in JJ.sources.values() for piece in source.split("; "))


def test_changed_rule_set(store: Path) -> None:
    """When a rule set's content changes under its id, it alone is settled again, and what was settled under the old content is dropped."""
    rescore(store, [JJ, QQ])
    others = {part for part in open_store(store).manifest.settlements if part.rule_set == QQ.id}
    changed = structs.replace(JJ, events_bomb=3)
    assert rescore(store, [changed, QQ]).settled == {"jj-classic": 10, "qq-classic": 0}
    assert others < set(open_store(store).manifest.settlements)
    assert set(column(store, "settlements", "rule_hash")) == {changed.rule_hash, QQ.rule_hash}
    assert column(store, "rule_sets", "rule_hash") == [changed.rule_hash, QQ.rule_hash]
    assert len(column(store, "settlements", "hand_id")) == 20


def test_one_id_for_two_rule_sets(store: Path) -> None:
    """Two rule sets with one id and different content are refused; the same one twice is settled once."""
    with pytest.raises(UsageError) as error:
        rescore(store, [JJ, structs.replace(JJ, events_bomb=3)])
    assert error.value.code == "rule_set_twice"
    assert rescore(store, [JJ, JJ]).settled == {"jj-classic": 10}


@pytest.mark.usefixtures("side_by_side")
def test_any_number_of_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process and two write the same parts, byte for byte, whichever file was named first."""
    monkeypatch.setattr(intake, "HANDS_PER_PART", 6)
    logs = [tmp_path / "log.jsonl", tmp_path / "more.jsonl"]
    for log, content_of in zip(logs, (played(10), lines(0, 3)), strict=True):
        log.write_bytes(content_of)
    one, two = tmp_path / "one", tmp_path / "two"
    take(one, *logs)
    take(two, *reversed(logs))
    assert len(open_store(one).manifest.facts) > 1
    rescore(one, [JJ, QQ])
    rescore(two, [JJ, QQ], jobs=2)
    assert parts_of(one) == parts_of(two)


def test_newer_settling(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an older version settled is settled again."""
    rescore(store, [JJ, QQ])
    monkeypatch.setattr(rescoring, "SETTLE_VERSION", 99)
    assert current(store) == {}
    assert rescore(store, [JJ]).settled == {"jj-classic": 10}
    assert current(store) == {JJ.id: JJ.rule_hash}


def test_newer_replay(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an older version replayed is replayed again before it is settled."""
    rescore(store, [JJ, QQ])
    before = content(store)
    monkeypatch.setattr(rescoring, "REPLAY_VERSION", 99)
    monkeypatch.setattr("ddz_analytics.ingest.replaying.REPLAY_VERSION", 99)
    assert rescore(store, [JJ, QQ]) == Rescored({"jj-classic": 10, "qq-classic": 10}, 10)
    assert {part.replay_version for part in open_store(store).manifest.plays} == {99}
    assert content(store) == before


def test_settlements_follow_their_hands(store: Path, tmp_path: Path) -> None:
    """When some hands of a part go, their settlements go too, and those of the others stay current."""
    (tmp_path / "a.jsonl").write_bytes(lines(0, 3))
    both = tmp_path / "both"
    take(both, tmp_path / "a.jsonl", tmp_path / "log.jsonl")
    rescore(both, [JJ])
    take(both, tmp_path / "a.jsonl", reparse=True)
    assert column(both, "settlements", "hand_id") == [*range(4, 14)]
    assert rescore(both, [JJ]).settled == {"jj-classic": 3}
    assert column(both, "settlements", "hand_id") == [*range(4, 17)]


def test_store_without_hands(tmp_path: Path) -> None:
    """Without hands nothing is settled, and a missing store is an error."""
    (tmp_path / "empty.jsonl").touch()
    take(tmp_path / "store", tmp_path / "empty.jsonl")
    assert rescore(tmp_path / "store", [JJ]).settled == {"jj-classic": 0}
    for call in (lambda path: rescore(path, [JJ]), current):
        with pytest.raises(StoreError) as error:
            call(tmp_path / "nowhere")
        assert error.value.code == "store_missing"


def test_rule_set_of_ones_own(store: Path) -> None:
    """A rule set that no file holds is settled like any other."""
    assert rescore(store, [RuleSet(id="mine")]).settled == {"mine": 10}
