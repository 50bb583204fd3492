"""Files that a command is asked to write: there as a whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, cast

from ddz_analytics.errors import UsageError


def check_folder(target: Path | None) -> None:
    """Refuse a file to write whose folder is not there, before any work is done."""
    if target is not None and not target.parent.is_dir():
        mend = "make it first, or name another"
        raise UsageError("path_missing", "there is no such folder", where=str(target.parent), mend=mend)


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """A file that is there as a whole when all is written, and as it was before when that fails."""
    check_folder(target)
    if target.exists() and not target.is_file():  # a device or a pipe, which stays what it is
        with target.open("wb") as device:
            yield device
        return
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            yield cast(BinaryIO, file)
            file.close()
            os.chmod(file.name, 0o666 & ~_umask())  # noqa: PTH101 - a temporary file is private, a result is not
            Path(file.name).replace(target)
        finally:
            Path(file.name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
