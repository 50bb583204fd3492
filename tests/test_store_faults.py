"""A disk that is full, a folder that may not be written, two writers at once, readers meanwhile: one clear error, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from ddz_analytics.errors import DdzError, StoreError
from ddz_analytics.query import run_query
from ddz_analytics.store import open_store
from ddz_analytics.verify import verify
from tests.killing import Job, content
from tests.stores import lines, played, take

MB = 1 << 20
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
DDZ = "from ddz_analytics.cli import main; main()"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of six megabytes; skipped where none may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if (
        mount is None
        or subprocess.run(
            [mount, "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], capture_output=True
        ).returncode
    ):
        pytest.skip("no small disk can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def ddz(*words: object, before: str = "") -> tuple[int, str]:
    """Run the command in a process, after some Python: its exit code and what it says on stderr."""
    run = subprocess.run(
        [sys.executable, "-c", before + DDZ, *map(str, words)], capture_output=True, text=True, timeout=300
    )
    return run.returncode, run.stderr


def test_full_disk(disk: Path, tmp_path: Path) -> None:
    """When the disk is full an ingest is one clear error, the store is as before, and with room again a rerun completes it."""
    (tmp_path / "first").write_bytes(lines(0, 5))
    (tmp_path / "log").write_bytes(played(400))
    store = disk / "store"
    take(store, tmp_path / "first")
    before = content(store)
    (disk / "ballast").write_bytes(bytes(shutil.disk_usage(disk).free - 60_000))
    code, said = ddz("ingest", tmp_path / "log", "--store", store, "--jobs", 1)
    assert (code, said.count("\n")) == (3, 1), said
    assert said.startswith("error[input_output]: ") and "No space left on device" in said
    (disk / "ballast").unlink()
    assert content(store) == before
    take(store, tmp_path / "log")
    take(tmp_path / "store", tmp_path / "first")
    take(tmp_path / "store", tmp_path / "log")
    assert content(store) == content(tmp_path / "store")


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), duckdb.OutOfMemoryException("x")])
def test_views_that_cannot_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Where only the views cannot be built, it is said that all is stored; they are built as soon as they can be, and no old ones shown."""

    def fails(*_: object, **__: object) -> None:
        raise fault

    (tmp_path / "log").write_bytes(lines(0, 5))
    store = tmp_path / "store"
    take(store, tmp_path / "log")
    (tmp_path / "log").write_bytes(lines(0, 6))
    with monkeypatch.context() as patch:
        patch.setattr("ddz_analytics.store.catalog.build_catalog", fails)
        with pytest.raises(StoreError) as error:
            take(store, tmp_path / "log")
        assert (error.value.code, "everything is stored" in error.value.what) == ("views_unbuilt", True)
        assert not list(store.glob("*.new"))
        with pytest.raises(StoreError, match="not built"):
            open_store(store).catalog()
    assert run_query(store, "SELECT count(*) AS n FROM hands").to_pylist() == [{"n": 6}]


@pytest.mark.parametrize("size", [4096, 20_000, 100_000])
def test_file_that_may_not_grow(tmp_path: Path, size: int) -> None:
    """Wherever the system refuses to write on, an ingest is one clear error and the store is as before."""
    (tmp_path / "first").write_bytes(lines(0, 5))
    (tmp_path / "log").write_bytes(played(400))
    store = tmp_path / "store"
    take(store, tmp_path / "first")
    before = content(store)
    code, said = ddz(
        "ingest", tmp_path / "log", "--store", store, "--jobs", 1, before=LIMITED.format(size=size)
    )
    assert (code, said.count("\n")) == (3, 1), said
    assert said.startswith("error[input_output]: ")
    assert content(store) == before


def test_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """A store that may not be written is one clear error, and is read all the same."""
    (tmp_path / "first").write_bytes(lines(0, 5))
    (tmp_path / "log").write_bytes(lines(5, 9))
    store = tmp_path / "store"
    take(store, tmp_path / "first")
    for folder in (store / "lock", store / "parts", store):
        folder.chmod(folder.stat().st_mode & ~0o222)
    try:
        if os.access(store, os.W_OK):
            pytest.skip("this user may write everywhere")
        with pytest.raises(StoreError) as error:
            take(store, tmp_path / "log")
        assert error.value.code == "store_unwritable"
        assert run_query(store, "SELECT count(*) AS n FROM hands").to_pylist() == [{"n": 5}]
    finally:
        for folder in (store, store / "parts", store / "lock"):
            folder.chmod(folder.stat().st_mode | 0o200)


def test_readers_and_a_second_writer_meanwhile(tmp_path: Path) -> None:
    """While one ingests, readers see a whole publish, old or new, and a second writer is told who holds the lock."""
    (tmp_path / "first").write_bytes(lines(0, 5))
    (tmp_path / "log").write_bytes(played(600))
    store = tmp_path / "store"
    take(store, tmp_path / "first")
    seen: set[int] = set()
    refused = 0
    with Job("ingest", tmp_path / "log", hands=60).start(store) as process:
        while process.poll() is None:
            seen.add(
                run_query(
                    store, "SELECT count(*) AS n FROM hands JOIN hand_facts USING (hand_id)"
                ).to_pylist()[0]["n"]
            )
            try:
                take(store, tmp_path / "first")
            except DdzError as error:
                refused += error.code == "store_locked" and f"pid {process.pid} on" in str(error)
        assert process.communicate()[1] == ""
    seen.add(run_query(store, "SELECT count(*) AS n FROM hands").to_pylist()[0]["n"])
    assert seen == {5, 605}
    assert refused
    assert verify(store) == []
