"""SQL dumps as tables: which rows are read, and which statements are refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.mapping import sqltokens
from tests.test_mapping_tables import faults, rows, values


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a test."""
    return tmp_path / "dump"


DUMP = """-- a dump; with 'one quote
/*!40101 SET NAMES utf8 */;
CREATE TABLE `games` (
  `id` int(11) NOT NULL AUTO_INCREMENT COMMENT 'a, b',
  `room` varchar(10) DEFAULT NULL,
  PRIMARY KEY (`id`), KEY `x` (`room`,`id`)
) ENGINE=InnoDB;
INSERT INTO `other` VALUES (1,'(;)');
INSERT INTO `games` VALUES (1,'it''s'),
(2,NULL),(-3,'a\\'b\\\\');
INSERT INTO db.games (room, id) VALUES ('x;y', 4) ON DUPLICATE KEY UPDATE id = 4;
"""


def test_dump(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows that are inserted into one table of a dump are read, whatever else stands there, in blocks of any size."""
    file.write_text(DUMP)
    for block in (1 << 20, 1, 7):
        monkeypatch.setattr(sqltokens, "BLOCK", block)
        found = values(file, ("id", "room"), format="sql", escape="\\", dumped="games")
        assert found == [("1", "it's"), ("2", None), ("-3", "a'b\\"), ("4", "x;y")]
    where = [
        (row["@line"], row["@raw"]) for row in rows(file, ("id",), format="sql", escape="\\", dumped="games")
    ]
    assert where == [(9, b"(1,'it''s')"), (10, b"(2,NULL)"), (10, b"(-3,'a\\'b\\\\')"), (11, b"('x;y', 4)")]


def test_dump_of_the_other_kind(file: Path) -> None:
    """Names in double quotes, types after a value, words for truth, and strings in which a backslash is one."""
    file.write_text(
        """INSERT INTO public."Plays" ("game", at, auto) VALUES ('1\\', '2026-01-02'::timestamp(3) with time zone, true);\n"""
        """INSERT INTO public."Plays" VALUES (E'a\\tb', .5::numeric(3,1), false);"""
    )
    how: dict[str, Any] = {"format": "sql", "dumped": "Plays", "columns": ("game", "at", "auto")}
    assert values(file, ("game", "at", "auto"), **how) == [
        ("1\\", "2026-01-02", "true"),
        ("a\tb", ".5", "false"),
    ]


def test_rows_of_a_dump_that_cannot_be_read(file: Path) -> None:
    """A call, an expression, a row with too few values and a string that does not end are faults; the rows between are read."""
    file.write_text(
        "INSERT INTO t (a,b) VALUES (now(),1),(1+1,2),(5),(6,7);\nINSERT INTO t (a,b) VALUES (8,'x"
    )
    assert faults(file, format="sql", dumped="t") == [
        (1, "bad_row", b"(now(),1)"),
        (1, "bad_row", b"(1+1,2)"),
        (1, "bad_row", b"(5)"),
        (2, "bad_row", b"(8,'"),
        (2, "truncated", b""),
    ]
    assert [row["b"] for row in rows(file, ("b",), format="sql", dumped="t") if not row["@code"]] == ["7"]


def test_copied_rows(file: Path) -> None:
    """Rows that a dump copies are refused by name where they are wanted and passed over where not."""
    file.write_text("COPY t (a) FROM stdin;\n1\t'\n\\.\nINSERT INTO u (a) VALUES (2);\n")
    assert [fault[:2] for fault in faults(file, format="sql", dumped="t")] == [(1, "unsupported_mode")]
    assert values(file, format="sql", dumped="u") == [("2",)]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO t SELECT * FROM u;",
        "INSERT INTO t (a) SELECT x FROM (VALUES (3)) v;",
        "INSERT INTO t (SELECT a FROM u);",
        "INSERT INTO t SET a = 3;",
        "REPLACE INTO t TABLE u;",
        "INSERT INTO t (a) VALUES ROW(3), ROW(4);",
        "UPDATE t SET a = 3;",
        "update only db.`t` set a = 3;",
        "DELETE FROM t WHERE a = 1;",
        "TRUNCATE TABLE t;",
        "DROP TABLE IF EXISTS t;",
        "MERGE INTO t USING u ON t.a = u.a;",
        "LOAD DATA INFILE 'x' INTO TABLE t;",
        "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x;",
        "CREATE TABLE t AS SELECT 3 AS a;",
        "CREATE TABLE t (a int) ENGINE=x SELECT 3 AS a;",
    ],
)
def test_statements_that_change_a_table_unread(file: Path, statement: str) -> None:
    """What adds, changes or takes away rows in another way than by VALUES is a fault by name; the rows that are read stay."""
    file.write_text(f"INSERT INTO t (a) VALUES (1);\n{statement}\nINSERT INTO t (a) VALUES (2);\n")
    assert [fault[:2] for fault in faults(file, format="sql", dumped="t")] == [(2, "unsupported_mode")]
    assert [row["a"] for row in rows(file, format="sql", dumped="t") if not row["@code"]] == ["1", "2"]


def test_statements_that_change_nothing_read(file: Path) -> None:
    """What empties a table before its rows, or is about another table, is passed over, and so is what follows VALUES."""
    file.write_text(
        "DROP TABLE IF EXISTS t;\nCREATE TABLE t (a int DEFAULT 1);\nDELETE FROM t;\nTRUNCATE t;\n"
        "INSERT INTO t (a) OVERRIDING SYSTEM VALUE VALUES (1);\nINSERT INTO t (a) VALUE (2) ON DUPLICATE KEY UPDATE a = 3;\n"
        "UPDATE u SET a = 1;\nDELETE FROM u;\nDROP TRIGGER t;\nINSERT INTO u SELECT * FROM t;\n"
        "WITH x AS (SELECT * FROM t) SELECT * FROM x;\nALTER TABLE t ADD PRIMARY KEY (a);\nCREATE TABLE u AS SELECT * FROM t;\n"
    )
    assert values(file, format="sql", dumped="t") == [("1",), ("2",)]
    assert faults(file, format="sql", dumped="t") == []
