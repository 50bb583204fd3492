"""One writer at a time: an advisory lock on a file that says who holds it."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ddz_analytics.errors import StoreError


@contextmanager
def write_lock(path: Path) -> Iterator[None]:
    """Hold the lock file at `path`; the system lets go of it even when the process is killed.

    Raises StoreError `store_locked` with the process id and host of the holder, or `store_unwritable`.
    """
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        what = f"the store cannot be written: {error.strerror}"
        raise StoreError("store_unwritable", what, where=str(path.parent)) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _held(path) from None
        file.truncate(0)
        file.write(f"pid {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def _held(path: Path) -> StoreError:
    holder = path.read_text(encoding="utf-8").strip() or "another process"
    mend = "try again when it is done"
    return StoreError(
        "store_locked",
        f"another command is writing to the store ({holder})",
        where=str(path.parent),
        mend=mend,
    )
