"""Players who sat together are kept apart where the rules say so (casino C40)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddz_analytics.ingest import ingest
from ddz_analytics.query import run_query
from tests.test_first_rotation import DEAL


def hand(name: str, table: str, players: str, **more: object) -> str:
    """A deal in a room that nobody wants."""
    actions = [{"seat": seat, "act": "decline"} for seat in range(3)]
    head = {"format": "ddz/1", "id": name, "table": table, "players": list(players), "rules": "casino-capped"}
    return json.dumps(head | {"room": {"low": 2, "high": 4}, **DEAL, "actions": actions} | more)


def noted(folder: Path, *lines: str) -> dict[str, str]:
    """Hands with the note, and which seats it names."""
    log = folder / "log.ddz.jsonl"
    log.write_text("\n".join(lines), "utf-8")
    ingest(folder / "store", [str(log)])
    question = "SELECT source_hand_id, detail FROM hand_issues JOIN hands USING (hand_id) WHERE code = 'seated_together_before'"
    return {row["source_hand_id"]: row["detail"] for row in run_query(folder / "store", question).to_pylist()}


def test_C40_two_who_sat_together_meet_again(tmp_path: Path) -> None:
    """A new sitting with two of an earlier one is noted, with the seats that they have now; one of each is none."""
    found = noted(
        tmp_path, hand("1", "s", "abc"), hand("2", "t", "dbe"), hand("3", "u", "cxa"), hand("4", "v", "edb")
    )
    assert found == {
        "3": "seats 0 and 2 sat together in an earlier sitting",
        "4": "seats 0 and 1, seats 0 and 2, seats 1 and 2 sat together in an earlier sitting",
    }


def test_C40_the_same_three_play_on(tmp_path: Path) -> None:
    """As long as the same three stay at a table it is one sitting; when they come back after others it is another."""
    again = [
        hand(str(number), "s", players, no=number) for number, players in enumerate(["abc", "abc", "cab"])
    ]
    assert noted(tmp_path, *again) == {}
    (tmp_path / "other").mkdir()
    back = [
        hand(str(number), "s", players, no=number) for number, players in enumerate(["abc", "def", "abc"])
    ]
    assert list(noted(tmp_path / "other", *back)) == ["2"]


@pytest.mark.parametrize("more", [{"table": None}, {"rules": "qq-classic"}, {"rules": None}])
def test_nothing_is_noted_without_a_rule_or_a_table(tmp_path: Path, more: dict[str, object]) -> None:
    """Without a table sittings cannot be told apart, and other rules keep nobody apart."""
    given = {key: value for key, value in more.items() if value is not None}
    lines = [json.loads(hand(name, name, "abc")) for name in "12"]
    lines = [{key: value for key, value in line.items() if key not in more} | given for line in lines]
    assert noted(tmp_path, *map(json.dumps, lines)) == {}
