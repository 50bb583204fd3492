"""The benchmark runs, whatever it measures, and its pages are those of the runs that are kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench import commands, engine, page, questions
from tests.bench.measuring import Cost, command, in_turn

QUICK = {"a", "a1", "d", "f", "fs", "h", "v"}
ALL = QUICK | {
    "b", "b1", "c", "e.compare", "e.report", "f2.sweep", "f2.chained", "s", "i.wall", "i.cpu", "j", "v",
    *(f"{letter}.{stage}" for letter in "gG" for stage in ("ingest", "rescore", "compare", "report")),
}  # fmt: skip


def run(folder: Path, hands: int, rows: Sequence[str] = ()) -> dict[str, object]:
    """What a benchmark of so many hands tells, each measured once."""
    file = folder / "told.json"
    chosen = ["--rows", ",".join(rows)] if rows else []
    bench.main(["--hands", str(hands), "--rounds", "1", "--json", str(file), *chosen])
    told: dict[str, object] = json.loads(file.read_text("utf-8"))
    return told


def keys(told: dict[str, object]) -> set[str]:
    """The rows of a run, each of which came once."""
    rows = told["rows"]
    assert isinstance(rows, list)
    found = [row["key"] for row in rows]
    assert len(found) == len(set(found))
    return set(found)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is measured once."""
    for module, name in (
        (engine, "ROUNDS"), (questions, "ROUNDS"), (commands, "STARTS"), (commands, "INCREMENTS")
    ):  # fmt: skip
        monkeypatch.setattr(module, name, 1)


def test_some_rows(tmp_path: Path) -> None:
    """The rows that are asked for are measured, and told with what they were measured on, but not where."""
    told = run(tmp_path, 60, ["a", "d", "f", "h", "v"])
    assert keys(told) == QUICK
    assert (told["hands"], told["whole"]) == (60, False)
    assert set(told) == {"whole", "when", "hands", "machine", "versions", "rows"}


@pytest.mark.long
def test_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a choice every row is measured, and what the capacity is worked out from; the pages can be written from that."""
    monkeypatch.setattr(page, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(page, "DOCS", tmp_path / "docs")
    (tmp_path / "docs").mkdir()
    told = run(tmp_path, 100)
    assert keys(told) == ALL
    page.main([str(tmp_path / "told.json")])
    assert (tmp_path / "kept" / "100.json").exists()
    assert "| hands |" in (tmp_path / "docs" / "capacity.md").read_text("utf-8")


def test_the_pages_are_those_of_the_runs_that_are_kept() -> None:
    """docs/benchmarks.md and docs/capacity.md are what `make bench-page` writes."""
    for name, text in page.documents().items():
        assert (page.DOCS.parent / name).read_text("utf-8") == text


def test_a_command_is_measured_with_all_its_processes() -> None:
    """Processor time of a process that a command starts counts, and so does its memory."""
    busy = "x = bytearray(60_000_000)\nfor _ in range(4_000_000): pass"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}], check=True)"
    (cost,) = in_turn(1, command([sys.executable, "-c", code]))
    assert cost.cpu > cost.root_cpu
    assert cost.peak == 0 or cost.worker_peak > 60_000_000


def test_of_some_rounds_the_best_counts() -> None:
    """Times are the least of all rounds, sizes the most; pieces of work take turns."""
    costs = iter([Cost(3, 1, peak=5), Cost(9, 9), Cost(2, 2, peak=4), Cost(8, 8)])
    first, second = in_turn(2, lambda: next(costs), lambda: next(costs))
    assert first == Cost(2, 1, peak=5)
    assert second == Cost(8, 8)
