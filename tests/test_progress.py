"""Progress on long work: on a terminal, and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from ddz_analytics.cli.progress import Bar, duration
from ddz_analytics.ingest.reading import Progress
from tests.command import ddz
from tests.stores import played
from tests.test_cli import DDZ


def on_a_terminal(*arguments: str, folder: Path) -> tuple[str, str]:
    """What a command prints on stdout, and on a terminal that is its stderr."""
    terminal, theirs = pty.openpty()
    with subprocess.Popen([*DDZ, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=theirs) as run:
        os.close(theirs)
        assert run.stdout is not None
        printed = run.stdout.read().decode()
    told = b""
    try:
        while chunk := os.read(terminal, 4096):
            told += chunk
    except OSError:  # the other side is closed
        pass
    os.close(terminal)
    assert run.returncode == 0, told
    return printed, told.decode()


def test_progress_on_a_terminal_only(tmp_path: Path) -> None:
    """On a terminal bytes, hands, their rate show and are wiped away; with --quiet, or into a pipe, nothing shows."""
    (tmp_path / "log.jsonl").write_bytes(played(50))
    printed, told = on_a_terminal("ingest", "log.jsonl", "--jobs", "1", folder=tmp_path)
    assert "50 hands read" in told and "hands/s" in told and "MB" in told
    assert told.endswith("\r\x1b[K")
    assert "50 stored" in printed and "hands/s" not in printed
    _, told = on_a_terminal("rescore", "--rules", "jj-classic,qq-classic", "--jobs", "1", folder=tmp_path)
    assert "100 of 100 hands settled" in told
    _, told = on_a_terminal("ingest", "log.jsonl", "--reparse", "--quiet", folder=tmp_path)
    assert told == ""
    assert ddz("ingest", "log.jsonl", "--reparse", folder=tmp_path).stderr == ""


def test_time_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """After a third of the work in ten seconds, twenty are left."""
    now = iter([0.0, 10.0, 10.01, 30.0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("ddz_analytics.cli.progress.time.monotonic", lambda: next(now))
    bar = Bar(quiet=False)
    bar.scored(100, 300)
    bar.scored(101, 300)
    told = capsys.readouterr().err
    assert told.endswith(" 33%  100 of 300 hands settled, 10 hands/s, 0:20 left")
    bar.read(Progress(5_000_000, 5_000_000, 9000, 9000))
    assert capsys.readouterr().err.endswith(
        "100%  5.0 of 5.0 MB, 9,000 hands read, 9,000 stored, 300 hands/s"
    )
    assert duration(3723) == "1:02:03"
