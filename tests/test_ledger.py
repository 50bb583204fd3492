"""The projection ledger: its lines, what it says of a hand, and that settling says the same of every hand."""

from __future__ import annotations

from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz_analytics.info import info
from ddz_analytics.ledger import Verdict, ledger, lines, of_format, verdict
from ddz_analytics.parsers import parsers
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import KEYS, load_rules, shipped_overlays, shipped_rules
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.settlement.settle import settle
from ddz_analytics.store import open_store
from ddz_analytics.store.catalog import connect, sql_text
from tests.in_memory import views_over
from tests.random_facts import fact_tables
from tests.small_store import Row, ask, each, facts, hand
from tests.stores import take

SAMPLES = Path(__file__).parents[1] / "sample_logs"
SPECS = [
    *shipped_rules(),
    *(f"{name}+{over}" for over in shipped_overlays() for name in ("jj-classic", "happy")),
]
BY_AMOUNT = {"overflow", "not_representable"}  # only the amounts of a hand say so


@cache
def asking() -> duckdb.DuckDBPyConnection:
    """A connection of its own for profiles."""
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA stored")
    return connection


def profiles(table: pa.Table) -> dict[int, dict[str, Any]]:
    """The profile of each hand of a table of facts, by hand_id: every hand stands for a format of its own."""
    connection = asking()
    connection.register("given", table)
    connection.execute("CREATE OR REPLACE TABLE stored.facts AS SELECT * FROM given")
    connection.execute(
        "CREATE OR REPLACE TABLE stored.hands AS SELECT hand_id, hand_id::VARCHAR AS source_format FROM given"
    )
    rows = connection.sql(sql_text("info/profiles")).to_arrow_table().to_pylist()
    return {int(row["source_format"]): row for row in rows}


def differences(table: pa.Table, spec: str) -> list[tuple[int, Verdict, Verdict]]:
    """The hands of which the ledger says something else than settling does, with what each says."""
    rules, known = load_rules(spec), profiles(table)
    settled = settle(table, rules).select(["hand_id", "score_status", "reason", "assumed"]).to_pylist()
    found = []
    for row in settled:
        assumed = tuple(code for place, code in enumerate(CODES) if row["assumed"] >> place & 1)
        said = Verdict(row["score_status"], row["reason"], assumed)
        told = verdict(known[row["hand_id"]], rules)
        told = told._replace(assumptions=tuple(sorted(told.assumptions, key=CODES.index)))
        if said != told and row["reason"] not in BY_AMOUNT:
            found.append((row["hand_id"], told, said))
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with every sample log."""
    store = tmp_path_factory.mktemp("ledger") / "store"
    take(store, SAMPLES)
    return store


@pytest.fixture(scope="module")
def sampled(store: Path) -> pa.Table:
    """The facts of every sample hand."""
    return open_store(store).read("facts")


@pytest.mark.parametrize("spec", SPECS)
def test_the_ledger_says_of_every_sample_hand_what_settling_names(sampled: pa.Table, spec: str) -> None:
    """Status, reason and every assumption of each hand of the sample logs are as the ledger foresees."""
    assert len(sampled) > 2000
    assert differences(sampled, spec)[:3] == []


@settings(max_examples=60, deadline=None)
@given(table=fact_tables(), spec=st.sampled_from(SPECS))
def test_the_ledger_agrees_with_settling_on_any_facts(table: pa.Table, spec: str) -> None:
    """On random facts too, escapes at every stage among them."""
    stages = cycle(("before_any_bid", "auction", "play"))
    escapes = [next(stages) if outcome == "escaped" else None for outcome in table["outcome"].to_pylist()]
    place = table.column_names.index("escape_stage")
    table = table.set_column(place, table.field("escape_stage"), pa.array(escapes, pa.string()))
    assert differences(table, spec) == []


def test_info_counts_what_rescoring_finds(store: Path) -> None:
    """The hands that `ddz info` gives for each format and rule set are those that the settlements then have."""
    rescore(store, [load_rules(name) for name in ("qq-classic", "happy", "casino-capped")])
    with connect(store) as connection:
        scored = "FROM settlements AS s JOIN hands AS h USING (hand_id)"
        rows = ask(
            connection, f"SELECT source_format, rule_set, score_status, count(*) {scored} GROUP BY ALL"
        )
        named = f"SELECT source_format, rule_set, unnest(assumptions) AS code {scored}"
        names = ask(connection, f"SELECT *, count(*) FROM ({named}) GROUP BY ALL")
    told = {(row["source_format"], row["rule_set"]): row for row in info(store)["ledger"]}
    assert {key[1] for key in told} == set(shipped_rules())
    assert {row[:3]: row[3] for row in rows} == {
        (name, rules, status): told[name, rules][status]
        for name, rules, _, _ in rows for status in ("exact", "projected", "undefined") if told[name, rules][status]
    }  # fmt: skip
    assert all(told[name, rules]["assumptions"][code] == hands for name, rules, code, hands in names)


def one(spec: str, **more: Any) -> Verdict:
    """What the ledger says of one finished hand, with nothing said of its room, under a rule set."""
    row: Row = facts(1, 0, 0, auction_kind="score", auction_silent=False, nobody_bid=False, bid=2, raises=1, robs=0, **{
        f"{act}_offered": True for act in ("open", "double", "kick")}, autoplay_recorded=True, needs_wild=False,
        room_unit=1, room_low=1, room_high=2, room_rate=1, room_fee=0)  # fmt: skip
    with views_over({"hands": [hand(1, 0)], "facts": [row | more]}) as connection:
        (profile,) = connection.sql(sql_text("info/profiles")).to_arrow_table().to_pylist()
    return verdict(profile, load_rules(spec))


ROB = {"auction_kind": "rob", "bid": None, "robs": 2}
ROOM = {"auction_kind": "room", "bid": 4}
SILENT = {"auction_kind": "none", "auction_silent": True, "bid": None}
EXACT = Verdict("exact")


@pytest.mark.parametrize(
    ("spec", "hand_has", "expected"),
    [
        ("qq-classic", {}, EXACT),
        ("qq-classic", ROB, ["bid"]),
        ("qq-classic", ROOM, ["bid"]),
        ("qq-classic", ROOM | {"room_high": None}, ["bid", "room.high"]),
        ("qq-classic", SILENT, ["bid"]),
        ("happy", {}, ["robs"]),
        ("happy", ROB, EXACT),
        ("happy", SILENT, ["robs"]),
        ("happy", ROB | {"open_offered": False, "double_offered": False}, ["open_hand", "doubles"]),
        ("happy", ROB | {"room_rate": None}, ["room.rate"]),
        ("happy", ROB | {"down_doubled": 2}, ["doubles_allowed"]),
        ("happy", ROB | {"down_doubled": 2, "room_double_threshold": 9, **each("{}_balance", (10, 10, 10))}, EXACT),
        ("happy", ROB | {"up_open_stage": "deal"}, ["open_value"]),
        ("happy", ROB | {"up_open_stage": "deal", "up_open_dealt": 7}, EXACT),
        ("happy", ROB | {"up_open_stage": "deal", "up_open_value": 3}, EXACT),
        ("casino-capped", ROOM, EXACT),
        ("casino-capped", {}, ["room_bid"]),
        ("casino-capped", {"room_low": None, "room_high": None}, ["room_bid", "room.high"]),
        ("casino-capped", ROB | {"robs": 0, "room_low": None}, ["room_bid", "room.low"]),
        ("casino-capped", ROOM | {"kick_offered": False}, ["kicks"]),
        ("jj-classic", {"autoplay_recorded": False}, ["autoplay"]),
        ("jj-classic", {"room_unit": None}, ["room.unit"]),
        ("jj-classic", {"combination_switches": 0}, ["combinations"]),
        ("jj-classic", {"autoplay_rules": 0}, ["autoplay_rules"]),
        ("qq-classic", {"autoplay_rules": 0, "autoplay_recorded": False, "room_unit": None}, EXACT),
        ("jj-classic+minimised", {}, Verdict("undefined", "no_balances")),
        ("laizi-general", {"bombs": 1}, ["bombs_hard"]),
        ("laizi-general", {"bombs": 0}, EXACT),
        ("jj-classic", {"wild_rank": "7", "needs_wild": True}, Verdict("undefined", "needs_wild")),
        ("qq-classic", {"nobody_bid": True, "bid": None, "room_low": None}, Verdict("exact", "thrown_in")),
        ("jj-classic", {"nobody_bid": True, "bid": None, "first_seat": 0}, EXACT),
        ("jj-classic", {"nobody_bid": True, "bid": None, "first_seat": 1}, Verdict("undefined", "forced_landlord")),
        ("happy", ROB | {"nobody_bid": True, "first_opener_seat": 1}, Verdict("undefined", "forced_landlord")),
        ("happy", ROB | {"nobody_bid": True}, Verdict("exact", "thrown_in")),
        ("jj-classic", {"outcome": "escaped"}, Verdict("undefined", "escaped")),
        ("jj-classic", {"outcome": "unfinished"}, Verdict("undefined", "unfinished")),
        ("jj-classic", {"replay_status": "faulty", "outcome": "unfinished"}, Verdict("undefined", "faulty")),
        ("jj-classic", {"outcome": "void", "replay_status": "faulty"}, Verdict("exact", "void")),
    ],
)  # fmt: skip
def test_what_is_projected_as_what(spec: str, hand_has: Row, expected: Verdict | list[str]) -> None:
    """Each row of the table of static projection, one hand that falls short in just that."""
    wanted = expected if isinstance(expected, Verdict) else Verdict("projected", None, tuple(expected))
    assert one(spec, **hand_has) == wanted


@pytest.mark.parametrize(
    ("name", "spec", "lacking"),
    [
        ("rlcard-trace", "qq-classic", ["bid"]),
        ("rlcard-trace", "jj-classic", ["bid", "autoplay", "room.unit"]),
        ("rlcard-trace", "happy", ["robs", "open_hand", "doubles", "room.rate"]),
        ("rlcard-trace", "jj-classic+minimised", ["no_balances", "bid", "autoplay", "room.unit"]),
        ("botzone-ftl2", "qq-classic", []),
        ("botzone-ftl2", "jj-classic", ["room.unit"]),
        ("botzone-ftl1", "qq-classic", ["bid"]),
        ("botzone-text", "jj-classic", ["autoplay", "room.unit"]),
        ("icga", "qq-classic", []),
        ("open-spiel", "jj-classic", ["autoplay", "room.unit"]),
        ("open-spiel", "casino-capped", ["room_bid", "kicks", "room.low", "room.high"]),
        ("ddz/1", "happy", []),
        ("ddz-text", "happy", []),
        ("douzero", "jj-classic", ["bid", "autoplay", "room.unit"]),
        ("rlcard-showdown", "qq-classic", ["bid"]),
    ],
)
def test_what_a_format_cannot_say(name: str, spec: str, lacking: list[str]) -> None:
    """What a rule set needs and a format has no words for, before any hand is read."""
    assert of_format(parsers()[name], load_rules(spec)) == lacking


def test_every_assumption_has_a_line() -> None:
    """Each code that settling may name has a line, and each line names keys that there are."""
    assert {line.code for line in lines() if line.verdict == "projected"} == set(CODES)
    assert {key for line in lines() for key in (*line.needs, *line.any_of, *line.unless)} <= set(KEYS)


def test_the_ledger_of_an_empty_store_is_empty() -> None:
    """Where there are no hands there is nothing to foresee."""
    with views_over({}) as connection:
        assert ledger(connection, [load_rules("happy")]) == []
