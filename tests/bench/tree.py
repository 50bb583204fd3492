"""The memory and the processor time of a process and of all that it started, watched from outside while they run (Linux's /proc)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter

EVERY = 0.25  # seconds between two looks, or more where much memory takes long to look at
SPARING = 50
PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")
_GONE = (FileNotFoundError, ProcessLookupError, PermissionError, IndexError, ValueError)


class Watched(threading.Thread):
    """Looks at a tree of processes until it is told to stop.

    `peak` is the most memory of the whole tree at one look, in bytes: its proportional set size, in which a page that several of
    the tree share counts once, and one that a process outside shares in part. `root_peak` and `worker_peak` are the most that the
    first process, and the biggest of the others, ever had resident, exactly as the system kept it. `root_cpu` is the seconds
    of processor time of the first process alone; `most_files` the most bytes of its working files below a folder.
    """

    def __init__(self, root: int, folder: Path | None = None) -> None:
        super().__init__(daemon=True)
        self.peak = self.most_files = self.processes = 0
        self.root_cpu = 0.0
        self._root, self._folder = root, folder
        self._resident: dict[int, int] = {}
        self._done = threading.Event()

    def run(self) -> None:
        """Look again and again."""
        if (PROC / "self" / "smaps_rollup").exists():
            pause = EVERY
            while not self._done.wait(pause):
                begun = perf_counter()
                self._look()
                pause = max(EVERY, SPARING * (perf_counter() - begun))

    def stop(self) -> None:
        """Look no more."""
        self._done.set()
        self.join()

    @property
    def root_peak(self) -> int:
        """The most memory that the first process had resident, in bytes."""
        return self._resident.get(self._root, 0)

    @property
    def worker_peak(self) -> int:
        """The most memory that one of the other processes had resident, in bytes."""
        return max((most for pid, most in self._resident.items() if pid != self._root), default=0)

    def _look(self) -> None:
        tree = list(_tree(self._root))
        self.peak = max(self.peak, sum(_kilobytes(pid, "smaps_rollup", "Pss:") for pid in tree) << 10)
        for pid in tree:
            self._resident[pid] = max(self._resident.get(pid, 0), _kilobytes(pid, "status", "VmHWM:") << 10)
        self.processes = max(self.processes, len(tree))
        with suppress(*_GONE):
            fields = (PROC / str(self._root) / "stat").read_text().rpartition(")")[2].split()
            self.root_cpu = (int(fields[11]) + int(fields[12])) / _TICK
        if self._folder is not None:
            self.most_files = max(self.most_files, sum(_sizes(self._folder)))


def _tree(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    with suppress(*_GONE):
        for task in (PROC / str(pid) / "task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _tree(int(child))


def _kilobytes(pid: int, file: str, name: str) -> int:
    """A figure that the system keeps of a process; 0 when that is gone."""
    with suppress(*_GONE):
        for line in (PROC / str(pid) / file).read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1])
    return 0


def _sizes(folder: Path) -> Iterator[int]:
    with suppress(*_GONE):
        for file in folder.glob("tmp-*/*"):
            with suppress(*_GONE):
                yield file.stat().st_size
