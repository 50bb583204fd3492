"""Records of JSON files that are one document: where each begins, and that one broken record does not take others down."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ddz_analytics.hands import Rejected
from ddz_analytics.parsers import documents
from ddz_analytics.parsers.base import Source
from ddz_analytics.parsers.documents import json_records

ROWS: list[dict[str, Any]] = [{"n": n, "text": 'x]{"\\', "list": [1, {"deep": 2}]} for n in range(5)]


def records(data: bytes, first_line: int = 1) -> list[tuple[int, bytes] | Rejected]:
    return list(json_records(io.BytesIO(data), Source("log", first_line)))


def numbers(data: bytes) -> list[int]:
    """The `n` of each record that is whole."""
    found = []
    for record in records(data):
        try:
            document = None if isinstance(record, Rejected) else json.loads(record[1])
        except ValueError:
            continue
        if isinstance(document, dict) and "n" in document:
            found.append(document["n"])
    return found


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_elements_of_a_list(indent: int | None, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element comes with its line and bytes, however the list is laid out and read."""
    monkeypatch.setattr(documents, "BLOCK", block)
    text = json.dumps(ROWS, indent=indent)
    found = [record for record in records(b"\n" + text.encode()) if not isinstance(record, Rejected)]
    assert [json.loads(raw) for _, raw in found] == ROWS
    lines = ("\n" + text).split("\n")
    assert all(lines[line - 1].lstrip("[").lstrip().startswith("{") for line, _ in found)


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_one_object(indent: int | None) -> None:
    """A document over several lines is one record, on the line where it begins."""
    text = json.dumps(ROWS[0], indent=indent).encode()
    assert records(b"\xef\xbb\xbf\n\n" + text + b"\n") == [(3, text)]


def test_lines_and_objects_of_several_lines_in_one_file() -> None:
    """Objects one after the other are told apart, and junk is a record of its own."""
    pretty = json.dumps(ROWS[1], indent=2).encode()
    lines = b"\n".join([json.dumps(ROWS[0]).encode(), b"junk", pretty, pretty, b'{"n": 3}'])
    assert [line for line, _ in records(lines, 10)] == [10, 11, 12, 22, 32]  # type: ignore[misc]  # none is rejected
    assert numbers(lines) == [0, 1, 1, 3]


@pytest.mark.parametrize("block", [7, 50])
def test_lines_that_are_read_in_pieces(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is longer than what is read at once is one record, and so is what follows it."""
    monkeypatch.setattr(documents, "BLOCK", block)
    pretty = json.dumps(ROWS[1], indent=2)
    lines = "\n".join(
        ["", json.dumps(ROWS[0]), "junk", pretty, json.dumps(ROWS[2]), "more } junk", pretty, ""]
    )
    assert numbers(lines.encode()) == [0, 1, 2, 1]
    assert len(records(lines.encode())) == 6


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('"n": 1', '"n: 1'),
        lambda text: text.replace('"n": 1', 'n": 1'),
        lambda text: text.replace('"n": 1', '"n": {1'),
        lambda text: text.replace('"n": 1', '"n": ]1'),
        lambda text: text.replace('"n": 1', '"n": }1'),
        lambda text: text.replace('"n": 1', '"n": \\1'),
    ],
)
def test_a_broken_element_stays_alone(damage: Any) -> None:
    """Where every element begins a line of its own, the others are read although brackets or quotes of one do not match."""
    assert set(numbers(damage(json.dumps(ROWS, indent=1)).encode())) == {0, 2, 3, 4}


def test_a_list_that_is_cut_off() -> None:
    """The elements before the cut are whole, and the rest is the last record; a list cut between elements ends in an empty one."""
    text = json.dumps(ROWS, indent=1).encode()
    place = text.index(b'"n": 3')
    assert numbers(text[:place]) == [0, 1, 2]
    assert len(records(text[:place])) == 4
    between = text[: text.index(b"{", place - 10)]
    last = records(between)[-1]
    assert not isinstance(last, Rejected) and last[1] == b""


def test_what_is_no_element_is_rejected() -> None:
    """Anything between the elements, and a second list behind the first, is not passed over in silence."""
    found = records(b'[1, {"n": 0}, "x", {"n": 1}]\n[{"n": 2}]')
    assert [record.raw for record in found if isinstance(record, Rejected)] == [b"1", b'"x"']
    assert found[-1] == (1, b']\n[{"n": 2}')


def test_empty_documents() -> None:
    """No bytes, blank lines and an empty list hold no record."""
    assert [*records(b""), *records(b"\n \n"), *records(b"[]"), *records(b" [\n]\n\n")] == []


@pytest.mark.parametrize(
    ("data", "counts"),
    [
        (b'[\n{"n": 0},\n{"text": "' + b"x" * 3000 + b'"},\n{"n": 2}\n]', [0, 2]),
        (b'[\n{"n": 0},\n{"text": "' + b"x" * 30_000, [0]),
        (b'{"n": 0}\n{"text": "' + b"x" * 3000 + b'"}\n{"n": 2}', [0, 2]),
        (b'{"n": 0}\n{\n' + b' "x": 1,\n' * 1000 + b'}\n{"n": 2}', [0, 2]),
    ],
)
def test_a_record_that_is_too_large(data: bytes, counts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """A record beyond the limit is a rejection that keeps its beginning, and the others are read."""
    monkeypatch.setattr(documents, "LONGEST_RECORD", 1000)
    monkeypatch.setattr(documents, "BLOCK", 100)
    assert numbers(data) == counts
    (found,) = (record for record in records(data) if isinstance(record, Rejected))
    assert found.code == "too_large"


@pytest.mark.parametrize(
    "data", [b"[" * 200_000, b'["' * 100_000, b"[{" + b'"\\"' * 100_000, b"{\n" * 100_000]
)
def test_hostile_bytes_take_no_time(data: bytes) -> None:
    """What is built to be looked at again and again is looked at once."""
    assert len(records(data)) >= 1
