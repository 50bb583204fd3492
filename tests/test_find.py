"""`ddz find`: hands by player, table, days and condition, and where each stands in its log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddz_analytics.cli import ddz
from tests.stores import line, take

HANDS = (
    ("h1", "t1", ["ann", "bo", "cy"], "2026-01-01T10:00:00+08:00"),
    ("h2", "t1", ["ann", "bo", "dee"], "2026-01-02T10:00:00+08:00"),
    ("h3", "t2", ["eve", "bo", "cy"], "2026-01-03T10:00:00+08:00"),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three hands on three days at two tables, in Shanghai."""
    folder = tmp_path_factory.mktemp("find")
    lines = (
        line(name, table=table, players=players, started_at=time) for name, table, players, time in HANDS
    )
    (folder / "log").write_bytes(b"".join(lines))
    take(folder / "store", folder / "log", tz="Asia/Shanghai")
    return folder / "store"


def asked(store: Path, *options: str) -> Result:
    """`ddz find` with some options."""
    return CliRunner().invoke(ddz, ["find", "--store", str(store), *options], standalone_mode=False)


def found(store: Path, *options: str) -> list[str]:
    """The source ids of the hands that are listed."""
    rows: list[dict[str, Any]] = json.loads(asked(store, "--format", "json", *options).stdout)
    return [row["source_hand_id"] for row in rows]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ((), ["h1", "h2", "h3"]),
        (("--player", "cy"), ["h1", "h3"]),
        (("--table", "t1"), ["h1", "h2"]),
        (("--from", "2026-01-02"), ["h2", "h3"]),
        (("--to", "2026-01-02"), ["h1", "h2"]),
        (("--from", "2026-01-02", "--to", "2026-01-02"), ["h2"]),
        (("--player", "bo", "--where", "player = 'dee' OR player = 'eve'"), ["h2", "h3"]),
        (("--player", "nobody"), []),
        (("--limit", "2"), ["h1", "h2"]),
        (("--limit", "0"), ["h1", "h2", "h3"]),
    ],
)  # fmt: skip
def test_hands_by_what_is_asked(store: Path, options: tuple[str, ...], ids: list[str]) -> None:
    """What is asked for narrows the list; days are those of the store's zone, both included."""
    assert found(store, *options) == ids


def test_a_hand_is_told_with_its_place(store: Path) -> None:
    """A row has the players by seat, and the file and line from which the hand came."""
    (row,) = json.loads(asked(store, "--format", "json", "--table", "t2").stdout)
    assert (row["players"], row["landlord"], row["replay_status"]) == ("eve, bo, cy", None, "no_play")
    assert (row["source_path"].endswith("log"), row["source_line"]) == (True, 3)


def test_what_is_left_out_is_said(store: Path) -> None:
    """A list cut short says how many hands it leaves out."""
    assert "3 hands, 1 of them not listed" in asked(store, "--limit", "2").stderr


def test_condition_that_is_none(store: Path) -> None:
    """A condition that is no question is refused with a code."""
    error = asked(store, "--where", "player = (SELECT raw FROM nowhere)").exception
    assert getattr(error, "code", None) == "sql_name"
