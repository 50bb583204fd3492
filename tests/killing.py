"""Commands in processes of their own that are killed at a moment of somebody's choice, and what a store must be afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from ddz_analytics.info import content_digest
from ddz_analytics.store import exists
from ddz_analytics.store.catalog import connect
from ddz_analytics.verify import verify

Victim = Literal["parent", "worker", "everybody"]
POINTS = ("part_written", "before_manifest_rename", "after_manifest_rename", "before_catalog_rename")
PATIENCE = 600  # seconds after which a command hangs

# Small parts and pieces, so that some thousand hands come to many of them; the numbers make no part of what is stored.
_BEGIN = """
import sys
from pathlib import Path
from ddz_analytics import workers
from ddz_analytics.errors import DdzError
from ddz_analytics.ingest import Options, ingest, intake, reading, sources
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
store, log, jobs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
intake.HANDS_PER_PART = int(sys.argv[4])
workers.LONG = 0.0
sources.CUT_EVERY = reading.CUT_EVERY = int(sys.argv[4]) * 2000
try:
    {what}
except DdzError as error:
    sys.exit(error.code)
"""
WORK = {
    "ingest": "ingest(store, [log], Options(jobs=jobs))",
    "rescore": 'rescore(store, [load_rules("jj-classic"), load_rules("qq-coins")], jobs)',
    "chained": 'rescore(store, [load_rules("jj-classic"), load_rules("qq-coins")], jobs, "chained")',
}


class Job(NamedTuple):
    """Some work of `WORK` on a store, in so many processes, in parts of so many hands."""

    work: str
    log: Path
    jobs: int = 1
    hands: int = 500

    def start(self, store: Path, crash_at: str = "") -> subprocess.Popen[str]:
        """Begin it, in a process group of its own."""
        code = _BEGIN.format(what=WORK[self.work])
        arguments = [str(store), str(self.log), str(self.jobs), str(self.hands)]
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments], env={**os.environ, "DDZ_CRASH_AT": crash_at},
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def run(self, store: Path, crash_at: str = "") -> tuple[int, str]:
        """Do it to its end, or to its death: the return code, and what it said on stderr."""
        with self.start(store, crash_at) as process:
            said = _last_words(process)
            return process.returncode, said


def _last_words(process: subprocess.Popen[str]) -> str:
    """What a process says on stderr until it ends; one that hangs is killed with all of its group."""
    try:
        return process.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def content(store: Path) -> str | None:
    """What `ddz info --json` says of a store that `ddz verify` finds whole; None where there is none."""
    if not exists(store):
        return None
    assert verify(store) == []
    with connect(store) as connection:
        return content_digest(connection)


def killed(job: Job, store: Path, victim: Victim, rng: Random, longest: float) -> int:
    """Kill somebody at a random time, up to `longest` seconds after the first working file or the first part; the return code."""
    known = {*store.glob("parts/*")}
    begun: Callable[[], bool] = rng.choice(
        (lambda: any(store.glob("tmp-*")), lambda: _has_new_part(store, known))
    )
    with job.start(store) as process:
        while process.poll() is None and not begun():
            time.sleep(0.001)
        time.sleep(rng.random() * longest)
        if process.poll() is None:
            _kill(process, victim, rng)
        said = _last_words(process)
    assert process.returncode in (0, -signal.SIGKILL) or said.strip() == "worker_died", said
    return process.returncode


def _has_new_part(store: Path, known: set[Path]) -> bool:
    return not known >= {*store.glob("parts/*")}


def _kill(process: subprocess.Popen[str], victim: Victim, rng: Random) -> None:
    workers = _workers(process.pid)
    if victim == "everybody":
        os.killpg(process.pid, signal.SIGKILL)
    elif victim == "worker" and workers:
        try:
            os.kill(rng.choice(workers), signal.SIGKILL)
        except ProcessLookupError:  # it is done
            process.kill()
    else:
        process.kill()


def _workers(pid: int) -> list[int]:
    """The worker processes of a process."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it is done, or this is no Linux
        return []
    return [int(child) for child in children if b"spawn_main" in _command(child)]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
