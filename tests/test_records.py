"""Stored hands written as `ddz/1` again: they say the same, whatever format they came in."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from ddz_analytics.hands import Located, Rejected
from ddz_analytics.parsers import parsers, sniff
from ddz_analytics.parsers.base import Parser, Source
from ddz_analytics.parsers.ddz1 import read_line, write_line
from ddz_analytics.records import hands_of
from ddz_analytics.replay import replay
from ddz_analytics.streams import Opener, Place
from ddz_analytics.tabulate import hands_table

SAMPLES = Path(__file__).parents[1] / "sample_logs"
LOGS = sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix not in (".py", ".md"))


def located(path: Path) -> tuple[Parser, list[Located]]:
    """Every hand of a log."""
    with Opener() as opener, opener.open(Place(path)) as stream:
        parser = sniff(stream.peek(1 << 16))
        assert parser is not None
        return parser, [each for each in parser.parse(stream, Source(str(path))) if isinstance(each, Located)]


@pytest.mark.parametrize("path", LOGS, ids=[path.relative_to(SAMPLES).as_posix() for path in LOGS])
def test_hands_of_every_format_come_back(path: Path) -> None:
    """Written as `ddz/1` and read again, the hands of a log have the same rows, content hashes and replay."""
    parser, found = located(path)
    table, _ = hands_table(found[:60], parser, "log")
    lines = [write_line(hand) for hand in hands_of(table)]
    native = parsers()["ddz/1"]
    again = list(native.parse(io.BytesIO(b"\n".join(lines)), Source("log")))
    assert not [each for each in again if isinstance(each, Rejected)]
    same, refused = hands_table([each for each in again if isinstance(each, Located)], native, "log")
    assert refused == []
    assert same.drop_columns(["source_line"]) == table.drop_columns(["source_line"])
    assert [write_line(hand) for hand in hands_of(same)] == lines
    assert replay(same, parsers()) == replay(table, parsers())


def test_a_hand_with_everything_in_it(tmp_path: Path) -> None:
    """Every field of the format comes back, amounts with decimals and declared readings too."""
    line = json.dumps(EVERYTHING, separators=(",", ":")).encode()
    assert write_line(read_line(line)) == line
    parser = parsers()["ddz/1"]
    table, refused = hands_table(list(parser.parse(io.BytesIO(line), Source("log"))), parser, "log")  # type: ignore[arg-type]
    assert refused == []
    assert [write_line(hand) for hand in hands_of(table)] == [line]


def test_hands_in_which_nobody_acts(tmp_path: Path) -> None:
    """A log whose hands all ended before the first act has rows and content hashes of its own, and comes back."""
    parser = parsers()["ddz/1"]
    lines = [
        json.dumps({**EVERYTHING, "id": name, "actions": []}, separators=(",", ":")).encode() for name in "ab"
    ]
    found = list(parser.parse_heads(io.BytesIO(b"\n".join(lines)), Source("log")))  # type: ignore[attr-defined]
    table, refused = hands_table(found, parser, "log")
    assert refused == []
    assert [write_line(hand) for hand in hands_of(table)] == lines
    assert len(set(table["content_hash"].to_pylist())) == len(lines)
    assert len(replay(table, parsers()).facts) == len(lines)


def test_an_unknown_format_of_origin_is_refused() -> None:
    """A line that names a format which is not installed cannot be judged, and is rejected."""
    line = json.dumps({**EVERYTHING, "_format": "tarot"}).encode()
    (refused,) = parsers()["ddz/1"].parse(io.BytesIO(line), Source("log"))
    assert isinstance(refused, Rejected)
    assert refused.code == "unsupported_mode"


EVERYTHING = {
    "format": "ddz/1", "id": "h1", "players": ["ann", "bo", "cy"],
    "dealt": ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA222"], "bottom": "2BR", "landlord": 0,
    "actions": [
        {"seat": 0, "act": "open", "value": 3, "stage": "deal", "dealt": 9},
        {"seat": 0, "act": "call"}, {"seat": 1, "act": "rob"}, {"seat": 2, "act": "decline"},
        {"seat": 0, "act": "rob", "ms": 12, "actor": "timeout"}, {"seat": 1, "act": "double", "value": 4},
        {"seat": 1, "act": "kick", "value": 1}, {"seat": 0, "act": "bid", "value": "2.5"},
        {"seat": 0, "act": "play", "cards": "3333", "sent": "H3 H3", "as": "bomb"},
        {"seat": 1, "act": "pass", "sent": "x"}, {"seat": 2, "act": "autoplay", "value": 1},
        {"seat": 0, "act": "play", "cards": "44445555", "as": {"category": "plane_single", "length": 2, "main": "4"}},
        {"seat": 0, "act": "play", "cards": "777", "actor": "autoplay", "wilds_as": ["7", "8", "T"]},
        {"seat": 1, "act": "disconnect"}, {"seat": 1, "act": "reconnect"}, {"seat": 1, "act": "escape"},
    ],
    "outcome": "escaped", "table": "t", "match": "m", "no": 4, "started_at": "2026-01-02T03:04:05.123456Z",
    "ended_at": "2026-01-02T03:14:05Z", "rules": "happy-laizi",
    "room": {"unit": "0.5", "low": 1, "high": 2, "rate": 1000, "fee": 50, "double_threshold": "1234567890.0001"},
    "event": "swiss", "registered": [3, 1, 2], "kinds": ["human", "bot", ""], "balances": [1, "-2.5", 3],
    "balance_kind": "coins", "shuffle": "other", "wild": "7", "first": 2,
    "recorded": {"scores": [-60, "120.25", "-60.25"], "bid": 3, "multiplier": 0, "fees": [0, 1, 0], "balances_after": [1, 2, 3]},
    "_note": {"a": [1, None, "x"]},
}  # fmt: skip
