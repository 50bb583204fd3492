"""`botzone-ftl2`: what bad records come to, and which logs are told as this format."""

from __future__ import annotations

import copy
import io
import json

import pytest

from ddz_analytics.hands import Located, Rejected, Skipped
from ddz_analytics.parsers import base, botzone_documents
from ddz_analytics.parsers.base import Source
from ddz_analytics.parsers.botzone_ftl2 import BotzoneFtl2
from tests.botzone import OFFICIAL, match, short_answer
from tests.parsing import SAMPLES, code_of, read, rejected, sample_bytes, with_value

PARSER = BotzoneFtl2()


def test_an_answer_without_a_match_is_skipped() -> None:
    """The site's answer for a match that it does not have is no hand and no fault."""
    (item,) = read(PARSER, b'{"success": false, "message": "no such match"}')
    assert isinstance(item, Skipped)


def test_a_match_of_another_game() -> None:
    """A pack may hold other games, each a rejection that names it."""
    assert code_of(PARSER, match() | {"game": "FightTheLandlord"}) == "unsupported_mode"


def test_a_bad_line_does_not_stop_the_file() -> None:
    """A match cut off is rejected with its number and bytes, and the matches around it are read."""
    lines = sample_bytes(OFFICIAL).splitlines()[:4]
    lines[0], lines[2] = lines[0][:5000], b"junk \x00 \xff"
    first, second, third, fourth = read(PARSER, b"\n".join(lines))
    assert isinstance(first, Rejected) and (first.line, first.code, first.raw) == (1, "truncated", lines[0])
    assert isinstance(second, Located) and second.line == 2
    assert isinstance(third, Rejected) and (third.line, third.code) == (3, "bad_encoding")
    assert isinstance(fourth, Located) and fourth.line == 4


def test_a_long_file_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file longer than one record may be is read without being held whole, and a record too long is a rejection."""
    lines = sample_bytes(OFFICIAL).splitlines(keepends=True)[:3]
    limit = len(lines[0]) + 1
    monkeypatch.setattr(base, "LONGEST_RECORD", limit)
    monkeypatch.setattr(botzone_documents, "LONGEST_RECORD", limit)
    longer = b'{"a": "' + b"x" * 2 * limit + b'"}\n'
    items = list(PARSER.parse(io.BytesIO(lines[0] + longer + lines[0]), Source("log")))
    assert [type(item) for item in items] == [Located, Rejected, Located]
    assert isinstance(items[1], Rejected) and (items[1].line, items[1].code) == (2, "too_large")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00\x00", "bad_json"),
        (b"\xff", "bad_encoding"),
        (b'{"log": ["\\ud800"]}', "bad_encoding"),
        (b'{"log": [', "truncated"),
        (b'{"log": [], "log": []}', "duplicate_key"),
        (b'{"log": ' + b"[" * 100_000, "bad_json"),
        (b"[{}]", "wrong_type"),
        (b"null", "wrong_type"),
        (b"{}", "missing_field"),
        (b'{"log": []}', "truncated"),
        (b'{"logs": []}', "truncated"),
        (b'{"log": [{}]}', "missing_field"),
        (b'{"log": [[]]}', "wrong_type"),
        (b'{"log": [{"output": "", "verdict": "OK"}]}', "wrong_type"),
        (b'{"log": [{"output": "", "verdict": "RE"}]}', "truncated"),
        (b'{"logs": [{"bid": []}]}', "missing_field"),
    ],
)
def test_bytes_that_are_no_match(data: bytes, code: str) -> None:
    """Whatever the bytes are, they come to one rejection with a code."""
    assert rejected(PARSER, data).code == code


def test_nesting_as_deep_as_json_allows() -> None:
    """An answer nested as deeply as the JSON reader can follow is a hand or a rejection, never a crash."""
    for depth in range(100, 1000, 50):
        line = json.dumps(match()).encode()
        line = line.replace(b'"response": []', b'"response": ' + b"[" * depth + b"]" * depth, 1)
        assert len(read(PARSER, line)) == 1


Place = list[str | int]


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (["_id"], 7, "wrong_type"),
        (["game"], 7, "unsupported_mode"),
        (["players"], {}, "wrong_type"),
        (["players"], [{}], "out_of_range"),
        (["players"], [{}, {}, {}, {}], "unsupported_mode"),
        (["players", 0], "bot", "wrong_type"),
        (["scores"], "1", "wrong_type"),
        (["scores"], [1, 2], "out_of_range"),
        (["log"], {}, "wrong_type"),
        (["initdata", "allocation"], [[1], [2]], "out_of_range"),
        (["initdata", "allocation", 0], [1, 2], "deal_size"),
        (["initdata", "allocation"], [[1], [2], [3], [4]], "unsupported_mode"),
        (["initdata", "allocation"], [list(range(35)), list(range(33)), list(range(33))], "unsupported_mode"),
        (["initdata", "allocation", 0, 0], 54, "out_of_range"),
        (["initdata", "allocation", 0, 0], "43", "wrong_type"),
        (["initdata", "publiccard"], [], "deal_size"),
        (["log", 0, "output", "command"], "wait", "out_of_range"),
        (["log", 0, "output", "content"], [], "wrong_type"),
        (["log", 0, "verdict"], 1, "wrong_type"),
        (["log", 0, "verdict"], "RE", "out_of_range"),
        (["log", 1], [], "wrong_type"),
        (["log", 1], {"3": {"response": 1}}, "out_of_range"),
        (["log", 1, "0"], 2, "wrong_type"),
        (["log", 1, "0", "verdict"], None, "wrong_type"),
        (["log", 1, "0", "verdict"], "SLEPT", "out_of_range"),
        (["log", 8, "verdict"], "SLEPT", "out_of_range"),
        (["log", 2, "output", "display", "bid"], [4], "out_of_range"),
        (["log", 2, "output", "display", "bid"], ["2"], "wrong_type"),
        (["log", 4, "output", "display", "bid"], [1, 0], "out_of_range"),
        (["log", 6, "output", "display", "bid"], [2, 0, 0, 0], "out_of_range"),
        (["log", 6, "output", "display", "landlord"], 3, "out_of_range"),
        (["log", 8, "output", "display", "landlord"], 1, "out_of_range"),
        (["log", 6, "output", "display", "errored"], [None], "out_of_range"),
        (["log", 6, "output", "content", "0", "finalbid"], 9, "out_of_range"),
        (["log", 8, "output", "display", "event"], {"player": 0}, "missing_field"),
        (["log", 8, "output", "display", "event", "player"], 2, "out_of_range"),
        (["log", 8, "output", "display", "event", "action"], [-1], "out_of_range"),
        (["log", 8, "output", "display", "event", "action"], [True], "wrong_type"),
        (["log", -1, "output", "content", "0"], 1.5, "wrong_type"),
        (["log", -1, "output", "content", "0"], 10**20, "out_of_range"),
        (["log", 8, "output", "command"], "finish", "wrong_type"),
    ],
)
def test_a_wrong_value_is_coded(place: Place, value: object, code: str) -> None:
    """A value of another type, out of its range, or against what the log said before is a rejection that says so."""
    assert code_of(PARSER, with_value(match(), place, value)) == code


def test_nothing_after_the_end() -> None:
    """A log that goes on after the judge's finish is a rejection, in either container."""
    document = match()
    longer = copy.deepcopy(document)
    longer["log"] += [{}, document["log"][8]]
    assert code_of(PARSER, longer) == "out_of_range"
    short = short_answer(document)
    short["logs"].append(short["logs"][3])
    assert code_of(PARSER, short) == "out_of_range"


def test_a_broken_first_line_does_not_hide_the_format() -> None:
    """A file is told as this format although its first line is damaged."""
    assert PARSER.sniff(b"junk\n" + sample_bytes("botzone-ftl2/official_judge.matches.gz")[:8192]) > 0.5


def test_other_formats_are_not_taken() -> None:
    """Logs of other formats, and the older judge's array, are not told as this one."""
    for name in ("rlcard-trace/rule_agents.jsonl", "open-spiel/playouts.jsonl"):
        assert PARSER.sniff(sample_bytes(name)[:4096]) == 0.0
    assert PARSER.sniff(b'[{"allocation": [[1]], "publiccard": [1]}]') == 0.0


def test_samples_are_small() -> None:
    """All sample logs together take no more than 2 MB."""
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) <= 2_000_000
