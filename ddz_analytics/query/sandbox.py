"""A connection that can read the views of one store and nothing else.

Files stay out of reach because the parts are handed in as Arrow datasets before DuckDB's access to anything outside is
switched off for good; DuckDB's own lists of allowed paths would not do, since they allow writing too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset

from ddz_analytics.errors import DdzError, StoreError, UsageError
from ddz_analytics.store.catalog import TABLE_MACROS, VIEWS, Connection, define_views, describe, literal
from ddz_analytics.store.manifest import Manifest
from ddz_analytics.store.parts import SCHEMAS

_SHUT_IN: Mapping[str, Any] = dict.fromkeys(
    ("autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions", "allow_persistent_secrets",
     "python_enable_replacements"), False
)  # fmt: skip
_LOCK = """
SET enable_progress_bar = false; SET temp_directory = ''; SET enable_external_access = false; SET lock_configuration = true
"""


@dataclass(frozen=True)
class Limits:
    """How long a question may run (seconds), the memory it may use (such as 2GB) and its threads; None: DuckDB's own."""

    seconds: float | None = None
    memory: str | None = None
    threads: int | None = None


def sandbox(store: Path, manifest: Manifest, limits: Limits, zone: str, *, commented: bool) -> Connection:
    """A connection in memory with the views over the store's parts as Arrow datasets; nothing is locked yet.

    Local times are in `zone`. That views are `commented` takes a quarter of a second.
    """
    connection = _shut_in(limits)
    connection.execute("CREATE SCHEMA stored; USE stored")
    files = manifest.files()
    for table, columns in SCHEMAS.items():
        connection.from_arrow(_stored(store, files.get(table, ()), columns)).create_view(table)
    connection.execute("USE memory.main")
    define_views(connection, zone)
    if commented:
        describe(connection)
    connection.execute(f"SET TimeZone = {literal(zone)}")
    return connection


def join(connection: Connection, tables: Mapping[str, pa.Table]) -> None:
    """Let tables be read by their names; raises DdzError `sql_name` for one that is taken, or that would need quotes."""
    taken = {*VIEWS, *TABLE_MACROS}
    reserved = connection.execute(
        "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
    ).fetchall()
    words = {word for (word,) in reserved}
    for name, table in tables.items():
        if name.lower() in taken | words:
            what = f"{name} is {'a word of SQL' if name.lower() in words else 'the name of a view'}"
            raise DdzError("sql_name", what, mend="give the table another name")
        connection.register(name, table)


def lock(connection: Connection, limits: Limits) -> None:
    """Switch off, for good, what reaches outside, and set the time that a question may take."""
    if limits.seconds is not None:
        connection.execute(f"SET max_execution_time = {max(1, round(limits.seconds * 1000))}")
    connection.execute(_LOCK)


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
