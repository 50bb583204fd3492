"""Ingest: log files into the store, in two stages that run in processes, and one publish.

Sources are put in order first, and neither pieces nor parts depend on the number of jobs, so the same input gives the same parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from msgspec import structs

from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.dedupe import Dedupe
from ddz_analytics.ingest.intake import Intake, without_replaced
from ddz_analytics.ingest.parsing import parse_pieces
from ddz_analytics.ingest.planning import Planner
from ddz_analytics.ingest.reading import Progress, Reader, Reading, Watch
from ddz_analytics.ingest.sources import CUT_EVERY, Found, find_sources
from ddz_analytics.ingest.summary import Summary
from ddz_analytics.parsers import parser_named
from ddz_analytics.store import Writer, create_writer, exists
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.workers import Run, workers


def _unwatched(_: Progress) -> None:
    """Nobody wants to know how far it is."""


@dataclass(frozen=True)
class Options:
    """How to ingest.

    `format` is the name of one, or "auto"; `dry_run` reads and counts but stores nothing; `reparse` reads again what was read
    before and puts it in the place of that; `stop_after` stops after that many records, read one after the other in this process;
    `tz` is the zone of times without an offset (None: they are rejected) and, at the first ingest, of the store's local times;
    `watch` is told how far it is.
    """

    format: str = "auto"
    dedupe: Dedupe = "content"
    dry_run: bool = False
    jobs: int = 1
    reparse: bool = False
    stop_after: int | None = None
    tz: str | None = None
    watch: Watch = _unwatched


_DEFAULTS = Options()


def ingest(store: Path, paths: Sequence[str], options: Options = _DEFAULTS) -> Summary:
    """Read what is new in some files, folders, globs or standard input (`-`) into a store, which is made if there is none.

    Published as one; interrupted or killed, the store is as it was. Raises UsageError `path_missing`, `unknown_format`,
    `time_zone`, `jobs`, StoreError as `create_writer` does, and DdzError `input_output`, `parser_failed`, `worker_died`.
    """
    _check(options)
    with plain_faults():
        found = find_sources(paths, store)
        with ExitStack() as stack:
            writer = stack.enter_context(_target(store, options))
            spooled = [each.spooled(writer.scratch) for each in found]
            run = stack.enter_context(_workers(writer, spooled, options))
            reading = _read(writer, spooled, options, run)
            intake = Intake(writer, reading, without_replaced(writer, reading.sources), options.dedupe, run)
            if not options.dry_run and intake.changes_the_store:
                manifest = intake.stored(options.watch)
                if not writer.manifest.ledger:
                    manifest = structs.replace(manifest, time_zone=options.tz or "UTC")
                writer.publish(manifest)
            return intake.summary


def _check(options: Options) -> None:
    if options.stop_after is not None and options.stop_after < 1:
        raise UsageError(
            "stop_after", f"nothing to do after {options.stop_after} records", mend="give 1 or more"
        )
    if options.tz is not None:
        try:
            ZoneInfo(options.tz)
        except (ValueError, OSError, KeyError):
            mend = "write it like Asia/Shanghai"
            raise UsageError("time_zone", f"no time zone is called {options.tz!r}", mend=mend) from None


def _workers(writer: Writer, found: Sequence[Found], options: Options) -> AbstractContextManager[Run]:
    """The processes; where enough is new to keep several at work, they start while the first file is surveyed."""
    known = {entry.path for entry in writer.manifest.ledger}
    new = sum(each.path.stat().st_size for each in found if each.label not in known)
    jobs = 1 if options.stop_after is not None else options.jobs
    return workers(jobs, ready_for=parse_pieces if new > CUT_EVERY else None)


def _read(writer: Writer, found: Sequence[Found], options: Options, run: Run) -> Reading:
    parser = None if options.format == "auto" else parser_named(options.format)
    planner = Planner(writer.manifest.ledger, parser, options.reparse)
    return Reader(planner, writer.scratch, options.tz, options.stop_after).read(found, run, options.watch)


@contextmanager
def _target(store: Path, options: Options) -> Iterator[Writer]:
    """The store's writer; a dry run where there is no store leaves none behind."""
    if options.dry_run and not exists(store):
        with TemporaryDirectory(prefix="ddz-") as folder, create_writer(Path(folder)) as writer:
            yield writer
    else:
        with create_writer(store) as writer:
            yield writer
