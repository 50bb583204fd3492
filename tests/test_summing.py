"""A note where a question adds up several rule sets or scenarios, and none where it takes one or keeps them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ddz_analytics.query import Answered, Limits, answer, questions
from tests.small_store import hand, settlement, write_store

Ask = Callable[[str], Answered]


@pytest.fixture(scope="module")
def ask(six_hands: Path) -> Iterator[Ask]:
    """Questions to a store that is scored under several rule sets."""
    with questions(six_hands, {}, Limits()) as ask:
        yield ask


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sum(score) FROM scores",
        "SELECT role, avg(score) FROM scores WHERE role <> 'landlord' GROUP BY role",
        "SELECT role, avg(score) FROM scores GROUP BY ALL",
        "SELECT sum(amount) FILTER (reason = 'stake') FROM flows",
        "SELECT count(*) FROM settlements",
        "SELECT sum(s.score) FROM scores AS s JOIN hands USING (hand_id)",
        "SELECT sum(a.score) FROM scores AS a JOIN settlements AS b ON a.rule_set = b.rule_set AND a.hand_id = b.hand_id",
        "WITH s AS (SELECT * FROM scores) SELECT sum(score) FROM s",
        "SELECT sum(n) FROM (SELECT rule_set, sum(score) AS n FROM scores GROUP BY rule_set)",
        "SELECT sum(score) OVER (PARTITION BY role) FROM scores",
        "SELECT (SELECT sum(score) FROM scores), count(*) FROM hands",
        "SELECT 1 UNION ALL SELECT sum(score)::INTEGER FROM scores",
        "SELECT hand_id FROM hands WHERE hand_id > (SELECT avg(score) FROM scores)",
        "FROM (FROM scores PIVOT (sum(score) FOR role IN ('landlord') GROUP BY hand_id))",
        "EXPLAIN SELECT sum(score) FROM scores",
    ],
)
def test_adding_up_rule_sets_is_noted(ask: Ask, sql: str) -> None:
    """The note names the rule sets and what to do, and the question is answered all the same."""
    (note,) = ask(sql).notes
    assert note.startswith(
        "note: the answer adds up 3 rule sets (casino-capped, jj-classic, own-share): WHERE rule_set = '…'"
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sum(score) FROM scores WHERE rule_set = 'jj-classic'",
        "SELECT sum(s.score) FROM hands AS h JOIN scores AS s ON s.hand_id = h.hand_id AND s.rule_set = 'jj-classic'",
        "SELECT sum(s.score) FROM scores AS s JOIN hands AS h ON s.hand_id = h.hand_id AND s.rule_set = h.recorded_rules",
        "SELECT rule_set, sum(score) FROM scores GROUP BY rule_set",
        "SELECT rule_set AS r, sum(score) FROM scores GROUP BY 1",
        "SELECT rule_set AS r, sum(score) FROM scores GROUP BY r",
        "SELECT rule_set, sum(score) FROM scores GROUP BY ALL",
        "SELECT sum(score) FILTER (rule_set = 'jj-classic') FROM scores",
        "SELECT sum(CASE WHEN rule_set = 'jj-classic' THEN score END) FROM scores",
        "SELECT sum(score) OVER (PARTITION BY rule_set) FROM scores",
        "SELECT max(score), min(score), count(DISTINCT hand_id) FROM scores",
        "SELECT score FROM scores",
        "SELECT count(*) FROM hands",
        "WITH s AS (SELECT * FROM scores WHERE rule_set = 'jj-classic') SELECT sum(score) FROM s",
        "WITH scores AS (SELECT 1 AS score) SELECT sum(score) FROM scores",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT sum(n) FROM r",
        "FROM (FROM scores PIVOT (sum(score) FOR role IN ('landlord') GROUP BY rule_set))",
        "FROM (FROM (SELECT rule_set, role, score FROM scores) PIVOT (sum(score) FOR role IN ('landlord')))",
        "SELECT avg(recorded) FROM reconciliation",
        "DESCRIBE scores",
        "SHOW TABLES",
        "VALUES (1)",
        "SELECT " + "(SELECT " * 8 + "1" + ")" * 8,
    ],
)
def test_other_questions_have_no_note(ask: Ask, sql: str) -> None:
    """A question that filters, groups, or does not add up is answered without a word."""
    assert ask(sql).notes == []


def test_scenarios_are_told_apart_as_well(tmp_path: Path) -> None:
    """Where the store has both scenarios and one rule set, the note is about scenarios."""
    settled = [settlement(1, "jj-classic", (2, -1, -1))]
    chained = [row | {"scenario": "chained"} for row in settled]
    store = write_store(tmp_path / "store", {"hands": [[hand(1, 0)]], "settlements": [settled, chained]})
    manifest = store / "manifest.json"
    at = manifest.read_text().rindex('"recorded"')
    manifest.write_text(
        manifest.read_text()[:at] + '"chained"' + manifest.read_text()[at + len('"recorded"') :]
    )
    (note,) = answer(store, "SELECT sum(score) FROM scores").notes
    assert note.startswith("note: the answer adds up 2 scenarios (chained, recorded)")
    assert answer(store, "SELECT sum(score) FROM scores WHERE scenario = 'recorded'").notes == []
