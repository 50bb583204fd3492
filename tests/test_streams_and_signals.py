"""The command where its streams are closed or full, where nobody reads on, and where it is told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.stores import lines, played, take

DDZ = f"{sys.executable} -c 'from ddz_analytics.start import main; main()'"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log and a store."""
    folder = tmp_path_factory.mktemp("streams")
    (folder / "log").write_bytes(lines(0, 3))
    (folder / "played").write_bytes(played(400))
    take(folder / "ddz-store", folder / "played")
    return folder


def shell(folder: Path, command: str) -> tuple[int, str, str]:
    """Run a line of bash in which `ddz` is the command: its exit code, and both outputs."""
    script = f'ddz() {{ {DDZ} "$@"; }}; {command}'
    run = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("ddz ingest - <&-", 3, "error[input_output]: standard input is closed"),
        ("ddz sql - <&-", 3, "error[input_output]: standard input is closed"),
        ("ddz ingest log --dry-run >&-", 0, ""),
        ("ddz ingest log --dry-run 2>&-", 0, ""),
        ("ddz info 2>/dev/full", 0, ""),
        ("ddz ingest nope 2>/dev/full", 2, ""),
        ("ddz nope 2>/dev/full", 2, ""),
        ("ddz export hands >/dev/full", 3, "error[input_output]: No space left"),
        ("ddz export hands | head -c 9 >/dev/null; exit ${PIPESTATUS[0]}", 0, ""),
    ],
)
def test_streams(folder: Path, command: str, code: int, said: str) -> None:
    """A stream that is closed, full or read no more gives one line at most, and the exit code of what was done."""
    returned, _, errors = shell(folder, command)
    assert (returned, errors.count("\n")) == (code, bool(said)), errors
    assert errors.startswith(said)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_told_to_end(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """A run that is interrupted or terminated says one line, leaves with 130 or 143, and takes its processes with it."""
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-c", "from ddz_analytics.start import main; main()"]
    with subprocess.Popen(
        [*command, "ingest", "pipe", "--jobs", "2"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as run:
        with (tmp_path / "pipe").open("wb"):  # opened when the command has begun to read
            time.sleep(0.2)
            run.send_signal(number)
            assert run.wait(60) == code
        assert run.stderr is not None
        assert run.stderr.read().split("\n") == ["interrupted: nothing was published that was not whole", ""]
    assert not list((tmp_path / "ddz-store").glob("tmp-*"))


def test_interrupted_while_it_loads(tmp_path: Path) -> None:
    """Who interrupts a command that is still loading gets one line and 130, too."""
    code = (
        "import sys\n"
        "class Late:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click':\n"
        "            sys.meta_path.remove(self)\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Late())\n"
        "from ddz_analytics.start import main\n"
        "main()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stderr.count("\n"), run.stderr[:11]) == (130, 1, "interrupted")
