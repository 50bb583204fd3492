"""`ddz/1`: JSON Lines, one hand per line, or Parquet, one hand per row; the only format that can say everything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Action, Declared, Hand, Located, Recorded, Room, UnreadHand
from ddz_analytics.parsers.base import (
    Parsed,
    Source,
    load_json,
    read_each,
    records_by_line,
    shaped,
    struct_fault,
    with_peek,
)

_decode = msgspec.json.Decoder(Hand).decode
_decode_head = msgspec.json.Decoder(UnreadHand).decode
_encode = msgspec.json.Encoder().encode
PARQUET = b"PAR1"
ORIGIN = "_format"  # the field that names the format of a hand that was written anew as ddz/1
_ESCAPE, _HIDDEN = b"\\", b"\\u00"  # the latter may hide a quotation mark, or a digit of a time
_FINE = re.compile(rb"\.[0-9]{7}")  # a fraction that the decoder would round, if it is that of a time
_FINER = re.compile(r"\.[0-9]{6}[0-9]*[1-9]")
_TIMES = ("started_at", "ended_at")
_FIELDS = tuple(
    name for struct in (Hand, Action, Room, Recorded, Declared) for name in struct.__struct_encode_fields__
)


class Ddz1:
    """The parser of `ddz/1`."""

    name = "ddz/1"
    version = 1
    records = frozenset(
        ("auction", "open_hand", "doubles", "kicks", "autoplay", "balances", "room", "rules", "time")
    )
    ids_are_global = True
    switches: Mapping[str, bool] = {}
    reference_rules: str | None = None
    by_line = True

    def sniff(self, head: bytes) -> float:
        """Certain when the first line names the format, nearly so when any other does (the first may be damaged).

        Of a Parquet file only the end says what it holds; no other log format is kept so.
        """
        if head.startswith(PARQUET):
            return 0.6
        lines = [line.lstrip(b"\xef\xbb\xbf \t\r") for line in head.split(b"\n")]
        naming = [place for place, line in enumerate(lines) if line.startswith(b"{") and b'"ddz/1"' in line]
        return 0.0 if not naming else 1.0 if naming[0] == 0 else 0.9

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each line, or for each row of a Parquet file."""
        reader = with_peek(stream)
        if reader.peek(len(PARQUET)).startswith(PARQUET):
            from ddz_analytics.parsers.ddz1_parquet import hands_of_parquet  # few need it

            yield from hands_of_parquet(reader)
            return
        yield from read_each(records_by_line(reader, source), _located)

    def parse_heads(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """The same, but the actions of a line that is as `write_line` writes it are left for `tabulate` to read, and to refuse."""
        reader = with_peek(stream)
        if reader.peek(len(PARQUET)).startswith(PARQUET):
            return self.parse(reader, source)
        return read_each(records_by_line(reader, source), _head)


def _head(line: int, raw: bytes) -> Located:
    try:
        hand = _decode_head(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _located(line, raw)
    return Located(hand, line, raw) if _encode(hand) == raw else _located(line, raw)


def _located(line: int, raw: bytes) -> Located:
    hand = read_line(raw)
    return Located(hand, line, raw, "" if hand.extra is UNSET else _origin(hand, hand.extra))


def _origin(hand: Hand, extra: dict[str, Any]) -> str:
    """The format that the hand was first recorded in, taken out of its extra fields; empty for `ddz/1` itself."""
    name = known_format(extra.pop(ORIGIN, ""), ORIGIN)
    if not extra:
        hand.extra = UNSET
    return name


def known_format(name: object, field: str) -> str:
    """The name of a format, or none; raises `BadRecord` for one that there is no parser for."""
    from ddz_analytics.parsers import parsers  # which knows this module too

    if name and (not isinstance(name, str) or name not in parsers()):
        raise BadRecord("unsupported_mode", f"no format is called {str(name)[:40]!r} - at `{field}`")
    return str(name)


def acts_of(item: Located) -> list[Action]:
    """The actions of a hand, read one hand at a time; raises `BadRecord`."""
    actions: list[Action] | msgspec.Raw = item.hand.actions
    if isinstance(actions, msgspec.Raw):
        return read_line(item.raw).actions
    return shaped(msgspec.to_builtins(actions), list[Action], "actions")


def read_line(raw: bytes) -> Hand:
    """The hand that one line tells; raises `BadRecord`.

    The decoder keeps the last of two equal keys without a word. Re-encoding a hand writes each key once, so a line that has
    more quotation marks than its re-encoding goes the slow way, where the key that stands twice is named. It rounds times to
    microseconds: so does a line with a longer fraction.
    """
    try:
        hand: Hand = _decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _read_slowly(raw)
    return hand if hand.extra is UNSET and _has_each_key_once(raw, hand) else _read_slowly(raw)


def _has_each_key_once(raw: bytes, hand: Hand) -> bool:
    """Whether a line's quotation marks are those that the hand accounts for; where in doubt, no."""
    written = _encode(hand)
    if raw == written:
        return True
    hides = (_ESCAPE in raw and _HIDDEN in raw) or _FINE.search(raw)
    return not hides and raw.count(b'"') == written.count(b'"')


def _read_slowly(raw: bytes) -> Hand:
    document = load_json(raw)
    if not isinstance(document, dict):
        raise BadRecord("wrong_type", "a line must hold one JSON object")
    extra = {key: document.pop(key) for key in list(document) if key.startswith("_")}
    for name in _TIMES:
        time = document.get(name)
        if isinstance(time, str) and _FINER.search(time):
            raise BadRecord("out_of_range", f"a time finer than microseconds - at `$.{name}` = {time[:40]!r}")
    try:
        hand = msgspec.convert(document, Hand, strict=True)
    except msgspec.ValidationError as error:
        raise struct_fault(error, _FIELDS, document) from None
    if extra:
        hand.extra = extra
    return hand


def write_line(hand: Hand) -> bytes:
    """The line of a hand, without a line end; `read_line` of it gives an equal hand."""
    if hand.extra is UNSET:
        return _encode(hand)
    document: dict[str, Any] = msgspec.to_builtins(hand)
    document.update(document.pop("_extra"))
    return _encode(document)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a line, generated from the structs; a field that begins with "_" may hold anything."""
    schema = msgspec.json.schema(Hand)
    hand = schema["$defs"]["Hand"]
    del hand["properties"]["_extra"]
    hand["patternProperties"] = {"^_": {}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "ddz/1", **schema}
