"""Questions over a store: what is answered, what is refused, how answers are printed; what a store holds, and whether it is whole."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.catalog import SQL, VIEWS, connect
from ddz_analytics.errors import DdzError, StoreError
from ddz_analytics.info import info
from ddz_analytics.manifest import load_manifest
from ddz_analytics.query import FORMATS, Limits, as_csv, as_json, as_jsonl, as_table, inert, run_query
from ddz_analytics.verify import CHECKS, verify
from tests.small_store import Row, each, facts, hand, settlement, small_tables, write_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small store, in Shanghai."""
    return write_store(tmp_path_factory.mktemp("query") / "store", small_tables(), "Asia/Shanghai")


def refused(store: Path, sql: str, limits: Limits | None = None) -> str:
    """The code with which a question is refused, in one line."""
    with pytest.raises(DdzError) as raised:
        run_query(store, sql, limits=limits or Limits())
    assert "\n" not in str(raised.value)
    return raised.value.code


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT count(*) AS n FROM hands", [{"n": 6}]),
        ("FROM flows SELECT sum(amount) AS n WHERE reason = 'liability';", [{"n": Decimal(72)}]),
        ("VALUES (1, 'a')", [{"col0": 1, "col1": "a"}]),
        ("WITH b AS (SELECT 1 AS n) SELECT n FROM b UNION ALL SELECT 2", [{"n": 1}, {"n": 2}]),
        (
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT max(n) AS n FROM r",
            [{"n": 3}],
        ),
        ("SELECT n FROM range(2) AS numbers (n) -- from 0", [{"n": 0}, {"n": 1}]),
        ("SELECT '; COPY hands TO ''x''' AS n", [{"n": "; COPY hands TO 'x'"}]),
        (
            "SELECT difference AS n FROM paired_scores('jj-classic', ['own-share']) WHERE hand_id = 1 AND seat = 2",
            [{"n": 40}],
        ),
        ("SELECT started_at::VARCHAR AS n FROM hands WHERE hand_id = 1", [{"n": "2026-01-02 04:00:00+08"}]),
    ],
)
def test_questions_are_answered(store: Path, sql: str, rows: list[Row]) -> None:
    """Queries of every kind run over the views, in the store's time zone."""
    assert run_query(store, sql).to_pylist() == rows


def test_views_can_be_described(store: Path) -> None:
    """SHOW lists the views and nothing else; DESCRIBE, SUMMARIZE and EXPLAIN tell of one; comments can be read."""
    assert sorted(run_query(store, "SHOW TABLES")["name"].to_pylist()) == sorted(VIEWS)
    assert run_query(store, "DESCRIBE flows")["column_name"].to_pylist()[-1] == "amount"
    assert run_query(store, "SUMMARIZE flows").num_rows == 7
    assert "explain_value" in run_query(store, "explain SELECT 1").column_names
    assert "explain_value" in run_query(store, "EXPLAIN ANALYZE SELECT count(*) FROM hands").column_names
    comment = "SELECT comment FROM duckdb_columns() WHERE table_name = 'flows' AND column_name = 'amount'"
    assert run_query(store, comment)["comment"].to_pylist() == ["What passes; always more than 0."]


@pytest.mark.parametrize(
    "sql",
    [
        "COPY hands TO 'stolen.csv'",
        "WITH x AS (COPY hands TO 'stolen.csv') SELECT 1",
        "SELECT * FROM (WITH x AS (INSERT INTO t VALUES (1) RETURNING 1) SELECT * FROM x)",
        "EXPLAIN COPY hands TO 'stolen.csv'",
        "EXPLAIN ANALYZE WITH x AS (COPY hands TO 'stolen.csv') SELECT 1",
        "/* */ EXPLAIN SELECT 1",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM READ_TEXT('/etc/passwd')",
        "SELECT (SELECT content FROM read_blob('/etc/passwd'))",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM query('SELECT 1')",
        "SELECT * FROM query_table('hands')",
        "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
        "SELECT * FROM arrow_scan(1::POINTER, 2::POINTER, 3::POINTER)",
        "SELECT * FROM duckdb_settings()",
        "ATTACH 'other.duckdb'",
        "INSTALL httpfs",
        "LOAD json",
        "SET threads = 1",
        "SET VARIABLE ddz_store = '/tmp'",
        "RESET threads",
        "PRAGMA version",
        "CALL pragma_version()",
        "CREATE TABLE t (a INTEGER)",
        "DROP VIEW hands",
        "EXPORT DATABASE 'stolen'",
        "PREPARE p AS SELECT 1",
        "BEGIN",
        "USE stored",
        "PIVOT hands ON outcome USING count(*)",
    ],
)
def test_all_but_questions_is_refused(
    store: Path, sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that writes, reads files, changes settings or runs a text as SQL is run, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert refused(store, sql) == "sql_refused"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("", "sql_statements"),
        ("-- nothing", "sql_statements"),
        ("SELECT 1; SELECT 2", "sql_statements"),
        ("SELEC 1", "sql_syntax"),
        ("SELECT 1 +", "sql_syntax"),
        ("SELECT * FROM hans", "sql_name"),
        ("SELECT no_such_column FROM hands", "sql_name"),
        ("SELECT * FROM '/etc/passwd'", "sql_name"),
        ("SELECT $1", "sql_failed"),
        ("SELECT 'x'::INTEGER", "sql_failed"),
        ("SELECT " + "(SELECT " * 400 + "1" + ")" * 400, "sql_refused"),
    ],
)
def test_mistakes_have_codes(store: Path, sql: str, code: str) -> None:
    """A faulty question ends in one line with a code."""
    assert refused(store, sql) == code


def test_a_question_has_limits(store: Path) -> None:
    """A question that runs too long or takes too much memory is stopped."""
    assert (
        refused(store, "SELECT count(*) FROM range(1000000), range(1000000)", Limits(seconds=0.2))
        == "sql_timeout"
    )
    many = "SELECT count(DISTINCT a.range * 10000 + b.range) FROM range(3000) AS a, range(10000) AS b"
    assert refused(store, many, Limits(memory="60MB", threads=1)) == "sql_memory"


def test_own_tables_can_be_joined(store: Path) -> None:
    """A table that is handed in can be joined by its name, unless that is a view's."""
    teams = pa.table({"player": ["ann", "bo"], "team": ["red", "blue"]})
    sql = "SELECT team FROM teams JOIN hand_seats USING (player) WHERE hand_id = 1 ORDER BY team"
    assert run_query(store, sql, tables={"teams": teams})["team"].to_pylist() == ["blue", "red"]
    with pytest.raises(DdzError, match="hands is the name of a view"):
        run_query(store, "SELECT 1", tables={"hands": teams})


def test_variables_of_the_program_are_no_tables(store: Path) -> None:
    """A table of the running program is not found by the name of its variable."""
    secret = pa.table({"a": [1]})
    assert secret.num_rows == 1
    assert refused(store, "SELECT * FROM secret") == "sql_name"


def test_a_missing_store_is_an_error(tmp_path: Path) -> None:
    """No store is never an empty answer."""
    for ask in (lambda: run_query(tmp_path, "SELECT 1"), lambda: info(tmp_path), lambda: verify(tmp_path)):
        with pytest.raises(StoreError, match=r"^error\[store_missing\]"):
            ask()


ANSWER = pa.table(
    {
        "name": ["=1+1", "王五", None, "a,\x1b[31m\n"],
        "score": pa.array(
            [Decimal("-1.5"), Decimal(0), None, Decimal("12345678901234.5678")], pa.decimal128(18, 4)
        ),
        "won": [True, False, None, True],
        "day": [date(2026, 1, 2), None, None, None],
        "raw": [b"\xff{", None, None, b""],
        "codes": [["bid"], [], None, ["a", "b"]],
    }
)


def test_a_table_is_aligned_and_inert() -> None:
    """Columns line up with Chinese names of double width, NULL is written out, control characters are spelt out."""
    assert as_table(ANSWER.select(["name", "score", "won"])).split("\n") == [
        "name                        score  won",
        "------------  -------------------  -----",
        "=1+1                      -1.5000  true",
        "王五                       0.0000  false",
        "NULL                         NULL  NULL",
        "a,\\x1b[31m\\n  12345678901234.5678  true",
        "",
    ]


def test_csv_keeps_values_and_disarms_formulas() -> None:
    """A text that looks like a formula gets an apostrophe, a negative number does not; the rest reads back as it was."""
    rows = list(csv.reader(io.StringIO(as_csv(ANSWER), newline="")))
    assert rows == [
        ["name", "score", "won", "day", "raw", "codes"],
        ["'=1+1", "-1.5000", "true", "2026-01-02", "\\xff{", '["bid"]'],
        ["王五", "0.0000", "false", "", "", "[]"],
        ["", "", "", "", "", ""],
        ["a,\x1b[31m\n", "12345678901234.5678", "true", "", "", '["a","b"]'],
    ]


@pytest.mark.parametrize("text", ["=A1", "+1", "-1", "@x", "\tx", "\rx"])
def test_every_beginning_of_a_formula_is_disarmed(text: str) -> None:
    """Whatever a spreadsheet takes for a formula begins with an apostrophe, in a header too."""
    rows = list(csv.reader(io.StringIO(as_csv(pa.table({text: [text]})), newline="")))
    assert rows == [["'" + text], ["'" + text]]


def test_json_keeps_every_digit() -> None:
    """JSON and JSON Lines say the same, decimals as numbers with all their digits, control characters escaped."""
    answer = ANSWER.append_column("said", pa.array(["\x9b\u202e", None, None, None]))
    text = as_json(answer)
    rows = json.loads(text, parse_float=Decimal)
    assert [json.loads(line, parse_float=Decimal) for line in as_jsonl(answer).splitlines()] == rows
    assert rows[0] == {
        "name": "=1+1", "score": Decimal("-1.5000"), "won": True, "day": "2026-01-02", "raw": "\\xff{", "codes": ["bid"],
        "said": "\x9b\u202e",
    }  # fmt: skip
    assert rows[2] == dict.fromkeys(answer.column_names)
    assert rows[3]["score"] == Decimal("12345678901234.5678")
    assert "\\u009b\\u202e" in text


def test_json_refuses_two_columns_of_one_name(store: Path) -> None:
    """An object cannot hold two values of one name, so the question must name them apart."""
    with pytest.raises(DdzError, match=r"^error\[sql_columns\]: two columns are called a"):
        as_json(run_query(store, "SELECT 1 AS a, 2 AS a"))


@pytest.mark.parametrize("form", FORMATS)
def test_answers_without_rows_can_be_printed(form: str) -> None:
    """An empty answer is an empty list, or a header alone."""
    empty = {"table": "a\n-\n", "csv": "a\r\n", "json": "[]\n", "jsonl": ""}
    assert FORMATS[form](pa.table({"a": pa.array([], pa.int64())})) == empty[form]


def test_every_type_can_be_printed(store: Path) -> None:
    """Whatever type an answer has, each form prints it."""
    sql = (
        "SELECT sum(1) AS huge, INTERVAL 1 DAY AS span, TIME '10:00' AS hour, {'a': [1.50]} AS struct, MAP {'k': 1} AS map, "
        "uuid() AS id, 'nan'::DOUBLE AS nan, TIMESTAMPTZ '2026-01-01 00:00:00+00' AS at, NULL AS nothing"
    )
    answer = run_query(store, sql)
    for form in FORMATS.values():
        assert "2026-01-01T08:00:00+08:00" in form(answer)


def test_inert_text_is_left_alone_where_it_is_harmless() -> None:
    """Letters of any script stay, what commands a terminal is spelt out."""
    assert inert("王五 é 🂡") == "王五 é 🂡"
    assert inert("a\x1b]0;x\x07\u202eb\x9b") == "a\\x1b]0;x\\x07\\u202eb\\x9b"


def test_info_tells_what_the_store_holds(store: Path) -> None:
    """Files, hands by format, what formats can say, statuses, rejections and rule sets are counted."""
    found = info(store)
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
    assert found["formats"]["casino-log"] == {"says": [], "silent": []}
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


def test_the_digest_does_not_depend_on_parts(store: Path, tmp_path: Path) -> None:
    """The same rows in other parts, in another order, ingested at another time, have the same digest."""
    other = small_tables()
    other["hands"] = [[row for rows in reversed(other["hands"]) for row in reversed(rows)]]
    other["facts"] = list(reversed([[row] for rows in other["facts"] for row in rows]))
    other["source_files"][0][1]["ingested_at"] = datetime(2027, 1, 1, tzinfo=UTC)
    again = write_store(tmp_path / "again", other, "Asia/Shanghai")
    assert info(again)["content"] == info(store)["content"]


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
def test_the_digest_changes_with_any_value(store: Path, tmp_path: Path, table: str, changed: Row) -> None:
    """Another value anywhere gives another digest."""
    other = small_tables()
    other[table][0][0].update(changed)
    assert info(write_store(tmp_path / "other", other, "Asia/Shanghai"))["content"] != info(store)["content"]
    assert info(write_store(tmp_path / "zone", small_tables(), "UTC"))["content"] != info(store)["content"]


def test_a_whole_store_has_no_findings(store: Path) -> None:
    """Nothing is found in a store that is whole."""
    assert verify(store) == []


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


def test_views_read_the_parts_of_the_manifest(store: Path) -> None:
    """A connection shows what the manifest names now."""
    with connect(store) as connection:
        ((rows,),) = connection.sql("SELECT count(*) FROM hands").fetchall()
    assert rows == sum(part.rows for part in load_manifest(store).hands)
