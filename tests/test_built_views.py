"""The file of views: who trusts it, who goes on without it, and that a publish only points it to other parts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ddz_analytics.store import open_store, open_writer
from ddz_analytics.store.catalog import FILE_NAME, build_catalog, connect
from tests.small_store import ask, small_tables, write_store
from tests.stores import lines, take


def test_views_that_somebody_changed(tmp_path: Path) -> None:
    """Views that are not, byte for byte, those that were built are not asked, and the next writer builds them anew."""
    store = tmp_path / "store"
    log = tmp_path / "a.ddz.jsonl"
    log.write_bytes(lines(0, 3))
    take(store, log)
    count = "SELECT count(*) FROM hands"
    with duckdb.connect(str(store / FILE_NAME)) as changed:
        changed.execute("CREATE OR REPLACE VIEW hands AS SELECT 1 AS hand_id")
        assert ask(changed, count) == [(1,)]
    with connect(store) as connection:
        assert ask(connection, count) == [(3,)]
    with open_writer(store), duckdb.connect(str(store / FILE_NAME), read_only=True) as built:
        assert ask(built, count) == [(3,)]


HOLDS = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
time.sleep(60)
"""


def test_views_that_a_client_holds(tmp_path: Path) -> None:
    """While another program has opened the file of views for writing, the tool goes on without it."""
    store = write_store(tmp_path / "store", small_tables())
    assert open_store(store).catalog().exists()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(store / FILE_NAME)], stdout=subprocess.PIPE
    ) as client:
        assert client.stdout is not None
        assert client.stdout.readline() == b"held\n"
        with pytest.raises(duckdb.IOException, match="lock"):
            duckdb.connect(str(store / FILE_NAME), read_only=True)
        with connect(store) as connection:
            assert ask(connection, "SELECT count(*) FROM hands") == [(6,)]
        client.kill()


def test_views_that_were_pointed_to_other_parts(tmp_path: Path) -> None:
    """After several publishes the views, and what is said of them, are those of a file that is built anew."""
    store, log = tmp_path / "store", tmp_path / "a.ddz.jsonl"
    for number in range(3):
        log.write_bytes(lines(0, number + 1))
        take(store, log)
    (tmp_path / "empty").mkdir()
    build_catalog(tmp_path / "empty" / FILE_NAME, tmp_path / "empty", {})
    said = "SELECT view_name, sql, comment FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal ORDER BY ALL"
    with (
        duckdb.connect(str(store / FILE_NAME), read_only=True) as grown,
        duckdb.connect(str(tmp_path / "empty" / FILE_NAME), read_only=True) as new,
    ):
        assert ask(grown, said) == ask(new, said) != []
        assert ask(grown, "SELECT count(*) FROM hands") == [(3,)]
