"""A store somewhere else than it was made: its views find the parts beside themselves, and never those of another store."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from ddz_analytics.store import open_store, open_writer
from tests.stores import column, lines, take


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with three hands."""
    (tmp_path / "first.jsonl").write_bytes(lines(0, 3))
    take(tmp_path / "store", tmp_path / "first.jsonl")
    return tmp_path / "store"


def views_of(store: Path) -> int:
    """How many hands a plain client counts."""
    with duckdb.connect(str(store / "ddz.duckdb"), read_only=True) as connection:
        (row,) = connection.execute("SELECT count(*) FROM hands").fetchall()
        return int(row[0])


def test_moved_store(store: Path, tmp_path: Path) -> None:
    """A store that was moved or copied is read where it is now, also by a client of DuckDB that knows nothing of it."""
    copied = Path(shutil.copytree(store, tmp_path / "a copy"))
    moved = store.rename(tmp_path / "it's moved")
    for place in (moved, copied):
        assert column(place, "hands", "source_hand_id") == ["0000", "0001", "0002"]
        assert views_of(place) == 3
    shutil.rmtree(copied / "parts")
    with pytest.raises(duckdb.IOException):
        views_of(copied)
    open_store(moved).catalog()
    assert views_of(moved) == 3


def test_views_keep_to_their_own_store(store: Path, tmp_path: Path) -> None:
    """Views attached beside those of another store read that one's parts in no case, though they have the same names."""
    (tmp_path / "log.jsonl").write_bytes(lines(3, 8))
    take(tmp_path / "other", tmp_path / "log.jsonl")
    count = "SELECT count(*) FROM a.hands UNION ALL SELECT count(*) FROM b.hands"
    both = (
        f"ATTACH '{store}/ddz.duckdb' AS a (READ_ONLY); ATTACH '{tmp_path}/other/ddz.duckdb' AS b (READ_ONLY)"
    )
    with duckdb.connect() as connection:
        assert sorted(connection.execute(both).execute(count).fetchall()) == [(3,), (5,)]
    with duckdb.connect(str(store / "ddz.duckdb"), read_only=True) as connection:
        connection.execute(f"ATTACH '{tmp_path}/other/ddz.duckdb' AS b (READ_ONLY)")
        with pytest.raises(duckdb.IOException):
            connection.execute("SELECT count(*) FROM b.hands").fetchall()


def test_a_mark_lives_as_long_as_the_parts_it_stands_for(store: Path, tmp_path: Path) -> None:
    """A client that opened the views before an ingest reads on after it, as before, until the writer after that."""
    (tmp_path / "log.jsonl").write_bytes(lines(3, 8))
    with duckdb.connect(str(store / "ddz.duckdb"), read_only=True) as connection:
        take(store, tmp_path / "log.jsonl")
        assert connection.execute("SELECT count(*) FROM hands").fetchall() == [(3,)]
        with open_writer(store):
            pass
    assert len(list(store.glob("views-*"))) == 1
    assert views_of(store) == 8
