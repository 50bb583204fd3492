"""Tables as batches of text: CSV of every kind, Parquet, folders like `key=value`, SQL dumps, and what is wrong with a row."""

from __future__ import annotations

import gzip
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.mapping.formats import TableFormat
from ddz_analytics.mapping.tables import ABOUT_THE_ROW, read_table

FAULT = ("@line", "@code", "@raw")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a test."""
    return tmp_path / "table"


def rows(path: Path, wanted: tuple[str, ...] = (), **how: Any) -> list[dict[str, Any]]:
    """Every row of a file."""
    batches = read_table([(str(path), path)], TableFormat(**how), wanted)
    return [row for batch in batches for row in batch.to_pylist()]


def values(path: Path, wanted: tuple[str, ...] = (), **how: Any) -> list[tuple[str | None, ...]]:
    """The values of every row of a file that has nothing wrong with it."""
    found = rows(path, wanted, **how)
    assert not [row for row in found if row["@code"]]
    return [tuple(text for name, text in row.items() if name not in ABOUT_THE_ROW.names) for row in found]


def faults(path: Path, **how: Any) -> list[tuple[Any, ...]]:
    """Line, code and bytes of every row that cannot be read; it has no values."""
    bad = [row for row in rows(path, **how) if row["@code"]]
    assert all(row[name] is None for row in bad for name in row if name not in ABOUT_THE_ROW.names)
    return [tuple(row[name] for name in FAULT) for row in bad]


def test_values_are_the_text_that_stands_there(file: Path) -> None:
    """No value is converted: leading zeros, blanks, formulas and words stay as they are, and an empty value is null."""
    file.write_text('id,name,n\n007, x ,1e3\n"=cmd(""a"")",,true\n')
    assert values(file) == [("007", " x ", "1e3"), ('=cmd("a")', None, "true")]


def test_where_a_row_stands(file: Path) -> None:
    """A row has its file, the line on which it begins and its bytes, also where values hold line ends."""
    file.write_bytes(b'a,b\r\n"1\r\n\r\n2",x\r\n\r\n3,y')
    found = [(row["@file"], row["@line"], row["@raw"]) for row in rows(file)]
    assert found == [(str(file), 2, b'"1\r\n\r\n2",x\r\n'), (str(file), 6, b"3,y")]


def test_any_delimiter_quote_and_null(file: Path) -> None:
    """Delimiter, quote and the texts for null are as the mapping says."""
    file.write_text("a|b|c\n'x|y'|NULL|-\n")
    assert values(file, delimiter="|", quote="'", null=["NULL", "-"]) == [("x|y", None, None)]


def test_text_with_escapes(file: Path) -> None:
    """Text as databases write it to files: tabs, backslashes, and a backslash with N for null."""
    file.write_bytes(b"1\t\\N\ta\\tb\n2\tx\\\ty\\\nz\t\\\\N\n")
    how: dict[str, Any] = {"delimiter": "\t", "quote": "", "escape": "\\", "header": False, "columns": "abc"}
    assert values(file, **how) == [("1", None, "a\tb"), ("2", "x\ty\nz", "\\N")]
    file.write_bytes(b"1\t2\t3\\")
    assert faults(file, **how) == [(1, "bad_row", b"1\t2\t3\\")]


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "utf-16", "utf-8-sig"])
def test_encodings(file: Path, encoding: str) -> None:
    """Any encoding is read, with or without a mark at the beginning."""
    file.write_bytes("名,牌\n甲,A\n".encode(encoding))
    assert values(file, encoding=encoding) == [("甲", "A")]
    assert rows(file, encoding=encoding)[0]["名"] == "甲"


def test_mark_at_the_beginning(file: Path) -> None:
    """The mark that some programs put before UTF-8 belongs to no name."""
    file.write_bytes(b"\xef\xbb\xbfid\n1\n")
    assert rows(file)[0]["id"] == "1"


def test_rows_that_are_not_like_the_others(file: Path) -> None:
    """A row with too few or too many values, wrong bytes, a NUL or wrong quotes is a fault with its bytes; the others are read."""
    file.write_bytes(b'a,b\n1\n1,2,3\n\xff,2\n1,\0\n"x"y,2\n5,6\n"7,8\n')
    assert faults(file) == [
        (2, "bad_row", b"1\n"),
        (3, "bad_row", b"1,2,3\n"),
        (4, "bad_encoding", b"\xff,2\n"),
        (5, "not_text", b"1,\0\n"),
        (6, "bad_row", b'"x"y,2\n'),
        (8, "bad_row", b'"7,8\n'),
    ]
    assert [row["a"] for row in rows(file) if not row["@code"]] == ["5"]


def test_huge_value(file: Path) -> None:
    """A value without measure is a fault of its row, and the next row is read."""
    file.write_bytes(b"a,b\n" + b"x" * 200_000 + b",1\n2,3\n" + b"y" * (17 << 20) + b"\n4,5\n")
    assert [fault[:2] for fault in faults(file)] == [(2, "too_large"), (4, "too_large")]
    assert [row["a"] for row in rows(file) if not row["@code"]] == ["2", "4"]


def test_quote_that_does_not_end(file: Path) -> None:
    """A quote that is never closed takes no more with it than the largest value, and what follows is read."""
    line = b"1,2\n"
    file.write_bytes(b'a,b\n"' + line * 100_000)
    found = rows(file)
    assert found[0]["@code"] == "too_large"
    assert len(found) > 60_000


def test_broken_header(file: Path) -> None:
    """A header that is no text is one fault of the file."""
    file.write_bytes(b"a,\xff\n1,2\n")
    assert [row["@code"] for row in rows(file, wanted=("a",))] == ["bad_encoding"]
    file.write_bytes(b"")
    assert rows(file, wanted=("a",)) == []


def test_missing_column(file: Path) -> None:
    """A column that is not there is an error that names those that are."""
    file.write_bytes(b"gid,role\n1,2\n")
    with pytest.raises(DdzError, match=r"'game_id'.*there are: gid, role") as error:
        rows(file, wanted=("game_id",))
    assert error.value.code == "mapping_column"
    file.write_bytes(b"gid,gid\n1,2\n")
    with pytest.raises(DdzError, match="'gid' is there twice"):
        rows(file)


def test_compressed(file: Path) -> None:
    """A compressed table is read like a plain one; one that is cut off ends in a fault."""
    packed = gzip.compress(b"a,b\n" + b"1,2\n" * 5000)
    file.write_bytes(packed)
    assert len(values(file)) == 5000
    file.write_bytes(packed[:-12])
    assert rows(file, wanted=("a",))[-1]["@code"] == "truncated"


def test_folders_are_columns(tmp_path: Path) -> None:
    """Folders named like a column and its value are columns of every row below them."""
    found = []
    for folder in ("day=2026-01-02/room=a%2Fb", "day=__HIVE_DEFAULT_PARTITION__/room=c"):
        path = tmp_path / folder / "part.csv"
        path.parent.mkdir(parents=True)
        path.write_text("x\n1\n")
        found += values(path, wanted=("day", "room", "x"))
    assert found == [("2026-01-02", "a/b", "1"), (None, "c", "1")]


def test_parquet(file: Path) -> None:
    """Of a Parquet file every value is its exact text, a list is JSON, and a row has its number."""
    table = {
        "i": [2**62, None],
        "d": [Decimal("1.50"), Decimal("-0.01")],
        "f": [3.0, 0.1],
        "b": [True, False],
        "l": [[1, 2], []],
        "s": ["♠2", ""],
        "t": pa.array([0, 1500], pa.timestamp("ms", "UTC")),
    }
    pq.write_table(pa.table(table), file)
    assert values(file, null=["x"]) == [
        ("4611686018427387904", "1.50", "3", "true", "[1,2]", "♠2", "1970-01-01 00:00:00.000Z"),
        (None, "-0.01", "0.1", "false", "[]", "", "1970-01-01 00:00:01.500Z"),
    ]
    assert [row["@line"] for row in rows(file)] == [1, 2]
    assert rows(file)[1]["@raw"].startswith(b'{"i":null,"d":"-0.01"')


def test_parquet_of_bytes_that_are_no_text(file: Path) -> None:
    """Bytes of a Parquet file that are no text, and a NUL, are faults of their rows."""
    pq.write_table(pa.table({"a": [b"x", b"\xff", b"\0"]}), file)
    assert [fault[:2] for fault in faults(file)] == [(2, "not_text"), (3, "not_text")]


def test_damaged_parquet(file: Path) -> None:
    """A Parquet file whose end is missing is truncated; one whose end is there and says nothing cannot be read."""
    pq.write_table(pa.table({"a": ["x"]}), file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    assert [fault[:2] for fault in faults(file)] == [(1, "truncated")]
    file.write_bytes(whole[:-20] + b"\0" * 16 + b"PAR1")
    assert [fault[:2] for fault in faults(file)] == [(1, "unsupported_mode")]


@pytest.mark.parametrize(
    ("name", "said"), [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-32", "UTF-32")]
)
def test_wide_encodings_are_named(file: Path, name: str, said: str) -> None:
    """A table in UTF-16 or UTF-32 is one fault that names it; with its encoding it is read."""
    file.write_text("id,name\n1,x\n", name)
    (row,) = rows(file)
    assert row["@code"] == "bad_encoding" and said in row["@detail"]
    assert values(file, encoding=name) == [("1", "x")]


@pytest.mark.parametrize(
    "how",
    [
        {"encoding": "klingon"},
        {"encoding": "hex"},
        {"encoding": "undefined"},
        {"encoding": "idna"},
        {"encoding": "u\0"},
        {"escape": "\\"},
        {"delimiter": '"'},
        {"header": False},
        {"columns": ("a",)},
        {"columns": ("a", "a"), "header": False},
        {"format": "sql"},
        {"dumped": "t"},
    ],
)
def test_ways_that_cannot_be(file: Path, how: dict[str, Any]) -> None:
    """A way to write tables that cannot be is refused."""
    file.touch()
    with pytest.raises(UsageError) as error:
        rows(file, **how)
    assert error.value.code == "mapping_value"
