"""The first stage of an ingest, seen from the parent process: plans become tasks, and their counts are gathered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from ddz_analytics.ingest.naming import AS_THEY_ARE, Naming
from ddz_analytics.ingest.parsing import SECONDS_PER_BYTE, ParseTask, PieceCounts, parse_pieces
from ddz_analytics.ingest.planning import Piece, Planned
from ddz_analytics.ingest.sources import CUT_EVERY, Found
from ddz_analytics.workers import Run

_PIECES_PER_TASK = 1000


@dataclass(frozen=True)
class Progress:
    """How far an ingest is: bytes and hands read, of how many bytes in all, and hands stored."""

    bytes_read: int
    bytes_total: int
    hands_read: int
    hands_stored: int


Watch = Callable[[Progress], None]


def unwatched(_: Progress) -> None:
    """Nobody wants to know how far it is."""


class Plans(Protocol):
    """What says of each source what is to be done with it."""

    def plan_all(self, found: Sequence[Found]) -> Iterator[Planned]:
        """The plans for all files, in order."""


class Span(NamedTuple):
    """A piece that was parsed, its counts, and the place of its first hand among all hands that were parsed."""

    piece: Piece
    counts: PieceCounts
    first_row: int


@dataclass
class Reading:
    """What was read: the sources begun, the tasks done, each with the spans of its pieces, and how much that was."""

    bytes_total: int
    bytes_read: int = 0
    hands: int = 0
    sources: list[Planned] = field(default_factory=list)
    done: list[tuple[ParseTask, list[Span]]] = field(default_factory=list)

    def progress(self, stored: int = 0) -> Progress:
        """How far the ingest is, when so many hands are stored."""
        return Progress(min(self.bytes_read, self.bytes_total), self.bytes_total, self.hands, stored)


@dataclass
class Reader:
    """Reads files, task by task, through Arrow files in the folder `scratch`.

    `zone` is the time zone of times without an offset; `left` the number of records after which to stop (then tasks must not run
    ahead of their results); `naming` says what becomes of players' names; sources that are `known` have little that is new.
    """

    planner: Plans
    scratch: Path
    zone: str | None
    left: int | None
    naming: Naming = AS_THEY_ARE
    known: Collection[str] = ()
    _tasks: list[ParseTask] = field(default_factory=list)

    def read(self, found: Sequence[Found], run: Run, watch: Watch) -> Reading:
        """Plan and parse some files, in order."""
        size_of = {each.label: each.path.stat().st_size for each in found}
        reading = Reading(sum(size_of.values()))
        new = sum(size for label, size in size_of.items() if label not in self.known)
        for counts in run(parse_pieces, self._tasks_for(found, reading.sources), new * SECONDS_PER_BYTE):
            task = self._tasks[len(reading.done)]
            spans = []
            for piece, count in zip(
                task.pieces, counts, strict=False
            ):  # a limit may have left out the last pieces
                spans.append(Span(piece, count, reading.hands))
                reading.hands += count.hands
                self._take(count.read)
            reading.done.append((task, spans))
            reading.bytes_read += sum(piece.size for piece in task.pieces)
            watch(reading.progress())
        return reading

    def _take(self, records: int) -> None:
        if self.left is not None:
            self.left = max(0, self.left - records)

    def _tasks_for(self, found: Sequence[Found], sources: list[Planned]) -> Iterator[ParseTask]:
        """Small pieces together, big ones alone; nothing here depends on the number of jobs."""
        waiting: list[Piece] = []
        most = _PIECES_PER_TASK if self.left is None else 1
        for piece in self._pieces_of(found, sources):
            if self.left == 0:
                return
            waiting.append(piece)
            if len(waiting) == most or sum(each.size for each in waiting) >= CUT_EVERY:
                yield self._task(waiting)
                waiting = []
        if waiting:
            yield self._task(waiting)

    def _pieces_of(self, found: Sequence[Found], sources: list[Planned]) -> Iterator[Piece]:
        for source in self.planner.plan_all(found):
            if self.left == 0:
                return
            fault = source.fault
            if fault is not None:
                self._take(1)
                fault = self.naming.of_rejected(fault)
            sources.append(replace(source, fault=fault))
            yield from source.pieces

    def _task(self, pieces: Sequence[Piece]) -> ParseTask:
        number = len(self._tasks)
        hands, facts, rejected = (
            self.scratch / f"{table}-{number:06d}.arrow" for table in ("hands", "facts", "rejected")
        )
        task = ParseTask(tuple(pieces), hands, facts, rejected, self.zone, self.left, self.naming)
        self._tasks.append(task)
        return task
