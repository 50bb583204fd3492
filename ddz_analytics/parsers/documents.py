"""The records of files whose records have several lines, or that are one JSON document, such as a list of records.

A list is read element by element, so that no more than a few are in memory. What is broken in one record does not take the others
down as long as each begins on a line of its own, as programs write them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from typing import BinaryIO

from ddz_analytics.hands import Rejected
from ddz_analytics.parsers.base import KEPT_BYTES, LONGEST_RECORD, Source, too_large

BLOCK = 1 << 20  # bytes asked for at once
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A text, which no line end belongs to (so that one that is not closed ends with its line), or a bracket.
_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*+["\n]?|[{}\[\]]')
_OPENS = {b"}": ord("{"), b"]": ord("[")}
_BETWEEN = b" \t\r\n,"
_GOES_ON = (b"{", b"[", b",", b":")  # how a line ends that does not end its object

Records = Iterator[tuple[int, bytes] | Rejected]
Lines = Iterator[tuple[int, bytes]]


def json_records(stream: BinaryIO, source: Source) -> Records:
    """The line on which each record begins, and its bytes; what is too large, or is no record of a list, is rejected."""
    number = source.first_line
    first = stream.readline(BLOCK).removeprefix(_BYTE_ORDER_MARK)
    while first and not first.strip():
        number += first.endswith(b"\n")
        first = stream.readline(BLOCK)
    if first.lstrip().startswith(b"["):
        return _List(stream, first, number).records()
    return _objects(_lines(stream, first, number))


def records_from(stream: BinaryIO, source: Source, begins: Callable[[bytes], object]) -> Records:
    """Records of several lines, each from a line that begins one up to the next such line; the first may begin without."""
    gathered = _Gathered()
    for number, line in _lines(stream, stream.readline(BLOCK), source.first_line):
        if gathered and begins(line):
            yield gathered.record()
        gathered.add(number, line)
    if gathered:
        yield gathered.record()


def _lines(stream: BinaryIO, line: bytes, number: int) -> Lines:
    """A line and all that follow, with their numbers; a very long one in pieces that have the same number."""
    while line:
        yield number, line
        number += line.endswith(b"\n")
        line = stream.readline(BLOCK)


class _Gathered:
    """The lines of a record, of which no more is kept than a record may have."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = self._number = 0

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, number: int, line: bytes) -> None:
        """Take a line, or a piece of one."""
        if not self._parts:
            self._number = number
        if self._size <= LONGEST_RECORD:
            self._parts.append(line)
        self._size += len(line)

    def record(self) -> tuple[int, bytes] | Rejected:
        """The record; another one may begin."""
        raw, size = b"".join(self._parts).strip(), self._size
        self._parts, self._size = [], 0
        if size > LONGEST_RECORD:
            return too_large(self._number, raw)
        return self._number, raw


def _objects(lines: Lines) -> Records:
    """Records of one line; one whose line does not end it goes on to a line that begins with a bracket."""
    gathered, head, first = _Gathered(), b"", True
    for number, line in lines:
        at_start = not head
        head = head or line[:1]  # of the whole line, of which this may be a piece
        if at_start and gathered and head == b"{":
            yield gathered.record()
            first = True
        if line.strip() or gathered:
            gathered.add(number, line)
        if not line.endswith(b"\n"):
            continue
        goes_on = head == b"{" and line.rstrip().endswith(_GOES_ON) if first else head != b"}"
        if gathered and not goes_on:
            yield gathered.record()
        first, head = not gathered, b""
    if gathered:
        yield gathered.record()


class _List:
    """A list on its way through a buffer of some of its elements."""

    def __init__(self, stream: BinaryIO, first: bytes, number: int) -> None:
        self._stream = stream
        self._buffer = first
        self._number = number  # of the line at `_start`
        self._start = 0  # up to here everything has been handed on
        self._opening = b""  # how the first line of an element begins, where elements begin lines

    def records(self) -> Records:
        """Every element, and what is wrong between and after them."""
        self._pass(self._buffer.index(b"[") + 1)
        while (begins := (yield from self._to_element())) is not None:
            self._note_opening(begins)
            self._pass(begins)
            ends = self._end_of_element()
            if ends is None:
                yield from self._by_lines()
                return
            yield self._number, self._buffer[self._start : ends]
            self._pass(ends)

    def _pass(self, place: int) -> None:
        self._number += self._buffer.count(b"\n", self._start, place)
        self._start = place

    def _more(self) -> bool:
        block = self._stream.read(BLOCK)
        self._buffer += block
        return bool(block)

    def _token(self, place: int) -> re.Match[bytes] | None:
        """The next text or bracket from a place on, whole if the stream has all of it."""
        while True:
            found = _TOKEN.search(self._buffer, place)
            if found and (found[0][:1] != b'"' or found.end() < len(self._buffer) - 1):
                return found
            if len(self._buffer) - self._start > LONGEST_RECORD + BLOCK or not self._more():
                return found
            place = found.start() if found else place

    def _to_element(self) -> Generator[tuple[int, bytes] | Rejected, None, int | None]:
        """The place of the next element's bracket, None at the end of the list; what stands before it is no element."""
        if self._start > BLOCK:
            self._buffer, self._start = self._buffer[self._start :], 0
        token = self._token(self._start)
        while token and token[0][:1] == b'"':
            token = self._token(token.end())
        place = token.start() if token else len(self._buffer)
        if token and token[0] in b"{[":
            if between := self._buffer[self._start : place].strip(_BETWEEN):
                yield Rejected(self._number, "wrong_type", "no record of the list", between[:KEPT_BYTES])
            return place
        if token is None or token[0] == b"}" or not self._is_last(token.end()):
            yield from self._by_lines()
        return None

    def _is_last(self, place: int) -> bool:
        """Whether nothing but white space follows."""
        while not self._buffer[place:].strip() and len(self._buffer) - place < LONGEST_RECORD:
            if not self._more():
                return True
        return False

    def _note_opening(self, place: int) -> None:
        line = self._buffer[self._buffer.rfind(b"\n", 0, place) + 1 : place]
        if not line.strip():
            self._opening = line + self._buffer[place : place + 1]

    def _end_of_element(self) -> int | None:
        """Behind the bracket that closes the element; None where brackets do not match, it is too large, or the stream ends."""
        open_brackets, place = bytearray(), self._start
        while (token := self._token(place)) and token.end() - self._start <= LONGEST_RECORD:
            place = token.end()
            if token[0] in b"{[":
                open_brackets += token[0]
            elif token[0] in b"]}":
                if open_brackets.pop() != _OPENS[token[0]]:
                    return None
                if not open_brackets:
                    return place
        return None

    def _by_lines(self) -> Records:
        """What is left, where brackets cannot be trusted: a record begins where a line begins as an element's does."""
        gathered = _Gathered()
        for number, line in self._rest():
            if gathered and self._opening and line.startswith(self._opening):
                yield _before(b",", gathered.record())
            gathered.add(number, line)
        yield _before(b"]", gathered.record()) if gathered else (self._number, b"")

    def _rest(self) -> Lines:
        rest = self._buffer[self._start :]
        whole = rest.rfind(b"\n") + 1
        number = self._number
        for line in rest[:whole].split(b"\n")[:-1]:
            yield number, line + b"\n"
            number += 1
        yield from _lines(self._stream, rest[whole:] + self._stream.readline(BLOCK), number)


def _before(ending: bytes, record: tuple[int, bytes] | Rejected) -> tuple[int, bytes] | Rejected:
    """A record without the comma before it, and the comma or the end of the list after it."""
    if isinstance(record, Rejected):
        return record
    return record[0], record[1].lstrip(_BETWEEN).removesuffix(ending).rstrip()
