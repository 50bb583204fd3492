"""Files that outlive a crash: synced, renamed into place; the points at which crash tests kill; faults of the disk said plainly."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ddz_analytics.errors import DdzError


def crash_point(name: str) -> None:
    """Kill this process here when the environment variable `DDZ_CRASH_AT` names the point: a hook for crash tests.

    The points are `part_written`, `before_manifest_rename`, `after_manifest_rename` and `before_catalog_rename`.
    """
    if os.environ.get("DDZ_CRASH_AT") == name:
        os.kill(os.getpid(), signal.SIGKILL)


def sync(path: Path) -> None:
    """Wait until a file's bytes, or a folder's names, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that nobody reads yet, down to the disk."""
    path.write_bytes(content)
    sync(path)


@contextmanager
def plain_faults(where: str = "") -> Iterator[None]:
    """Whatever the system refuses to read or write in here ends in DdzError `input_output`, at `where` if it names no file."""
    try:
        yield
    except OSError as error:
        what = error.strerror or str(error)
        raise DdzError(
            "input_output", f"the system says: {what}", where=str(error.filename or where)
        ) from error
