"""The catalog: which views there are, their columns, types, grains and comments, wherever the store lies."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ddz_analytics.errors import DdzError
from ddz_analytics.store.catalog import (
    FILE_NAME,
    SQL,
    TABLE_MACROS,
    VIEWS,
    Connection,
    build_catalog,
    connect,
    described,
)
from ddz_analytics.store.comments import comments
from ddz_analytics.store.manifest import load_manifest
from tests.small_store import ask, small_tables, write_store

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
    "landlord_seat:I first_seat:I bottom:T bottom_mask:I wild_rank:T suited:B shuffle:T outcome:T recorded_bid:A recorded_multiplier:I "
    "extra:J",
    "hand_seats": f"hand_id:I {_GROUPS} seat:I player:T kind:T role:T won:B dealt:T dealt_mask:I balance_before:A "
    "balance_kind:T registered:I auction_turn:I recorded_score:A recorded_fee:A recorded_balance_after:A plays:I bombs:I "
    "cards_left:I autoplay_at_end:B autoplay_started_with:I autoplay_ever:B doubled:I kicked:B opened:B bid:B robbed:B "
    "could_bid:B could_rob:B could_double:B could_kick:B",
    "actions": "hand_id:I action_index:I seat:I act:T value:A cards:T cards_mask:I stage:T dealt_so_far:I declared:T sent:T ms:I actor:T",
    "plays": "hand_id:I play_index:I action_index:I reread:B seat:I role:T cards:T category:T length:I main_rank:T is_lead:B "
    "trick:I cards_left_after:I",
    "hand_facts": "hand_id:I replay_status:T winner_side:T winner_seat:I auction_kind:T auction_forced:T bid:A raises:I "
    "robs:I open_multiplier:I bombs:I rockets:I soft_bombs:I hard_bombs:I pure_bombs:I spring:T landlord_plays:I "
    "needs_wild:B escaped_seat:I escape_stage:T",
    "hand_issues": "hand_id:I issue_index:I code:T severity:T action_index:I seat:I detail:T",
    "settle_facts": f"hand_id:I evidence:T landlord_seat:I outcome:T auction_kind:T auction_forced:T bid:A raises:I robs:I "
    f"needs_wild:B reread:B winner_side:T spring:T {_ROOM} escape_stage:T landlord_plays:I down_plays:I up_plays:I down_autoplay:B "
    "down_autoplay_cards:I down_doubled:I down_kicked:B down_could_kick:B down_balance:A",
    "declared_facts": f"hand_id:I source_hand_id:T table_id:T match_id:T hand_no:I started_at:Z recorded_rules:T {_ROOM} player_0:T "
    "registered_2:I recorded_score_1:A recorded_multiplier:I landlord_seat:I winner_seat:I winner_side:T bid:A bombs:I spring:T "
    "down_plays:I up_balance:A",
    "autoplay_episodes": "hand_id:I seat:I episode:I start_index:I end_index:I cards_at_start:I cards_at_end:I reason:T",
    "rule_sets": "rule_set:T title_zh:T title_en:T source:T rule_hash:T assumed:B parameters:J",
    "settlements": f"{_KEY} rule_hash:T score_status:T reason:T assumptions:TT unit:A bid:A auction_multiplier:I "
    "event_multiplier:I doublings_uncapped:I doublings:I cap_bites:B cap_amount:A pair_multiplier_down:I pair_multiplier_up:I "
    "stake_down:A stake_up:A transfer_landlord:A liability_down:A balance_cut_up:A fee_landlord:A rake_down:A fine_up:A fee_apart_down:A "
    "balance_landlord:A liable_up:B net_landlord:A net_down:A net_up:A house_rake:A house_fee:A house_forfeit:A house_fine:A house_net:A house_fee_apart:A",
    "scores": f"{_KEY} {_GROUPS} seat:I player:T role:T won:B liable:B transfer:A liability:A balance_cut:A fee:A rake:A "
    "fine:A score:A fee_apart:A balance_before:A balance_after:A score_status:T",
    "flows": f"{_KEY} payer:I receiver:I reason:T amount:A",
    "refusals": f"{_KEY} seat:I what:T reason:T threshold:A balance:A would_change:A",
    "ruins": f"{_KEY} seat:I player:T role:T score:A balance_before:A balance_after:A",
    "reconciliation": "hand_id:I seat:I rule_set:T recorded:A recomputed:A verdict:T cause:T",
    "standings": "scenario:T rule_set:T match_id:T player:T points:A rank:I tie_group:I decided_by:T advanced:B place:I last_place:I event:T "
    "hands:I projected_hands:I undefined_hands:I registered:I last_hand_id:I last_score:A last_key:A",
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
    "declared_facts": "hand_id",
    "autoplay_episodes": "hand_id, seat, episode",
    "rule_sets": "rule_set",
    "settlements": "scenario, rule_set, hand_id",
    "scores": "scenario, rule_set, hand_id, seat",
    "flows": "scenario, rule_set, hand_id, payer, receiver, reason",
    "refusals": "scenario, rule_set, hand_id, seat, what",
    "ruins": "scenario, rule_set, hand_id, seat",
    "reconciliation": "hand_id, seat",
    "standings": "scenario, rule_set, match_id, player",
}


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


def keys(said: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Every key of nested tables."""
    for name, value in said.items():
        yield from keys(value, f"{above}{name}.") if isinstance(value, Mapping) else [f"{above}{name}"]


def test_every_comment_is_there_in_chinese() -> None:
    """What is described in English is described in Chinese, and nothing else."""
    assert set(keys(comments("zh"))) == set(keys(comments("en")))


def test_comments_are_in_both_languages(tmp_path: Path) -> None:
    """Every comment of the file has its English and its Chinese, and the list has the one that is asked for."""
    build_catalog(tmp_path / FILE_NAME, tmp_path, {})
    with duckdb.connect(str(tmp_path / FILE_NAME), read_only=True) as connection:
        lines = [
            comment.split(" / ")
            for (comment,) in ask(connection, "SELECT comment FROM duckdb_columns() WHERE comment <> ''")
        ]
    assert all(len(pair) == 2 and re.search("[\u4e00-\u9fff]", pair[1]) for pair in lines)
    assert ["What passes; always more than 0.", "数额；总大于 0。"] in lines
    found = {
        view: (comment, columns)
        for view, comment, columns in described(write_store(tmp_path / "s", {}), "zh")
    }
    assert found["flows"][1][-1] == ("amount", "DECIMAL(18,4)", "数额；总大于 0。")
    assert found["hands"][0] == "每局一行（一副牌打完或流局），照日志所写。"


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


def test_a_catalog_is_built_anew_over_a_left_over_file(tmp_path: Path) -> None:
    """What a killed writer left under the same name does not matter."""
    target = tmp_path / FILE_NAME
    target.write_bytes(b"half a catalog")
    build_catalog(target, tmp_path, {})
    shutil.copy(target, tmp_path / "copy.duckdb")
    with duckdb.connect(str(tmp_path / "copy.duckdb"), read_only=True) as connection:
        assert ask(connection, "SELECT count(*) FROM scores") == [(0,)]


@pytest.mark.parametrize(
    ("memory", "code"), [("64MB", "out_of_memory"), ("lots", "memory_setting"), ("50%", None), ("8GB", None)]
)
def test_memory_that_questions_may_take(
    memory: str, code: str | None, six_hands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DDZ_MEMORY bounds what a question about the store takes: beyond it there is one error with a code, and so for what is no size."""
    monkeypatch.setenv("DDZ_MEMORY", memory)

    def ask() -> None:
        with connect(six_hands) as connection:
            connection.sql("SELECT list(range) FROM range(20_000_000)").fetchall()

    if code is None:
        with connect(six_hands) as connection:
            assert connection.sql("SELECT count(*) FROM hands").fetchall() == [(6,)]
        return
    with pytest.raises(DdzError) as caught:
        ask()
    assert caught.value.code == code
