"""Events out of JSON: lists or lines, one after the other, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Rejected
from ddz_analytics.mapping.paths import Heard, at
from ddz_analytics.parsers.base import KEPT_BYTES, LONGEST_RECORD, Source, load_json, records_by_line

_OPENING = (b"{", b"[")


def heard(stream: BinaryIO, source: Source, kind: list[str]) -> Iterator[Heard | Rejected]:
    """Every event of a stream; what is no event is a rejection.

    A line holds an event or a list of events (of any depth), perhaps followed by the comma of a list that goes on on the next
    line. Where the first line that is no bracket alone ends within JSON, the file is one document, of at most 16 MB.
    """
    before: bytes | None = b""
    for record in records_by_line(stream, source):
        if isinstance(record, Rejected):
            yield record
            continue
        line, raw = record
        if before is not None and raw.rstrip().endswith(_OPENING):
            before += raw + b"\n"
            if _bare(raw):
                yield from _whole(before + stream.read(LONGEST_RECORD - len(before) + 1), kind)
                return
            continue
        before = None
        try:
            document = load_json(_bare(raw)) if _bare(raw) else []
        except BadRecord as fault:
            yield Rejected(line, fault.code, fault.detail, raw)
            continue
        yield from _events(document, line, raw, kind)


def _bare(raw: bytes) -> bytes:
    """A line without what belongs to a list that goes over several lines."""
    bare = raw.strip()
    if bare in (b"[", b"]", b"],"):
        return b""
    if bare.startswith(b"[{") and bare.endswith(b","):
        return bare[1:-1]
    return bare.removesuffix(b",").removesuffix(b"]") if bare.startswith(b"{") else bare.removesuffix(b",")


def _whole(raw: bytes, kind: list[str]) -> Iterator[Heard | Rejected]:
    if len(raw) > LONGEST_RECORD:
        yield Rejected(1, "too_large", f"a document of more than {LONGEST_RECORD} bytes", raw[:KEPT_BYTES])
        return
    try:
        yield from _events(load_json(raw), 1, raw, kind)
    except BadRecord as fault:
        yield Rejected(1, fault.code, fault.detail, raw)


def _events(document: Any, line: int, raw: bytes, kind: list[str]) -> Iterator[Heard | Rejected]:
    if isinstance(document, list):
        for each in document:
            yield from _events(each, line, raw, kind)
        return
    name = at(document, kind)
    if isinstance(name, bool) or not isinstance(name, str | int):
        yield Rejected(line, "wrong_type", f"no event with a name at `{'.'.join(kind)}`", raw)
        return
    yield Heard(str(name), document, line, raw)
