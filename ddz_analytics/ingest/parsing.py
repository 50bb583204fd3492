"""The first stage of an ingest: pieces of logs into Arrow files of hands and of rejected records, batch by batch.

Runs in worker processes; what it hands back are counts, because the Arrow files are mapped, not sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import pyarrow as pa
from msgspec import UNSET

from ddz_analytics.errors import BadRecord, DdzError
from ddz_analytics.hands import Hand, Located, Rejected, Skipped
from ddz_analytics.ingest.planning import Piece
from ddz_analytics.ingest.streams import Opener, Stream
from ddz_analytics.parsers import parser_named
from ddz_analytics.parsers.base import Parsed, Source
from ddz_analytics.parsers.ddz1 import write_line
from ddz_analytics.pseudonyms import Pseudonyms
from ddz_analytics.schema import HANDS, REJECTED
from ddz_analytics.tabulate import hands_table

HANDS_PER_BATCH = 20_000
BYTES_PER_BATCH = 64 << 20
_LONGEST_DETAIL = 1000


@dataclass(frozen=True)
class ParseTask:
    """Some pieces, and the Arrow files to write.

    `zone` is the time zone of times without an offset (None: they are rejected); `limit` is the number of records to stop after;
    with `pseudonyms` no id of a player is written.
    """

    pieces: tuple[Piece, ...]
    hands: Path
    rejected: Path
    zone: str | None = None
    limit: int | None = None
    pseudonyms: Pseudonyms | None = None


@dataclass(frozen=True)
class PieceCounts:
    """What came of one piece: read = hands + rejected + skipped; `whole` unless a limit stopped it before its end."""

    read: int
    hands: int
    rejected: int
    skipped: int
    whole: bool = True


@dataclass(frozen=True)
class RecoverTask:
    """Hands of one piece whose records are wanted once more, as conflicts, in the Arrow file `rejected`.

    `wanted` has, by line and source id, the place of the hand that each contradicts.
    """

    piece: Piece
    wanted: Mapping[tuple[int, str], str]
    rejected: Path
    pseudonyms: Pseudonyms | None = None


def parse_pieces(task: ParseTask) -> list[PieceCounts]:
    """Parse pieces in order into the task's two files; the counts of each piece that was begun."""
    counts: list[PieceCounts] = []
    left = task.limit
    zone = None if task.zone is None else ZoneInfo(task.zone)
    with _writers(task) as (hands, rejected), Opener() as opener:
        for piece in task.pieces:
            if left == 0:
                break
            output = _Output(piece, hands, rejected)
            output.zone, output.pseudonyms = zone, task.pseudonyms
            counts.append(_parse_piece(output, _records(piece, opener), left))
            left = None if left is None else left - counts[-1].read
    return counts


def recover_conflicts(task: RecoverTask) -> Path:
    """Read a piece again and write the records that are wanted to the task's file."""
    found: list[Rejected] = []
    with (
        pa.OSFile(str(task.rejected), "wb") as file,
        pa.ipc.new_file(file, REJECTED) as writer,
        Opener() as opener,
    ):
        for record in _records(task.piece, opener):
            if isinstance(record, (Rejected, Skipped)):
                continue
            located = _masked(_located(record), task.pseudonyms)
            rival = task.wanted.get((located.line, located.hand.id))
            if rival is not None:
                raw = b"" if task.pseudonyms else located.raw
                found.append(Rejected(located.line, "conflict", conflict_with(rival), raw))
            if len(found) == HANDS_PER_BATCH:
                writer.write_table(rejected_table(task.piece.label, found))
                found = []
        writer.write_table(rejected_table(task.piece.label, found))
    return task.rejected


def conflict_with(rival: str) -> str:
    """What is said of a hand that contradicts the one at a place."""
    return f"another hand of this table and id, with other content, stands at {rival}; --reparse puts this in its place"


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
            skipped += 1
        else:
            output.add(_located(record))
    whole = limit is None or next(records, None) is None
    output.flush()
    return PieceCounts(
        output.hands + output.rejected + skipped, output.hands, output.rejected, skipped, whole
    )


def _located(record: Hand | Located) -> Located:
    """A hand of a parser that does not say where it found it has line 0, and as its bytes what `ddz/1` would write."""
    return record if isinstance(record, Located) else Located(record, 0, write_line(record))


def _masked(located: Located, pseudonyms: Pseudonyms | None) -> Located:
    """The hand without ids of players, if there are to be pseudonyms; its bytes still have them."""
    if pseudonyms is None:
        return located
    return Located(pseudonyms.mask(located.hand), located.line, located.raw, located.format)


class _Output:
    """Hands and rejected records of one piece on their way to the Arrow files; counts what it wrote."""

    def __init__(
        self, piece: Piece, hands: pa.RecordBatchFileWriter, rejected: pa.RecordBatchFileWriter
    ) -> None:
        self.hands = self.rejected = 0
        self.zone: ZoneInfo | None = None
        self.pseudonyms: Pseudonyms | None = None
        self._label, self._parser = piece.label, parser_named(piece.parser)
        self._hands_file, self._rejected_file = hands, rejected
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

    def _take(self, size: int) -> None:
        self._bytes += size
        full = self._bytes >= BYTES_PER_BATCH or len(self._located) == HANDS_PER_BATCH
        if full or len(self._rejected) >= HANDS_PER_BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what was taken."""
        located = self._located if self.zone is None else list(self._localised(self.zone))
        if located:
            masked = [_masked(each, self.pseudonyms) for each in located]
            table, refused = hands_table(masked, self._parser, self._label)
            self._hands_file.write_table(table)
            self.hands += table.num_rows
            self._rejected += refused
        if self._rejected:
            if self.pseudonyms is not None:
                self._rejected = [self.pseudonyms.mask_rejected(each) for each in self._rejected]
            self._rejected_file.write_table(rejected_table(self._label, self._rejected))
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
            local = time.replace(tzinfo=zone)
            if local.utcoffset() != local.replace(fold=1).utcoffset():
                raise BadRecord(
                    "naive_time", f"the clock of {zone.key} was changed at this time - at `{name}`"
                )
            setattr(hand, name, local)


def _records(piece: Piece, opener: Opener) -> Iterator[Parsed]:
    """The records of a piece; one whose compressed data are cut off or damaged ends in a rejection that says so."""
    parser, source = parser_named(piece.parser), Source(piece.label, piece.first_line)
    with opener.open(piece.place) as stream:
        try:
            records = parser.parse(stream, source)
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
        yield Rejected(last.line, "truncated", fault, last.raw)
        return
    if last is not None:
        yield last
    if fault:
        yield Rejected(
            0 if last is None or isinstance(last, Hand) else last.line + 1, "truncated", fault, b""
        )


@contextmanager
def _writers(task: ParseTask) -> Iterator[tuple[pa.RecordBatchFileWriter, pa.RecordBatchFileWriter]]:
    with ExitStack() as stack:

        def writer(path: Path, schema: pa.Schema) -> pa.RecordBatchFileWriter:
            file = stack.enter_context(pa.OSFile(str(path), "wb"))
            return stack.enter_context(pa.ipc.new_file(file, schema))

        yield writer(task.hands, HANDS), writer(task.rejected, REJECTED)
