"""Questions in SQL over the views, read only and shut in, and their answers as text.

A question runs in memory over the store's parts as Arrow datasets, with DuckDB's access to files, extensions and settings
switched off, after its syntax tree has been found to hold nothing but queries: a list of allowed statements would not do,
because `WITH x AS (COPY … TO …) SELECT 1` is a SELECT.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.dataset

from ddz_analytics.errors import DdzError, StoreError, UsageError
from ddz_analytics.store.catalog import TABLE_MACROS, VIEWS, Connection, define_views, describe, literal
from ddz_analytics.store.manifest import Manifest, load_manifest
from ddz_analytics.store.parts import SCHEMAS

_QUERIES = frozenset(("SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"))
# every other table function reads files or memory, runs a text as SQL, or tells of the process
_TABLE_FUNCTIONS = frozenset(
    ("range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree", "summary",
     "duckdb_columns", "duckdb_functions", "duckdb_types", "duckdb_views", "pragma_table_info", *TABLE_MACROS)
)  # fmt: skip
_OPTIONS = r"(?:\(\s*(?:analyze|format)\b[\w\s,]*\)\s*)?"
_EXPLAIN = re.compile(rf"\s*explain\s+(?:analyze\s+)?{_OPTIONS}", re.IGNORECASE)
_SHUT_IN: Mapping[str, Any] = dict.fromkeys(
    ("autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions", "allow_persistent_secrets",
     "python_enable_replacements"), False
)  # fmt: skip
_LOCK = """
SET enable_progress_bar = false; SET temp_directory = ''; SET enable_external_access = false; SET lock_configuration = true
"""
_CODES: tuple[tuple[type[duckdb.Error], str, str], ...] = (
    (duckdb.ParserException, "sql_syntax", "mend the SQL"),
    (duckdb.CatalogException, "sql_name", "`ddz sql` alone lists views and columns"),
    (duckdb.BinderException, "sql_name", "`ddz sql` alone lists views and columns"),
    (duckdb.PermissionException, "sql_refused", "only the views can be read"),
    (duckdb.InterruptException, "sql_timeout", "ask for less, or give --timeout"),
    (duckdb.OutOfMemoryException, "sql_memory", "ask for less, or give --memory"),
)


@dataclass(frozen=True)
class Limits:
    """How long a question may run (seconds), the memory it may use (such as 2GB) and its threads; None: DuckDB's own."""

    seconds: float | None = None
    memory: str | None = None
    threads: int | None = None


def run_query(
    store: Path, sql: str, *, tables: Mapping[str, pa.Table] | None = None, limits: Limits | None = None
) -> pa.Table:
    """The answer to one SELECT, VALUES, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN over the views; `tables` can be joined by name.

    Raises StoreError as `load_manifest` does, `part_missing` and `part_unreadable`, UsageError `sql_limits`, else DdzError:
    `sql_refused`, `sql_statements` (not exactly one), `sql_syntax`, `sql_name`, `sql_timeout`, `sql_memory`, `sql_failed`.
    """
    limits = limits or Limits()
    manifest = load_manifest(store)
    try:
        with _sandbox(store, manifest, limits) as connection:
            _join(connection, tables or {})
            if limits.seconds is not None:
                connection.execute(f"SET max_execution_time = {max(1, round(limits.seconds * 1000))}")
            connection.execute(_LOCK)
            _check(connection, sql)
            return connection.sql(sql).to_arrow_table()
    except duckdb.Error as error:
        raise _told(error) from error


def _sandbox(store: Path, manifest: Manifest, limits: Limits) -> Connection:
    """A connection in memory with the views over the store's parts as Arrow datasets; nothing is locked yet."""
    connection = _shut_in(limits)
    connection.execute("CREATE SCHEMA stored; USE stored")
    files = manifest.files()
    for table, columns in SCHEMAS.items():
        connection.from_arrow(_stored(store, files.get(table, ()), columns)).create_view(table)
    connection.execute("USE memory.main")
    define_views(connection, manifest.time_zone)
    describe(connection)
    connection.execute(f"SET TimeZone = {literal(manifest.time_zone)}")
    return connection


def _stored(store: Path, files: Sequence[str], columns: pa.Schema) -> Any:
    """The parts of one stored table as one Arrow dataset."""
    if not files:
        return columns.empty_table()
    try:
        return pa.dataset.dataset([str(store / path) for path in files], schema=columns, format="parquet")
    except FileNotFoundError as error:
        mend = "run the command again if another one was writing, else `ddz verify`"
        raise StoreError("part_missing", f"a part of the store is not there: {error}", mend=mend) from error


def _shut_in(limits: Limits) -> Connection:
    wanted = {"threads": limits.threads, "memory_limit": limits.memory}
    try:
        return duckdb.connect(
            config={**_SHUT_IN, **{name: value for name, value in wanted.items() if value is not None}}
        )
    except duckdb.Error as error:
        what = str(error).splitlines()[0]
        raise UsageError("sql_limits", what, mend="write memory like 2GB, and at least one thread") from error


def _join(connection: Connection, tables: Mapping[str, pa.Table]) -> None:
    for name, table in tables.items():
        if name in VIEWS:
            raise DdzError("sql_name", f"{name} is the name of a view", mend="give the table another name")
        connection.register(name, table)


def _check(connection: Connection, sql: str) -> None:
    """Refuse anything but one statement that only asks."""
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise DdzError("sql_statements", f"{len(statements)} statements", mend="give exactly one")
    kind = statements[0].type
    if kind == duckdb.StatementType.EXPLAIN:
        explained = _EXPLAIN.match(sql)
        if explained is None:
            raise _refusal("an EXPLAIN after a comment")
        _check(connection, sql[explained.end() :])
        return
    rows = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()
    try:
        tree = json.loads(rows[0][0])
    except RecursionError:
        raise _refusal("the SQL is nested too deeply") from None
    if kind != duckdb.StatementType.SELECT or tree["error"]:
        pivot = " (a PIVOT needs `ON column IN (values)`)" if kind == duckdb.StatementType.MULTI else ""
        raise _refusal(f"{kind.name} is not a question{pivot}")
    for node in _nodes(tree):
        _check_node(node)


def _nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Every object in a JSON value, however deep."""
    left = [tree]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            yield value
            left += value.values()
        elif isinstance(value, list):
            left += value


def _check_node(node: Mapping[str, Any]) -> None:
    kind = node.get("type")
    if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _QUERIES:
        raise _refusal(f"{kind.removesuffix('_NODE').removesuffix('_QUERY')} is not a question")
    if kind == "TABLE_FUNCTION":
        name = node["function"]["function_name"]
        if name.lower() not in _TABLE_FUNCTIONS:
            raise _refusal(f"the function {name} is not allowed")


def _refusal(what: str) -> DdzError:
    mend = "only SELECT, VALUES, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN over the views"
    return DdzError("sql_refused", what, mend=mend)


def _told(error: duckdb.Error) -> DdzError:
    """DuckDB's words in one line, without the excerpt of the text."""
    said = str(error).split("\n\nLINE ")[0].split("\n\nPossible solutions")[0]
    what = inert(" ".join(said.split()))
    if "reading the Arrow source failed" in what:
        return StoreError("part_unreadable", what, mend="`ddz verify` tells more")
    for kind, code, mend in _CODES:
        if isinstance(error, kind):
            return DdzError(code, what, mend=mend)
    return DdzError("sql_failed", what)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_encode = msgspec.json.Encoder(decimal_format="number").encode


def inert(text: str) -> str:
    """A text without power over a terminal: control characters, also those that turn its direction, as escapes."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def as_table(answer: pa.Table) -> str:
    """Aligned columns for people; NULL is written out, numbers stand right, no cell can command the terminal."""
    columns = [
        [inert(name), *("NULL" if cell is None else inert(cell) for cell in map(shown, column.to_pylist()))]
        for name, column in zip(answer.column_names, answer.columns, strict=True)
    ]
    right = [_is_number(column.type) for column in answer.columns]
    widths = [max(map(_width, column)) for column in columns]
    columns = [
        [_padded(cell, width, to_the_right=side) for cell in column]
        for column, width, side in zip(columns, widths, right, strict=True)
    ]
    head, *rows = ("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([head, rule, *rows]) + "\n"


def as_csv(answer: pa.Table) -> str:
    """CSV (RFC 4180) with a header; NULL is empty, and a text that a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_guarded(name) for name in answer.column_names])
    guards = [not _is_number(column.type) for column in answer.columns]
    for row in zip(*(map(shown, column.to_pylist()) for column in answer.columns), strict=True):
        writer.writerow(
            [_guarded(cell) if cell and guard else cell for cell, guard in zip(row, guards, strict=True)]
        )
    return out.getvalue()


def as_json(answer: pa.Table) -> str:
    """A JSON array with one object a row."""
    return "[" + ",\n ".join(_json_rows(answer)) + "]\n"


def as_jsonl(answer: pa.Table) -> str:
    """One JSON object a line, one line a row."""
    return "".join(row + "\n" for row in _json_rows(answer))


FORMATS = {"table": as_table, "csv": as_csv, "json": as_json, "jsonl": as_jsonl}


def _json_rows(answer: pa.Table) -> Iterator[str]:
    """Decimals are numbers with all their digits; control characters are escaped, those too that JSON would let through."""
    twice = {name for name in answer.column_names if answer.column_names.count(name) > 1}
    if twice:
        raise DdzError(
            "sql_columns", f"two columns are called {inert(min(twice))}", mend="name them apart with AS"
        )
    for row in zip(*(column.to_pylist() for column in answer.columns), strict=True):
        cells = dict(zip(answer.column_names, map(_plain, row), strict=True))
        yield _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", _encode(cells).decode())


def shown(cell: object) -> str | None:
    """A cell as text; None for NULL."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, Decimal):
        return format(cell, "f")
    if isinstance(cell, list | dict | bool):
        return _encode(_plain(cell)).decode()
    return str(_plain(cell))


def _plain(cell: Any) -> Any:
    """A cell as what JSON knows; bytes as text, what is not UTF-8 in them escaped."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    if isinstance(cell, date | datetime | time):
        return cell.isoformat()
    if isinstance(cell, dict):
        return {str(key): _plain(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [_plain(value) for value in cell]
    return cell if cell is None or isinstance(cell, bool | int | float | Decimal) else str(cell)


def _guarded(text: str) -> str:
    return "'" + text if text.startswith(_FORMULA) else text


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind) or pa.types.is_floating(kind))


def _width(text: str) -> int:
    """How many places a text takes up on a terminal: Chinese characters two, combining marks none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def _padded(text: str, width: int, *, to_the_right: bool) -> str:
    gap = " " * (width - _width(text))
    return gap + text if to_the_right else text + gap
