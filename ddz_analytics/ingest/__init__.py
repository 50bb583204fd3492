"""Ingest: log files into the store, in two stages that run in processes, and one publish.

Sources are put in order first, and neither pieces nor parts depend on the number of jobs, so the same input gives the same parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from msgspec import structs

from ddz_analytics.declared.form import Facts, facts_by
from ddz_analytics.declared.mapped import load_facts_mapping
from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.before import without_earlier
from ddz_analytics.ingest.dedupe import Dedupe
from ddz_analytics.ingest.intake import Intake
from ddz_analytics.ingest.mapped import EventPlanner, TablePlanner, first_hands, format_of
from ddz_analytics.ingest.masking import Masking, key_for
from ddz_analytics.ingest.naming import Naming
from ddz_analytics.ingest.planning import Planner
from ddz_analytics.ingest.reading import Reader, Watch, unwatched
from ddz_analytics.ingest.sampling import sample_of
from ddz_analytics.ingest.sources import Found, find_sources
from ddz_analytics.ingest.summary import Summary
from ddz_analytics.mapping.load import load_mapping
from ddz_analytics.mapping.parser import MappedParser
from ddz_analytics.mapping.spec import Mapping, Relational
from ddz_analytics.parsers import parser_named
from ddz_analytics.parsers.base import Parser
from ddz_analytics.store import Writer, create_writer, exists
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.workers import workers


@dataclass(frozen=True)
class Options:
    """How to ingest.

    `format` is the name of one, "facts" for tables of settlement rows, or "auto"; `dry_run` reads and counts but stores nothing; `reparse` reads again what was read
    before and puts it in the place of that; `stop_after` stops after that many records, read one after the other in this process;
    `tz` is the zone of times without an offset (None: they are rejected) and, at the first ingest, of the store's local times;
    `mapping` is a TOML file that says how an operator's own logs are read; `sample` names a part of the hands, such as
    `table:1/50`; `watch` is told how far it is; `agents` names by role the players that a log does not name; `pseudonyms` is a file with the key under which players
    get pseudonyms.
    """

    format: str = "auto"
    dedupe: Dedupe = "content"
    dry_run: bool = False
    jobs: int = 1
    mapping: Path | None = None
    pseudonyms: Path | None = None
    reparse: bool = False
    sample: str = ""
    stop_after: int | None = None
    tz: str | None = None
    watch: Watch = unwatched
    agents: dict[str, str] = field(default_factory=dict)


_DEFAULTS = Options()


def ingest(store: Path, paths: Sequence[str | Found], options: Options = _DEFAULTS) -> Summary:
    """Read what is new in some files, folders, globs or standard input (`-`) into a store, which is made if there is none.

    Published as one; interrupted or killed, the store is as it was. Raises UsageError `path_missing`, `unknown_format`,
    `time_zone`, `jobs`, `key_short`, `key_in_store`, `key_among_logs`, `pseudonyms_needed`, `pseudonyms_mixed`, `pseudonyms_key`,
    StoreError as `create_writer` does, and DdzError `input_output`, `parser_failed`, `worker_died`.
    """
    _check(options)
    with plain_faults(), ExitStack() as stack:
        found, passed_over = find_sources(paths, store)
        masking = Masking(None if options.pseudonyms is None else key_for(options.pseudonyms, store, found))
        writer = stack.enter_context(_target(store, options))
        check = masking.check_value(writer.manifest)
        spool = stack.enter_context(masking.spool(writer))
        spooled = [each.spooled(spool) for each in found]
        run = stack.enter_context(workers(1 if options.stop_after is not None else options.jobs))
        mapping = None if options.mapping is None or _is_of_facts(options) else load_mapping(options.mapping)
        plans = _planner(writer, options, mapping)
        naming = Naming(options.agents, masking.pseudonyms)
        known = {entry.path for entry in writer.manifest.ledger}
        reader = Reader(plans, writer.scratch, options.tz, options.stop_after, naming, known)
        reading = reader.read(spooled, run, options.watch)
        before = without_earlier(writer, reading.sources)
        mapped = None if mapping is None else format_of(mapping)
        intake = Intake(writer, reading, before, options.dedupe, run, sample=options.sample, mapped=mapped)
        if options.reparse:
            intake = intake.in_place_of_rivals()
        if not options.dry_run and intake.changes_the_store:
            manifest = intake.stored(options.watch)
            if not writer.manifest.ledger:
                manifest = structs.replace(manifest, time_zone=options.tz or "UTC", pseudonyms=check)
            writer.publish(manifest)
        summary = replace(intake.summary, passed_over=passed_over)
        if not isinstance(plans, Planner):
            summary = replace(summary, unnamed=plans.unnamed)
        if options.dry_run and options.mapping is not None:
            anew = _planner(writer, replace(options, reparse=True), mapping)
            shown = first_hands(reading.sources) or first_hands(anew.plan_all(spooled))
            summary = replace(summary, shown=shown)
        return summary


def _is_of_facts(options: Options) -> bool:
    return options.format == Facts.name


def _check(options: Options) -> None:
    sample_of(options.sample)
    if options.mapping is not None and options.format not in ("auto", Facts.name):
        raise UsageError("mapping_format", "a mapping says the format itself", mend="leave --format out")
    if options.pseudonyms is not None and _is_of_facts(options):
        mend = "put other ids into the table"
        raise UsageError("pseudonyms_facts", "settlement rows cannot be put under pseudonyms", mend=mend)
    if options.agents and options.format == Facts.name:
        raise UsageError("agents", "settlement rows name their players themselves", mend="leave --agents out")
    if options.stop_after is not None and options.stop_after < 1:
        raise UsageError(
            "stop_after", f"nothing to do after {options.stop_after} records", mend="give 1 or more"
        )
    check_zone(options.tz)


def check_zone(name: str | None) -> None:
    """Raise UsageError `time_zone` unless there is a zone of that name."""
    if name is not None:
        try:
            ZoneInfo(name)
        except (ValueError, OSError, KeyError):
            mend = "write it like Asia/Shanghai"
            raise UsageError("time_zone", f"no time zone is called {name!r}", mend=mend) from None


def _planner(
    writer: Writer, options: Options, mapping: Mapping | None
) -> Planner | TablePlanner | EventPlanner:
    """What plans the sources: by the mapping, by the format that is named, or by what they begin with."""
    parser = _form(options)
    if mapping is not None:
        parser = MappedParser(mapping)
    manifest = writer.manifest
    mapped = frozenset(form.name for form in manifest.mapped)
    planner = Planner(manifest.ledger, parser, options.reparse, options.sample, mapped)
    if mapping is None:
        return planner
    if isinstance(mapping, Relational):
        return TablePlanner(planner, mapping, writer.scratch)
    return EventPlanner(planner, mapping)


def _form(options: Options) -> Parser | Facts | None:
    """What reads the format that is named; None where the content tells it."""
    if _is_of_facts(options):
        return facts_by(None if options.mapping is None else load_facts_mapping(options.mapping))
    return None if options.format == "auto" else parser_named(options.format)


@contextmanager
def _target(store: Path, options: Options) -> Iterator[Writer]:
    """The store's writer; a dry run where there is no store leaves none behind."""
    if options.dry_run and not exists(store):
        with TemporaryDirectory(prefix="ddz-") as folder, create_writer(Path(folder)) as writer:
            yield writer
    else:
        with create_writer(store) as writer:
            yield writer
