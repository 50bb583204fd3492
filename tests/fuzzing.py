"""Real records of every format, and a seeded mutator that damages them in the ways in which logs get damaged, and in worse ones."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pyarrow.parquet as pq

from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.base import Parser
from tests.parsing import SAMPLES, hands_of_log, sample_bytes

LONGEST_SEED = 40_000  # bytes; a longer sample gives several seeds, cut at line ends
SEEDS = 60
_PACKED = b"\x1f\x8b"
_TOKEN = re.compile(rb"[A-Za-z_]{2,}|-?[0-9]+(?:\.[0-9]+)?")

Mutation = Callable[[bytes, Sequence[bytes], Random], bytes]


@cache
def seeds_of(form: str) -> tuple[bytes, ...]:
    """Real records of a format: every sample log that ingest would read with its parser, long ones in pieces of whole lines."""
    found: list[bytes] = []
    samples = [path.read_bytes() for path in sorted(SAMPLES.glob("*/*"))]
    for data in [*samples, *_containers()]:
        data = gzip.decompress(data) if data.startswith(_PACKED) else data
        parser = sniff(data[: 64 * 1024])
        if parser is not None and parser.name == form:
            found += _pieces(data, parser)
    assert found, f"no file below sample_logs/ is of the format {form}: each parser needs a real sample there"
    return tuple(found[:: -(-len(found) // SEEDS)])


@cache
def _containers() -> tuple[bytes, ...]:
    """Records of samples in the containers in which no sample comes: Parquet, a pickle of the first protocol, rows with a replay."""
    few = b"\n".join(sample_bytes("simulated/happy-laizi.ddz.jsonl.gz").splitlines()[:3])
    stream = io.BytesIO()
    pq.write_table(hands_of_log("ddz/1", few), stream, compression="none", row_group_size=1)
    deals = pickle.dumps(pickle.loads(sample_bytes("douzero/eval_data.pkl")), 0)  # our own
    replay = json.loads(sample_bytes("rlcard-showdown/replay_of_lists.json"))
    rows = json.dumps([{"model": "tournament.game", "pk": 1, "fields": replay}, replay]).encode()
    return stream.getvalue(), deals, rows


def _pieces(data: bytes, parser: Parser) -> Iterator[bytes]:
    """A sample as it is or, if it is long and each piece is still told to be of the format, in pieces of two lines."""
    if len(data) <= LONGEST_SEED:
        yield data
        return
    lines = data.splitlines(keepends=True)
    pairs = [b"".join(lines[place : place + 2]) for place in range(0, len(lines), 2)]
    told = [pair for pair in pairs if parser.sniff(pair) > 0]
    yield from told or [data]


def mutants(form: str, number: int, seed: int) -> Iterator[bytes]:
    """So many damaged records of a format, the same for the same seed."""
    rng, seeds = Random(f"{form} {seed}"), seeds_of(form)
    for _ in range(number):
        data = rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            data = rng.choice(MUTATIONS)(data, seeds, rng)
        yield data


def _slice(data: bytes, rng: Random, longest: int = 400) -> tuple[int, int]:
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.randint(0, longest))


def flipped(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """Some bits turned over."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 8) if data else 0):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def overwritten(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """Some bytes put over others, or between them."""
    begin, end = _slice(data, rng, 4)
    new = rng.choice(_BYTES)
    return data[:begin] + new + data[rng.choice((begin, end)) :]


def deleted(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """A run of bytes gone."""
    begin, end = _slice(data, rng)
    return data[:begin] + data[end:]


def duplicated(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """A run of bytes twice."""
    begin, end = _slice(data, rng)
    return data[:end] + data[begin:]


def truncated(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """The end gone, or the beginning."""
    at = rng.randrange(len(data) + 1)
    return data[:at] if rng.random() < 0.7 else data[at:]


def spliced(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """The beginning of one record and the end of another."""
    other = rng.choice(seeds)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def swapped(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """Two words or numbers in each other's place."""
    tokens = list(_TOKEN.finditer(data))
    if len(tokens) < 2:
        return data
    one, other = sorted(rng.sample(tokens, 2), key=lambda token: token.start())
    middle = data[one.end() : other.start()]
    return data[: one.start()] + other[0] + middle + one[0] + data[other.end() :]


def reworded(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """A word or number replaced by one from another record, or by one that no record has."""
    tokens, others = list(_TOKEN.finditer(data)), _TOKEN.findall(rng.choice(seeds))
    if not tokens or not others:
        return data
    token = rng.choice(tokens)
    return data[: token.start()] + rng.choice((rng.choice(others), rng.choice(_WORDS))) + data[token.end() :]


def rearranged(data: bytes, seeds: Sequence[bytes], rng: Random) -> bytes:
    """A JSON record with a value somewhere replaced, left out, doubled, renamed or moved; other records are cut."""
    lines = data.splitlines()
    try:
        whole = len(lines) > 1 and not lines[0].rstrip().endswith(b"}")
        place = 0 if whole else rng.randrange(len(lines))
        document = json.loads(data if whole else lines[place])
    except (ValueError, IndexError, RecursionError):
        return deleted(data, seeds, rng)
    spots = list(_spots(document))
    if not spots:
        return deleted(data, seeds, rng)
    rng.choice(_CHANGES)(*rng.choice(spots), spots, rng)
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return text if whole else b"\n".join([*lines[:place], text, *lines[place + 1 :]])


MUTATIONS: tuple[Mutation, ...] = (
    flipped, overwritten, deleted, duplicated, truncated, spliced, swapped, reworded,
    *(rearranged,) * 6,
)  # fmt: skip

Spot = tuple[Any, Any]  # an object or list, and the key or place in it


def _spots(document: Any) -> Iterator[Spot]:
    left = [document] if isinstance(document, dict | list) else []
    while left:
        value = left.pop()
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        yield from ((value, key) for key in keys)
        left += [value[key] for key in keys if isinstance(value[key], dict | list)]


def _replace(holder: Any, key: Any, spots: list[Spot], rng: Random) -> None:
    holder[key] = rng.choice(_VALUES)()


def _move(holder: Any, key: Any, spots: list[Spot], rng: Random) -> None:
    other, its_key = rng.choice(spots)
    value = json.loads(json.dumps(other[its_key]))  # a copy: nothing comes to hold itself
    other[its_key], holder[key] = json.loads(json.dumps(holder[key])), value


def _leave_out(holder: Any, key: Any, spots: list[Spot], rng: Random) -> None:
    del holder[key]


def _rename(holder: Any, key: Any, spots: list[Spot], rng: Random) -> None:
    if isinstance(holder, dict):
        holder[rng.choice((key + "x", key.upper(), "_" + key, ""))] = holder.pop(key)
    else:
        holder.insert(key, json.loads(json.dumps(holder[key])))


def _wrap(holder: Any, key: Any, spots: list[Spot], rng: Random) -> None:
    holder[key] = rng.choice((lambda value: [value], lambda value: {"value": value}, str))(holder[key])


def _nudge(holder: Any, key: Any, spots: list[Spot], rng: Random) -> None:
    value = holder[key]
    if isinstance(value, int | float):
        holder[key] = value + rng.choice((-1, 1, 0.5, 3, -(10**6)))
    elif isinstance(value, str):
        holder[key] = rng.choice((value + value, value[:-1], value[::-1], value + " ", value + "\x00"))
    else:
        _replace(holder, key, spots, rng)


_CHANGES = (_replace, _move, _leave_out, _rename, _wrap, _nudge, _nudge)


def _deep() -> Any:
    value: Any = 0
    for _ in range(400):
        value = [value]
    return value


_VALUES: tuple[Callable[[], Any], ...] = (
    lambda: None, lambda: True, lambda: False, lambda: 0, lambda: -1, lambda: 3, lambda: 54, lambda: 1.5, lambda: 1e300,
    lambda: 2**63, lambda: -(2**63) - 1, lambda: 10**400, lambda: float("nan"), lambda: float("inf"),
    lambda: "", lambda: " ", lambda: "\x00", lambda: "\ud800", lambda: "\x1b[2J", lambda: "\u202e", lambda: "斗地主",
    lambda: "n" * 10_000, lambda: [], lambda: {}, lambda: [[]], lambda: {"": {}}, lambda: [None] * 3, _deep,
)  # fmt: skip

_BYTES = (
    b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\x85", b"\xe2\x80\xa8", b"{", b"}", b"[", b"]", b'"',
    b"\\", b"\\ud800", b",", b":", b"1e999", b"NaN", b"null", b"[" * 5000, b'{"a":' * 3000, b"9" * 5000, b"\x1b]0;x\x07",
    b"\x80\x04", b"K\x01", b"(", b"e", b"u", b"c", b"R", b"\x94", b"h\x00", b"PAR1", b"'", b"None", b"np.str_('pass')",
    b"=== GAME 1", b"# State 1\n", b"game: dou_dizhu\n", b"|", "牌局 ".encode(), "：".encode(), b"\xc2\xb2", b" " * 40,
)  # fmt: skip

_WORDS = (
    b"0", b"-1", b"3", b"53", b"54", b"9223372036854775808", b"1" * 400, b"1e400", b"true", b"null", b"pass", b"Pass", b"",
    b"\xe6\x96\x97", b"BR",
)  # fmt: skip
