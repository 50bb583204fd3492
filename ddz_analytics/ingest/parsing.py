"""The first stage of an ingest: pieces of logs into Arrow files of hands and of rejected records, batch by batch.

Runs in worker processes; what it hands back are counts, because the Arrow files are mapped, not sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pyarrow as pa
from msgspec import UNSET

from ddz_analytics.declared.form import Facts
from ddz_analytics.declared.rows import Declared
from ddz_analytics.declared.texts import localised
from ddz_analytics.errors import BadRecord, DdzError
from ddz_analytics.hands import Hand, Located, Rejected, Skipped
from ddz_analytics.ingest.declaring import FactsFile, declared_in
from ddz_analytics.ingest.naming import AS_THEY_ARE, Naming
from ddz_analytics.ingest.planning import Piece, parser_of
from ddz_analytics.ingest.sampling import Sample, sample_of
from ddz_analytics.parsers.base import HeadParser, Parsed, Source
from ddz_analytics.parsers.ddz1 import write_line
from ddz_analytics.schema import FACTS, HANDS, REJECTED
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.streams import Opener, Stream
from ddz_analytics.tabulate import hands_table

HANDS_PER_BATCH = 5_000
BYTES_PER_BATCH = 64 << 20
SECONDS_PER_BYTE = 2e-8  # roughly, of a log
_LONGEST_DETAIL = 1000


@dataclass(frozen=True)
class ParseTask:
    """Some pieces, and the Arrow files to write; `facts` has a row for each hand whose facts are declared.

    `zone` is the time zone of times without an offset (None: they are rejected); `limit` is the number of records to stop after;
    `naming` says what becomes of players' names.
    """

    pieces: tuple[Piece, ...]
    hands: Path
    facts: Path
    rejected: Path
    zone: str | None = None
    limit: int | None = None
    naming: Naming = AS_THEY_ARE


@dataclass(frozen=True)
class PieceCounts:
    """What came of one piece: read = hands + rejected + skipped; `whole` unless a limit stopped it before its end."""

    read: int
    hands: int
    rejected: int
    skipped: int
    whole: bool = True


def parse_pieces(task: ParseTask) -> list[PieceCounts]:
    """Parse pieces in order into the task's files; the counts of each piece that was begun."""
    counts: list[PieceCounts] = []
    left = task.limit
    zone = None if task.zone is None else ZoneInfo(task.zone)
    with _writers(task) as writers, Opener() as opener:
        for piece in task.pieces:
            if left == 0:
                break
            output = _Output(piece, writers)
            output.zone = ZoneInfo(piece.zone) if piece.zone else zone
            output.naming = task.naming
            if isinstance(piece.parser, Facts):
                file = FactsFile(piece.place.path, piece.label, piece.parser.mapping)
                counts.append(_declare(file, output, sample_of(piece.sample), left))
            else:
                records = records_of(piece, opener, heads=task.naming.pseudonyms is None)
                counts.append(_parse_piece(output, _sampled(records, sample_of(piece.sample)), left))
            left = None if left is None else max(0, left - counts[-1].read)
    return counts


def rejected_table(path: str, rejected: Sequence[Rejected]) -> pa.Table:
    """The rows of the `rejected` table for some records of one source."""
    details = [
        each.detail[:_LONGEST_DETAIL].encode("utf-8", "backslashreplace").decode() for each in rejected
    ]
    columns = {
        "source_path": [path] * len(rejected),
        "line": [each.line for each in rejected],
        "code": [each.code for each in rejected],
        "detail": details,
        "raw": [each.raw for each in rejected],
    }
    return pa.table(columns, schema=REJECTED)


def read_columns(file: Path, schema: pa.Schema, names: Sequence[str]) -> pa.Table:
    """Some columns of an Arrow file of the first stage; the file is closed again, because there may be very many."""
    options = pa.ipc.IpcReadOptions(included_fields=sorted(schema.get_field_index(name) for name in names))
    with pa.OSFile(str(file)) as stream:
        return pa.ipc.open_file(stream, options=options).read_all().select(names)


def _parse_piece(output: _Output, records: Iterator[Parsed], limit: int | None) -> PieceCounts:
    skipped = 0
    for record in islice(records, limit):
        if isinstance(record, Located):
            output.add(record)
        elif isinstance(record, Rejected):
            output.reject(record)
        elif isinstance(record, Skipped):
            skipped += record.records
        else:
            output.add(as_located(record))
    whole = limit is None or next(records, None) is None
    output.flush()
    return PieceCounts(
        output.hands + output.rejected + skipped, output.hands, output.rejected, skipped, whole
    )


def _declare(file: FactsFile, output: _Output, sample: Sample | None, limit: int | None) -> PieceCounts:
    """Of a table those rows are skipped that are not in the sample; with a limit the rows come one by one."""
    found = declared_in(file, output.zone, None if limit is None else 1)
    skipped = 0
    for rows in islice(found, limit):
        wanted = rows if sample is None else rows.chosen(sample.has_named)
        skipped += rows.hands.num_rows - wanted.hands.num_rows
        output.declare(wanted)
    whole = limit is None or next(found, None) is None
    read = output.hands + output.rejected + skipped
    return PieceCounts(read, output.hands, output.rejected, skipped, whole)


def as_located(record: Hand | Located) -> Located:
    """A hand of a parser that does not say where it found it has line 0, and as its bytes what `ddz/1` would write."""
    return record if isinstance(record, Located) else Located(record, 0, write_line(record))


class _Output:
    """Hands and rejected records of one piece on their way to the Arrow files; counts what it wrote."""

    def __init__(self, piece: Piece, writers: _Writers) -> None:
        self.hands = self.rejected = 0
        self.zone: ZoneInfo | None = None
        self.naming = AS_THEY_ARE
        self._piece, self._label = piece, piece.label
        self._files = writers
        self._located: list[Located] = []
        self._rejected: list[Rejected] = []
        self._bytes = 0

    def add(self, located: Located) -> None:
        """Take one hand."""
        self._located.append(located)
        self._take(len(located.raw))

    def reject(self, record: Rejected) -> None:
        """Take one record that is none."""
        self._rejected.append(record)
        self._take(len(record.raw))

    def declare(self, rows: Declared) -> None:
        """Write hands that come with their facts, and rows that are none."""
        self._files.facts.write_table(rows.facts)
        self._write_hands(rows.hands)
        self._rejected += rows.rejected
        self.flush()

    def _write_hands(self, hands: pa.Table) -> None:
        self._files.hands.write_table(hands)
        self.hands += hands.num_rows

    def _take(self, size: int) -> None:
        self._bytes += size
        full = self._bytes >= BYTES_PER_BATCH or len(self._located) == HANDS_PER_BATCH
        if full or len(self._rejected) >= HANDS_PER_BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what was taken."""
        located = self._located if self.zone is None else list(self._localised(self.zone))
        if located:
            named = [self.naming.of(each) for each in located]
            table, refused = hands_table(named, parser_of(self._piece), self._label)
            self._write_hands(table)
            self._rejected += refused
        if self._rejected:
            kept = [self.naming.of_rejected(each) for each in self._rejected]
            self._files.rejected.write_table(rejected_table(self._label, kept))
            self.rejected += len(self._rejected)
        self._located, self._rejected, self._bytes = [], [], 0

    def _localised(self, zone: ZoneInfo) -> Iterator[Located]:
        for located in self._located:
            try:
                _localise(located.hand, zone)
            except BadRecord as fault:
                self._rejected.append(Rejected(located.line, fault.code, fault.detail, located.raw))
            else:
                yield located


def _localise(hand: Hand, zone: ZoneInfo) -> None:
    """Give times without an offset the zone's; raises `BadRecord` where the clock was changed and the time is none or two."""
    for name in ("started_at", "ended_at"):
        time = getattr(hand, name)
        if time is not UNSET and time.tzinfo is None:
            try:
                setattr(hand, name, localised(time, zone))
            except BadRecord as fault:
                raise BadRecord(fault.code, f"a time that {fault.detail} - at `{name}`") from None


def _sampled(records: Iterator[Parsed], sample: Sample | None) -> Iterator[Parsed]:
    """The records of a piece, of which those hands are skipped that are not in the sample."""
    if sample is None:
        yield from records
        return
    for record in records:
        hand = record.hand if isinstance(record, Located) else record
        if isinstance(hand, Hand) and not sample.has(hand):
            yield Skipped(0, "not in the sample")
        else:
            yield record


def records_of(piece: Piece, opener: Opener, *, heads: bool = False) -> Iterator[Parsed]:
    """The records of a piece; one whose compressed data are cut off or damaged ends in a rejection that says so.

    With `heads` actions may be left for `hands_table` to read.
    """
    parser, source = parser_of(piece), Source(piece.label, piece.first_line)
    parse = parser.parse_heads if heads and isinstance(parser, HeadParser) else parser.parse
    with plain_faults(piece.label), opener.open(piece.place) as stream:
        try:
            records = parse(stream, source)
            if piece.place.end is None:
                records = _with_damage(records, stream)
            yield from records
        except (DdzError, OSError):
            raise
        except Exception as error:
            what = f"the parser {parser.name} failed: {type(error).__name__}: {error}"
            raise DdzError(
                "parser_failed", what, where=piece.label, mend="report this with the file"
            ) from error


def _with_damage(records: Iterator[Parsed], stream: Stream) -> Iterator[Parsed]:
    last: Parsed | None = None
    for record in records:
        if last is not None:
            yield last
        last = record
    fault = stream.fault
    if fault and isinstance(last, Rejected) and not stream.ends_a_line:
        yield Rejected(last.line, fault.code, fault.detail, last.raw)
        return
    if last is not None:
        yield last
    if fault:
        line = 0 if last is None or isinstance(last, Hand) else last.line + 1
        yield Rejected(line, fault.code, fault.detail, b"")


class _Writers(NamedTuple):
    hands: pa.RecordBatchFileWriter
    facts: pa.RecordBatchFileWriter
    rejected: pa.RecordBatchFileWriter


@contextmanager
def _writers(task: ParseTask) -> Iterator[_Writers]:
    with ExitStack() as stack:

        def writer(path: Path, schema: pa.Schema) -> pa.RecordBatchFileWriter:
            file = stack.enter_context(pa.OSFile(str(path), "wb"))
            return stack.enter_context(pa.ipc.new_file(file, schema))

        yield _Writers(writer(task.hands, HANDS), writer(task.facts, FACTS), writer(task.rejected, REJECTED))
