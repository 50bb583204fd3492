"""JSON documents in a stream: one on each line, or a single one laid out over several lines."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import msgspec

from ddz_analytics.hands import Rejected
from ddz_analytics.parsers.base import LONGEST_RECORD, Source, records_by_line


def documents(
    stream: BinaryIO, source: Source, opening: bytes, is_record: Callable[[Any], bool]
) -> Iterator[tuple[int, bytes] | Rejected]:
    """The line and the bytes of each document, or the rejection of one that is too large.

    Records are lines where each begins with `opening`, or where the value of at least one line is a record (the others may
    be damaged); else the whole stream is one document, which is held whole, as is the beginning of a stream of any kind.
    """
    head = stream.read(LONGEST_RECORD + 1)
    if len(head) <= LONGEST_RECORD and not _by_line(head, opening, is_record):
        blank = len(head) - len(head.lstrip())
        yield source.first_line + head[:blank].count(b"\n"), head.strip()
    else:
        yield from records_by_line(io.BufferedReader(_Rejoined(head, stream)), source)


class _Rejoined(io.RawIOBase):
    """A stream after its head has been read."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = io.BytesIO(head), rest

    def readable(self) -> bool:
        """Always, which is all that a reader asks."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The head first, then the rest."""
        data = self._head.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _by_line(data: bytes, opening: bytes, is_record: Callable[[Any], bool]) -> bool:
    lines = [line for line in data.splitlines() if line.strip()]
    begun = [line for line in lines if line.lstrip().startswith(opening)]
    return all(line.startswith(opening) for line in lines) or any(_holds(line, is_record) for line in begun)


def _holds(line: bytes, is_record: Callable[[Any], bool]) -> bool:
    try:
        return is_record(msgspec.json.decode(line))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
