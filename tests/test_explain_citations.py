"""What a step cites: of all that its rule set cites, what is about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.explain.cited import citation, clauses_of, topics
from ddz_analytics.rules import KEYS, clauses, load_rules


def test_topics_name_what_there_is() -> None:
    """Every topic names keys and clauses that exist."""
    for name, topic in topics().items():
        assert set(topic.keys) <= set(KEYS), name
        assert set(topic.clauses) <= set(clauses()), name


@pytest.mark.parametrize(
    ("spec", "section", "topic", "cited"),
    [
        ("jj-classic", "events", "bombs", "jj J33: 积分规则"),
        ("jj-bomb", "events", "bombs_read", "jj J34: 积分规则"),
        ("jj-bomb", "events", "spring", "jj J36: 积分规则"),
        ("laizi-jj", "events", "added_soft", "jj2 L36: 积分规则"),
        ("happy-laizi", "events", "wild_rockets", "jj2 L35: 积分规则"),
        ("casino-capped", "events", "spring", "casino C21: 春天與反春; casino C25: 計分規則"),
        ("qq-coins", "events", "bombs", "qq Q18: 積分; qq Q25: 計分規(guī)則"),
        ("jj-classic+cap-4", "cap", "cap", "casino C26: 計分規則"),
    ],
)
def test_clause_of_a_step(spec: str, section: str, topic: str, cited: str) -> None:
    """A step cites the clauses about it alone, by page and heading."""
    assert citation(load_rules(spec), [section], [topic]) == cited


def test_setting_takes_the_place_of_the_clause() -> None:
    """What `--set` changes is cited as that, not by the clause that says otherwise; a second key stands beside the clause."""
    rules = load_rules("jj-classic[events.bomb=3,liability.status=any_time]")
    assert citation(rules, ["events"], ["bombs"]) == "--set events.bomb=3"
    assert citation(rules, ["events"], ["spring"]) == "jj J36: 积分规则"
    assert (
        citation(rules, ["liability"], ["losing"])
        == "jj J42: “断线”和“托管”计分; --set liability.status=any_time"
    )


def test_own_source_stands_beside_the_clause(tmp_path: Path) -> None:
    """A rule file's own words are cited too; where no clause is about a step, all of the section is."""
    file = tmp_path / "mine.toml"
    file.write_text(
        'id = "mine"\ntitle = { zh = "我", en = "mine" }\nextends = "jj-classic"\n[events]\nsource = "house rule: mine"\nbomb = 3\n'
    )
    rules = load_rules(str(file))
    assert citation(rules, ["events"], ["bombs"]) == "jj J33: 积分规则; house rule: mine"
    adp = load_rules("douzero-adp")
    assert citation(adp, ["events"], ["bombs"]) == adp.sources["events"]


def test_clauses_are_told_in_both_languages() -> None:
    """A cited clause has its page, heading and words; what is no clause has none."""
    (found,) = clauses_of("jj J34: 积分规则; house rule: mine", "zh")
    assert (found.id, found.page, found.heading, found.words) == (
        "J34",
        "jj",
        "积分规则",
        clauses()["J34"].zh,
    )
    assert clauses_of("jj J34: 积分规则", "en")[0].words == clauses()["J34"].en
