"""The views over tables in memory, for tests that ask them of many small stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from ddz_analytics.store.catalog import Connection, define_views
from ddz_analytics.store.parts import SCHEMAS
from tests.small_store import Row, table


@contextmanager
def views_over(tables: Mapping[str, Sequence[Row] | pa.Table]) -> Iterator[Connection]:
    """Every view over these stored tables, given as rows or as Arrow tables; the others are empty."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA stored; SET TimeZone = 'UTC'")
        for name in SCHEMAS:
            given = tables.get(name, ())
            connection.register("given", given if isinstance(given, pa.Table) else table(name, given))
            connection.execute(f"CREATE TABLE stored.{name} AS SELECT * FROM given")
            connection.unregister("given")
        define_views(connection, "UTC")
        yield connection
