"""Tables that a mapping maps as sources of an ingest: joined once, if any of their files is new or was read in another way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ddz_analytics.declared.form import Facts
from ddz_analytics.hands import Hand, Rejected, Skipped
from ddz_analytics.ingest.declaring import FactsFile, first_rows
from ddz_analytics.ingest.planning import Piece, Planned, Planner
from ddz_analytics.ingest.sources import Found
from ddz_analytics.ingest.summary import Shown, State
from ddz_analytics.mapping.files import files_of, matching, unnamed
from ddz_analytics.mapping.parser import MappedParser
from ddz_analytics.mapping.spec import Events, Mapping, Relational
from ddz_analytics.mapping.trace import Trace
from ddz_analytics.parsers.base import Source
from ddz_analytics.store.manifest import MappedFormat
from ddz_analytics.streams import Opener, Place

HANDS_SHOWN = 3


@dataclass
class TablePlanner:
    """Plans the files of all tables together: either each was read before as it is, or all are joined and read again.

    The files of the table of hands come first; a record of theirs is a hand. Of other files those rows are rejected that cannot
    be read or have no hand, and the others, which are parts of hands, are skipped. `unnamed` are files that no table has.
    """

    planner: Planner
    mapping: Relational
    scratch: Path
    unnamed: list[str] = field(default_factory=list)

    def plan_all(self, found: Sequence[Found]) -> Iterator[Planned]:
        """The plans for all files that a table has."""
        given = [(each.label, each.path) for each in found]
        files = files_of(self.mapping, given)
        self.unnamed += unnamed(files, given)
        plans: dict[str, Planned] = {}
        for label, path in (file for table in files.values() for file in table):
            plans[label] = self.planner.plan_unread(Found(label, path))
        if all(plan.unchanged for plan in plans.values()):
            yield from plans.values()
            return
        from ddz_analytics.mapping.joining import join

        pieces: dict[str, list[Piece]] = {label: [] for label in plans}
        for bundle in join(self.mapping, files, self.scratch):
            size = bundle.path.stat().st_size
            piece = Piece(bundle.label, Place(bundle.path), self.mapping, 1, size, self.planner.sample)
            pieces[bundle.label].append(piece)
        for label, plan in plans.items():
            state: State = "again" if plan.unchanged else plan.state
            yield replace(plan, unchanged=False, state=state, pieces=tuple(pieces[label]))


@dataclass
class EventPlanner:
    """Plans each file of events on its own; `unnamed` are files that the mapping's patterns leave out."""

    planner: Planner
    mapping: Events
    unnamed: list[str] = field(default_factory=list)

    def plan_all(self, found: Sequence[Found]) -> Iterator[Planned]:
        """The plans for all files that the mapping reads."""
        given = [(each.label, each.path) for each in found]
        files = {"events": matching(self.mapping.files, given)}
        self.unnamed += unnamed(files, given)
        return self.planner.plan_all([Found(*each) for each in files["events"]])


def format_of(mapping: Mapping) -> MappedFormat:
    """What the store keeps of a mapping."""
    parser = MappedParser(mapping)
    return MappedFormat(parser.name, parser.version, parser.records, parser.content)


def first_hands(sources: Iterable[Planned]) -> list[Shown]:
    """What each column became for the first hands of some sources that a mapping maps."""
    shown: list[Shown] = []
    with Opener() as opener:
        for piece in (piece for source in sources for piece in source.pieces):
            shown += _first_hands(piece, opener, HANDS_SHOWN - len(shown))
            if len(shown) == HANDS_SHOWN:
                break
    return shown


def _first_hands(piece: Piece, opener: Opener, most: int) -> Iterator[Shown]:
    if isinstance(piece.parser, Facts):
        yield from first_rows(FactsFile(piece.place.path, piece.label, piece.parser.mapping), most)
        return
    assert not isinstance(piece.parser, str)
    trace: Trace = []
    with opener.open(piece.place) as stream:
        for record in MappedParser(piece.parser, trace).parse(stream, Source(piece.label, piece.first_line)):
            if most == 0:
                return
            if not isinstance(record, Skipped):
                fault = f"{record.code}: {record.detail}" if isinstance(record, Rejected) else ""
                line = 0 if isinstance(record, Hand) else record.line
                yield Shown(piece.label, line, list(dict.fromkeys(trace)), fault)
                most -= 1
            trace.clear()
