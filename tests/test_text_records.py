"""Records of text logs: where they begin, their bytes and numbers, and how much of one is held."""

from __future__ import annotations

import io
import tracemalloc

import pytest

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Rejected, Skipped
from ddz_analytics.parsers import text_records as module
from ddz_analytics.parsers.base import KEPT_BYTES, Source
from ddz_analytics.parsers.text_records import TextRecord, parsed, players_of, text_records


def begins(line: bytes) -> bool:
    return line.startswith(b"=")


def records(data: bytes, first_line: int = 1) -> list[TextRecord]:
    return list(text_records(io.BytesIO(data), Source("log", first_line), begins))


def test_each_byte_is_in_one_record() -> None:
    """Records are cut before the lines that begin one; nothing is lost, and the last one is marked."""
    data = b"before\n=1\r\na\n\n=2\nb\n=3"
    found = records(data, first_line=10)
    assert [record.raw for record in found] == [b"before\n", b"=1\r\na\n\n", b"=2\nb\n", b"=3"]
    assert [record.line for record in found] == [10, 11, 14, 16]
    assert [record.last for record in found] == [False, False, False, True]
    assert found[1].lines() == [(11, "=1"), (12, "a")]


def test_blank_beginnings_are_no_records() -> None:
    """White space before the first record, and a stream of nothing else, come to nothing."""
    assert [record.line for record in records(b"\n \n=1\n")] == [3]
    assert records(b"\n\n") == records(b"") == []


def test_a_very_long_line_is_one_line() -> None:
    """A line longer than what is read at once begins no record in its middle and counts once."""
    long = b"=" * (3 * KEPT_BYTES)
    found = records(long + b"\n=2\n")
    assert [(record.line, len(record.raw)) for record in found] == [(1, len(long) + 1), (2, 3)]


def test_a_record_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a record that is too large only the beginning is held and handed on, with its code."""
    monkeypatch.setattr(module, "LONGEST_RECORD", 1000)
    data = b"=1\n" + b"x" * 30 + b"\n" + b"y\n" * 1000 + b"=2\n"
    items = list(parsed(io.BytesIO(data), Source("log"), begins, lambda record: Skipped(record.line, "")))
    assert isinstance(items[0], Rejected)
    assert (items[0].line, items[0].code, len(items[0].raw)) == (1, "too_large", 1000)
    assert data.startswith(items[0].raw)
    assert items[1] == Skipped(1003, "")


def test_a_large_record_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a hundred times what a record may have takes little more memory than that."""
    monkeypatch.setattr(module, "LONGEST_RECORD", 100_000)
    stream = io.BytesIO(
        b"=1\n" + b"y" * 99 + b"\n" * 1 + b"z" * 99_999 + b"\n" + (b"w" * 99 + b"\n") * 100_000
    )
    tracemalloc.start()
    (item,) = parsed(stream, Source("log"), begins, lambda record: Skipped(record.line, ""))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(item, Rejected) and item.code == "too_large"
    assert peak < 1_000_000


def test_what_is_no_text_says_where() -> None:
    """Bytes that are not UTF-8 are a fault that names their line."""
    (record,) = records(b"=1\nok\n\xff\n", first_line=5)
    with pytest.raises(BadRecord) as caught:
        record.lines()
    assert (caught.value.code, caught.value.detail) == ("bad_encoding", "not UTF-8 - at line 7")


def test_a_name_on_several_seats() -> None:
    """A hand has three players: a name that sits twice is told apart by its seats, an empty one is its seat."""
    assert players_of(["a", "b", "c"]) == ("a", "b", "c")
    assert players_of(["a", "b", "a"]) == ("a#0", "b", "a#2")
    assert players_of(["", "b", ""]) == ("seat0", "b", "seat2")
