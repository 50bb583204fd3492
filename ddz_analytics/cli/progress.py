"""How far long work is: one line on a terminal, with the rate and the time left; nothing anywhere else."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

import click

from ddz_analytics.locale import said

if TYPE_CHECKING:
    from ddz_analytics.ingest.reading import Progress

EVERY = 0.1  # seconds between two looks
READING = 0.7  # of the time of an ingest, roughly; the rest is replaying and writing


class Bar:
    """The line of progress of one command; used in a `with`, which wipes it away at the end."""

    def __init__(self, *, quiet: bool) -> None:
        self._seen = sys.stderr.isatty() and not quiet
        self._began = time.monotonic()
        self._told = 0.0
        self._drawn = False

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            click.echo("\r\033[K", err=True, nl=False)

    def read(self, progress: Progress) -> None:
        """An ingest came further: bytes and hands."""
        total = max(progress.bytes_total, 1)
        share = progress.bytes_read / total * READING
        share += progress.hands_stored / max(progress.hands_read, 1) * (1 - READING)
        what = said(
            "progress.read", done=f"{progress.bytes_read / 1e6:,.1f}", total=f"{total / 1e6:,.1f}",
            hands=f"{progress.hands_read:,}", stored=f"{progress.hands_stored:,}",
        )  # fmt: skip
        self._tell(share, what, progress.hands_read)

    def scored(self, done: int, total: int) -> None:
        """A re-scoring came further: hands times rule sets."""
        self._tell(done / max(total, 1), said("progress.settled", done=f"{done:,}", total=f"{total:,}"), done)

    def _tell(self, share: float, what: str, hands: int) -> None:
        now = time.monotonic()
        if not self._seen or (now - self._told < EVERY and share < 1):
            return
        self._told, self._drawn = now, True
        spent = max(now - self._began, 1e-6)
        told = {"share": f"{share:4.0%}", "what": what, "rate": f"{hands / spent:,.0f}"}
        if 0 < share < 1:
            line = said("progress.line_left", **told, left=duration(spent / share - spent))
        else:
            line = said("progress.line", **told)
        click.echo(f"\r\033[K{line}", err=True, nl=False)


def duration(seconds: float) -> str:
    """A time as people say it, in hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
