"""`ddz/1` as Parquet: the same hands as lines, as strictly read."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.hands import Hand, Located, Rejected
from ddz_analytics.ingest import Options, ingest, sources
from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.ddz1 import Ddz1, write_line
from ddz_analytics.parsers.ddz1_parquet import hand_of_row
from ddz_analytics.schema import HANDS
from ddz_analytics.tabulate import hands_table
from tests.parsing import hands, located, read, rejected, sample_bytes, sample_names

PARSER = Ddz1()
LINE: dict[str, Any] = {
    "format": "ddz/1", "id": "room7-000123", "table": "room7", "match": "cup-12", "no": 123,
    "started_at": "2026-01-02T11:04:05.250000+08:00", "ended_at": "2026-01-02T11:14:05+08:00", "rules": "jj-classic",
    "room": {"unit": "10.50", "low": 1, "high": 2, "rate": 1000, "fee": "0.0001", "double_threshold": 2000},
    "event": "swiss", "registered": [3, 17, 8], "players": ["ann", "博", "cy"], "kinds": ["human", "human", "bot"],
    "balances": [5000, "3000.10", "-2600"], "balance_kind": "coins",
    "dealt": ["33334444556677889", "9TTTTJJJJQQQQ2222", "56789KKKKAAAA5678"], "bottom": "9BR", "shuffle": "full", "wild": "3",
    "first": 0, "landlord": 1,
    "actions": [
        {"seat": 2, "act": "open", "stage": "deal", "dealt": 6, "value": 4},
        {"seat": 0, "act": "decline"}, {"seat": 1, "act": "bid", "value": "2.5"}, {"seat": 0, "act": "double", "value": 1},
        {"seat": 1, "act": "play", "cards": "BR", "ms": 12},
        {"seat": 2, "act": "pass", "actor": "judge", "sent": "K K"},
        {"seat": 0, "act": "play", "cards": "3334445566", "as": {"category": "plane_pair", "length": 2, "main": "4"}, "wilds_as": ["3", "4", "3"]},
        {"seat": 1, "act": "play", "cards": "10", "as": "single"},
        {"seat": 2, "act": "autoplay", "value": 1, "auto": True},
    ],
    "outcome": "complete",
    "recorded": {"scores": ["-60.50", 121, "-60.5"], "bid": 3, "multiplier": 2, "fees": [0, 0, 1], "balances_after": [1, 2, 3]},
    "_note": {"any": [1, None, "x"]},
}  # fmt: skip


def table_of(found: Sequence[Hand]) -> pa.Table:
    """The rows of some hands."""
    items = [Located(hand, line, b"") for line, hand in enumerate(found, start=1)]
    table, refused = hands_table(items, PARSER, "log")
    assert not refused, refused
    return table


def parquet(table: pa.Table, **how: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **how)
    return stream.getvalue()


def line_table() -> pa.Table:
    return table_of(hands(PARSER, json.dumps(LINE).encode()))


def changed(column: str, value: Any) -> bytes:
    """The one hand as Parquet with another value in a column."""
    table = line_table()
    place = table.column_names.index(column)
    return parquet(
        table.set_column(place, table.field(column), pa.array([value], type=table.field(column).type))
    )


def with_act(**fields: Any) -> bytes:
    """The one hand as Parquet with other values in its first act."""
    (acts,) = line_table()["actions"].to_pylist()
    return changed("actions", [acts[0] | fields, *acts[1:]])


@pytest.mark.parametrize("name", sample_names("simulated"))
def test_lines_and_rows_are_the_same_hands(name: str) -> None:
    """Every sample hand has the same content hash from its line, from its row, and from a line made of the row."""
    table = table_of(hands(PARSER, sample_bytes(name)))
    data = parquet(table)
    assert sniff(data[:65536]) == PARSER or PARSER.sniff(data[:65536]) > 0.5
    from_rows = table_of(hands(PARSER, data))
    lines = b"\n".join(write_line(hand_of_row(row)) for row in table.to_pylist())
    from_lines = table_of(hands(PARSER, lines))
    assert from_rows["content_hash"] == table["content_hash"] == from_lines["content_hash"]
    assert from_rows.drop(["source_line"]) == table.drop(["source_line"])


def test_everything_that_a_line_can_say() -> None:
    """Each field of a line comes back from its row, times in UTC and amounts without needless zeros."""
    (hand,) = hands(PARSER, parquet(line_table()))
    again = json.loads(write_line(hand))
    expected = json.loads(json.dumps(LINE))
    expected["started_at"], expected["ended_at"] = "2026-01-02T03:04:05.250000Z", "2026-01-02T03:14:05Z"
    expected["room"]["unit"], expected["balances"][1:] = "10.5", ["3000.1", -2600]
    expected["recorded"]["scores"] = ["-60.5", 121, "-60.5"]
    acts = expected["actions"]
    acts[6] |= {"cards": "3334445566", "wilds_as": ["3", "3", "4"]}
    acts[7]["cards"] = "T"
    acts[8] = {"seat": 2, "act": "autoplay", "value": 1, "actor": "autoplay"}
    expected["dealt"] = ["33334444556677889", "9TTTTJJJJQQQQ2222", "55667788" + "9KKKKAAAA"]
    assert again == expected
    assert table_of([hand])["content_hash"] == line_table()["content_hash"]


@pytest.mark.parametrize(
    "other",
    [
        {"started_at": "2026-01-02T03:04:05.25Z"},
        {"balances": ["5000.00", "3000.1", -2600]},
        {"room": LINE["room"] | {"unit": "10.5", "low": "1.0000"}},
        {"recorded": LINE["recorded"] | {"bid": "3"}},
    ],
)
def test_the_same_said_in_another_way(other: dict[str, Any]) -> None:
    """A moment in another zone and an amount with other zeros are the same hand."""
    assert (
        table_of(hands(PARSER, json.dumps(LINE | other).encode()))["content_hash"]
        == line_table()["content_hash"]
    )


def test_an_empty_room_says_nothing() -> None:
    """A hand with an empty room or record is the hand without."""
    bare = {name: value for name, value in LINE.items() if name not in ("room", "recorded")}
    others: list[dict[str, Any]] = [bare, bare | {"room": {}}, bare | {"recorded": {}}]
    first, *rest = (table_of(hands(PARSER, json.dumps(each).encode()))["content_hash"] for each in others)
    assert all(each == first for each in rest)


def test_suits_come_back() -> None:
    """Hands with suits keep them."""
    table = table_of([*hands_with_suits()])
    assert table["suited"].to_pylist() == [True]
    assert table_of(hands(PARSER, parquet(table))).drop(["source_line"]) == table.drop(["source_line"])


def hands_with_suits() -> list[Hand]:
    suits = [f"{suit}{rank}" for rank in "3456789TJQKA2" for suit in "SHCD"] + ["B", "R"]
    plain = json.loads(json.dumps(LINE)) | {
        "dealt": [" ".join(suits[:17]), " ".join(suits[17:34]), " ".join(suits[34:51])], "bottom": " ".join(suits[51:]),
        "actions": [{"seat": 1, "act": "play", "cards": "S8 H8"}],
    }  # fmt: skip
    del plain["wild"]
    return hands(PARSER, json.dumps(plain).encode())


@pytest.mark.parametrize(
    "packing",
    [{}, {"compression": "zstd"}, {"compression": "gzip", "row_group_size": 7}, {"use_dictionary": False}],
)
def test_any_packing(packing: dict[str, Any]) -> None:
    """Compression, row groups and encodings are the writer's own affair; columns may stand in any order."""
    table = table_of(hands(PARSER, sample_bytes("simulated/laizi-general.ddz.jsonl.gz")))
    backwards = table.select(table.column_names[::-1])
    assert hands(PARSER, parquet(backwards, **packing)) == hands(PARSER, parquet(table))


def test_written_by_duckdb(tmp_path: Path) -> None:
    """A file that DuckDB writes of the rows has the columns that are asked for."""
    table, file = line_table(), str(tmp_path / "hands.parquet")
    with duckdb.connect() as connection:
        connection.register("rows", table)
        connection.execute("COPY (SELECT * FROM rows) TO $file (FORMAT parquet)", {"file": file})
    assert hands(PARSER, Path(file).read_bytes()) == hands(PARSER, parquet(table))


def test_what_a_store_makes_itself_is_not_read() -> None:
    """Numbers, hashes and places of a store may be null or anything."""
    table = line_table()
    for name in (
        "hand_id",
        "content_hash",
        "deal_id",
        "source_path",
        "source_line",
        "source_format",
        "evidence",
    ):
        table = table.set_column(
            table.column_names.index(name), table.field(name), pa.nulls(1, table.field(name).type)
        )
    assert hands(PARSER, parquet(table)) == hands(PARSER, parquet(line_table()))


@pytest.mark.parametrize(
    ("table", "code"),
    [
        (HANDS.empty_table().drop(["bottom"]), "missing_field"),
        (HANDS.empty_table().append_column("colour", pa.nulls(0, pa.string())), "unknown_field"),
        (HANDS.empty_table().append_column("bottom", pa.nulls(0, pa.int64())), "duplicate_key"),
        (HANDS.empty_table().set_column(0, "hand_id", pa.nulls(0, pa.int32())), "wrong_type"),
        (pa.table({"a": [1]}), "unknown_field"),
    ],
)
def test_other_columns_are_refused(table: pa.Table, code: str) -> None:
    """A column that is not there, too many, twice or of another type: one rejection for the file."""
    assert rejected(PARSER, parquet(table)).code == code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: changed("source_hand_id", None), "missing_field"),
        (lambda: changed("source_hand_id", ""), "out_of_range"),
        (lambda: changed("player_1", None), "wrong_type"),
        (lambda: changed("kind_1", None), "wrong_type"),
        (lambda: changed("balance_2", None), "wrong_type"),
        (lambda: changed("recorded_score_0", None), "wrong_type"),
        (lambda: changed("landlord_seat", 3), "out_of_range"),
        (lambda: changed("outcome", "won"), "out_of_range"),
        (lambda: changed("outcome", None), "missing_field"),
        (lambda: changed("event", "friendly"), "out_of_range"),
        (lambda: changed("wild_rank", "B"), "out_of_range"),
        (lambda: changed("room_fee", Decimal("-1")), "out_of_range"),
        (lambda: changed("registered_0", -1), "out_of_range"),
        (lambda: changed("bottom", None), "bad_cards"),
        (lambda: changed("bottom", 0), "bad_cards"),
        (lambda: changed("bottom", -1), "bad_cards"),
        (lambda: changed("bottom", 1 << 61), "bad_cards"),
        (lambda: changed("bottom", 0b1010), "bad_cards"),
        (lambda: changed("suited", None), "missing_field"),
        (lambda: changed("evidence", "declared"), "unsupported_mode"),
        (lambda: changed("extra", "[1]"), "unknown_field"),
        (lambda: changed("extra", '{"note": 1}'), "unknown_field"),
        (lambda: changed("extra", '{"_a": 1, "_a": 2}'), "duplicate_key"),
        (lambda: changed("extra", '{"_a": '), "truncated"),
        (lambda: changed("actions", [None]), "wrong_type"),
        (lambda: with_act(seat=3), "out_of_range"),
        (lambda: with_act(seat=None), "missing_field"),
        (lambda: with_act(act=99), "out_of_range"),
        (lambda: with_act(act=-1), "out_of_range"),
        (lambda: with_act(act=None), "missing_field"),
        (lambda: with_act(actor=4), "out_of_range"),
        (lambda: with_act(dealt=18), "out_of_range"),
        (lambda: with_act(ms=-1), "out_of_range"),
        (lambda: with_act(cards=1 << 62), "bad_cards"),
        (lambda: with_act(declared="heap"), "out_of_range"),
        (lambda: with_act(declared="single:x:"), "out_of_range"),
        (lambda: with_act(wilds_as="BX"), "out_of_range"),
    ],
)  # fmt: skip
def test_a_bad_value_is_a_coded_rejection(data: Any, code: str) -> None:
    """What a line may not say a row may not say; the rejection has the row's number and what it held."""
    item = rejected(PARSER, data())
    assert (item.code, item.line) == (code, 1), item
    assert b"room7-000123" in item.raw or code in ("missing_field", "out_of_range")


def test_what_shows_when_a_row_is_packed_again() -> None:
    """Not the 54 cards, a time out of all reason and an act's field too many are found where lines have them found."""
    for data, code in (
        (changed("dealt_0", line_table()["dealt_2"][0].as_py()), "deck"),
        (changed("started_at", datetime(2300, 1, 1, tzinfo=UTC)), "out_of_range"),
        (changed("suited", value=True), "deck"),
        (with_act(ms=5, cards=1), "unknown_field"),
        (with_act(value=None, stage=None), "missing_field"),
    ):
        _, (refused,) = hands_table(located(read(PARSER, data)), PARSER, "log")
        assert refused.code == code


def test_a_value_that_python_does_not_have() -> None:
    """A time beyond all calendars loses its row and no other."""
    table = pa.concat_tables([line_table()] * 3)
    place = table.column_names.index("ended_at")
    times = pa.array([0, 2**62, 0], type=pa.int64()).cast(table.field("ended_at").type)
    first, second, third = read(PARSER, parquet(table.set_column(place, table.field("ended_at"), times)))
    assert isinstance(first, Located) and isinstance(third, Located) and third.line == 3
    assert isinstance(second, Rejected) and (second.line, second.code) == (2, "out_of_range")


def test_a_file_that_is_cut_off() -> None:
    """Without its end a Parquet file says nothing, and one that is damaged within keeps what came before."""
    data = parquet(line_table())
    for cut in (data[:4], data[:100], data[:-1], data[:-8] + data[-4:]):
        assert rejected(PARSER, cut).code == "truncated"


def test_a_big_file_is_read_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Parquet file is not cut at line ends, however big, and its hands are duplicates of the same hands as lines."""
    monkeypatch.setattr(sources, "CUT_EVERY", 1000)
    found = hands(PARSER, sample_bytes("simulated/qq-coins.ddz.jsonl.gz"))
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(map(write_line, found)))
    (tmp_path / "b.parquet").write_bytes(parquet(table_of(found)))
    counts = [file.counts for file in ingest(tmp_path / "store", [str(tmp_path)], Options()).files]
    assert [(each.stored, each.duplicate, each.rejected) for each in counts] == [(100, 0, 0), (0, 100, 0)]
