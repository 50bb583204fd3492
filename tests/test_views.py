"""The views: their columns and types, their grain, what they say of six hands worked out on paper, and comparisons over them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.compute as pc
import pytest

from ddz_analytics.cards import pack, text_of
from ddz_analytics.catalog import (
    FILE_NAME,
    SQL,
    TABLE_MACROS,
    VIEWS,
    Connection,
    build_catalog,
    connect,
    described,
)
from ddz_analytics.comparison import compare, rule_differences
from ddz_analytics.errors import DdzError
from ddz_analytics.manifest import load_manifest
from ddz_analytics.parsers import parsers
from ddz_analytics.rules import load_rules
from ddz_analytics.settlement.assumptions import CODES
from tests.small_store import Row, each, facts, hand, play, settlement, small_tables, write_store

TYPES = {
    "T": "VARCHAR", "I": "BIGINT", "A": "DECIMAL(18,4)", "B": "BOOLEAN", "Z": "TIMESTAMP WITH TIME ZONE", "L": "TIMESTAMP",
    "D": "DATE", "J": "JSON", "X": "BLOB", "TT": "VARCHAR[]",
}  # fmt: skip
_ROOM = "room_unit:A room_low:A room_high:A room_rate:A room_fee:A room_double_threshold:A"
_GROUPS = f"table_id:T match_id:T event:T source_format:T recorded_rules:T {_ROOM} started_at:Z local_time:L local_day:D"
_KEY = "scenario:T rule_set:T hand_id:I"

# The columns that other people's scripts rely on.
CONTRACT = {
    "source_files": "path:T sha256:T format:T read:I stored:I duplicate:I rejected:I skipped:I ingested_at:Z",
    "rejected_hands": "source_path:T line:I code:T detail:T raw:X",
    "hands": f"hand_id:I content_hash:T deal_id:I source_hand_id:T source_format:T source_path:T source_line:I evidence:T "
    f"table_id:T match_id:T hand_no:I event:T started_at:Z ended_at:Z local_time:L local_day:D recorded_rules:T {_ROOM} "
    "landlord_seat:I first_seat:I bottom:T wild_rank:T suited:B shuffle:T outcome:T recorded_bid:A recorded_multiplier:I "
    "extra:J",
    "hand_seats": f"hand_id:I {_GROUPS} seat:I player:T kind:T role:T won:B dealt:T dealt_mask:I balance_before:A "
    "balance_kind:T registered:I auction_turn:I recorded_score:A recorded_fee:A recorded_balance_after:A plays:I bombs:I "
    "cards_left:I autoplay_at_end:B autoplay_started_with:I autoplay_ever:B doubled:I kicked:B opened:B bid:B robbed:B "
    "could_bid:B could_rob:B could_double:B could_kick:B",
    "actions": "hand_id:I action_index:I seat:I act:T value:A cards:T stage:T dealt_so_far:I declared:T sent:T ms:I actor:T",
    "plays": "hand_id:I play_index:I action_index:I reread:B seat:I role:T cards:T category:T length:I main_rank:T is_lead:B "
    "trick:I cards_left_after:I",
    "hand_facts": "hand_id:I replay_status:T winner_side:T winner_seat:I auction_kind:T auction_forced:T bid:A raises:I "
    "robs:I open_multiplier:I bombs:I rockets:I soft_bombs:I hard_bombs:I pure_bombs:I spring:T landlord_plays:I "
    "needs_wild:B escaped_seat:I escape_stage:T",
    "hand_issues": "hand_id:I issue_index:I code:T severity:T action_index:I seat:I detail:T",
    "settle_facts": f"hand_id:I evidence:T landlord_seat:I outcome:T auction_kind:T auction_forced:T bid:A raises:I robs:I "
    f"needs_wild:B reread:B {_ROOM} escape_stage:T landlord_plays:I down_plays:I up_plays:I down_autoplay:B "
    "down_autoplay_cards:I down_doubled:I down_kicked:B down_could_kick:B down_balance:A",
    "autoplay_episodes": "hand_id:I seat:I episode:I start_index:I end_index:I cards_at_start:I cards_at_end:I reason:T",
    "rule_sets": "rule_set:T title_zh:T title_en:T source:T rule_hash:T assumed:B parameters:J",
    "settlements": f"{_KEY} rule_hash:T score_status:T reason:T assumptions:TT unit:A bid:A auction_multiplier:I "
    "event_multiplier:I doublings_uncapped:I doublings:I cap_bites:B cap_amount:A pair_multiplier_down:I pair_multiplier_up:I "
    "stake_down:A stake_up:A net_landlord:A net_down:A net_up:A house_rake:A house_fee:A house_forfeit:A house_fine:A house_net:A",
    "scores": f"{_KEY} {_GROUPS} seat:I player:T role:T won:B liable:B transfer:A liability:A balance_cut:A fee:A rake:A "
    "fine:A score:A balance_before:A balance_after:A score_status:T",
    "flows": f"{_KEY} payer:I receiver:I reason:T amount:A",
    "refusals": f"{_KEY} seat:I what:T reason:T threshold:A balance:A would_change:B",
    "reconciliation": "hand_id:I seat:I recorded:A recomputed:A verdict:T cause:T",
}

GRAINS = {
    "source_files": "path",
    "hands": "hand_id",
    "hand_seats": "hand_id, seat",
    "actions": "hand_id, action_index",
    "plays": "hand_id, play_index",
    "hand_facts": "hand_id",
    "hand_issues": "hand_id, issue_index",
    "settle_facts": "hand_id",
    "autoplay_episodes": "hand_id, seat, episode",
    "rule_sets": "rule_set",
    "settlements": "scenario, rule_set, hand_id",
    "scores": "scenario, rule_set, hand_id, seat",
    "flows": "scenario, rule_set, hand_id, payer, receiver, reason",
    "refusals": "scenario, rule_set, hand_id, seat, what",
    "reconciliation": "hand_id, seat",
}


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """The views over the small store, in Shanghai."""
    store = write_store(tmp_path_factory.mktemp("views") / "store", small_tables(), "Asia/Shanghai")
    with connect(store) as connection:
        yield connection


def ask(connection: Connection, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    rows: list[tuple[Any, ...]] = connection.sql(query).fetchall()
    return rows


def columns_of(connection: Connection, view: str) -> dict[str, str]:
    """The columns of a view with their types."""
    return {row[0]: row[1] for row in ask(connection, f"DESCRIBE {view}")}


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_the_columns_of_the_contract(views: Connection, view: str) -> None:
    """Each view has the columns that scripts rely on, with their types, and no list but `assumptions`."""
    found = columns_of(views, view)
    wanted = {name: TYPES[kind] for name, kind in (column.split(":") for column in CONTRACT[view].split())}
    assert {name: found.get(name) for name in wanted} == wanted
    assert [name for name, kind in found.items() if kind.endswith("[]")] == (
        ["assumptions"] if view == "settlements" else []
    )
    assert set(found.values()) <= set(TYPES.values())


@pytest.mark.parametrize("view", GRAINS)
def test_every_grain_is_unique(views: Connection, view: str) -> None:
    """The small store has rows in every view, and no two of them share the view's key."""
    ((rows, keys),) = ask(views, f"SELECT count(*), count(DISTINCT ({GRAINS[view]})) FROM {view}")
    assert rows == keys > 0


def test_every_view_is_listed_with_its_grain() -> None:
    """Every SQL file opens with its grain and has at most 100 lines, and every view has a key but the rejected records."""
    for file in SQL.rglob("*.sql"):
        text = file.read_text("utf-8")
        assert text.startswith("-- grain: "), file.name
        assert text.count("\n") <= 100, file.name
    assert {file.stem for file in (SQL / "views").iterdir()} == set(VIEWS) == {*GRAINS, "rejected_hands"}


def test_every_view_and_column_has_a_comment(tmp_path: Path) -> None:
    """The catalog says of every view, column and macro what it means."""
    build_catalog(tmp_path / FILE_NAME, tmp_path, {})
    with duckdb.connect(str(tmp_path / FILE_NAME), read_only=True) as connection:
        silent = ask(
            connection,
            "SELECT view_name, NULL FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal AND comment IS NULL UNION ALL "
            "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal AND comment IS NULL",
        )
        said = ask(
            connection,
            "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal AND comment <> ''",
        )
    assert silent == []
    assert {name for (name,) in said} >= {"at_seat", "cards_text", *TABLE_MACROS}


def test_views_are_described(tmp_path: Path) -> None:
    """The list of views has every view with its comment, and every column with its type and what it means."""
    found = {
        view: (comment, columns) for view, comment, columns in described(write_store(tmp_path / "store", {}))
    }
    assert list(found) == list(VIEWS)
    assert found["flows"][1][-1] == ("amount", "DECIMAL(18,4)", "What passes; always more than 0.")
    assert all(comment and all(told for _, _, told in columns) for comment, columns in found.values())


def test_the_catalog_follows_a_store_that_moves(tmp_path: Path) -> None:
    """A catalog finds the parts at its own place, and at another one when a client says where the store is now."""
    store = write_store(tmp_path / "it's here", small_tables())
    build_catalog(store / FILE_NAME, store, load_manifest(store).files())
    moved = store.rename(tmp_path / "there")
    with duckdb.connect(str(moved / FILE_NAME), read_only=True) as connection:
        with pytest.raises(duckdb.IOException):
            connection.sql("SELECT count(*) FROM hands").fetchall()
        connection.execute(f"SET VARIABLE ddz_store = '{moved}'")
        assert ask(connection, "SELECT count(*) FROM hands") == [(6,)]
    with duckdb.connect() as connection:
        connection.execute(
            f"SET VARIABLE ddz_store = '{moved}'; ATTACH '{moved / FILE_NAME}' AS logs (READ_ONLY)"
        )
        assert ask(connection, "SELECT count(*) FROM logs.scores") == [(33,)]


def test_the_catalog_is_for_older_clients_too(tmp_path: Path) -> None:
    """The file is written in the storage format of DuckDB 1.2."""
    build_catalog(tmp_path / FILE_NAME, tmp_path, {})
    with duckdb.connect(str(tmp_path / FILE_NAME), read_only=True) as connection:
        ((tags,),) = ask(connection, "SELECT tags FROM duckdb_databases() WHERE database_name = 'ddz'")
    assert tags["storage_version"].startswith("v1.2.0")


@pytest.mark.parametrize("parts", ["none", "without rows"])
def test_an_empty_store_has_every_view(tmp_path: Path, parts: str) -> None:
    """Without parts, or with parts that have no rows, every view is empty and has the columns it always has."""
    store = write_store(tmp_path / "store", {})
    build_catalog(store / FILE_NAME, store, {} if parts == "none" else load_manifest(store).files())
    with duckdb.connect(str(store / FILE_NAME), read_only=True) as connection:
        for view in VIEWS:
            assert ask(connection, f"SELECT count(*) FROM {view}") == [(0,)]
            wanted = {
                name: TYPES[kind] for name, kind in (column.split(":") for column in CONTRACT[view].split())
            }
            assert wanted.items() <= columns_of(connection, view).items()


def test_local_time_is_in_the_zone_of_the_store(views: Connection) -> None:
    """A hand that began at 20:00 UTC began at four in the morning of the next day in Shanghai."""
    query = "SELECT local_time::VARCHAR, local_day::VARCHAR FROM hands WHERE hand_id = 1"
    assert ask(views, query) == [("2026-01-02 04:00:00", "2026-01-02")]


@pytest.mark.parametrize("cards", ["3", "BR", "34567", "3333444455556", "TJQKA2", "2222AAAAKKKKBR"])
def test_cards_text_says_what_the_mask_holds(views: Connection, cards: str) -> None:
    """The macro gives the same text as Python does, and NULL for NULL."""
    mask = pack(cards, suited=False)
    ((text, nothing),) = ask(views, f"SELECT cards_text({mask}::BIGINT), cards_text(NULL::BIGINT)")
    assert text == text_of(mask)
    assert sorted(text) == sorted(cards)
    assert nothing is None


@pytest.mark.parametrize(
    ("landlord_seat", "values"),
    [(0, ["L", "d", "u"]), (1, ["u", "L", "d"]), (2, ["d", "u", "L"]), ("NULL", ["L", "d", "u"])],
)
def test_at_seat_turns_roles_into_seats(views: Connection, landlord_seat: object, values: list[str]) -> None:
    """The peasant after the landlord is `down`; without a landlord the three are seats 0, 1, 2."""
    query = (
        f"SELECT at_seat('L', 'd', 'u', seat, {landlord_seat}) FROM range(3) AS seats (seat) ORDER BY seat"
    )
    assert [value for (value,) in ask(views, query)] == values


def test_codes_become_text(views: Connection) -> None:
    """Acts, stages, actors, categories and ranks are told in words, values in points."""
    acts = "SELECT act, value, cards, stage, dealt_so_far, declared, sent, ms, actor FROM actions ORDER BY action_index"
    assert ask(views, acts) == [
        ("open", Decimal(4), None, "deal", 5, None, None, None, None),
        ("autoplay", Decimal(1), None, None, None, None, None, 15000, "timeout"),
        ("play", None, "BR", None, None, "rocket", None, None, None),
        ("pass", None, None, None, None, None, "H4 D4", None, "judge"),
    ]
    plays = "SELECT role, cards, category, main_rank FROM plays ORDER BY play_index"
    assert ask(views, plays) == [("landlord", "BR", "rocket", "BR"), ("landlord", "34567", "straight", "7")]


def test_the_seats_of_a_hand_have_their_own_facts(views: Connection) -> None:
    """What is kept by role is told of the seat that had the role, and who won follows from who went out."""
    query = "SELECT role, won, plays, autoplay_at_end, autoplay_started_with FROM hand_seats WHERE hand_id = {} ORDER BY seat"
    assert ask(views, query.format(1)) == [
        ("landlord", True, 2, None, None),
        ("landlord_down", False, 0, None, None),
        ("landlord_up", False, 2, True, 9),
    ]
    assert ask(views, query.format(2)) == [
        ("landlord_up", True, 2, None, None),
        ("landlord", False, 1, None, None),
        ("landlord_down", True, 2, None, None),
    ]
    assert ask(views, query.format(3)) == [(None, None, 2, None, None)] * 3


def test_springs(views: Connection) -> None:
    """A spring needs two silent peasants, an anti-spring a landlord who played once; without a winner there is none."""
    query = "SELECT winner_side, spring FROM hand_facts ORDER BY hand_id"
    assert ask(views, query) == [
        ("landlord", "none"), ("peasants", "anti_spring"), (None, "none"), ("peasants", "none"), (None, "none"),
        ("landlord", "spring"),
    ]  # fmt: skip


def test_a_file_that_grew_is_one_row(views: Connection) -> None:
    """The counts of two readings are added up, and the fingerprint is the last one."""
    query = "SELECT path, sha256, read, stored, rejected FROM source_files"
    assert ask(views, query) == [("log", "b", 7, 6, 1)]


def test_scores_are_those_worked_out_by_hand(views: Connection) -> None:
    """The peasant on autoplay pays both shares (jj J42), and winners in the casino pay 5 % of their gain (casino C28)."""
    query = (
        "SELECT seat, transfer, liability, rake, score, liable, balance_after FROM scores "
        "WHERE rule_set = '{}' AND hand_id = {} ORDER BY seat"
    )
    assert ask(views, query.format("jj-classic", 1)) == [
        (0, Decimal(80), 0, 0, Decimal(80), False, Decimal(580)),
        (1, Decimal(-40), Decimal(40), 0, Decimal(0), False, Decimal(400)),
        (2, Decimal(-40), Decimal(-40), 0, Decimal(-80), True, Decimal(220)),
    ]
    assert ask(views, query.format("casino-capped", 2)) == [
        (0, Decimal(16), 0, Decimal("-0.8"), Decimal("15.2"), False, None),
        (1, Decimal(-24), 0, 0, Decimal(-24), False, None),
        (2, Decimal(8), 0, Decimal("-0.4"), Decimal("7.6"), False, None),
    ]


def test_an_undefined_score_is_null(views: Connection) -> None:
    """A hand that a rule set cannot score has seats, a status and no amounts."""
    query = "SELECT score_status, score, transfer, balance_after FROM scores WHERE rule_set = 'jj-classic' AND hand_id = 5"
    assert ask(views, query) == [("undefined", None, None, None)] * 3


def test_scores_and_the_house_sum_to_zero(views: Connection) -> None:
    """In every row the components add up to the score, and with the house every hand sums to zero."""
    assert ask(
        views,
        "SELECT count(*) FROM scores WHERE score_status <> 'undefined' "
        "AND transfer + liability + balance_cut + fee + rake + fine <> score",
    ) == [(0,)]
    assert ask(
        views,
        "SELECT DISTINCT sum(score) + any_value(house_net) FROM scores JOIN settlements USING (scenario, rule_set, hand_id) "
        "WHERE scores.score_status <> 'undefined' GROUP BY scenario, rule_set, hand_id",
    ) == [(Decimal(0),)]


@pytest.mark.parametrize(
    ("rule_set", "hand_id", "flows"),
    [
        ("jj-classic", 1, {(1, 0, "stake"): 40, (2, 0, "stake"): 40, (2, 1, "liability"): 40}),
        (
            "casino-capped",
            2,
            {(1, 0, "stake"): 16, (1, 2, "stake"): 8, (0, None, "rake"): "0.8", (2, None, "rake"): "0.4"},
        ),
        ("jj-classic", 3, {}),
        (
            "jj-classic",
            4,
            {(2, 0, "stake"): 30, (2, 1, "stake"): 30, (0, None, "forfeit"): 30, (1, None, "forfeit"): 30},
        ),
        (
            "own-share",
            5,
            {(0, None, "fee"): 1, (1, None, "fee"): 1, (2, None, "fee"): 1, (2, None, "fine"): 6},
        ),
        ("jj-classic", 5, {}),
    ],
)
def test_flows_say_who_pays_whom(
    views: Connection, rule_set: str, hand_id: int, flows: dict[Any, Any]
) -> None:
    """The landlord settles with each peasant, the liable peasant pays the other, the house takes what nobody may have."""
    query = f"SELECT payer, receiver, reason, amount FROM flows WHERE rule_set = '{rule_set}' AND hand_id = {hand_id}"
    assert {row[:3]: row[3] for row in ask(views, query)} == {
        key: Decimal(str(amount)) for key, amount in flows.items()
    }


@pytest.mark.parametrize(
    ("component", "by_role", "flows"),
    [
        ("fine", (-6, 3, 3), {(0, 1, "fine"): 3, (0, 2, "fine"): 3}),
        ("liability", (60, -30, -30), {(1, 0, "liability"): 30, (2, 0, "liability"): 30}),
        ("liability", (0, 5, -5), {(2, 1, "liability"): 5}),
        ("balance_cut", (-37, 27, 10), {(0, 1, "balance"): 27, (0, 2, "balance"): 10}),
        ("balance_cut", (15, 0, 0), {(None, 0, "balance"): 15}),
        ("balance_cut", (0, 13, -6), {(2, 1, "balance"): 6, (None, 1, "balance"): 7}),
    ],
)
def test_flows_of_one_component(
    tmp_path: Path, component: str, by_role: tuple[int, ...], flows: dict[Any, int]
) -> None:
    """Whatever one rule moves among seats and house flows from those below zero to those above."""
    moved = settlement(1, "r", by_role, **each(component + "_{}", by_role))
    tables = {"hands": [[hand(1, 0)]], "facts": [[facts(1, 0, 0)]], "settlements": [[moved]]}
    store = write_store(tmp_path / "store", tables)
    with connect(store) as connection:
        rows = ask(connection, "SELECT payer, receiver, reason, amount FROM flows")
    assert {row[:3]: row[3] for row in rows} == flows


def test_assumptions_are_named(views: Connection) -> None:
    """A projected settlement lists what it rests on by code, an exact one nothing."""
    query = "SELECT DISTINCT score_status, assumptions FROM settlements WHERE hand_id = 1 ORDER BY 1"
    assert ask(views, query) == [("exact", []), ("projected", ["bid", "room.fee"])]
    every = ask(views, f"SELECT assumption_codes({(1 << len(CODES)) - 1}::BIGINT)")
    assert every == [(list(CODES),)]


def test_a_refused_double_names_the_balance_that_fell_short(views: Connection) -> None:
    """The peasant's own 50 do not exceed the room's 100, and the stake would have been another."""
    query = "SELECT hand_id, seat, what, reason, threshold, balance, would_change FROM refusals"
    assert ask(views, query) == [(6, 1, "double", "own", Decimal(100), Decimal(50), True)]


JJ = {"recorded_rules": "jj-classic"}
FOUR_FOURS = [{"seat": 1, "act": 8, "sent": "H4 D4 S4 C4"}]


@pytest.mark.parametrize(
    ("recorded", "recomputed", "changes", "verdict"),
    [
        ((4, -2, -2), (4, -2, -2), JJ, "exact"),
        ((4, -2, -2), (8, -4, -4), {**JJ, "down_plays": 0, "up_plays": 0}, "explained spring_not_recorded"),
        ((4, -2, -2), (8, -4, -4), JJ, "unexplained power_of_two"),
        ((16, -8, -8), (4, -2, -2), JJ, "unexplained power_of_two"),
        ((16, -8, -8), (4, -2, -4), JJ, "unexplained None"),
        ((5, -2, -3), (4, -2, -2), JJ, "unexplained None"),
        ((15, -8, -7), ("15.2", "-7.6", "-7.6"), JJ, "explained rounding"),
        ((8, -4, -4), (4, -2, -2), {**JJ, "actions": FOUR_FOURS}, "explained illegal_play_counted"),
        ((16, -8, -8), (4, -2, -2), {**JJ, "actions": FOUR_FOURS}, "unexplained power_of_two"),
        (
            (12, -6, -6),
            None,
            {**JJ, "reason": "faulty", "bid": 3, "plays": "5555"},
            "explained illegal_play_counted",
        ),
        ((6, -3, -3), None, {**JJ, "reason": "faulty", "bid": 3, "plays": "5555"}, "unexplained faulty"),
        (
            (4, -2, -2),
            (0, 0, 0),
            {**JJ, "auction_forced": "starter", "bid": None, "bombs": 1},
            "explained forced_landlord",
        ),
        (
            (8, -4, -4),
            (0, 0, 0),
            {**JJ, "auction_forced": "starter", "bid": None, "bombs": 1},
            "unexplained None",
        ),
        ((4, -2, -2), None, {**JJ, "reason": "unfinished"}, "unexplained unfinished"),
        ((4, -2, -2), (4, -2, -2), {"recorded_rules": "unheard-of"}, "unexplained not_scored"),
        ((4, -2, -2), (4, -2, -2), {}, "unexplained rules_unknown"),
        ((1, 0, 0), (4, -2, -2), {"source_format": "rlcard-trace"}, "explained other_scale"),
        ((0, 1, 1), (4, -2, -2), {"source_format": "rlcard-trace"}, "unexplained None"),
    ],
)
def test_reconciliation_names_a_cause_only_where_the_numbers_agree(
    tmp_path: Path, recorded: tuple[int, ...], recomputed: tuple[Any, ...] | None, changes: Row, verdict: str
) -> None:
    """The landlord's recorded score against the recomputed one, with the cause that all three seats agree with."""
    known = {"bid": 2, **changes}
    tables = {
        "hands": [[hand(1, 0, **each("recorded_score_{}", recorded), **changes)]],
        "facts": [[facts(1, 0, 0, **known)]],
        "plays": [[play(1, 0, changes["plays"])]] if "plays" in changes else [],
        "settlements": [[settlement(1, "jj-classic", recomputed, reason=changes.get("reason"))]],
    }
    with connect(write_store(tmp_path / "store", tables)) as connection:
        rows = ask(
            connection,
            "SELECT recorded, verdict || ' ' || coalesce(cause, 'None') FROM reconciliation WHERE seat = 0",
        )
    assert rows == [(recorded[0], verdict.replace("exact", "exact None"))]


def test_formats_that_name_no_rules_count_by_their_reference(tmp_path: Path) -> None:
    """A hand of a format with a reference rule set is reconciled under that one."""
    name, rules = next(
        (p.name, p.reference_rules) for p in parsers().values() if p.reference_rules is not None
    )
    tables = {
        "hands": [[hand(1, 0, source_format=name, **each("recorded_score_{}", (4, -2, -2)))]],
        "facts": [[facts(1, 0, 0)]],
        "settlements": [[settlement(1, str(rules), (4, -2, -2))], [settlement(1, "another", (8, -4, -4))]],
    }
    with connect(write_store(tmp_path / "store", tables)) as connection:
        assert ask(connection, "SELECT DISTINCT verdict FROM reconciliation") == [("exact",)]


def rows_of(table: Any, *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of an Arrow table as rows."""
    return list(zip(*(table[column].to_pylist() for column in columns), strict=True))


def test_bands_count_seats_in_stakes_of_the_baseline(views: Connection) -> None:
    """Hands 1 and 4 move two stakes and one, hand 6 moves 32, and the undefined hand 5 is left out."""
    bands = compare(views, "jj-classic", ["own-share"]).bands()
    counted = rows_of(bands, "role", "hands", "loses_over_16", "loses", "same", "gains", "gains_over_16")
    assert counted == [
        ("landlord", 3, 0, 0, 3, 0, 0),
        ("landlord_down", 3, 1, 1, 0, 1, 0),
        ("landlord_up", 3, 0, 0, 0, 2, 1),
        (None, 3, 0, 0, 3, 0, 0),
    ]


def test_roles_have_means_and_percentiles_of_the_difference(views: Connection) -> None:
    """The down peasant differs by -40, +30 and -32 on the three hands that both rule sets score."""
    roles = compare(views, "jj-classic", ["own-share"]).roles().filter(pc.field("role") == "landlord_down")
    (row,) = roles.to_pylist()
    assert (row["hands"], row["differing"], row["total_difference"]) == (3, 3, Decimal(-42))
    assert (row["mean_baseline"], row["mean_other"], row["mean_difference"]) == (0, -14, -14)
    assert (row["p1"], row["p50"], row["p99"]) == (-40, -32, 30)
    assert (row["largest_loss"], row["largest_gain"]) == (-40, 30)
    assert row["share_better"] + row["share_worse"] + row["share_same"] == pytest.approx(1)


def test_multipliers_leave_out_what_was_not_played(views: Connection) -> None:
    """Each multiplier is counted for each rule set, with how many of its hands a cap cut."""
    found = compare(views, "jj-classic", ["own-share"]).multipliers()
    assert rows_of(found, "rule_set", "multiplier", "hands", "capped") == [
        ("jj-classic", 1, 1, 0), ("jj-classic", 2, 1, 0), ("jj-classic", 32, 1, 0),
        ("own-share", 1, 2, 0), ("own-share", 2, 1, 0), ("own-share", 32, 1, 1),
    ]  # fmt: skip


def test_liability_moves_from_payer_to_receiver(views: Connection) -> None:
    """Two hands move 72 from the up to the down peasant, one forfeits 30 from each to the house."""
    found = compare(views, "jj-classic", ["own-share"]).liability()
    assert rows_of(found, "rule_set", "reason", "payer", "receiver", "hands", "amount") == [
        ("jj-classic", "forfeit", "landlord_down", "house", 1, Decimal(30)),
        ("jj-classic", "forfeit", "landlord_up", "house", 1, Decimal(30)),
        ("jj-classic", "liability", "landlord_up", "landlord_down", 2, Decimal(72)),
    ]


def test_the_worst_hands_come_first(views: Connection) -> None:
    """The hands that differ most come first, as many as asked for, with both scores by seat."""
    worst = compare(views, "jj-classic", ["own-share"]).worst(2)
    assert rows_of(worst, "hand_id", "source_hand_id", "largest_difference", "baseline_2", "other_2") == [
        (1, "h1", 40, -80, -40),
        (6, "h6", 32, -64, -32),
    ]


def test_statuses_assumptions_and_house(views: Connection) -> None:
    """Every hand is counted under its status and reason, projected ones under each assumption, the house by its parts."""
    comparison = compare(views, "jj-classic", ["own-share"])
    assert rows_of(comparison.statuses(), "rule_set", "score_status", "reason", "hands") == [
        ("jj-classic", "exact", "thrown_in", 1), ("jj-classic", "exact", None, 3), ("jj-classic", "undefined", "escaped", 1),
        ("own-share", "exact", None, 4), ("own-share", "projected", None, 1),
    ]  # fmt: skip
    assert rows_of(comparison.assumptions(), "rule_set", "assumption", "hands") == [
        ("own-share", "bid", 1),
        ("own-share", "room.fee", 1),
    ]
    assert rows_of(
        comparison.house(), "rule_set", "hands", "days", "moved", "fee", "forfeit", "fine", "net"
    ) == [
        ("jj-classic", 4, 1, 144, 0, 60, 0, 60),
        ("own-share", 5, 1, 204, 3, 0, 6, 9),
    ]


def test_comparing_what_is_not_scored_is_refused(views: Connection) -> None:
    """A rule set without scores in the store is named, with what to do."""
    with pytest.raises(
        DdzError, match=r"^error\[not_scored\]: nothing is scored under 'happy', ddz rescore --rules happy"
    ):
        compare(views, "jj-classic", ["happy"])


def test_rule_differences_are_values_beside_values() -> None:
    """Only the parameters that differ are told, with what each rests on."""
    found = rule_differences(load_rules("jj-classic"), [load_rules("jj-bomb"), load_rules("jj-classic")])
    assert rows_of(found, "rule_set", "key", "baseline", "other") == [
        ("jj-bomb", "events.bomb_reading", '"power"', '"total"')
    ]
    assert "jj J34" in found["source_other"][0].as_py()


def test_a_catalog_is_built_anew_over_a_left_over_file(tmp_path: Path) -> None:
    """What a killed writer left under the same name does not matter."""
    target = tmp_path / FILE_NAME
    target.write_bytes(b"half a catalog")
    build_catalog(target, tmp_path, {})
    shutil.copy(target, tmp_path / "copy.duckdb")
    with duckdb.connect(str(tmp_path / "copy.duckdb"), read_only=True) as connection:
        assert ask(connection, "SELECT count(*) FROM scores") == [(0,)]
