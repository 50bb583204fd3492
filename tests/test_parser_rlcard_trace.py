"""`rlcard-trace`: what is read from a line, and what a bad line comes to."""

from __future__ import annotations

import io
import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from ddz_analytics.cards import pack
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Action, Located, Rejected
from ddz_analytics.numbered import Numbered
from ddz_analytics.parsers import rlcard_trace
from ddz_analytics.parsers.base import Parsed, Source, load_json, shaped
from ddz_analytics.parsers.rlcard_trace import Game, RlcardTrace
from ddz_analytics.tabulate import hands_table
from tests.parsing import code_of, hands, located, read, rejected, sample_bytes, sample_names, tally

PARSER = RlcardTrace()
RULE_AGENTS = "rlcard-trace/rule_agents.jsonl"


def first_line() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(sample_bytes(RULE_AGENTS).splitlines()[0])
    return document


@pytest.mark.parametrize("name", sample_names("rlcard-trace"))
def test_every_sample_line_is_a_hand(name: str) -> None:
    """Each line of a sample file is told as this format and becomes one hand with the line's number."""
    data = sample_bytes(name)
    items = read(PARSER, data)
    lines = data.splitlines()
    assert PARSER.sniff(data[:4096]) > 0.5
    assert tally(items) == (len(lines), 0, 0)
    assert [item.line for item in located(items)] == list(range(1, len(lines) + 1))
    assert [item.raw for item in located(items)] == lines


def test_sample_size() -> None:
    """The sample has at least 220 games."""
    assert sum(len(sample_bytes(name).splitlines()) for name in sample_names("rlcard-trace")) >= 220


def test_line_read_by_hand() -> None:
    """A line's deal, bottom cards, acts and payoffs come out as they stand there, without suits."""
    line = (
        b'{"game": 5, "agents": "doudizhu-rule-v1", "init_hands_with_suit": ['
        b'"S3 H3 D3 C3 S4 H4 D4 C4 S5 H5 D5 C5 S6 H6 D6 C6 S7 H7 BJ RJ", '
        b'"D7 C7 S8 H8 D8 C8 S9 H9 D9 C9 ST HT DT CT SJ HJ DJ", '
        b'"CJ SQ HQ DQ CQ SK HK DK CK SA HA DA CA S2 H2 D2 C2"], '
        b'"seen_cards": "35R", "landlord_id": 0, '
        b'"trace": [[0, "BR"], [1, "pass"], [2, "pass"], [0, "33"]], "payoffs": [1.0, 0.0, 0.0]}'
    )
    (hand,) = hands(PARSER, line)
    assert hand.id == "5"
    assert hand.players == ("doudizhu-rule-v1#0", "doudizhu-rule-v1#1", "doudizhu-rule-v1#2")
    assert hand.dealt == ("33344445556666" + "77B", "778888" + "9999TTTTJJJ", "JQQQQKKKKAAAA2222")
    assert hand.bottom == "35R"
    assert hand.landlord == 0
    assert hand.actions == [
        Action(seat=0, act="play", cards="BR"),
        Action(seat=1, act="pass"),
        Action(seat=2, act="pass"),
        Action(seat=0, act="play", cards="33"),
    ]
    assert hand.outcome == "complete"
    assert hand.recorded and hand.recorded.scores == (1, 0, 0)


def test_payoffs_are_on_a_scale_of_their_own() -> None:
    """No rule set is named for the payoffs, so that 1 and 0 are never taken for points."""
    assert PARSER.reference_rules is None
    scores = Counter(
        hand.recorded.scores for hand in hands(PARSER, sample_bytes(RULE_AGENTS)) if hand.recorded
    )
    assert set(scores) == {(1, 0, 0), (0, 1, 1)}


def test_landlord_and_bottom_are_read_not_inferred() -> None:
    """The stated landlord holds the bottom cards, on whichever seat the log puts him."""
    line = first_line()
    hands_with_suit = line["init_hands_with_suit"]
    line["init_hands_with_suit"] = [hands_with_suit[2], hands_with_suit[0], hands_with_suit[1]]
    line["landlord_id"] = 1
    (hand,) = hands(PARSER, json.dumps(line).encode())
    assert hand.landlord == 1
    assert hand.bottom == line["seen_cards"]
    assert [len(text) for text in hand.dealt] == [17, 17, 17]


def test_agents_by_seat() -> None:
    """Three names are three seats' agents; an agent on several seats is a player on each."""
    (hand, *_) = hands(PARSER, sample_bytes("rlcard-trace/rule_landlord.jsonl"))
    assert hand.players == ("doudizhu-rule-v1#0", "doudizhu-random#1", "doudizhu-random#2")


def test_no_payoffs_is_unfinished() -> None:
    """A line without payoffs tells a hand that was not played out, and no score."""
    line = first_line()
    del line["payoffs"]
    (hand,) = hands(PARSER, json.dumps(line).encode())
    assert hand.outcome == "unfinished"
    assert not hand.recorded


def test_a_bad_line_does_not_stop_the_file() -> None:
    """A line cut off is rejected with its number and bytes, and the lines around it are read."""
    lines = sample_bytes(RULE_AGENTS).splitlines()[:3]
    lines[1] = lines[1][:300]
    first, second, third = read(PARSER, b"\n".join(lines))
    assert isinstance(first, Located) and isinstance(third, Located) and third.line == 3
    assert isinstance(second, Rejected)
    assert (second.line, second.code, second.raw) == (2, "truncated", lines[1])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00\x00\x00", "bad_json"),
        (b'{"game": "\x00"}', "bad_json"),
        (b"\xff\xfe", "bad_encoding"),
        (b'{"agents": "\\ud800"}', "bad_encoding"),
        (b'{"game": 1,', "truncated"),
        (b'{"game": 1, "game": 1}', "duplicate_key"),
        (b"[" * 100_000, "bad_json"),
        (b'{"game": ' + b"9" * 5000 + b"}", "bad_json"),
        (b"7", "wrong_type"),
        (b"[]", "wrong_type"),
        (b"{}", "missing_field"),
    ],
)
def test_bytes_that_are_no_game(data: bytes, code: str) -> None:
    """Whatever the bytes are, a line comes to one rejection with a code."""
    assert rejected(PARSER, data).code == code


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("game", "1", "wrong_type"),
        ("game", True, "wrong_type"),
        ("game", -1, "out_of_range"),
        ("agents", "", "out_of_range"),
        ("agents", None, "wrong_type"),
        ("landlord_id", 3, "out_of_range"),
        ("landlord_id", None, "wrong_type"),
        ("landlord_id", 1, "deal_size"),
        ("seen_cards", "33", "deal_size"),
        ("seen_cards", "3RX", "deck"),
        ("init_hands_with_suit", ["S3", "S4", "S5"], "deal_size"),
        ("init_hands_with_suit", ["S3"], "unsupported_mode"),
        ("init_hands_with_suit", ["S3", "S4", "S5", "S6"], "unsupported_mode"),
        ("init_hands_with_suit", "S3", "wrong_type"),
        ("init_hands_with_suit", ["Z3", "S4", "S5"], "bad_cards"),
        ("trace", [[0, "3", 1]], "out_of_range"),
        ("trace", [[3, "3"]], "out_of_range"),
        ("trace", [[0, ["3"]]], "wrong_type"),
        ("trace", {"0": "3"}, "wrong_type"),
        ("payoffs", [1.0, 0.5, 0.0], "out_of_range"),
        ("payoffs", [2.0, -1.0, -1.0], "out_of_range"),
        ("payoffs", ["1", "0", "0"], "wrong_type"),
        ("score", 1, "unknown_field"),
    ],
)
def test_a_wrong_value_is_coded(field: str, value: object, code: str) -> None:
    """A value of another type, out of its range or of an unknown name is a rejection that says so."""
    assert code_of(PARSER, first_line() | {field: value}) == code


def test_a_card_twice() -> None:
    """A card that two hands hold is a rejection, although ranks alone would not show it."""
    line = first_line()
    hand_0, hand_1, hand_2 = line["init_hands_with_suit"]
    taken, kept = hand_1.split()[0], next(card for card in hand_2.split() if card not in ("BJ", "RJ"))
    line["init_hands_with_suit"] = [hand_0, hand_1, hand_2.replace(kept, taken, 1)]
    assert pack(line["init_hands_with_suit"][2], suited=True)
    assert code_of(PARSER, line) == "deck"


def test_a_broken_first_line_does_not_hide_the_format() -> None:
    """A file is told as this format although its first line is damaged."""
    assert PARSER.sniff(b"junk\n" + sample_bytes("rlcard-trace/rule_agents.jsonl")[:8192]) > 0.5


def test_other_formats_are_not_taken() -> None:
    """Lines of other formats are not told as this one."""
    for name in ("open-spiel/playouts.jsonl", "botzone-ftl2/official_judge.matches.gz"):
        assert PARSER.sniff(sample_bytes(name)[:4096]) == 0.0


def _outcome(items: list[Parsed]) -> tuple[list[dict[str, Any]], list[Rejected]]:
    """The rows and the rejections that parsed lines come to, the latter by line."""
    table, refused = hands_table([item for item in items if isinstance(item, Located)], PARSER, "log")
    parsed = [item for item in items if isinstance(item, Rejected)]
    return table.to_pylist(), sorted([*parsed, *refused], key=lambda item: item.line)


def _mutant(line: bytes, chance: Random) -> bytes:
    """A line with a few letters replaced by others that mean something in JSON or in a trace."""
    for _ in range(chance.choice([1, 1, 2])):
        place = chance.randrange(len(line) + 1)
        piece = chance.choice([b"", b" ", b"0", b"1.0", b'"', b"\\", b"[", b"]", b'"trace": [], ', b'"game": 1, ', b'[0, ""], ',
                               b'[1, "' + b"3" * 121 + b'"], ', b'[2, "{"], ', b'", "', b"\\u0033", b"\xff", b"9" * 5000, b"-1"])  # fmt: skip
        line = line[:place] + piece + line[place + chance.choice([0, 0, 1, 7]) :]
    return line


def test_lines_whose_acts_are_told_by_number_come_to_the_same() -> None:
    """Telling the acts by number stores and rejects the same lines, with the same words, as reading each line whole."""
    chance, lines = Random(4), sample_bytes(RULE_AGENTS).splitlines()
    changed = [_mutant(line, chance) if chance.random() < 0.7 else line for line in lines * 6]
    data = b"\n".join(changed)
    whole, later = (
        _outcome(list(parse(io.BytesIO(data), Source("log")))) for parse in (PARSER.parse, PARSER.parse_heads)
    )
    assert whole == later
    assert min(len(whole[0]), len(whole[1])) > 50


@pytest.mark.parametrize("separator", ["], [", "],["])
@pytest.mark.parametrize("remembered", [1 << 15, 100])
def test_acts_by_number_are_those_of_the_trace(
    separator: str, remembered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was met before, and however a trace sets its acts apart, a hand's numbers stand for the acts that it tells."""
    monkeypatch.setattr(rlcard_trace, "_REMEMBERED", remembered)
    data = sample_bytes(RULE_AGENTS).replace(b"], [", separator.encode())
    heads = located(list(PARSER.parse_heads(io.BytesIO(data), Source("log"))))
    assert all(isinstance(item.hand.actions, Numbered) for item in heads)
    assert hands_table(heads, PARSER, "log") == hands_table(located(read(PARSER, data)), PARSER, "log")


def test_a_line_read_in_one_go_is_what_a_strict_reader_makes_of_it() -> None:
    """What the quick decoder takes, the strict reader of JSON takes too and reads alike; keys that stand twice are refused."""
    chance, lines = Random(5), sample_bytes(RULE_AGENTS).splitlines()
    for line in (_mutant(line, chance) for line in lines * 6):
        (quick,) = read(PARSER, line.replace(b"\n", b"") or b"x")
        try:
            shaped(load_json(line), Game)
        except BadRecord as fault:
            assert isinstance(quick, Rejected) and (quick.code, quick.detail) == (fault.code, fault.detail)
