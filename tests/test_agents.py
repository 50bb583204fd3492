"""`--agents` names by role the players that a log does not name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.agents import agents_by_role
from tests.command import ddz
from tests.parsing import sample_bytes
from tests.stores import column, take

NAMES = {"landlord": "A", "landlord_down": "B", "landlord_up": "C"}


def players(store: Path) -> list[tuple[Any, ...]]:
    return list(zip(*(column(store, "hands", f"player_{seat}") for seat in range(3)), strict=True))


def test_roles_become_seats(tmp_path: Path) -> None:
    """Deals without names get them by the landlord's seat; a player whom the log names keeps his name."""
    line = json.loads(sample_bytes("douzero/card_play_action_seq.jsonl").splitlines()[0])
    seats = ["landlord_up", "landlord", "landlord_down"]
    record = json.loads(sample_bytes("douzero/human_game_records.jsonl").splitlines()[0]) | {"seats": seats}
    lines = [json.dumps(document) for document in (line["card_play_data"], line, record)]
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    take(tmp_path / "store", tmp_path / "games.jsonl", agents=NAMES)
    assert players(tmp_path / "store") == [
        ("A", "B", "C"),
        ("rlcard#0", "rlcard#1", "rlcard#2"),
        ("C", "A", "B"),
    ]


def test_an_agent_of_several_roles_is_a_player_on_each(tmp_path: Path) -> None:
    """A name that two roles have is told apart by the seat; a role that is not given stays unnamed."""
    (tmp_path / "deals.pkl").write_bytes(sample_bytes("douzero/eval_data.pkl"))
    run = ddz("ingest", "deals.pkl", "--agents", "landlord=old, landlord_up=old", folder=tmp_path)
    assert run.returncode == 0
    assert set(players(tmp_path / "ddz-store")) == {("old#0", "seat1", "old#2")}


@pytest.mark.parametrize("text", ["", "A", "landlord=", "north=A", "landlord=A,landlord=B", "landlord=A,,"])
def test_what_names_nobody_is_refused(text: str) -> None:
    """A role that does not exist, stands twice or has no name is one clear line."""
    with pytest.raises(UsageError) as caught:
        agents_by_role(text)
    assert caught.value.code == "agents"
