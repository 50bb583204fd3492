"""A mapping for an operator's own settlement rows: names, words, amounts, times, and what it may not say."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.ingest import Options, ingest
from ddz_analytics.ingest.summary import Counts
from tests.facts_rows import ask, declare, rejected

MAPPING = """
format = "facts"
zone = "Asia/Shanghai"

[table]
delimiter = ";"
encoding = "gb18030"
null = ["", "NULL"]

[columns]
source_hand_id = "局号"
table_id = "桌"
started_at = { column = "时间", time = "%Y/%m/%d %H:%M" }
role = { column = "身份", codes = { 1 = "landlord", 2 = "down", 3 = "up" } }
player = "玩家"
won = { column = "胜", codes = { 1 = "true", 0 = "false" } }
bombs = "炸弹"
rockets = "火箭"
spring = { column = "春天", codes = { 0 = "none", 1 = "spring", 2 = "anti_spring" } }
bid = "叫分"
recorded_score = { column = "得分", divide = 100 }
balance_before = { column = "余额", less = "得分", divide = 100 }
autoplay_at_end = { column = "托管", codes = { 1 = "true", 0 = "false" }, null = "false" }
_lobby = "大厅"

[constants]
auction_kind = "score"
recorded_rules = "qq-classic"
"""
TABLE = """局号;桌;时间;身份;玩家;胜;炸弹;火箭;春天;叫分;得分;余额;托管;大厅;别的
7;甲;2026/01/02 11:04;1;安;1;1;0;0;2;800;2850;0;东;x
7;甲;2026/01/02 11:04;3;波;0;1;0;0;2;-400;1600;NULL;东;x
7;甲;2026/01/02 11:04;2;茜;0;1;0;0;2;-400;600;0;东;x
"""
BY_HAND = """
[columns]
source_hand_id = "id"
landlord_seat = { column = "dizhu", counted_from = 1 }
winner_seat = { column = "first_out", counted_from = 1 }
bombs = "bombs"
rockets = "bombs"
spring = { column = "spring", codes = { yes = "spring", no = "none" }, null = "none" }
"""


def ingested(folder: Path, mapping: str, table: str, encoding: str = "utf-8") -> Counts:
    """What comes of a table by a mapping."""
    (folder / "m.toml").write_text(mapping, "utf-8")
    (folder / "t.csv").write_text(table, encoding)
    return declare(folder / "s", folder / "t.csv", mapping=folder / "m.toml")


def refused(folder: Path, mapping: str, table: str = "id\n") -> DdzError:
    """The error of a mapping."""
    with pytest.raises(DdzError) as caught:
        ingested(folder, mapping, table)
    return caught.value


def test_operators_rows_become_hands(tmp_path: Path) -> None:
    """Names, code tables, null texts, encoding, amounts in hundredths, balances after, and local times mean what the mapping says."""
    assert ingested(tmp_path, MAPPING, TABLE, "gb18030") == Counts(1, 1, 0, 0, 0)
    seats = "SELECT player, role, won, balance_before, recorded_score, autoplay_at_end FROM hand_seats ORDER BY seat"
    assert ask(tmp_path / "s", seats) == [
        ("安", "landlord", True, Decimal("20.5"), 8, False),
        ("茜", "landlord_down", False, 10, -4, False),
        ("波", "landlord_up", False, 20, -4, False),
    ]
    head = "table_id, extra, recorded_rules, started_at = TIMESTAMPTZ '2026-01-02 03:04:00+00'"
    assert ask(tmp_path / "s", f"SELECT {head} FROM hands") == [("甲", '{"_lobby":"东"}', "qq-classic", True)]
    assert ask(tmp_path / "s", "SELECT bid, auction_kind, spring FROM settle_facts") == [(2, "score", "none")]


def test_seats_may_count_from_one(tmp_path: Path) -> None:
    """A mapping of rows a hand, with seats from 1, one column for two of ours, and what no value stands for."""
    table = "id,dizhu,first_out,bombs,spring\n1,1,3,0,\n2,3,3,1,yes\n"
    assert ingested(tmp_path, BY_HAND, table) == Counts(2, 2, 0, 0, 0)
    query = "SELECT landlord_seat, winner_seat, bombs, rockets, spring FROM settle_facts ORDER BY hand_id"
    assert ask(tmp_path / "s", query) == [(0, 2, 0, 0, "none"), (2, 2, 1, 1, "spring")]


@pytest.mark.parametrize(
    ("row", "code", "words"),
    [
        ("1,1,3,0,maybe", "out_of_range", "`spring`: the code 'maybe' is none of yes, no - in `spring`"),
        ("1,one,3,0,no", "wrong_type", "`landlord_seat`: 'one' is no whole number - in `dizhu`"),
        ("1,0,3,0,no", "out_of_range", "`landlord_seat`: the seat 0 is none from 1 to 3 - in `dizhu`"),
        ("1,1,3", "bad_row", "3 values"),
    ],
)
def test_value_that_the_mapping_does_not_know_rejects_its_row(
    tmp_path: Path, row: str, code: str, words: str
) -> None:
    """A code that is none, or a number that is none, is a rejection with the operator's column and the line."""
    counts = ingested(tmp_path, BY_HAND, f"id,dizhu,first_out,bombs,spring\n{row}\n2,3,3,1,yes\n")
    assert counts == Counts(2, 1, 0, 1, 0)
    ((line, found, detail),) = rejected(tmp_path / "s")
    assert (line, found) == (2, code) and words in detail


def test_amounts_that_do_not_fit_reject_their_row(tmp_path: Path) -> None:
    """A balance from which the score cannot be taken is a rejection."""
    counts = ingested(tmp_path, MAPPING, TABLE.replace("1600", "many"), "gb18030")
    assert counts == Counts(1, 0, 0, 1, 0)
    assert "`balance_before`: 'many' is no amount" in rejected(tmp_path / "s")[0][2]


def test_another_mapping_reads_the_file_again(tmp_path: Path) -> None:
    """The same file is left alone by the same mapping; by a changed one it is read again, in the place of what it was."""
    table = "id,dizhu,first_out,bombs,spring\n1,1,3,0,\n"
    assert ingested(tmp_path, BY_HAND, table).stored == 1
    assert ingested(tmp_path, BY_HAND, table) == Counts()
    changed = BY_HAND.replace('null = "none"', 'null = "anti_spring"')
    assert ingested(tmp_path, changed, table) == Counts(1, 1, 0, 0, 0)
    assert ask(tmp_path / "s", "SELECT spring FROM settle_facts") == [("anti_spring",)]


@pytest.mark.parametrize(
    ("mapping", "code", "words"),
    [
        ("[columns]\nbomb = 'x'", "mapping_key", "nearest: bombs"),
        ("[columns]\nbombs = { column = 'x', of = 'y' }", "mapping_value", "of, where and by"),
        ("[columns]\nbombs = { colum = 'x' }", "mapping_key", "column"),
        ("[columns]\nbombs = 'x'\n[constants]\nbombs = 1", "mapping_value", "a column and a constant"),
        ("zone = 'Mars'\n[columns]\nbombs = 'x'", "mapping_value", "Mars"),
        ("[columns]\nbombs = 'x'\n[table]\nencoding = 'none'", "mapping_value", "none"),
        ("format = 'tables'\n[columns]\nbombs = 'x'", "mapping_value", "tables"),
        ("columns = 1", "mapping_value", "columns"),
        ("columns", "mapping_syntax", "TOML"),
    ],
)
def test_mapping_that_is_none_is_refused(tmp_path: Path, mapping: str, code: str, words: str) -> None:
    """A mapping that says what cannot be stops the run with one line, before anything is read."""
    error = refused(tmp_path, mapping)
    assert isinstance(error, UsageError) and error.code == code and words in str(error)


def test_column_that_is_not_there_stops_the_run(tmp_path: Path) -> None:
    """A mapping that names a column which a file does not have is one error that lists what there is."""
    error = refused(tmp_path, BY_HAND, "id,bombs\n1,2\n")
    assert error.code == "mapping_column" and "dizhu" in error.what and "bombs" in error.mend


def test_dry_run_shows_what_columns_became(tmp_path: Path) -> None:
    """A dry run stores nothing and shows, of the first three rows, the text of each column, the field that it becomes, and faults."""
    (tmp_path / "m.toml").write_text(BY_HAND, "utf-8")
    table = "id,dizhu,first_out,bombs,spring\n1,1,3,0,\n2,3,3,1,yes\n3,0,3,1,no\n4,1,1,0,no\n"
    (tmp_path / "t.csv").write_text(table)
    options = Options(format="facts", mapping=tmp_path / "m.toml", dry_run=True)
    first, second, third = ingest(tmp_path / "s", [str(tmp_path / "t.csv")], options).shown
    assert not (tmp_path / "s").exists()
    assert [tuple(became) for became in first.columns] == [
        ("id", "1", "source_hand_id", "1"),
        ("dizhu", "1", "landlord_seat", "0"),
        ("first_out", "3", "winner_seat", "2"),
        ("bombs", "0", "bombs", "0"),
        ("bombs", "0", "rockets", "0"),
        ("spring", None, "spring", "none"),
    ]
    assert (first.line, second.line, third.line) == (2, 3, 4)
    assert ("spring", "yes", "spring", "spring") in second.columns
    assert ("dizhu", "0", "landlord_seat", None) in third.columns
    assert (second.fault, third.fault.partition(":")[0]) == ("", "out_of_range")
