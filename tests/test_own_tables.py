"""Own tables joined by `--with`: what their columns become, and what is refused."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.query import run_query
from ddz_analytics.query.own_tables import read_own
from tests.command import ddz


def column(tmp_path: Path, *values: str, name: str = "x", ending: str = "csv") -> tuple[str, list[Any]]:
    """The type and the values of one column of a CSV file, beside another."""
    delimiter = "\t" if ending == "tsv" else ","
    file = tmp_path / f"own.{ending}"
    file.write_text("".join(f"{value}{delimiter}1\n" for value in (name, *values)), "utf-8")
    table = read_own(file)
    return str(table[name].type), table[name].to_pylist()


@pytest.mark.parametrize(
    ("values", "kind", "read"),
    [
        (["7", "-12", ""], "int64", [7, -12, None]),
        (["007", "12"], "string", ["007", "12"]),
        (["+3"], "string", ["+3"]),
        (["1e5"], "string", ["1e5"]),
        (["-0.50", "3"], "decimal128(3, 2)", [Decimal("-0.50"), Decimal(3)]),
        (["1234567890123456789"], "string", ["1234567890123456789"]),
        (["2026-01-02"], "date32[day]", [date(2026, 1, 2)]),
        (["2026-02-30"], "string", ["2026-02-30"]),
        (["2026-01-02 03:04:05"], "timestamp[us]", [datetime(2026, 1, 2, 3, 4, 5)]),
        (["2026-01-02T03:04:05+08:00"], "string", ["2026-01-02T03:04:05+08:00"]),
        (["true", "False"], "bool", [True, False]),
        (["", ""], "string", [None, None]),
        (['" a, ""b"""', "王五"], "string", [' a, "b"', "王五"]),
        ([], "string", []),
    ],
)
def test_a_column_is_what_all_of_its_values_are(
    tmp_path: Path, values: list[str], kind: str, read: list[Any]
) -> None:
    """A column of CSV is a number, a day or a truth value only where every value is written as one, else text as it stands."""
    assert column(tmp_path, *values) == (kind, read)


@pytest.mark.parametrize("name", ["player", "player_1", "id", "team_id", "source_hand_id"])
def test_names_and_ids_stay_text(tmp_path: Path, name: str) -> None:
    """Columns of ids and players are text whatever they look like, but for the store's own numbers of hands and deals."""
    assert column(tmp_path, "7", name=name) == ("string", ["7"])
    assert column(tmp_path, "7", name="hand_id", ending="tsv") == ("int64", [7])


def test_json_lines_and_parquet_say_themselves_what_a_value_is(tmp_path: Path) -> None:
    """Texts, numbers, truth values and nulls come as they are written; a key that a line lacks is null there."""
    (tmp_path / "a.jsonl").write_text('{"id":"007","n":1,"x":1.10}\n{"id":"8","n":null,"x":2}\n{"id":"9"}\n')
    rows = read_own(tmp_path / "a.jsonl").to_pylist()
    assert rows[0] == {"id": "007", "n": 1, "x": Decimal("1.10")}
    assert rows[1:] == [{"id": "8", "n": None, "x": Decimal("2.00")}, {"id": "9", "n": None, "x": None}]
    pq.write_table(pa.table({"id": ["007"]}), tmp_path / "a.parquet")
    assert read_own(tmp_path / "a.parquet").to_pylist() == [{"id": "007"}]


@pytest.mark.parametrize(
    ("name", "content", "code", "place"),
    [
        ("a.csv", b"a,b\n1\n", "table_row", "a.csv:2"),
        ("a.csv", b"a,b\n1,2,3\n", "table_row", "a.csv:2"),
        ("a.csv", b'a,b\n1,"x\n', "table_row", "a.csv:2"),
        ("a.csv", b"a,b\n1,\xff\n", "table_row", "a.csv:2"),
        ("a.csv", b"", "table_columns", "a.csv"),
        ("a.csv", b"a,A\n1,2\n", "table_columns", "a.csv"),
        ("a.csv", b"a,\n1,2\n", "table_columns", "a.csv"),
        ("a.jsonl", b'{"a":1}\n{"a":\n', "table_row", "a.jsonl:2"),
        ("a.jsonl", b"[1]\n", "table_row", "a.jsonl:1"),
        ("a.jsonl", b'{"a":1}\n{"a":1,"a":2}\n', "table_row", "a.jsonl:2"),
        ("a.jsonl", b'{"a":99999999999999999999}\n', "table_columns", "a.jsonl"),
        ("a.jsonl", b'{"a":NaN}\n', "table_row", "a.jsonl:1"),
        ("a.jsonl", b'{"a":[1]}\n', "table_columns", "a.jsonl"),
        ("a.jsonl", b'{"a":1}\n{"a":"x"}\n', "table_columns", "a.jsonl"),
        ("a.parquet", b"PAR1", "table_row", "a.parquet"),
        ("a.xlsx", b"PK", "table_kind", "a.xlsx"),
    ],
)
def test_a_table_that_is_none_is_refused(
    tmp_path: Path, name: str, content: bytes, code: str, place: str
) -> None:
    """A file that is not what it should be is one line with its place; nothing of it is read."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError) as raised:
        read_own(tmp_path / name)
    assert (raised.value.code, raised.value.where) == (code, str(tmp_path / place))
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    """No file is never an empty table."""
    with pytest.raises(UsageError, match=r"^error\[table_missing\]"):
        read_own(tmp_path / "nowhere.csv")


@pytest.mark.parametrize("name", ["hands", "Hands", "paired_scores", "select", "Table"])
def test_a_name_that_is_taken_is_refused(six_hands: Path, name: str) -> None:
    """A table is called like no view, macro or word of SQL, in whichever letters."""
    with pytest.raises(DdzError, match=r"^error\[sql_name\]"):
        run_query(six_hands, "SELECT 1", tables={name: pa.table({"a": [1]})})


def test_the_command_joins_an_own_table(six_hands: Path, tmp_path: Path) -> None:
    """`--with NAME=FILE` can be joined by its name; a name that is no identifier is refused."""
    (tmp_path / "teams.csv").write_text("player,team\nann,red\nbo,blue\n")
    sql = "SELECT team FROM teams JOIN hand_seats USING (player) WHERE hand_id = 1 ORDER BY team"
    run = ddz(
        "sql", "--store", six_hands, "--with", "teams=teams.csv", "--format", "csv", sql, folder=tmp_path
    )
    assert (run.returncode, run.stdout.split()) == (0, ["team", "blue", "red"])
    run = ddz("sql", "--store", six_hands, "--with", "my teams=teams.csv", sql, folder=tmp_path)
    assert (run.returncode, run.stderr[:15]) == (2, "error[sql_with]")
