"""What an ingest does with each source: nothing if it is unchanged, one rejection if no parser knows it, else pieces to parse."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from ddz_analytics.declared.form import Facts, formats
from ddz_analytics.encodings import how_to_convert, other_encoding
from ddz_analytics.hands import Rejected
from ddz_analytics.ingest.labels import is_hidden, leads_out, member_label
from ddz_analytics.ingest.sources import Cut, Found, Survey, survey
from ddz_analytics.ingest.summary import State
from ddz_analytics.mapping.parser import MappedParser
from ddz_analytics.mapping.spec import Mapping
from ddz_analytics.parsers import parser_named, sniff
from ddz_analytics.parsers.base import KEPT_BYTES, Parser
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.store.manifest import SourceFile
from ddz_analytics.streams import Kind, Opener, Place, bomb, kind_of, most_bytes

HEAD = 64 * 1024  # bytes by which a format is told
_BEGIN = Cut(0, 1)


@dataclass(frozen=True)
class Piece:
    """A run of whole records for one parser, which has a name or comes of a mapping; `size` is in bytes, for progress.

    `sample` says which hands are wanted (empty: all), `zone` in which time zone the piece's own times without an offset are.
    """

    label: str
    place: Place
    parser: str | Mapping | Facts
    first_line: int
    size: int
    sample: str = ""

    @property
    def zone(self) -> str:
        """The zone that the mapping names, if there is one."""
        mapping = self.parser.mapping if isinstance(self.parser, Facts) else self.parser
        return "" if mapping is None or isinstance(mapping, str) else mapping.zone


def parser_of(piece: Piece) -> Parser:
    """The parser of a piece of a log."""
    assert not isinstance(piece.parser, Facts)
    return parser_named(piece.parser) if isinstance(piece.parser, str) else MappedParser(piece.parser)


@dataclass(frozen=True)
class Planned:
    """A source and what is to be done with it, in the light of the publishes that read it before.

    This reading takes the place of all of them but those that it `follows`, which read what stands before it in the file. With
    those that it `replaces` their hands go; those that it `covers` read the same bytes, or a beginning of them, and their hands
    are this reading's now; of those in `samples` (other samples of the same bytes) the hands stay theirs.
    """

    label: str
    sha256: str
    size: int
    mtime: int
    format: str = ""
    parser_version: int = 0
    pieces: tuple[Piece, ...] = ()
    fault: Rejected | None = None
    replaces: frozenset[int] = frozenset()
    covers: frozenset[int] = frozenset()
    follows: frozenset[int] = frozenset()
    samples: frozenset[int] = frozenset()
    unchanged: bool = False
    state: State = "new"


@dataclass(frozen=True)
class _File:
    """A file of which a source is the whole or, if it is a zip file, a member."""

    found: Found
    surveyed: Survey
    mtime: int
    plain: bool

    def begins_like(self, entry: SourceFile) -> bool:
        """Whether the file is, or begins with, what an entry of the ledger was read from."""
        if not entry.sha256:
            return (entry.size, entry.mtime) == (self.surveyed.size, self.mtime)
        return entry.sha256 in (self.surveyed.sha256, self.surveyed.beginnings.get(entry.size))

    def read_up_to(self, entry: SourceFile) -> Cut:
        """Where to go on reading after what an entry was read from: at the beginning unless that ended with a line."""
        if not self.plain or not entry.sha256:
            return _BEGIN
        return self.surveyed.line_ends.get(entry.size, _BEGIN)


@dataclass(frozen=True)
class _Told:
    """A source whose format was told: a parser and the place of its bytes, or a fault, or none of these if it is empty."""

    label: str
    size: int  # in bytes, as it takes part in the size of the file
    place: Place | None = None
    parser: Parser | Facts | None = None
    fault: Rejected | None = None
    by_line: bool = False  # every record is one line: binary data are not, whatever their format


@dataclass
class Planner:
    """Plans sources against what the ledger says was read before; `parser` is None where the content tells the format.

    A reading of the whole stands for any `sample` of it. What a mapping read (formats called `mapped`) stands until one reads it.
    """

    ledger: Sequence[SourceFile]
    parser: Parser | Facts | None
    reparse: bool
    sample: str = ""
    mapped: frozenset[str] = frozenset()

    @cached_property
    def _earlier(self) -> dict[str, list[SourceFile]]:
        earlier: dict[str, list[SourceFile]] = {}
        for entry in self.ledger:
            earlier.setdefault(entry.path, []).append(entry)
        return earlier

    def plan_all(self, found: Sequence[Found]) -> Iterator[Planned]:
        """The plans for all files, in order."""
        return chain.from_iterable(map(self.plan, found))

    def plan(self, found: Found) -> Iterator[Planned]:
        """One plan for a file, or for each member of a zip file."""
        with plain_faults(found.label):
            kind, file = self._file(found)
        source = _Told(found.label, file.surveyed.size)
        with Opener() as opener:
            told = (
                self._members(source, found.path, opener)
                if kind == "zip"
                else [self._tell(source, Place(found.path), opener)]
            )
            for each in told:
                yield self._planned(file, each)

    def plan_unread(self, found: Found) -> Planned:
        """The plan for a file that somebody else cuts into pieces."""
        _, file = self._file(found)
        return self._planned(file, _Told(found.label, file.surveyed.size, None, self.parser))

    def _file(self, found: Found) -> tuple[Kind, _File]:
        sizes = {entry.size for entry in self._earlier.get(found.label, ())}
        with found.path.open("rb") as stream:
            kind = kind_of(stream.read(4))
        return kind, _File(found, survey(found.path, sizes), found.path.stat().st_mtime_ns, kind == "plain")

    def _members(self, archive: _Told, path: Path, opener: Opener) -> Iterator[_Told]:
        """The members of a zip file, sorted by name, but for folders and hidden ones."""
        try:
            members = opener.archive(path).infolist()
        except zipfile.BadZipFile as error:
            yield replace(archive, fault=Rejected(1, "truncated", f"not a whole zip file: {error}", b""))
            return
        if sum(member.file_size for member in members) > most_bytes(archive.size):
            yield replace(archive, fault=Rejected(1, bomb().code, bomb().detail, b""))
            return
        times = Counter(member.filename for member in members)
        files = [(member.filename, index) for index, member in enumerate(members) if not member.is_dir()]
        for name, index in sorted(each for each in files if not is_hidden(each[0])):
            source = _Told(member_label(archive.label, members[index]), members[index].compress_size)
            if leads_out(name) or times[name] > 1:
                detail = "a member whose name leads out of the zip file, or that another member has too, is not read"
                yield replace(source, fault=Rejected(1, "unsupported_mode", detail, b""))
            else:
                yield self._tell(source, Place(path, index), opener)
        if not files:
            yield archive

    def _tell(self, source: _Told, place: Place, opener: Opener) -> _Told:
        """The source with the parser that its first bytes ask for, or with what is wrong with them."""
        try:
            with opener.open(place) as stream:
                head, damage = stream.read(HEAD), stream.fault
        except zipfile.BadZipFile as error:  # of a member: damaged, unknown, encrypted
            return replace(
                source, fault=Rejected(1, "unsupported_mode", f"cannot be decompressed: {error}", b"")
            )
        if len(head) < HEAD and not head.strip():
            return replace(source, fault=Rejected(1, damage.code, damage.detail, head) if damage else None)
        if isinstance(self.parser, Facts):
            return _table(source, place, self.parser)
        if encoding := other_encoding(head):
            detail = f"the text is {encoding} and not UTF-8: {how_to_convert(encoding)}"
            return replace(source, fault=Rejected(1, "bad_encoding", detail, head[:KEPT_BYTES]))
        parser, binary = self.parser or sniff(head), b"\0" in head
        if parser is not None and (not binary or parser.sniff(head) > 0):
            return replace(source, place=place, parser=parser, by_line=parser.by_line and not binary)
        code, detail = "unsupported_mode", "no known format begins like this"
        if binary:
            code, detail = "not_text", "binary data"
        elif b'"ddz/1"' in head:
            detail += "; ddz/1 has one hand a line"
        return replace(source, fault=Rejected(1, code, detail, head[:KEPT_BYTES]))

    def _planned(self, file: _File, told: _Told) -> Planned:
        """A plan in the light of what was read before of the same bytes, or of their beginning."""
        how = (told.parser.name, told.parser.version) if told.parser else ("", 0)
        same = [entry for entry in self._earlier.get(told.label, ()) if file.begins_like(entry)]
        current = [entry for entry in same if entry.sealed or (entry.format, entry.parser_version) == how]
        wanted = [entry for entry in current if entry.sample in ("", self.sample)]
        begin = max((file.read_up_to(entry) for entry in wanted if told.by_line), default=_BEGIN)
        plan = self._before(file, told, same, begin)
        if not self.reparse and self.parser is None and any(self._stands(entry, file) for entry in same):
            return replace(plan, fault=None, unchanged=True)
        if same and (self.reparse or len(current) < len(same)):
            plan = replace(self._before(file, told, same, _BEGIN), samples=frozenset(), state="replaced")
            return replace(plan, replaces=plan.covers, pieces=tuple(self._pieces(file, told, _BEGIN)))
        if any(entry.sha256 == plan.sha256 for entry in wanted):
            return replace(plan, fault=None, unchanged=True)
        return replace(plan, pieces=tuple(self._pieces(file, told, begin)))

    def _before(self, file: _File, told: _Told, same: Sequence[SourceFile], begin: Cut) -> Planned:
        """A plan that reads nothing yet: what the earlier readings are to one from `begin` on; `same` are of the same bytes."""
        surveyed, parser = file.surveyed, told.parser
        state: State = "changed" if told.label in self._earlier else "new"
        if same:
            state = "again" if any(entry.size == surveyed.size for entry in same) else "grown"
        over = [entry for entry in same if entry.size > begin.start or begin == _BEGIN]
        return Planned(
            told.label,
            surveyed.sha256,
            surveyed.size,
            file.mtime,
            format=parser.name if parser else "",
            parser_version=parser.version if parser else 0,
            fault=told.fault,
            covers=_publishes(over),
            follows=_publishes(same) - _publishes(over),
            samples=_publishes([each for each in over if self.sample and each.sample != self.sample]),
            state=state,
        )

    def _stands(self, entry: SourceFile, file: _File) -> bool:
        """Whether hands of these very bytes were stored by a parser that is still the same, told by content or named then."""
        if entry.sha256 != file.surveyed.sha256 or entry.sample not in ("", self.sample):
            return False
        if entry.format in (Facts.name, *self.mapped):
            return True
        form = formats().get(entry.format or "")
        return entry.stored > 0 and form is not None and form.version == entry.parser_version

    def _pieces(self, file: _File, told: _Told, begin: Cut) -> Iterator[Piece]:
        return (replace(piece, sample=self.sample) for piece in _pieces(file, told, begin))


def _publishes(entries: Sequence[SourceFile]) -> frozenset[int]:
    return frozenset(entry.generation for entry in entries)


def _table(source: _Told, place: Place, form: Facts) -> _Told:
    """A source that is taken for a table of facts."""
    if place.member is None:
        return replace(source, place=place, parser=form)
    return replace(source, fault=Rejected(1, "unsupported_mode", "tables are not read from zip files", b""))


def _made_by(parser: Parser | Facts) -> str | Mapping | Facts:
    if isinstance(parser, Facts):
        return parser
    return parser.mapping if isinstance(parser, MappedParser) else parser.name


def _pieces(file: _File, told: _Told, begin: Cut) -> Iterator[Piece]:
    """A plain file of a format by line is read from `begin` on, in pieces; any other source as a whole."""
    if told.place is None or told.parser is None:
        return
    made_by = _made_by(told.parser)
    if not file.plain:
        yield Piece(told.label, told.place, made_by, 1, told.size)
        return
    cuts: Sequence[Cut] = (
        [begin, *(cut for cut in file.surveyed.cuts if cut > begin)] if told.by_line else [_BEGIN]
    )
    for cut, end in zip(cuts, [*(cut.start for cut in cuts[1:]), told.size], strict=True):
        if cut.start < end:
            place = Place(told.place.path, None, cut.start, end)
            yield Piece(told.label, place, made_by, cut.line, end - cut.start)
