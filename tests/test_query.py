"""Questions over a store: what is answered, what is refused, within which limits."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest

from ddz_analytics.errors import DdzError, StoreError
from ddz_analytics.info import info
from ddz_analytics.query import Limits, run_query
from ddz_analytics.store.catalog import VIEWS
from ddz_analytics.verify import verify
from tests.small_store import Row, small_tables, write_store


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
def test_questions_are_answered(six_hands: Path, sql: str, rows: list[Row]) -> None:
    """Queries of every kind run over the views, in the store's time zone."""
    assert run_query(six_hands, sql).to_pylist() == rows


def test_views_can_be_described(six_hands: Path) -> None:
    """SHOW lists the views and nothing else; DESCRIBE, SUMMARIZE and EXPLAIN tell of one; comments can be read."""
    assert sorted(run_query(six_hands, "SHOW TABLES")["name"].to_pylist()) == sorted(VIEWS)
    assert run_query(six_hands, "DESCRIBE flows")["column_name"].to_pylist()[-1] == "amount"
    assert run_query(six_hands, "SUMMARIZE flows").num_rows == 7
    assert "explain_value" in run_query(six_hands, "explain (SELECT 1)").column_names
    assert "explain_value" in run_query(six_hands, "EXPLAIN (FORMAT json) SELECT 1").column_names
    assert "explain_value" in run_query(six_hands, "EXPLAIN ANALYZE SELECT count(*) FROM hands").column_names
    comment = "SELECT comment FROM duckdb_columns() WHERE table_name = 'flows' AND column_name = 'amount'"
    assert run_query(six_hands, comment)["comment"].to_pylist() == [
        "What passes; always more than 0. / 数额；总大于 0。"
    ]


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
    six_hands: Path, sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that writes, reads files, changes settings or runs a text as SQL is run, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert refused(six_hands, sql) == "sql_refused"
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
def test_mistakes_have_codes(six_hands: Path, sql: str, code: str) -> None:
    """A faulty question ends in one line with a code."""
    assert refused(six_hands, sql) == code


def test_a_question_has_limits(six_hands: Path) -> None:
    """A question that runs too long or takes too much memory is stopped."""
    assert (
        refused(six_hands, "SELECT count(*) FROM range(1000000), range(1000000)", Limits(seconds=0.2))
        == "sql_timeout"
    )
    many = "SELECT count(DISTINCT a.range * 10000 + b.range) FROM range(3000) AS a, range(10000) AS b"
    assert refused(six_hands, many, Limits(memory="60MB", threads=1)) == "sql_memory"
    assert run_query(six_hands, "SELECT 1 AS n", limits=Limits(seconds=60, memory="2GB")).num_rows == 1


@pytest.mark.parametrize("limits", [Limits(memory="2 potatoes"), Limits(threads=0)])
def test_limits_that_make_no_sense_are_refused(six_hands: Path, limits: Limits) -> None:
    """A memory or a number of threads that DuckDB does not understand is the caller's mistake."""
    assert refused(six_hands, "SELECT 1", limits) == "sql_limits"


@pytest.mark.parametrize(("cut", "code"), [(0, "part_missing"), (300, "part_unreadable")])
def test_a_broken_part_is_told_as_such(tmp_path: Path, cut: int, code: str) -> None:
    """A part that is gone or cut off ends a question, and what the tool asks itself, in one line about the store."""
    broken_store = write_store(tmp_path / "store", small_tables())
    part = broken_store / "parts" / "hands-1.parquet"
    kept = part.read_bytes()[:cut]
    part.unlink()
    if cut:
        part.write_bytes(kept)
    assert refused(broken_store, "SELECT max(player) FROM hand_seats") == code
    with pytest.raises(
        StoreError, match=r"^error\[part_unreadable\]: a part of the store cannot be read: .*hands-1"
    ):
        info(broken_store)


def test_own_tables_can_be_joined(six_hands: Path) -> None:
    """A table that is handed in can be joined by its name, unless that is a view's."""
    teams = pa.table({"player": ["ann", "bo"], "team": ["red", "blue"]})
    sql = "SELECT team FROM teams JOIN hand_seats USING (player) WHERE hand_id = 1 ORDER BY team"
    assert run_query(six_hands, sql, tables={"teams": teams})["team"].to_pylist() == ["blue", "red"]
    with pytest.raises(DdzError, match="hands is the name of a view"):
        run_query(six_hands, "SELECT 1", tables={"hands": teams})


def test_variables_of_the_program_are_no_tables(six_hands: Path) -> None:
    """A table of the running program is not found by the name of its variable."""
    secret = pa.table({"a": [1]})
    assert secret.num_rows == 1
    assert refused(six_hands, "SELECT * FROM secret") == "sql_name"


def test_a_missing_store_is_an_error(tmp_path: Path) -> None:
    """No store is never an empty answer."""
    for ask in (lambda: run_query(tmp_path, "SELECT 1"), lambda: info(tmp_path), lambda: verify(tmp_path)):
        with pytest.raises(StoreError, match=r"^error\[store_missing\]"):
            ask()
