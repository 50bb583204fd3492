"""Questions in SQL over the views, read only and shut in.

A question runs in memory over the store's parts as Arrow datasets, with DuckDB's access to files, extensions and settings
switched off (`sandbox`), after its syntax tree has been found to hold nothing but queries (`checking`). `child` does that in
a process of its own, which is how the command asks; `run_query` does it here, for the tool's own questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa

from ddz_analytics.query.checking import check
from ddz_analytics.query.faults import told
from ddz_analytics.query.sandbox import Limits, join, lock, sandbox
from ddz_analytics.query.summing import warnings_of
from ddz_analytics.store.catalog import Connection
from ddz_analytics.store.manifest import Manifest, load_manifest

_TELLS_COMMENTS = "duckdb_"  # the functions that list views and columns with their comments begin so

__all__ = ["Answered", "Limits", "answer", "questions", "run_query"]


@dataclass(frozen=True)
class Answered:
    """The rows of an answer, and what there is to say about the question, a line each."""

    rows: pa.Table
    notes: list[str]


def run_query(
    store: Path, sql: str, *, tables: Mapping[str, pa.Table] | None = None, limits: Limits | None = None
) -> pa.Table:
    """The rows that `answer` gives; raises as it does."""
    return answer(store, sql, tables=tables, limits=limits).rows


def answer(
    store: Path,
    sql: str,
    *,
    tables: Mapping[str, pa.Table] | None = None,
    limits: Limits | None = None,
    tz: str | None = None,
) -> Answered:
    """The answer to one SELECT, VALUES, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN over the views; `tables` can be joined by name.

    Local times are in the store's zone, or in `tz`. Raises StoreError as `load_manifest` does, `part_missing` and
    `part_unreadable`, UsageError `sql_limits`, else DdzError: `sql_refused`, `sql_statements` (not exactly one), `sql_syntax`,
    `sql_name`, `sql_timeout`, `sql_memory`, `sql_failed`.
    """
    commented = _TELLS_COMMENTS in sql.lower()
    with questions(store, tables or {}, limits or Limits(), tz, commented=commented) as ask:
        return ask(sql)


@contextmanager
def questions(
    store: Path,
    tables: Mapping[str, pa.Table],
    limits: Limits,
    tz: str | None = None,
    *,
    commented: bool = True,
) -> Iterator[Callable[[str], Answered]]:
    """What answers one question after the other about a store as it is now; see `answer`."""
    manifest = load_manifest(store)
    zone = manifest.time_zone if tz is None else tz
    try:
        with sandbox(store, manifest, limits, zone, commented=commented) as connection:
            join(connection, tables)
            lock(connection, limits)
            yield partial(_answer, connection, manifest)
    except duckdb.Error as error:
        raise told(error) from error


def _answer(connection: Connection, manifest: Manifest, sql: str) -> Answered:
    try:
        tree = check(connection, sql)
        return Answered(connection.sql(sql).to_arrow_table(), warnings_of(tree, manifest))
    except (duckdb.Error, UnicodeEncodeError) as error:
        raise told(error) from error
