"""Whatever the bytes: a parser gives hands and coded rejections, and hands become rows, coded rejections, and replayed rows."""

from __future__ import annotations

import io
import json
import pickle
import random
from collections.abc import Iterable, Iterator
from functools import cache

import pyarrow.parquet as pq
import pytest

from ddz_analytics.hands import Located, Rejected, Skipped
from ddz_analytics.parsers import parsers
from ddz_analytics.parsers.base import Parser, Source
from ddz_analytics.replay import replay
from ddz_analytics.tabulate import hands_table
from tests.parsing import REJECTIONS, hands_of_log, sample_bytes

PIECES = [
    b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"\r", b"\0", b"\xff", b"\xed\xa0\x80", b"-1", b"99999999999999999999", b"1.5",
    b"1e999", b"NaN", b"null", b"true", b"None", b"np.str_('pass')", b"\\ud800", b"pass", b"BR", b"landlord", b"|", "牌局 ".encode(), "：".encode(),
    b"# State 1\n", b"game: dou_dizhu\n", b"\x80\x04", b"K\x01", b"(", b"e", b"u", b"c", b"R", b"\x94", b"h\x00", b"PAR1",
]  # fmt: skip


def row_of_lists() -> bytes:
    replays = json.loads(sample_bytes("rlcard-showdown/replay_of_lists.json"))
    return json.dumps([{"model": "tournament.game", "pk": 1, "fields": replays}, replays]).encode()


@cache
def logs() -> dict[str, tuple[str, bytes]]:
    """Small logs by name, each with the name of its format."""
    deals = sample_bytes("douzero/eval_data.pkl")
    few = b"\n".join(sample_bytes("simulated/happy-laizi.ddz.jsonl.gz").splitlines()[:3])
    stream = io.BytesIO()
    pq.write_table(hands_of_log("ddz/1", few), stream, compression="none", row_group_size=1)
    return {
        "rows": ("rlcard-showdown", sample_bytes("rlcard-showdown/tournament_rows_numpy2.json")),
        "replay": ("rlcard-showdown", sample_bytes("rlcard-showdown/replay_of_lists.json")),
        "stored rows": ("rlcard-showdown", row_of_lists()),
        "trace": ("rlcard-trace", b"\n".join(sample_bytes("rlcard-trace/rule_agents.jsonl").splitlines()[:3])),
        "games": ("douzero", b"\n".join(sample_bytes("douzero/card_play_action_seq.jsonl").splitlines()[:3])),
        "records": ("douzero", sample_bytes("douzero/human_game_records.jsonl")),
        "pickle": ("douzero", deals),
        "old pickle": ("douzero", pickle.dumps(pickle.loads(deals), 0)),  # our own
        "playout": ("open-spiel", b"\n".join(sample_bytes("open-spiel/playouts.jsonl").splitlines()[:2])),
        "playthrough": ("open-spiel", sample_bytes("open-spiel/playthrough.txt.gz")),
        "sheets": ("ddz-text", sample_bytes("ddz-text/sheets.txt")),
        "lines": ("ddz/1", few),
        "parquet": ("ddz/1", stream.getvalue()),
    }  # fmt: skip


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Some bytes after one to four small accidents."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(found) + 1)
        end = min(len(found), place + chance.choice((1, 1, 2, 10, 200)))
        accident = chance.randrange(6)
        if accident == 0:
            found[place:end] = b""
        elif accident == 1:
            found[place:place] = chance.choice(PIECES)
        elif accident == 2:
            found[place:end] = chance.choice(PIECES)
        elif accident == 3:
            found[place:place] = found[place:end]
        elif accident == 4 and place < len(found):
            found[place] ^= 1 << chance.randrange(8)
        elif accident == 5 and chance.random() < 0.3:
            del found[place:]
    return bytes(found)


def check(parser: Parser, logs_of_it: Iterable[bytes]) -> None:
    """Each log comes to nothing but hands, rejections and skipped records, and all hands can be stored and replayed."""
    kept: list[Located] = []
    for data in logs_of_it:
        for item in parser.parse(io.BytesIO(data), Source("log")):
            if isinstance(item, Rejected):
                assert item.code in REJECTIONS, item
                assert item.detail and isinstance(item.raw, bytes) and item.line >= 0
            elif not isinstance(item, Skipped):
                assert isinstance(item, Located)
                kept.append(item)
    table, refused = hands_table(kept, parser, "log")
    assert {item.code for item in refused} <= REJECTIONS
    if len(table):
        replay(table, parsers())


def accidents(name: str, seeds: range) -> Iterator[bytes]:
    return (mutated(logs()[name][1], random.Random(f"{name} {seed}")) for seed in seeds)


@pytest.mark.parametrize("name", logs())
def test_accidents(name: str) -> None:
    """Two hundred damaged copies of each small log come to hands and coded rejections only."""
    check(parsers()[logs()[name][0]], accidents(name, range(200)))


@pytest.mark.long
@pytest.mark.parametrize("name", logs())
def test_very_many_accidents(name: str) -> None:
    """Thousands of damaged copies of each small log come to hands and coded rejections only."""
    check(parsers()[logs()[name][0]], accidents(name, range(200, 4000)))


@pytest.mark.parametrize("name", logs())
def test_every_beginning(name: str) -> None:
    """A log that is cut off anywhere keeps its whole records and ends in a hand or a coded rejection."""
    form, data = logs()[name]
    check(parsers()[form], (data[:place] for place in range(0, len(data), max(len(data) // 100, 1))))


@pytest.mark.parametrize("form", sorted({form for form, _ in logs().values()}))
def test_logs_of_other_formats(form: str) -> None:
    """A parser that is given another format's log, or noise, rejects it."""
    noise = random.Random(1).randbytes(3000)
    others = [data for other, data in logs().values() if other != form]
    check(parsers()[form], [*others, noise, noise.hex().encode(), b""])
