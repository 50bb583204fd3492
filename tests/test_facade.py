"""A store opened in Python: the questions of the command, with tables for answers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import ddz_analytics as ddz
from ddz_analytics.hands import Hand
from ddz_analytics.parsers.ddz1 import read_line
from ddz_analytics.store import open_store
from tests.command import ddz as command
from tests.parsing import SAMPLES

COINS = SAMPLES / "simulated" / "qq-coins.ddz.jsonl.gz"
LINES = gzip.decompress(COINS.read_bytes()).splitlines()[:20]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ddz.Store:
    """A store of twenty simulated hands with fees."""
    folder = tmp_path_factory.mktemp("facade")
    (folder / "log.jsonl").write_bytes(b"\n".join(LINES))
    opened = ddz.open(folder / "store")
    assert opened.ingest(folder / "log.jsonl").total.stored == len(LINES)
    return opened


def test_answers_are_arrow_backed_frames(store: ddz.Store) -> None:
    """An answer is a DataFrame in which amounts are decimals and whole numbers are whole; on demand it is an Arrow table."""
    query = "SELECT hand_id, 0.5::DECIMAL(18, 4) AS half FROM hands ORDER BY hand_id LIMIT 3"
    frame = store.sql(query)
    assert list(map(str, frame.dtypes)) == ["int64[pyarrow]", "decimal128(18, 4)[pyarrow]"]
    assert isinstance(frame["half"].iloc[0], Decimal)
    assert store.sql(query, arrow=True).to_pylist() == frame.to_dict("records")


def test_own_table_is_joined_by_name(store: ddz.Store) -> None:
    """Own tables, DataFrames or Arrow, take part in a question by their names."""
    mine: list[Any] = [pd.DataFrame({"hand_id": [1, 2]}), pa.table({"hand_id": [1, 2]})]
    for table in mine:
        found = store.sql(
            "SELECT count(*) AS hands FROM hands JOIN mine USING (hand_id)", tables={"mine": table}
        )
        assert found["hands"].tolist() == [2]


def test_hands_in_memory_are_those_of_the_file(store: ddz.Store) -> None:
    """Lines, mappings, hands and Arrow rows are the very hands of the file, under the name of their source."""
    hands: list[Hand] = [read_line(line) for line in LINES]
    same: list[Any] = [
        iter(LINES),
        [json.loads(line) for line in LINES],
        hands,
        open_store(store.path).read("hands"),
    ]
    for place, given in enumerate(same):
        summary = store.ingest(given, name=f"mine-{place}", dry_run=True)
        (file,) = summary.files
        assert (file.path, file.counts.read, file.counts.duplicate) == (
            f"memory:mine-{place}",
            len(LINES),
            len(LINES),
        )


def test_nothing_in_memory_is_repaired(tmp_path: Path) -> None:
    """A hand in memory that is none is rejected with its code, line and bytes, as one in a file is."""
    short = json.loads(LINES[1])
    short["dealt"][0] = short["dealt"][0][:-1]
    opened = ddz.open(tmp_path)
    assert vars(opened.ingest([LINES[0], json.dumps(short).encode(), b"{"]).total) == {
        "read": 3, "stored": 1, "duplicate": 0, "rejected": 2, "skipped": 0,
    }  # fmt: skip
    rejected = opened.sql("SELECT source_path, line, code FROM rejected_hands ORDER BY line")
    assert rejected.to_dict("split")["data"] == [
        ["memory:hands", 2, "deal_size"],
        ["memory:hands", 3, "truncated"],
    ]


def test_settlement_rows_of_a_frame(store: ddz.Store, tmp_path: Path) -> None:
    """A DataFrame of settlement rows is declared facts, and says the same again."""
    other = ddz.open(tmp_path)
    query = "SELECT * FROM declared_facts ORDER BY hand_no, source_hand_id"
    rows = store.sql(query)
    assert other.ingest(rows, name="warehouse", format="facts").total.stored == len(LINES)
    assert other.sql(query).equals(rows)


@pytest.mark.parametrize("given", [3, b"{}", {"format": "ddz/1"}, [3], [COINS, b"{}"], [{"id": object()}]])
def test_what_is_no_source_is_refused(given: Any, store: ddz.Store) -> None:
    """A number, a single hand, or paths among hands are no source."""
    with pytest.raises(ddz.DdzError) as caught:
        store.ingest(given)
    assert caught.value.code == "ingest_source"


def test_comparison_has_the_tables_of_the_command(store: ddz.Store) -> None:
    """`compare` scores what is missing and gives the tables by title; a setting varies the other rule set."""
    tables = store.compare(baseline="qq-coins", against="qq-classic", set={"cap.doublings": [None, 1]})
    names = ["qq-coins", "qq-classic[cap.doublings=none]", "qq-classic[cap.doublings=1]"]
    assert tables["overview"]["rule_set"].tolist() == names
    assert isinstance(tables["overview"]["largest"].iloc[0], Decimal)
    with pytest.warns(UserWarning, match="rule set"):
        store.sql("SELECT sum(score) FROM scores")
    with pytest.warns(UserWarning, match="9 variants are counted and not stored"):
        grid = store.compare(
            baseline="qq-coins", set={"cap.doublings": list(range(9)), "house.rake": ["0.1"]}
        )
    assert len(grid["overview"]) == 1 + 9


def test_one_hand_and_the_store(store: ddz.Store) -> None:
    """One hand is explained; the store is whole and says what is in it."""
    assert "qq-coins" in store.explain(1)
    assert store.verify() == []
    assert store.info()["files"]["stored"] == len(LINES)


def test_words_that_an_argument_does_not_have_are_refused(store: ddz.Store) -> None:
    """A misspelt word is refused with its code, and a misspelt argument as Python refuses it: nothing is ignored."""
    wrong: Any = "chaned"
    calls: list[Callable[[], object]] = [
        lambda: store.compare(balances=wrong),
        lambda: store.rescore(balances=wrong),
        lambda: store.report("page.html", balances=wrong),
        lambda: store.ingest([], dedupe=wrong),
        lambda: store.sql("SELECT 1", tables={"mine": wrong}),
    ]
    for call in calls:
        with pytest.raises(ddz.DdzError) as caught:
            call()
        assert caught.value.code == "argument"
    with pytest.raises(TypeError, match="basline"):
        store.compare(basline="qq-coins")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="fromat"):
        store.ingest([], fromat="facts")  # type: ignore[call-arg]


def test_missing_store_is_an_error(tmp_path: Path) -> None:
    """A store that is not there is an error with its code, and not an empty answer."""
    with pytest.raises(ddz.DdzError) as caught:
        ddz.open(tmp_path / "none").sql("SELECT 1")
    assert caught.value.code == "store_missing"


def test_same_answers_as_the_command(tmp_path: Path) -> None:
    """Standings, a statement, reconciliation and a hand played back are in Python what the command gives."""
    store = ddz.open(tmp_path / "store")
    store.ingest([json.loads(line) | {"match": "final"} for line in LINES])

    def told(*words: str) -> Any:
        return json.loads(command(*words, "--json", "--store", store.path, folder=tmp_path).stdout)

    def rows(frame: pd.DataFrame) -> Any:
        return json.loads(json.dumps(frame.to_dict("records"), default=str))

    order = told("standings", "--rules", "qq-coins", "--advance", "2")["matches"]
    listed = [row for match in order.values() for row in match]
    assert rows(store.standings("qq-coins", advance=2).drop(columns="match_id")) == listed
    assert len(listed) >= 3
    moved = told("standings", "--rules", "qq-coins", "--vs", "qq-classic")["matches"]
    found = store.standings("qq-coins", vs="qq-classic").drop(columns="match_id")
    assert rows(found) == [row for match in moved.values() for row in match["players"]]
    player = listed[0]["player"]
    statement = told("statement", "--player", player, "--rules", "qq-coins")
    tables = store.statement(player, "qq-coins")
    assert {name: rows(table) for name, table in tables.items()} == {name: statement[name] for name in tables}
    assert len(tables["hands"]) > 0
    assert json.loads(json.dumps(store.reconcile(), default=str)) == told("reconcile")["rule_sets"]
    shown = command("replay", "1", "--no-color", "--store", store.path, folder=tmp_path).stdout
    assert store.replay(1) == shown.rstrip("\n")
    with pytest.raises(ddz.DdzError) as caught:
        store.statement("nobody", "qq-coins")
    assert caught.value.code == "player_unknown"
