"""Pickles of plain data: the same data for every protocol, and nothing but data from any bytes."""

from __future__ import annotations

import os
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.errors import BadRecord
from ddz_analytics.parsers.plain_pickle import Item, plain_items

PLAIN: list[dict[str, Any]] = [
    {"landlord": [3, 4, 17, 30, 300, 70_000, -1, 2**40], "name": "安 and ann", "pair": (1, [2]), "three": (1, 2, 3), "nothing": ()},
    {"landlord": list(range(1500)), "plays": [[], [3, 3], []], "deep": {"a": {"b": []}}},
]  # fmt: skip


class Harmful:
    """What a pickle can do to somebody who trusts it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


def values(data: bytes) -> list[Any]:
    found = []
    for item in plain_items(data):
        assert isinstance(item, Item), item
        found.append(item.value)
    return found


def fault(data: bytes) -> BadRecord:
    *_, last = plain_items(data)
    assert isinstance(last, BadRecord)
    return last


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol(protocol: int) -> None:
    """Lists, dictionaries, tuples, numbers and texts come out as they went in."""
    assert values(pickle.dumps(PLAIN, protocol)) == PLAIN
    assert values(pickle.dumps(PLAIN[0], protocol)) == PLAIN[:1]
    assert values(pickle.dumps(PLAIN[0], protocol) + pickle.dumps(PLAIN, protocol)) == [PLAIN[0], *PLAIN]


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_bytes_of_each_element(protocol: int) -> None:
    """An element comes with the bytes that built it."""
    data = pickle.dumps(PLAIN, protocol)
    first, second = plain_items(data)
    assert isinstance(first, Item) and isinstance(second, Item)
    assert first.raw in data and second.raw in data and data.index(first.raw) < data.index(second.raw)
    assert len(first.raw) + len(second.raw) > 0.9 * len(data)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_nothing_is_run(protocol: int, tmp_path: Path) -> None:
    """A pickle that calls something is refused, and nothing is called."""
    target = tmp_path / "made"
    item = fault(pickle.dumps([*PLAIN, Harmful(target)], protocol))
    assert item.code == "unsupported_mode"
    assert not target.exists()


@pytest.mark.parametrize(
    "value", [1.5, None, True, b"bytes", {1, 2}, OrderedDict(a=1), object(), int, [float("nan")]]
)
def test_what_is_not_plain_is_refused(value: Any) -> None:
    """Floats, truth values, bytes, sets, classes and objects are none of the data that deals are made of."""
    for protocol in (2, 4):
        assert fault(pickle.dumps([value], protocol)).code == "unsupported_mode"
    if value is not True:  # which the oldest protocol writes as a number
        assert fault(pickle.dumps([value], 0)).code == "unsupported_mode"


def test_things_in_two_places() -> None:
    """A thing may stand in several places, but not within itself, and not so often that data grow far beyond the file."""
    play = [3, 3]
    assert values(pickle.dumps([{"a": play, "b": play}])) == [{"a": [3, 3], "b": [3, 3]}]
    assert values(pickle.dumps([PLAIN[0], PLAIN[0]])) == [PLAIN[0], PLAIN[0]]
    whole: list[Any] = []
    whole.append(whole)
    assert fault(pickle.dumps(whole)).code == "unsupported_mode"
    growing: list[Any] = [1]
    for _ in range(60):
        growing = [growing, growing]
    assert fault(pickle.dumps(growing)).code == "too_large"


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_pickle_that_is_cut_off(protocol: int) -> None:
    """What is whole comes first, then the fault."""
    data = pickle.dumps([{"n": n, "text": f"{n:50}"} for n in range(50)], protocol)
    *whole, last = plain_items(data[:-700])
    assert isinstance(last, BadRecord) and last.code == "truncated"
    ones = [item.value for item in whole if isinstance(item, Item)]
    assert len(ones) >= 30 and [one["n"] for one in ones] == [*range(len(ones))]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "none"),
        (b"\x80\x04.", "none"),
        (b"]", "truncated"),
        (b"\x80", "truncated"),
        (b"]K\x01a", "truncated"),
        (b"a.", "unsupported_mode"),
        (b"]t.", "unsupported_mode"),
        (b"]K\x01K\x02s.", "unsupported_mode"),
        (b"}K\x01a.", "unsupported_mode"),
        (b"}]K\x01s.", "unsupported_mode"),
        (b"}(K\x01u.", "unsupported_mode"),
        (b"}(K\x01K\x02K\x01K\x02u.", "duplicate_key"),
        (b"h\x07.", "unsupported_mode"),
        (b"]\xff.", "unsupported_mode"),
        (b"I" + b"9" * 5000 + b"\n.", "unsupported_mode"),
        (b"r\xff\xff\xff\x7f.", "unsupported_mode"),
        (b"](X\xff\xff\xff\x7fabc", "truncated"),
        (b"](X\x03\x00\x00\x00\xed\xa0\x80e.", "bad_encoding"),
    ],
)
def test_broken_programs(data: bytes, code: str) -> None:
    """A stack that is empty, a mark that was not set, a number that is too long: a coded fault."""
    found = [item.code for item in plain_items(data) if isinstance(item, BadRecord)]
    assert found == ([] if code == "none" else [code])
