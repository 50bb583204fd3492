"""What parsers of text logs share: a record is some lines, up to the one with which the next begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Hand, Located, Rejected, Skipped
from ddz_analytics.parsers.base import KEPT_BYTES, LONGEST_RECORD, Parsed, Source, too_large

Numbered = tuple[int, str]  # a line without its end and white space around it, and its number


@dataclass
class TextRecord:
    """Consecutive lines, the first of which has the number `line`; `last`: the stream has no more records."""

    line: int
    last: bool = False
    _pieces: list[bytes] = field(default_factory=list)
    _size: int = 0

    @property
    def raw(self) -> bytes:
        """The bytes as they came; of a record that is too large its beginning."""
        return b"".join(self._pieces)

    @property
    def too_large(self) -> bool:
        """Whether bytes were left out."""
        return self._size > LONGEST_RECORD

    def add(self, piece: bytes) -> None:
        """Take more bytes, as long as they are not too many."""
        self._size += len(piece)
        if self.too_large:
            self._pieces = [self.raw[:KEPT_BYTES]]
        else:
            self._pieces.append(piece)

    def lines(self) -> list[Numbered]:
        """The lines that are not blank, decoded; raises `BadRecord`. White space stays before a line."""
        try:
            text = self.raw.decode("utf-8")
        except UnicodeDecodeError as error:
            number = self.line + self.raw.count(b"\n", 0, error.start)
            raise BadRecord("bad_encoding", f"not UTF-8 - at line {number}") from None
        lines = enumerate(text.split("\n"), self.line)
        return [(number, line.rstrip()) for number, line in lines if line.strip()]


def parsed(
    stream: BinaryIO,
    source: Source,
    begins: Callable[[bytes], bool],
    read: Callable[[TextRecord], Hand | Skipped],
) -> Iterator[Parsed]:
    """What `read` makes of each record of a stream; `begins` is asked of each line in turn."""
    for record in text_records(stream, source, begins):
        if record.too_large:
            yield too_large(record.line, record.raw)
            continue
        try:
            found = read(record)
        except BadRecord as fault:
            yield Rejected(record.line, fault.code, fault.detail, record.raw)
        else:
            yield found if isinstance(found, Skipped) else Located(found, record.line, record.raw)


def text_records(stream: BinaryIO, source: Source, begins: Callable[[bytes], bool]) -> Iterator[TextRecord]:
    """The records of a stream but for those that are nothing but white space; one at a time is held."""
    record, number, whole_line = TextRecord(source.first_line), source.first_line - 1, True
    while piece := stream.readline(KEPT_BYTES):
        number += whole_line
        if whole_line and begins(piece):
            if record.raw.strip():
                yield record
            record = TextRecord(number)
        record.add(piece)
        whole_line = piece.endswith(b"\n")
    record.last = True
    if record.raw.strip():
        yield record


def players_of(names: Sequence[str]) -> tuple[str, str, str]:
    """Three players: a name that stands on several seats is a player on each, an empty one is its seat."""
    told = [
        f"{name}#{seat}" if names.count(name) > 1 and name else name or f"seat{seat}"
        for seat, name in zip(range(SEATS), names, strict=True)
    ]
    return told[0], told[1], told[2]
