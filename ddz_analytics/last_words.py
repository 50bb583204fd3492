"""What a command says at its end, on streams that may take nothing any more."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from ddz_analytics.locale import said
from ddz_analytics.locale.language import speak, wanted

EXIT_INTERRUPTED, EXIT_TERMINATED = 130, 143
STDOUT, STDERR = 1, 2


class Ended(BaseException):
    """Somebody wants this process to end, with an exit code of his own."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def end_in_order() -> None:
    """From now on SIGTERM ends the process as an interrupt does: its own processes and files go with it."""

    def terminate(_: int, __: FrameType | None) -> NoReturn:
        raise Ended(EXIT_TERMINATED)

    signal.signal(signal.SIGTERM, terminate)


def leave(code: int = EXIT_INTERRUPTED) -> NoReturn:
    """Say that the command was interrupted, in the language that was asked for, and leave."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    speak(wanted(sys.argv[1:], os.environ))
    with told_if_possible():
        sys.stderr.write(f"{said('error.interrupted')}\n")
    sys.exit(code)


@contextmanager
def told_if_possible() -> Iterator[None]:
    """Something is said on stderr here, which changes nothing where it cannot be."""
    try:
        yield
    except OSError:
        give_up(STDERR)


def give_up(stream: int) -> None:
    """Keep Python from complaining at exit about a stream that takes nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def open_streams() -> None:
    """Where a stream came closed, give its number to no other file, and let what is written go nowhere."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(handle, True)  # noqa: FBT003 - takes no name
    os.close(handle)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(STDERR, "w", closefd=False)
