"""`ddz-text`: hands typed from a score sheet, in Chinese and in English words, and what a slip comes to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Declared, Hand, Located, Rejected
from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.ddz_text import DdzText
from ddz_analytics.replay import replay
from tests.parsing import OTHER_FORMATS, hands, hands_of_log, knows, read, rejected, sample_bytes

PARSER = DdzText()
HEAD = """牌局 12
玩家 安 博 陈
安 3 3 4 4 4 7 7 7 9 9 9 J J J A A 2
博 3 4 5 6 6 6 6 7 8 9 10 J Q K A 2 小王
陈 5 5 5 8 8 8 10 10 10 Q Q Q K K K A 2
底牌 大王 2 3
地主 博
"""
SUITED = """hand 13
players An Bo Chen
An: S3 H3 D3 C3 S4 H4 D4 C4 S5 H5 D5 C5 S6 H6 D6 C6 S7
Bo: H7 D7 C7 S8 H8 D8 C8 S9 H9 D9 C9 ST HT DT CT SJ HJ
Chen: DJ CJ SQ HQ DQ CQ SK HK DK CK SA HA DA CA S2 H2 D2
bottom: C2 BJ RJ
landlord: An
"""


def hand_of(text: str) -> Hand:
    (hand,) = hands(PARSER, text.encode())
    return hand


def auction(*lines: str, head: str = HEAD) -> list[Action]:
    return hand_of(head + "叫牌\n" + "\n".join(lines)).actions


def play(*lines: str, head: str = HEAD) -> list[Action]:
    return hand_of(head + "出牌\n" + "\n".join(lines)).actions


def fault(text: str) -> tuple[str, str]:
    item = rejected(PARSER, text.encode())
    assert item.raw == text.rstrip().encode()
    return item.code, item.detail


def test_sample_read_by_hand() -> None:
    """The sample's two sheets, one of rows in Chinese and one of lines in English, with all that they state."""
    data = sample_bytes("ddz-text/sheets.txt")
    assert sniff(data) is not None and PARSER.sniff(data) > 0.5
    first, second = hands(PARSER, data)
    assert (first.id, first.players, first.landlord, first.outcome) == (
        "决赛-12",
        ("安", "博", "陈"),
        1,
        "complete",
    )
    assert (first.table, first.match, first.rules) == ("3", "春季杯", "jj-classic")
    assert first.room and first.room.unit == 10
    assert first.recorded and first.recorded.scores == (-60, 120, -60)
    assert first.dealt == ("33444777999JJJAA2", "3456666789TJQKA2B", "555888TTTQQQKKKA2")
    assert first.bottom == "R23"
    assert [(act.seat, act.act, act.cards) for act in first.actions[:6]] == [
        (0, "decline", UNSET), (1, "bid", UNSET), (1, "play", "3456789TJQKA"), (2, "pass", UNSET), (0, "pass", UNSET),
        (1, "play", "6663"),
    ]  # fmt: skip
    assert (second.id, second.landlord, second.outcome) == ("final-13", 0, "unfinished")
    assert second.dealt[0].startswith("S3 H3 D3 C3") and second.bottom == "C2 B R"
    assert [act.actor for act in second.actions if act.actor is not UNSET] == ["timeout", "autoplay"]


def test_sample_scores_are_those_of_its_rules() -> None:
    """The first sheet is a legal hand with one rocket and no spring: 10 · 3 · 2 from each peasant."""
    table = hands_of_log("ddz-text", sample_bytes("ddz-text/sheets.txt"))
    facts = replay(table, {"ddz-text": PARSER}).facts
    row = facts.select(["replay_status", "rockets", "bombs", "bid", "down_plays", "up_plays"]).to_pylist()[0]
    assert (row["replay_status"], row["rockets"], row["bombs"], row["bid"]) == ("ok", 1, 0, 3)
    assert (row["down_plays"], row["up_plays"]) == (1, 1)


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("不叫", Action(1, "decline")),
        ("不抢", Action(1, "decline")),
        ("过", Action(1, "decline")),
        ("pass", Action(1, "decline")),
        ("叫1分", Action(1, "bid", 1)),
        ("２分", Action(1, "bid", 2)),
        ("叫 3 分".replace(" ", ""), Action(1, "bid", 3)),
        ("bid 0", Action(1, "bid", 0)),
        ("300", Action(1, "bid", 300)),
        ("叫地主", Action(1, "call")),
        ("抢地主", Action(1, "rob")),
        ("ROB", Action(1, "rob")),
        ("加倍", Action(1, "double", 2)),
        ("超级加倍", Action(1, "double", 4)),
        ("no double", Action(1, "double", 1)),
        ("踢", Action(1, "kick", 1)),
        ("不踢", Action(1, "kick", 0)),
        ("明牌", Action(1, "open", stage="bottom")),
        ("开局明牌 x5", Action(1, "open", 5, stage="start")),
        ("发牌明牌×３", Action(1, "open", 3, stage="deal")),
        ("open deal", Action(1, "open", stage="deal")),
        ("托管", Action(1, "autoplay", 1)),
        ("不叫（超时）", Action(1, "decline", actor="timeout")),
        ("逃跑", Action(1, "escape")),
    ],
)
def test_words_of_the_auction(words: str, act: Action) -> None:
    """Every word of the auction is the act that it says, on any keyboard."""
    assert auction("博 " + words) == [act]


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("不出", Action(1, "pass")),
        ("过", Action(1, "pass")),
        ("要不起", Action(1, "pass")),
        ("Pass", Action(1, "pass")),
        ("不出 (超时)", Action(1, "pass", actor="timeout")),
        ("王炸", Action(1, "play", cards="BR")),
        ("火箭", Action(1, "play", cards="BR")),
        ("大王 小王", Action(1, "play", cards="RB")),
        ("101010+K", Action(1, "play", cards="TTTK")),
        ("♠10", Action(1, "play", cards="T")),
        ("3，4、5 6,7", Action(1, "play", cards="34567")),
        ("６６６＋３", Action(1, "play", cards="6663")),
        ("jjqq kk", Action(1, "play", cards="JJQQKK")),
        ("666777+BR", Action(1, "play", cards="666777BR", declared=Declared("plane_single", 2, "7"))),
        ("666777+88+", None),
        ("3335556+6", Action(1, "play", cards="33355566")),
        ("取消托管", Action(1, "autoplay", 0)),
        ("掉线", Action(1, "disconnect")),
        ("重连", Action(1, "reconnect")),
    ],
)
def test_words_of_the_play(words: str, act: Action | None) -> None:
    """Passes, jokers by name, tens, suits and kickers behind a plus; a plane's plus is a declared reading."""
    if act is None:
        assert fault(HEAD + "出牌\n博 " + words)[0] == "bad_cards"
    else:
        assert play("博 " + words) == [act]


def test_three_a_line() -> None:
    """A row has the acts of the three players in their columns; a dash or nothing is no act, with a frame or without."""
    expected = [
        Action(1, "play", cards="3"),
        Action(2, "pass"),
        Action(0, "pass"),
        Action(1, "play", cards="4"),
    ]
    assert play("- | 3 | 不出", "过 | 4 | -") == expected
    assert play("| | 3 | 不出 |", "｜过｜4｜｜") == expected
    assert play("|3|不出", "过|4|") == expected


def test_suits_are_kept_where_every_card_has_one() -> None:
    """A play without suits takes them from the whole hand, whose deal has been checked with them."""
    assert hand_of(SUITED + "play\nAn S3 H3").dealt[0].startswith("S3 H3")
    plain = hand_of(SUITED + "play\nAn 33")
    assert plain.dealt[0] == "33334444555566667" and plain.actions[0].cards == "33"
    assert fault(SUITED.replace("C2", "H2") + "play\nAn 33")[0] == "deck"


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("桌：3", "table", "3"),
        ("match Spring Cup", "match", "Spring Cup"),
        ("序号 12", "no", 12),
        ("规则 jj-classic", "rules", "jj-classic"),
        ("癞子 7", "wild", "7"),
        ("wild 10", "wild", "T"),
        ("先叫 安", "first", 0),
        ("余额 100 200 0.5", "balances", (100, 200, "0.5")),
        ("时间 2026-01-02 11:04+00:00", "started_at", datetime(2026, 1, 2, 11, 4, tzinfo=UTC)),
        ("结局 作废", "outcome", "void"),
        ("outcome escaped", "outcome", "escaped"),
    ],
)
def test_fields(line: str, field: str, value: Any) -> None:
    """Each field's line is the field of `ddz/1`."""
    assert getattr(hand_of(HEAD + line), field) == value


def test_amounts_of_the_room_and_what_is_recorded() -> None:
    """Amounts of the room by name; scores and multiplier are recorded, never used."""
    hand = hand_of(HEAD + "底分 10\n房费 0.5\n加倍门槛 2000\n得分 −60 +120 -60\n倍数 6")
    assert hand.room and (hand.room.unit, hand.room.fee, hand.room.double_threshold) == (10, "0.5", 2000)
    assert hand.recorded and (hand.recorded.scores, hand.recorded.multiplier) == ((-60, 120, -60), 6)


def test_outcome_that_is_not_stated() -> None:
    """Without landlord a hand was thrown in; else it is complete when somebody has played all cards."""
    assert hand_of(HEAD.replace("地主 博", "地主 无") + "叫牌\n安 不叫\n博 不叫\n陈 不叫").outcome == "redeal"
    assert hand_of(HEAD).outcome == "unfinished"
    assert hand_of(HEAD + "出牌\n安 33444777999JJJAA2").outcome == "complete"


def test_comments_and_blank_lines() -> None:
    """What stands behind a hash, and blank lines, say nothing; a hash within a word does."""
    commented = HEAD.replace("\n", "   # whatever\n\n") + "# 出牌\n比赛 cup#2"
    assert hand_of(commented).match == "cup#2"
    assert hand_of("\ufeff" + HEAD) == hand_of(HEAD.replace("\n", "\r\n")) == hand_of(HEAD)


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        (HEAD.replace("玩家 安 博 陈", "玩家 安 博"), "out_of_range", "line 2: expected three names"),
        (HEAD.replace("玩家 安 博 陈", "玩家 安 博 陈 丁"), "unsupported_mode", "line 2"),
        (HEAD.replace("玩家 安 博 陈", "玩家 安 安 陈"), "out_of_range", "line 2"),
        (HEAD.replace("玩家 安 博 陈", "玩家 安 博 底牌"), "out_of_range", "line 2"),
        (HEAD.replace("玩家 安 博 陈\n", ""), "unknown_field", "line 2: expected a field, a player's name"),
        (HEAD.replace("底牌 大王 2 3\n", ""), "missing_field", "expected a line 底牌 or bottom"),
        (HEAD.replace("地主 博\n", ""), "missing_field", "expected a line 地主 or landlord"),
        (HEAD.replace("陈 5 5", "# 陈 5 5"), "missing_field", "expected a line `陈 CARDS`"),
        (HEAD.replace("地主 博", "地主 丁"), "out_of_range", "line 7: expected one of the players 安 博 陈"),
        (HEAD.replace("大王 2 3", "大王 2 1"), "bad_cards", "line 6: expected cards"),
        (HEAD + "底牌 3 4 5", "duplicate_key", "line 8: this was said before, `bottom`"),
        (HEAD + "安 3 4 5", "duplicate_key", "line 8: cards were dealt to this player before"),
        (HEAD + "颜色 红", "unknown_field", "line 8"),
        (HEAD + "叫牌\n安 34567JQK", "out_of_range", "line 9: expected"),
        (HEAD + "叫牌\n安 出去", "out_of_range", "line 9: expected a word of the auction"),
        (HEAD + "出牌\n安 出去", "bad_cards", "line 9: expected cards or a pass such as 不出"),
        (HEAD + "出牌\n安 不出 (睡着)", "out_of_range", "line 9: expected (超时)"),
        (HEAD + "出牌\n3 | 4", "out_of_range", "line 9: expected three columns"),
        (HEAD + "得分 1 2", "out_of_range", "line 8: expected three amounts"),
        (HEAD + "得分 1 2 x", "out_of_range", "line 8: expected an amount"),
        (HEAD + "底分 0.00001", "out_of_range", "line 8"),
        (HEAD + "底分 -1", "out_of_range", "room.unit"),
        (HEAD + "序号 一", "out_of_range", "line 8: expected a number"),
        (HEAD + "时间 昨天", "out_of_range", "line 8: expected a time"),
        (
            HEAD + "时间 2026-01-02 11:04:05.1234567+00:00",
            "out_of_range",
            "line 8: expected a time of microseconds",
        ),
        (HEAD + "癞子 大王", "out_of_range", "wild"),
        (HEAD + "癞子 3 4", "out_of_range", "line 8: expected one rank"),
        (HEAD + "结局 散了", "out_of_range", "line 8: expected 完成"),
        (HEAD + "比赛", "out_of_range", "line 8: expected some text"),
        (HEAD.replace("牌局 12", "牌局 #12"), "missing_field", "line 1: expected 牌局 ID or hand ID"),
        (HEAD.replace("3 3 4 4 4", "3 " * 90), "unsupported_mode", "one deck"),
    ],
)
def test_a_slip_names_its_line_and_what_was_expected(text: str, code: str, detail: str) -> None:
    """Whatever cannot be understood is one rejection that says where and what would have been."""
    found = fault(text)
    assert found[0] == code and detail in found[1], found


def test_a_deal_that_is_none_is_rejected_when_it_is_packed() -> None:
    """Sixteen cards, or five of a rank, do not become a row."""
    for text, code in (
        (HEAD.replace("安 3 3", "安 3"), "deal_size"),
        (HEAD.replace("安 3 3 4", "安 4 3 4"), "deck"),
    ):
        with pytest.raises(AssertionError, match=code):
            hands_of_log("ddz-text", text.encode())


def test_a_bad_sheet_does_not_stop_the_file() -> None:
    """A sheet with a slip is rejected with its line and bytes, and the sheets around it are read."""
    text = "some words\n" + HEAD + "\n" + HEAD.replace("地主 博", "地主") + "\n" + HEAD.replace("12", "14")
    before, first, second, third = read(PARSER, text.encode())
    assert isinstance(before, Rejected) and (before.line, before.code) == (1, "missing_field")
    assert isinstance(first, Located) and isinstance(third, Located) and (first.line, third.line) == (2, 18)
    assert isinstance(second, Rejected) and second.line == 10 and "line 16" in second.detail


def test_bytes_that_are_no_text() -> None:
    """A sheet in another encoding is a rejection that names the line."""
    item = rejected(PARSER, HEAD.encode() + "比赛 春".encode("gb18030"))
    assert (item.code, item.detail) == ("bad_encoding", "line 8: not UTF-8")


def test_other_formats_are_not_taken() -> None:
    """Logs of other formats are not told as this one."""
    assert not any(knows(PARSER, *OTHER_FORMATS))
