"""What a parser is, and the few things that parsers share: lines of bounded length, strict JSON, coded faults."""

from __future__ import annotations

import difflib
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol, TypeVar, cast, runtime_checkable

import msgspec

from ddz_analytics.encodings import not_utf8
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Hand, Located, Rejected, Skipped

LONGEST_RECORD = 16 * 1024 * 1024  # bytes; a hand is a few thousand
UNNAMED = ("seat0", "seat1", "seat2")  # what players are called whom a log does not name
KEPT_BYTES = 64 * 1024  # of a record that is too large only its beginning is kept

Parsed = Hand | Located | Rejected | Skipped
Shape = TypeVar("Shape")


@dataclass(frozen=True)
class Source:
    """Where a stream comes from: a name for messages, and the number of its first line (a part of a file may start later)."""

    path: str
    first_line: int = 1


class Format(Protocol):
    """What is known of a format, be it of logs or of tables.

    `records` names what it can say: any of auction, open_hand, doubles, kicks, autoplay, balances, room, rules, time.
    `reference_rules`: the rule set that its recorded scores follow when a log names none (None: they are on a scale of their own).
    """

    name: str
    version: int
    records: frozenset[str]
    ids_are_global: bool
    reference_rules: str | None


class Parser(Format, Protocol):
    """A log format. Third parties register one in the entry-point group `ddz_analytics.parsers`.

    `switches` is the dialect of combination switches. `by_line` says that every record is one line.
    """

    switches: Mapping[str, bool]
    by_line: bool

    def sniff(self, head: bytes) -> float:
        """How sure the parser is, from 0 to 1, that a file beginning with `head` is its own."""

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """Each record of the stream, in order; never raises for what the bytes contain."""


@runtime_checkable
class HeadParser(Parser, Protocol):
    """A parser that can leave the actions of a hand unread, which `tabulate` reads much faster for many hands at once."""

    def parse_heads(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """As `parse`, but the `actions` of a hand may be `Raw`, the JSON array that a line of `ddz/1` has for them, or `Numbered`."""


def records_by_line(stream: BinaryIO, source: Source) -> Iterator[tuple[int, bytes] | Rejected]:
    """Line number and bytes (without the line end) of each line that is not blank; too long a line is a rejection."""
    number = source.first_line - 1
    while line := stream.readline(LONGEST_RECORD + 1):
        number += 1
        if len(line) > LONGEST_RECORD:
            kept = line[:KEPT_BYTES]
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_RECORD)
            yield too_large(number, kept)
            continue
        line = line.rstrip(b"\r\n")
        if line.strip():
            yield number, line


def with_peek(stream: BinaryIO) -> io.BufferedReader:
    """The stream, whose beginning can be looked at before it is read."""
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))


def too_large(line: int, raw: bytes) -> Rejected:
    """The rejection of a record that is longer than any may be; of its bytes the beginning is kept."""
    return Rejected(line, "too_large", f"a record of more than {LONGEST_RECORD} bytes", raw[:KEPT_BYTES])


def read_each(
    records: Iterable[tuple[int, bytes] | Rejected], read: Callable[[int, bytes], Hand | Located | Skipped]
) -> Iterator[Parsed]:
    """What `read` makes of each record, given its line and bytes; where it raises `BadRecord` the record is rejected."""
    for record in records:
        if isinstance(record, Rejected):
            yield record
            continue
        line, raw = record
        try:
            found = read(line, raw)
        except BadRecord as fault:
            yield Rejected(line, fault.code, fault.detail, raw)
        else:
            yield Located(found, line, raw) if isinstance(found, Hand) else found


def has_object_with(head: bytes, *keys: bytes) -> bool:
    """Whether some line of a file's beginning starts a JSON object and has all the keys; a broken line before it does not matter."""
    lines = (line.lstrip() for line in head.splitlines())
    return any(line.startswith(b"{") and all(key in line for key in keys) for line in lines)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BadRecord("out_of_range", f"a number beyond all range, {text[:40]}")
    return number


def load_json(raw: bytes, fraction: Callable[[str], Any] = _finite) -> Any:
    """The value of a JSON text, strictly: UTF-8, no key twice, no NaN; numbers with a fraction as `fraction` reads them.

    Raises `BadRecord`.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord("bad_encoding", not_utf8(raw, error.start)) from None
    try:
        document = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=fraction
        )
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        code = "truncated" if cut else "bad_json"
        if text.startswith(_MARK):
            raise BadRecord("bad_encoding", "a mark of UTF-8 (BOM) that is not the file's first") from None
        hint = ": one record is one line" if error.msg == "Extra data" else ""
        what = f"{error.msg.removesuffix(' at')} at character {error.pos}{hint}"
        raise BadRecord(code, what) from None
    except (RecursionError, ValueError):
        raise BadRecord("bad_json", "nested too deeply, or a number too long") from None
    if _ESCAPED_SURROGATE.search(text):
        refuse_half_characters(document)
    return document


def refuse_half_characters(document: Any) -> None:
    """An escape such as `\\ud800` alone is half a character, which no column can hold."""
    try:
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise BadRecord("bad_encoding", "an escape that is half a character") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadRecord("duplicate_key", f"the key {twice!r} stands twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise BadRecord("bad_json", f"{name} is not JSON")


_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_SHOWN = 40  # characters of a value in a message
_MARK = "\ufeff"
_MESSAGES = (
    (re.compile(r"Object contains unknown field `(?P<name>.*)`"), "unknown_field"),
    (re.compile(r"Object missing required field"), "missing_field"),
    (
        re.compile(
            r"Expected `(int|float|str|array|object)[^`]*` (<|>|of length|of at (least|most) length|matching)"
        ),
        "out_of_range",
    ),
    (re.compile(r"Invalid enum value|out of range|Integer value"), "out_of_range"),
    (re.compile(r"Expected"), "wrong_type"),
    (re.compile(r"Invalid"), "wrong_type"),
)


_AMOUNT = "Expected `str` matching an amount: at most 14 digits and four decimals"
_IN_WORDS = (  # what the library says, in the words of the format
    (re.compile(r"Expected `str` matching regex '\^-.*?\$'"), _AMOUNT),
    (re.compile(r"Expected `str` matching regex '\^\[.*?\$'"), f"{_AMOUNT}, not negative"),
    (
        re.compile(r"Invalid RFC3339 encoded datetime"),
        "Invalid time: a day and an hour of the calendar are expected, such as 2026-01-02T11:04:05+08:00",
    ),
)


def struct_fault(
    error: msgspec.ValidationError, known: tuple[str, ...] = (), document: Any = None
) -> BadRecord:
    """The catalogue code and a clear detail, with the value of the `document`, for what msgspec says of a record of the wrong shape."""
    message = str(error) + _value_at(str(error), document)
    for pattern, words in _IN_WORDS:
        message = pattern.sub(words, message)
    for pattern, code in _MESSAGES:
        if match := pattern.search(message):
            return BadRecord(
                code, message + (_nearest(match["name"], known) if code == "unknown_field" else "")
            )
    return BadRecord("wrong_type", message)


def _nearest(name: str, known: tuple[str, ...]) -> str:
    """A hint at the field that may be meant; one of this very name belongs somewhere else."""
    near = difflib.get_close_matches(name, [each for each in known if each != name], 1)
    return f" (did you mean `{near[0]}`?)" if near else ""


def _value_at(message: str, document: Any) -> str:
    """What stands at the place that a message names, if it is a text or a number."""
    for key, place in _STEP.findall(message.rpartition("`$")[2]):
        if place and isinstance(document, list) and int(place) < len(document):
            document = document[int(place)]
        else:
            document = document.get(key) if isinstance(document, dict) else None
    if isinstance(document, str):
        return f" = {document[:_SHOWN]!r}"
    return f" = {str(document)[:_SHOWN]}" if isinstance(document, int | float) else ""


def shaped(value: Any, shape: type[Shape], where: str = "$") -> Shape:
    """The value as the struct or type `shape`, strictly (no coercion); raises `BadRecord` naming the place below `where`."""
    try:
        return msgspec.convert(value, shape, strict=True)
    except msgspec.ValidationError as error:
        fault = struct_fault(error)
        detail = fault.detail if "`$" in fault.detail else f"{fault.detail} - at `$`"
        raise BadRecord(fault.code, detail.replace("`$", f"`{where}", 1)) from None
