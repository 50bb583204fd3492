"""What a piece of work costs: work in this process, or a command with all its processes; and several pieces of work in turn."""

from __future__ import annotations

import gc
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from time import perf_counter, process_time

from tests.bench.tree import Watched


@dataclass(frozen=True)
class Cost:
    """What a piece of work took: seconds by the wall clock, and of processors; of a command also what `Watched` saw (bytes)."""

    wall: float
    cpu: float
    root_cpu: float = 0.0
    peak: int = 0
    root_peak: int = 0
    worker_peak: int = 0
    most_files: int = 0

    def __add__(self, other: Cost) -> Cost:
        """The cost of one after the other."""
        times = (self.wall + other.wall, self.cpu + other.cpu, self.root_cpu + other.root_cpu)
        sizes = (max(getattr(self, name), getattr(other, name)) for name in _SIZES)
        return Cost(*times, *sizes)


_SIZES = tuple(field.name for field in fields(Cost))[3:]
Work = Callable[[], Cost]


def here(function: Callable[[], object]) -> Work:
    """Work that is a call in this process."""

    def work() -> Cost:
        gc.collect()
        wall, cpu = perf_counter(), process_time()
        function()
        return Cost(perf_counter() - wall, process_time() - cpu)

    return work


def command(
    words: Sequence[object], folder: Path | None = None, before: Callable[[], object] | None = None
) -> Work:
    """Work that is a command, whose working files are below `folder`; what is called `before` it is not measured.

    Raises `CalledProcessError` unless it ends well.
    """
    told = [str(word) for word in words]

    def work() -> Cost:
        if before is not None:
            before()
        start = perf_counter()
        with subprocess.Popen(told, stdout=subprocess.DEVNULL) as process:
            watched = Watched(process.pid, folder)
            watched.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            wall = perf_counter() - start
            watched.stop()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, told)
        return Cost(
            wall, usage.ru_utime + usage.ru_stime, watched.root_cpu,
            watched.peak, watched.root_peak, watched.worker_peak, watched.most_files,
        )  # fmt: skip

    return work


def in_turn(rounds: int, *works: Work) -> list[Cost]:
    """The best that each piece of work took in some rounds, in each of which all of them run once; of memory the most."""
    found: list[list[Cost]] = [[] for _ in works]
    for _ in range(rounds):
        for costs, work in zip(found, works, strict=True):
            costs.append(work())
    return [_best(costs) for costs in found]


def _best(costs: Sequence[Cost]) -> Cost:
    times = (min(getattr(cost, name) for cost in costs) for name in ("wall", "cpu", "root_cpu"))
    sizes = (max(getattr(cost, name) for cost in costs) for name in _SIZES)
    return Cost(*times, *sizes)
