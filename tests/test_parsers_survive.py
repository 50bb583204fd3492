"""No bytes take a parser down: samples of every format, changed by chance, come to hands and coded rejections only."""

from __future__ import annotations

import json
import re
from itertools import islice
from random import Random
from typing import Any

import pytest

from ddz_analytics.hands import Located, Rejected
from ddz_analytics.parsers import PARSERS, parsers
from ddz_analytics.tabulate import hands_table
from tests.parsing import REJECTIONS, SAMPLES, read, sample_bytes, sample_names

LARGEST = 12_000  # bytes of a sample that are changed at a time; more would only be slower
VALUES: list[Any] = [None, True, -1, 0, 3, 54, 10**30, 1.5, 1e300, "", "3", "x" * 200, [], {}, [[]], {"0": 1}]
WORD = re.compile(rb'"[^"]{0,40}"|-?\w+')
TOGETHER = 50  # mutants whose hands become one table
SAMPLED = sorted(parser.name for parser in PARSERS if (SAMPLES / parser.name).is_dir())
PIECES = [b"", b"0", b"-1", b"54", b"99999999999999999999", b"1e999", b"null", b"{}", b"[]", b"[[", b'"', b"\\ud800", b",",
          b"\n", b"\x00", b"\xff", b"[0]", b":", b"D", b"=== GAME 1", b"\xc2\xb2", b" " * 40]  # fmt: skip


def beginnings(name: str) -> list[bytes]:
    """Each sample of a format, or as many of its lines as are not too long."""
    found = []
    for sample in sample_names(name):
        lines = sample_bytes(sample).splitlines(keepends=True)
        size, kept = 0, list[bytes]()
        for line in lines:
            size += len(line)
            if kept and size > LARGEST:
                break
            kept.append(line)
        found.append(b"".join(kept))
    return found


def mutant(data: bytes, chance: Random) -> bytes:
    """The data with one to four small changes: words or bytes put in, taken out, doubled or exchanged, or the end cut off."""
    for _ in range(chance.randint(1, 4)):
        begin, other = chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)
        end = min(len(data), begin + chance.choice([0, 1, 1, 2, 5, 20, 200]))
        word = WORD.search(data, begin)
        if word and chance.random() < 0.6:  # most changes leave the shape of a record as it is
            begin, end = word.span()
        copied = WORD.search(data, other)
        piece = chance.choice(
            [*PIECES, data[begin:end] * 2, copied[0] if copied else b"", bytes([chance.randrange(256)])]
        )
        data = data[:begin] if chance.random() < 0.05 else data[:begin] + piece + data[end:]
    return data


def restructured(data: bytes, chance: Random) -> bytes:
    """The data, one document of it with another value at some place; as they are where they are no JSON."""
    lines = data.splitlines(keepends=True)
    place = chance.randrange(len(lines))
    raw = lines[place] if data[:1] in b"{[" and len(lines) < 50 else data
    try:
        document = json.loads(raw)
    except ValueError:
        return data
    inner: Any = document
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        if not keys:
            return data
        key = chance.choice(keys)
        if not (isinstance(inner[key], dict | list) and inner[key] and chance.random() < 0.9):
            break
        inner = inner[key]
    if chance.random() < 0.2:
        del inner[key]
    else:
        inner[key] = chance.choice([*VALUES, [inner[key]] * 2, list(range(20)), {"command": inner[key]}])
    return data.replace(raw, json.dumps(document).encode() + b"\n", 1)


def survive(name: str, number: int) -> None:
    """Read so many mutants of a format's samples; every record becomes a row, or a rejection with a code of the catalogue."""
    parser, chance, samples = parsers()[name], Random(name), beginnings(name)
    hands: list[Located] = []
    for done in range(1, number + 1):
        sample = chance.choice(samples)
        data = restructured(sample, chance) if chance.random() < 0.5 else sample
        data = mutant(data, chance) if data is sample or chance.random() < 0.2 else data
        items = read(parser, data)
        assert all(item.raw in data for item in items if isinstance(item, Located | Rejected)), data
        assert {item.code for item in items if isinstance(item, Rejected)} <= REJECTIONS, data
        assert all(0 <= parser.sniff(head) <= 1 for head in (data, data[:100])), data
        hands += [item for item in items if isinstance(item, Located)]
        if done % TOGETHER == 0 or done == number:
            _, refused = hands_table(hands, parser, "log")
            assert {item.code for item in refused} <= REJECTIONS
            hands = []


@pytest.mark.parametrize("name", SAMPLED)
def test_some_changed_samples(name: str) -> None:
    """A hundred and fifty changed samples of each format."""
    survive(name, 150)


@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLED)
def test_very_many_changed_samples(name: str) -> None:
    """Fifty thousand changed samples of each format."""
    survive(name, 50_000)


@pytest.mark.parametrize("name", SAMPLED)
def test_bytes_of_chance(name: str) -> None:
    """Bytes that were never a log are nothing, or one rejection after the other."""
    chance = Random(name)
    for _ in range(50):
        items = read(parsers()[name], chance.randbytes(chance.randrange(2000)))
        assert all(isinstance(item, Rejected) and item.code in REJECTIONS for item in items)


def test_every_format_of_the_package_has_samples() -> None:
    """Each format has sample logs to change; those of `ddz/1` are the simulated ones."""
    missing = {parser.name for parser in PARSERS} - set(SAMPLED)
    assert missing <= {"ddz/1"}
    assert len(list(islice((SAMPLES / "simulated").iterdir(), 1))) == 1
