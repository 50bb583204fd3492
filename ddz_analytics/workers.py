"""Running pure functions over tasks in order, in this process or in several."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.without_pandas import leave_pandas_out

LONG = 3.0  # seconds of work; with less of it other processes, which take half a second each to start, are of no use

Task = TypeVar("Task")
Result = TypeVar("Result")


class Run(Protocol):
    """A way to run a module's function over tasks; results come in the order of the tasks, which are taken as needed.

    `seconds` says how long one core has to work for all of them, roughly.
    """

    def __call__(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], seconds: float, /
    ) -> Iterator[Result]:
        """The result for each task."""


@dataclass(frozen=True)
class Failure:
    """A DdzError on its way between processes."""

    kind: type[DdzError]
    code: str
    what: str
    where: str
    mend: str


@contextmanager
def workers(jobs: int) -> Iterator[Run]:
    """A way to run functions in `jobs` processes; with one job, and until work comes that is `LONG`, everything runs in this process.

    A killed process ends in DdzError `worker_died`.
    """
    if jobs < 1:
        raise UsageError("jobs", f"{jobs} jobs cannot run", mend="give 1 or more")
    processes = _Processes(jobs)
    try:
        yield processes.run
    finally:
        processes.end()


class _Processes:
    """Processes that start with the first work that is long."""

    def __init__(self, jobs: int) -> None:
        self._jobs, self._context = jobs, _Remembering()
        self._pool: ProcessPoolExecutor | None = None

    def run(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], seconds: float, /
    ) -> Iterator[Result]:
        """The result for each task."""
        if self._pool is None:
            if self._jobs == 1 or seconds < LONG:
                return _run_here(function, tasks)
            self._pool = ProcessPoolExecutor(self._jobs, self._context, _begin_worker, (function,))
            for _ in range(self._jobs):
                self._pool.submit(os.getpid)  # each starts a process, while the first tasks are made
        return _run_in(self._pool, 2 * self._jobs, function, tasks)

    def end(self) -> None:
        """All results that are wanted are in. Asked to leave, a worker would wait for good where another died with the queue's lock."""
        for worker in {*multiprocessing.active_children()} & {*self._context.started}:
            worker.kill()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class _Remembering(SpawnContext):
    """Processes that start anew, and are remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[BaseProcess] = []

    def Process(self, *args: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]
        """A process to start."""
        process = SpawnProcess(*args, **named)
        self.started.append(process)
        return process


def _run_here(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
    for task in tasks:
        with no_collecting():
            result = function(task)
        yield result


def _run_in(
    pool: ProcessPoolExecutor, ahead: int, function: Callable[[Task], Result], tasks: Iterable[Task]
) -> Iterator[Result]:
    waiting: deque[Future[Result | Failure]] = deque()
    try:
        for task in tasks:
            waiting.append(pool.submit(tried, function, task))
            if len(waiting) > ahead:
                yield result_of(waiting.popleft().result())
        while waiting:
            yield result_of(waiting.popleft().result())
    except BrokenProcessPool as error:
        what = "a worker process was killed, perhaps for want of memory"
        raise DdzError("worker_died", what, mend="try again with fewer --jobs") from error


def tried(function: Callable[[Task], Result], task: Task) -> Result | Failure:
    """What a function makes of a task, or the DdzError that it ends in."""
    try:
        with plain_faults(), no_collecting():
            return function(task)
    except DdzError as error:
        return Failure(type(error), error.code, error.what, error.where, error.mend)


@contextmanager
def no_collecting() -> Iterator[None]:
    """A task's objects are freed by their reference counts; looking for cycles among them would only cost time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def result_of(found: Result | Failure) -> Result:
    """What `tried` found; raises the error if it was one."""
    if isinstance(found, Failure):
        raise found.kind(found.code, found.what, where=found.where, mend=found.mend)
    return found


def _begin_worker(_function: Callable[..., object]) -> None:
    """A worker stops at once when it is interrupted or when the process that it works for is gone, and uses one core.

    Receiving the first function that it is to run has loaded all that this needs.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    leave_pandas_out()
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    pa.set_cpu_count(1)


def _stop_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
