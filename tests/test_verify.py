"""What a store holds, its digest, and whether it is whole."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.info import info
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store import catalog
from ddz_analytics.store.catalog import SQL, connect
from ddz_analytics.store.manifest import load_manifest
from ddz_analytics.store.parts import read_part, write_part
from ddz_analytics.verify import CHECKS, verify
from tests.small_store import Row, each, facts, hand, settlement, small_tables, write_store
from tests.stores import played, take


def broken(tmp_path: Path, table: str, row: Row) -> list[str]:
    """The findings in a store of one hand with one row too many or a row that is wrong."""
    tables: dict[str, list[list[Row]]] = {
        "hands": [[hand(1, 0)]],
        "facts": [[facts(1, 0, 0)]],
        "settlements": [[settlement(1, "r", (4, -2, -2), **each("transfer_{}", (4, -2, -2)))]],
    }
    if table == "settlements" and row["rule_set"] == "r":
        tables[table] = [[row]]
    else:
        tables[table] = [*tables.get(table, []), [row]]
    found = verify(write_store(tmp_path / "store", tables))
    assert all(finding.where == f"hand {row['hand_id']}" for finding in found)
    return [finding.code for finding in found]


TRANSFER = each("transfer_{}", (4, -2, -2))


def test_info_tells_what_the_store_holds(six_hands: Path) -> None:
    """Files, hands by format, what formats can say, statuses, rejections and rule sets are counted."""
    found = info(six_hands)
    assert found["files"] == {"files": 1, "read": 7, "stored": 6, "duplicate": 0, "rejected": 1, "skipped": 0}
    assert found["hands"] == [
        {
            "source_format": "casino-log",
            "recorded_rules": None,
            "hands": 1,
            "first_day": None,
            "last_day": None,
        },
        {
            "source_format": "ddz/1",
            "recorded_rules": "jj-classic",
            "hands": 1,
            "first_day": "2026-01-02",
            "last_day": "2026-01-02",
        },
        {"source_format": "ddz/1", "recorded_rules": None, "hands": 4, "first_day": None, "last_day": None},
    ]
    assert found["formats"]["casino-log"] == {"says": [], "silent": [], "lacks": {}}
    assert found["formats"]["ddz/1"]["silent"] == []
    assert found["replayed"] == {"ok": 6}
    assert found["rejected"] == {"deck": 1}
    assert [
        (row["rule_set"], row["exact"], row["projected"], row["undefined"]) for row in found["scored"]
    ] == [
        ("casino-capped", 1, 0, 0),
        ("jj-classic", 4, 0, 1),
        ("own-share", 4, 1, 0),
    ]
    json.dumps(found)


def test_the_digest_does_not_depend_on_parts(six_hands: Path, tmp_path: Path) -> None:
    """The same rows in other parts, in another order, ingested at another time, have the same digest."""
    other = small_tables()
    other["hands"] = [[row for rows in reversed(other["hands"]) for row in reversed(rows)]]
    other["facts"] = list(reversed([[row] for rows in other["facts"] for row in rows]))
    other["source_files"][0][1]["ingested_at"] = datetime(2027, 1, 1, tzinfo=UTC)
    again = write_store(tmp_path / "again", other, "Asia/Shanghai")
    assert info(again)["content"] == info(six_hands)["content"]


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("hands", {"bottom": 7}),
        ("facts", {"robs": 1}),
        ("issues", {"detail": None}),
        ("rejected", {"raw": b"\xfe{"}),
        ("plays", {"trick": 2}),
    ],
)
def test_the_digest_changes_with_any_value(six_hands: Path, tmp_path: Path, table: str, changed: Row) -> None:
    """Another value anywhere gives another digest."""
    other = small_tables()
    other[table][0][0].update(changed)
    assert (
        info(write_store(tmp_path / "other", other, "Asia/Shanghai"))["content"] != info(six_hands)["content"]
    )
    assert (
        info(write_store(tmp_path / "zone", small_tables(), "UTC"))["content"] != info(six_hands)["content"]
    )


def test_a_whole_store_has_no_findings(six_hands: Path) -> None:
    """Nothing is found in a store that is whole."""
    assert verify(six_hands) == []


@pytest.mark.parametrize(
    ("table", "row", "codes"),
    [
        ("hands", hand(1, 0), ["hand_ids_repeat", "flows_do_not_add_up"]),
        ("hands", hand(2, 0), ["hands_without_facts"]),
        ("facts", facts(1, 0, 0), ["facts_repeat"]),
        ("facts", facts(2, 0, 0), ["facts_without_hands"]),
        (
            "issues",
            {"hand_id": 2, "issue_index": 0, "code": "turn", "severity": "error"},
            ["facts_without_hands"],
        ),
        ("settlements", settlement(2, "another", (0, 0, 0)), ["facts_without_hands"]),
        (
            "settlements",
            settlement(1, "r", (4, -2, -1), **TRANSFER),
            ["sums_not_zero", "components_do_not_add_up", "flows_do_not_add_up"],
        ),
        ("settlements", settlement(1, "r", (4, -2, -2), **TRANSFER, house_fee=1), ["house_not_its_parts"]),
        ("settlements", settlement(1, "r", (4, -2, -2)), ["components_do_not_add_up", "flows_do_not_add_up"]),
        ("settlements", settlement(1, "r", None, reason="faulty", house_net=0), ["sums_not_zero"]),
    ],
)
def test_what_does_not_add_up_is_found(tmp_path: Path, table: str, row: Row, codes: list[str]) -> None:
    """Each kind of fault in the content is found under its own code, with a hand."""
    assert broken(tmp_path, table, row) == codes


def test_faults_are_found_in_every_range_of_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands are looked at a range at a time, and all scores of all three hands count: one of a range, two of another."""
    monkeypatch.setattr(catalog, "HANDS_PER_RANGE", 2)
    numbers = (1, 2, 4, 5, 700)
    tables = {
        "hands": [[hand(number, 0) for number in numbers]],
        "facts": [[facts(number, 0, 0) for number in numbers]],
        "settlements": [
            [
                *(settlement(number, "r", (4, -2, -2)) for number in (2, 4, 5)),
                settlement(700, "r", (0, 0, 0)),
            ]
        ],
    }
    found = {finding.code: finding for finding in verify(write_store(tmp_path / "store", tables))}
    assert found["flows_do_not_add_up"].what.startswith("9 scores")
    assert found["flows_do_not_add_up"].where == "hand 2"


def test_a_hand_settled_twice_is_found(tmp_path: Path) -> None:
    """Two settlements of one hand under one rule set are found."""
    twice = [settlement(1, "r", (0, 0, 0))] * 2
    tables = {"hands": [[hand(1, 0)]], "facts": [[facts(1, 0, 0)]], "settlements": [twice]}
    store = write_store(tmp_path / "store", tables)
    assert "settlements_repeat" in [finding.code for finding in verify(store)]


def test_parts_are_read_to_their_end(tmp_path: Path) -> None:
    """A part that is gone, cut off, of another length, of other columns or of another rule set is found by its path."""
    store = write_store(tmp_path / "store", small_tables())
    parts = store / "parts"
    (parts / "hands-1.parquet").unlink()
    whole = (parts / "facts-0.parquet").read_bytes()
    (parts / "facts-0.parquet").write_bytes(whole[: len(whole) // 2])
    (parts / "plays-0.parquet").write_bytes((parts / "plays-empty.parquet").read_bytes())
    pq.write_table(pa.table({"hand_id": [1]}), parts / "issues-0.parquet")
    (parts / "settlements-1.parquet").write_bytes((parts / "settlements-0.parquet").read_bytes())
    found: dict[str, Any] = {finding.code: finding for finding in verify(store)}
    assert {code: finding.where for code, finding in found.items()} == {
        "part_missing": "parts/hands-1.parquet",
        "part_unreadable": "parts/facts-0.parquet",
        "part_rows": "parts/plays-0.parquet",
        "part_schema": "parts/issues-0.parquet",
        "part_mislabelled": "parts/settlements-1.parquet",
    }
    assert found["part_rows"].what == "a part holds 0 rows and not 2"


def test_every_check_has_its_statement() -> None:
    """Each file of checks is run, and each check has a file."""
    assert {file.stem for file in (SQL / "verify").iterdir()} == set(CHECKS)


def test_views_read_the_parts_of_the_manifest(six_hands: Path) -> None:
    """A connection shows what the manifest names now."""
    with connect(six_hands) as connection:
        ((rows,),) = connection.sql("SELECT count(*) FROM hands").fetchall()
    assert rows == sum(part.rows for part in load_manifest(six_hands).hands)


def test_a_part_that_was_exchanged(tmp_path: Path) -> None:
    """A part that is readable and sums to zero, but is not the one that was written, is found."""
    (tmp_path / "log.jsonl").write_bytes(played(3))
    take(tmp_path / "store", tmp_path / "log.jsonl")
    rescore(tmp_path / "store", [load_rules("qq-classic")])
    (part,) = load_manifest(tmp_path / "store").settlements
    rows = read_part(tmp_path / "store" / part.path)
    assert verify(tmp_path / "store") == []
    place, field = rows.schema.get_field_index("cap_amount"), rows.field("cap_amount")
    changed = rows.set_column(place, field, pa.nulls(len(rows), field.type))
    write_part(tmp_path / "store" / part.path, "settlements", [changed])
    assert [(finding.code, finding.where) for finding in verify(tmp_path / "store")] == [
        ("part_changed", part.path)
    ]
