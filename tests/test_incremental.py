"""Ingesting the same files again, as a user sees it: what is unchanged, grown, changed, replaced, and what came of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import ddz
from tests.stores import line, lines


def ingest(folder: Path, *arguments: str) -> dict[str, Any]:
    run = ddz("ingest", *arguments, "--json", folder=folder)
    assert run.returncode == 0, run.stderr
    told: dict[str, Any] = json.loads(run.stdout)
    return told


def came_of(folder: Path, *arguments: str) -> tuple[str, int, int, int]:
    """For one file: its state, and how many records were stored, duplicate and rejected."""
    told = ingest(folder, *arguments)
    (file,) = told["files"] or [{"state": "unchanged", **told["total"]}]
    return file["state"], file["stored"], file["duplicate"], file["rejected"]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_file_from_day_to_day(tmp_path: Path, *, packed: bool) -> None:
    """New, unchanged, grown (a packed file is read again as a whole), and replaced when asked for."""
    pack = gzip.compress if packed else bytes
    log = tmp_path / "log"
    log.write_bytes(pack(lines(0, 3)))
    assert came_of(tmp_path, "log") == ("new", 3, 0, 0)
    assert came_of(tmp_path, "log") == ("unchanged", 0, 0, 0)
    with log.open("ab") as file:
        file.write(pack(lines(3, 5)))
    assert came_of(tmp_path, "log") == ("grown", 2, 3 if packed else 0, 0)
    assert came_of(tmp_path, "log", "--reparse") == ("replaced", 5, 0, 0)
    if packed:
        log.write_bytes(gzip.compress(lines(0, 6)))
        assert came_of(tmp_path, "log") == ("changed", 1, 5, 0)


def test_a_changed_file_says_what_changed(tmp_path: Path) -> None:
    """Of a file with other content: what is new, what is as before, what contradicts, and what is no longer there."""
    (tmp_path / "log").write_bytes(lines(0, 4))
    ingest(tmp_path, "log")
    (tmp_path / "log").write_bytes(lines(1, 2) + line("0002", players=["ann", "bo", "dee"]) + lines(4, 5))
    run = ddz("ingest", "log", folder=tmp_path)
    assert run.stdout.splitlines() == [
        "log (ddz/1, changed): 3 read = 1 stored + 1 duplicate + 1 rejected + 0 skipped",
        "  3 hands that stood there before are no longer in it, and stay stored",
        "total: 3 read = 1 stored + 1 duplicate + 1 rejected + 0 skipped",
        "  1 conflict, first log:2: another hand of this table and id, with other content, stood at log:3 "
        "when this file was read before; --reparse puts this in its place",
    ]
    run = ddz("ingest", "log", "--reparse", folder=tmp_path)
    assert run.stdout.startswith("log (ddz/1, replaced): 3 read = 3 stored + 0 duplicate + 0 rejected")
    assert "1 hand gave way to another with its id" in run.stderr
    question = "SELECT player FROM hand_seats WHERE seat = 2 AND hand_id IN (SELECT hand_id FROM hands WHERE source_hand_id = '0002')"
    assert ddz("sql", question, "--format", "csv", folder=tmp_path).stdout.split() == ["player", "dee"]


def test_the_summary_is_grouped_by_code(tmp_path: Path) -> None:
    """What was rejected is told by code, the most frequent first, with the first record of each, also of a dry run."""
    bad = line("9", started_at="2026-01-01T00:00:00")
    (tmp_path / "a").write_bytes(lines(0, 1) + b"{}\n[]\n" + bad * 2)
    (tmp_path / "b").write_bytes(b"\0\1")
    expected = [
        ("naive_time", 2, "a", 4),
        ("missing_field", 1, "a", 2),
        ("not_text", 1, "b", 1),
        ("wrong_type", 1, "a", 3),
    ]
    for options in (["--dry-run"], []):
        told = ingest(tmp_path, "a", "b", *options)["rejected_by_code"]
        assert [(each["code"], each["records"], each["path"], each["line"]) for each in told] == expected
    assert told[0]["detail"] == "a time without offset - at `started_at`"
