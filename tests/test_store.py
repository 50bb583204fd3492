"""The store: one manifest, one writer, many readers, and nothing lost or halved when a process is killed."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ddz_analytics.errors import StoreError
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store import create_writer, open_store, open_writer
from ddz_analytics.store.parts import SCHEMAS
from tests.stores import apart, column, content, lines, played, take

POINTS = ("part_written", "before_manifest_rename", "after_manifest_rename", "before_catalog_rename")
KILLED = -9

INGEST = """
import sys
from pathlib import Path
from ddz_analytics import workers
from ddz_analytics.ingest import intake
from ddz_analytics.ingest import Options, ingest
intake.HANDS_PER_PART, workers.LONG = 10, 0.0
ingest(Path(sys.argv[1]), [sys.argv[2]], Options(jobs=int(sys.argv[3])))
"""

HOLD = """
import sys, time
from pathlib import Path
from ddz_analytics.store import open_writer
with open_writer(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""

RESCORE = """
import sys
from pathlib import Path
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
rescore(Path(sys.argv[1]), [load_rules("jj-classic"), load_rules("qq-classic")])
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with three hands."""
    (tmp_path / "first.jsonl").write_bytes(lines(0, 3))
    take(tmp_path / "store", tmp_path / "first.jsonl")
    return tmp_path / "store"


def code_of(error: pytest.ExceptionInfo[StoreError]) -> str:
    return error.value.code


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def views_of(store: Path) -> int:
    with duckdb.connect(str(store / "ddz.duckdb"), read_only=True) as connection:
        (row,) = connection.execute("SELECT count(*) FROM hands").fetchall()
        return int(row[0])


def test_missing_store(tmp_path: Path) -> None:
    """Where there is no store, reading and writing are errors and no empty result."""
    for open_it in (open_store, lambda path: open_writer(path).__enter__()):
        with pytest.raises(StoreError) as error:
            open_it(tmp_path / "nowhere")
        assert code_of(error) == "store_missing"
    assert not (tmp_path / "nowhere").exists()


def test_newer_store(store: Path) -> None:
    """A store of a layout that this version does not know says so."""
    manifest = json.loads((store / "manifest.json").read_text())
    (store / "manifest.json").write_text(json.dumps({**manifest, "layout": 2, "novelty": []}))
    with pytest.raises(StoreError, match="layout 2") as error:
        open_store(store)
    assert code_of(error) == "store_newer"


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"layout": 1, "unheard_of": 0}', '{"layout": 1, "hands": [{"path": "../x"}]}']
)
def test_damaged_manifest(store: Path, text: str) -> None:
    """A manifest that says anything unknown, or nothing, is not guessed at."""
    (store / "manifest.json").write_text(text)
    with pytest.raises(StoreError) as error:
        open_store(store)
    assert code_of(error) == "store_damaged"


def test_lost_manifest(store: Path, tmp_path: Path) -> None:
    """A store whose manifest was lost is not taken for a new one, and its parts stay."""
    (store / "manifest.json").unlink()
    before = names(store / "parts")
    with pytest.raises(StoreError) as error:
        take(store, tmp_path / "first.jsonl")
    assert code_of(error) == "store_damaged"
    assert names(store / "parts") == before


def test_missing_part(store: Path) -> None:
    """A part that is gone is an error and no fewer rows."""
    next((store / "parts").glob("hands-0*")).unlink()
    with pytest.raises(StoreError) as error:
        open_store(store).read("hands")
    assert code_of(error) == "part_unreadable"


def test_other_folder(tmp_path: Path) -> None:
    """A folder with other things in it, or a file, is not made a store."""
    (tmp_path / "thesis.txt").write_text("mine")
    for path in (tmp_path, tmp_path / "thesis.txt"):
        with pytest.raises(StoreError) as error, create_writer(path):
            pass
        assert code_of(error) == "store_not_empty"
    assert names(tmp_path) == {"thesis.txt"}


def test_empty_store(tmp_path: Path) -> None:
    """A store without hands has every table and every view, without rows."""
    (tmp_path / "empty.jsonl").touch()
    take(tmp_path / "store", tmp_path / "empty.jsonl")
    store = open_store(tmp_path / "store")
    for table, schema in SCHEMAS.items():
        assert store.read(table).schema == schema
        assert store.read(table).num_rows == (table == "source_files")
    assert views_of(tmp_path / "store") == 0


def test_store_holds_only_its_own(store: Path) -> None:
    """After an ingest there are no working files, and every part is named by the manifest."""
    found = names(store)
    (mark,) = {name for name in found if name.startswith("views-")}
    assert found == {"manifest.json", "parts", "ddz.duckdb", "ddz.built", "lock", mark}
    assert {f"parts/{name}" for name in names(store / "parts")} == set(open_store(store).manifest.live())


def test_second_writer(store: Path) -> None:
    """A second writer is refused with the process id and host of the first, and may write when that is done."""
    with open_writer(store):
        with (
            pytest.raises(StoreError, match=f"pid {os.getpid()} on {socket.gethostname()}") as error,
            open_writer(store),
        ):
            pass
        assert code_of(error) == "store_locked"
        assert open_store(store).read("hands").num_rows == 3
    with open_writer(store):
        pass


def test_lock_of_a_killed_writer(store: Path) -> None:
    """The lock of a writer that was killed is free, and its working files go."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match=f"pid {holder.pid} on"), open_writer(store):
            pass
        holder.kill()
    assert any(store.glob("tmp-*"))
    with open_writer(store):
        pass
    assert not any(store.glob("tmp-*"))


def test_reader_keeps_its_manifest(store: Path, tmp_path: Path) -> None:
    """A reader sees the publish that it opened, whole, while and after another one is published."""
    before = open_store(store)
    (tmp_path / "second.jsonl").write_bytes(lines(3, 8))
    take(store, tmp_path / "second.jsonl", tmp_path / "first.jsonl", reparse=True)
    assert before.read("hands").num_rows == 3
    assert open_store(store).read("hands").num_rows == 8


def test_garbage_goes(store: Path) -> None:
    """What no manifest names is removed by the next writer."""
    shutil.copy(
        store / open_store(store).manifest.hands[0].path, store / "parts" / "hands-000009-000001.parquet"
    )
    (store / "tmp-1").mkdir()
    (store / "manifest.json.new").touch()
    with open_writer(store):
        pass
    test_store_holds_only_its_own(store)


def test_failed_writer_leaves_nothing(store: Path) -> None:
    """A writer that fails before it publishes takes its parts with it."""
    before = content(store)
    with pytest.raises(RuntimeError), open_writer(store) as writer:
        (store / writer.new_part("hands")).touch()
        raise RuntimeError
    test_store_holds_only_its_own(store)
    assert content(store) == before


def test_missing_views_are_built_by_a_reader(store: Path) -> None:
    """A reader that finds no views builds them."""
    (store / "ddz.duckdb").unlink()
    assert open_store(store).catalog() == store / "ddz.duckdb"
    assert views_of(store) == 3


def test_missing_views_while_another_writes(store: Path) -> None:
    """While another command is writing, missing views are an error that names it."""
    (store / "ddz.duckdb").unlink()
    with open_writer(store):
        (store / "ddz.duckdb").unlink()
        with pytest.raises(StoreError, match=f"pid {os.getpid()}") as error:
            open_store(store).catalog()
        assert code_of(error) == "catalog_missing"


def test_stale_views(store: Path) -> None:
    """Views of another manifest are read on while another command writes, and are built anew by the next writer."""
    (store / "ddz.built").write_text("manifest 0")
    with open_writer(store):
        assert (store / "ddz.built").read_text().startswith("manifest 1 ")
        (store / "ddz.built").write_text("manifest 0")
        assert open_store(store).catalog().exists()
        assert (store / "ddz.built").read_text() == "manifest 0"
    open_store(store).catalog()
    assert (store / "ddz.built").read_text().startswith("manifest 1 ")


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("begun", [False, True], ids=["fresh", "with hands"])
def test_killed_ingest(tmp_path: Path, point: str, *, begun: bool) -> None:
    """An ingest killed at any point leaves the old or the new content, and run again the content of one that was not killed."""
    (tmp_path / "first.jsonl").write_bytes(lines(0, 3))
    (tmp_path / "log.jsonl").write_bytes(played(20) + b"{}\n")
    killed, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    if begun:
        take(undisturbed, tmp_path / "first.jsonl")
        take(killed, tmp_path / "first.jsonl")
    before = content(killed) if begun else None
    take(undisturbed, tmp_path / "log.jsonl")
    assert apart(INGEST, killed, tmp_path / "log.jsonl", "1", crash_at=point).returncode == KILLED
    if point in ("part_written", "before_manifest_rename"):
        assert (content(killed) if begun else None) == before
        assert begun or not (killed / "manifest.json").exists()
    else:
        assert content(killed) == content(undisturbed)
    take(killed, tmp_path / "log.jsonl")
    assert content(killed) == content(undisturbed)
    assert views_of(killed) == (23 if begun else 20)


@pytest.mark.parametrize("point", POINTS)
def test_killed_rescore(tmp_path: Path, point: str) -> None:
    """A re-scoring killed at any point leaves all settlements or none, and run again those of one that was not killed."""
    (tmp_path / "log.jsonl").write_bytes(played(20))
    killed, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    take(undisturbed, tmp_path / "log.jsonl")
    take(killed, tmp_path / "log.jsonl")
    rescore(undisturbed, [load_rules("jj-classic"), load_rules("qq-classic")])
    assert apart(RESCORE, killed, crash_at=point).returncode == KILLED
    assert len(column(killed, "settlements", "hand_id")) in (0, 40)
    rescore(killed, [load_rules("jj-classic"), load_rules("qq-classic")])
    assert content(killed) == content(undisturbed)


def test_killed_worker(store: Path, tmp_path: Path) -> None:
    """When a worker process is killed, the ingest fails with one clear error and stores nothing."""
    before = content(store)
    (tmp_path / "log.jsonl").write_bytes(played(20))
    ended = apart(INGEST, store, tmp_path / "log.jsonl", "2", crash_at="part_written")
    assert ended.returncode == 1
    assert "error[worker_died]" in ended.stderr.splitlines()[-1]
    assert content(store) == before
    assert not any(store.glob("tmp-*"))


def test_workers_of_a_killed_ingest(store: Path, tmp_path: Path) -> None:
    """When an ingest is killed, its worker processes end too."""
    (tmp_path / "log.jsonl").write_bytes(played(20))
    ended = apart(INGEST, store, tmp_path / "log.jsonl", "2", crash_at="before_manifest_rename")
    assert ended.returncode == KILLED  # and whoever still had its output open would have kept us waiting
