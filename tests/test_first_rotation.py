"""Who speaks first moves on by one seat with each hand of a sitting (qq Q3, casino C6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddz_analytics.ingest import ingest
from ddz_analytics.query import run_query

DEAL = {
    "dealt": ["33334444556677889", "9TTTTJJJJQQQQ2222", "56789KKKKAAAA5678"],
    "bottom": "9BR",
    "landlord": None,
    "outcome": "redeal",
}


def hand(number: int, first: int, *, players: str = "abc", rules: str = "qq-classic") -> str:
    """A hand of table t that seat `first` begins and nobody wants."""
    actions = [{"seat": (first + k) % 3, "act": "decline"} for k in range(3)]
    head = {
        "format": "ddz/1",
        "id": f"h{number}",
        "table": "t",
        "no": number,
        "rules": rules,
        "players": list(players),
    }
    return json.dumps(head | DEAL | {"actions": actions})


def played(number: int, first: int) -> str:
    """The same, but the first seat bids 3 and the hand breaks off."""
    document = json.loads(hand(number, first))
    bid = {"seat": first, "act": "bid", "value": 3}
    return json.dumps(document | {"actions": [bid], "landlord": first, "outcome": "unfinished"})


def noted(folder: Path, *lines: str) -> list[tuple[str, int]]:
    """Hands with the note `first_rotation`, and the seat that it names."""
    log = folder / "log.ddz.jsonl"
    log.write_text("\n".join(lines), "utf-8")
    ingest(folder / "store", [str(log)])
    question = "SELECT source_hand_id, seat FROM hand_issues JOIN hands USING (hand_id) WHERE code = 'first_rotation'"
    return [(row["source_hand_id"], row["seat"]) for row in run_query(folder / "store", question).to_pylist()]


@pytest.mark.parametrize(("first", "expected"), [(0, [("h2", 0)]), (1, []), (2, [("h2", 2)])])
def test_first_speaker_moves_on(first: int, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    """After a hand that seat 0 began, seat 1 begins; anybody else is noted."""
    assert noted(tmp_path, played(1, 0), hand(2, first)) == expected


@pytest.mark.parametrize(("first", "expected"), [(0, []), (1, []), (2, [("h2", 2)])])
def test_thrown_in_deal_may_be_begun_again(
    first: int, expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    """After a deal that was thrown in, the same seat or the next may begin."""
    assert noted(tmp_path, hand(1, 0), hand(2, first)) == expected


def test_other_players_or_a_gap_are_another_sitting(tmp_path: Path) -> None:
    """Nothing is noted when somebody else sat down, a hand number is missing, or the rules draw the first speaker by lot."""
    assert noted(tmp_path, played(1, 0), hand(2, 2, players="abd"), hand(4, 0, players="abd")) == []
    (tmp_path / "other").mkdir()
    assert noted(tmp_path / "other", hand(1, 0, rules="jj-classic"), hand(2, 2, rules="jj-classic")) == []
