"""A question answered in a process of its own, within limits of time and memory that hold whatever it does.

This side never loads what answers it, so that it starts at once, has no part in what a question may do to a process, and is there
to say how it went.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from ddz_analytics.answers import Form
from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.locale import language

_OUT_OF_MEMORY = 86  # the exit code by which the process says so
_MOST_MEMORY = 2**62  # more than any system can be asked for
_LEAST_MEMORY = 512 * 2**20
_UNITS = {
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
_MEMORY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]i?b)\s*", re.IGNORECASE)
# Arrow and its companions reserve address space for threads that a question does not need
_SMALL = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True)
class Asked:
    """A question, how its answer is written (`most` rows of it; None: all), the zone of local times, own tables by name."""

    store: Path
    sql: str
    form: Form
    most: int | None = None
    tz: str | None = None
    tables: Sequence[tuple[str, Path]] = ()


@contextmanager
def answered(asked: Asked, seconds: float, memory: int) -> Iterator[tuple[BinaryIO, list[str]]]:
    """The answer, as a file to read, and what there is to say about it, a line each.

    The process may take `seconds`, its start and the writing of the answer included, and `memory` bytes of address space. Raises
    what it reports; DdzError `sql_timeout` and `sql_memory` where it was ended. It never outlives this call.
    """
    with TemporaryFile() as content, TemporaryFile() as report:
        request = _request(asked, seconds, memory, report.fileno())
        code = _run(request, content, report.fileno(), seconds)
        report.seek(0)
        said = report.read()
        if code or not said:
            raise _ended(code, seconds, memory)
        told: dict[str, Any] = json.loads(said)
        if "error" in told:
            kind = UsageError if told["usage"] else DdzError
            error = told["error"]
            raise kind(error["code"], error["what"], where=error["where"], mend=error["mend"])
        content.seek(0)
        yield content, told["notes"]


def memory_of(text: str) -> int:
    """A size such as 2GB or 512MiB in bytes; raises UsageError `sql_limits` for any other text, and below 512 MiB."""
    found = _MEMORY.fullmatch(text)
    size = int(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if size < _LEAST_MEMORY:
        what = f"{text} is less than the 512MiB that any answer takes" if found else f"{text!r} is no size"
        raise UsageError("sql_limits", what, mend="write memory like 2GB")
    return min(size, _MOST_MEMORY)


def _request(asked: Asked, seconds: float, memory: int, report: int) -> bytes:
    return json.dumps(
        {
            "store": str(asked.store),
            "sql": asked.sql,
            "kind": asked.form.kind,
            "encoding": asked.form.encoding,
            "rows": asked.most,
            "tz": asked.tz,
            "lang": language(),
            "tables": [(name, str(path)) for name, path in asked.tables],
            "seconds": seconds,
            "memory": memory,
            "report": report,
            "out_of_memory": _OUT_OF_MEMORY,
            "parent": os.getpid(),
        }
    ).encode()


def _run(request: bytes, content: BinaryIO, report: int, seconds: float) -> int:
    """Run the process to its end, or to the end of its time; its exit code."""
    command = [sys.executable, "-P", "-m", "ddz_analytics.query.child"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=content,
        stderr=subprocess.DEVNULL,
        pass_fds=[report],
        env={**os.environ, **_SMALL},
    )
    try:
        process.communicate(request, timeout=seconds)
    except subprocess.TimeoutExpired:
        return -signal.SIGXCPU
    finally:
        process.kill()
        process.wait()
    return process.returncode


def _ended(code: int, seconds: float, memory: int) -> DdzError:
    """What the end of a process without a report means."""
    if code == -signal.SIGXCPU:
        what = f"the question took more than {seconds:g} seconds"
        return DdzError("sql_timeout", what, mend="ask for less, or give --timeout")
    if code == _OUT_OF_MEMORY or -code in (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGKILL):
        what = f"the question took more than {memory // 2**20} MiB of memory"
        return DdzError("sql_memory", what, mend="ask for less, or give --memory")
    return DdzError("sql_failed", f"the process that answers ended with {code}", mend="ask again")
