"""What can go wrong around a store, with real processes: the disk is full or read-only, files vanish, two write, one reads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz_analytics.errors import DdzError
from ddz_analytics.query import run_query
from tests.command import ddz
from tests.stores import content, lines, played, take
from tests.test_cli import DDZ

RESCORE = ("rescore", "--rules", "jj-classic,qq-classic,happy", "--jobs", "1")


def small_disk(folder: Path, kilobytes: int) -> None:
    """Mount a small disk in memory, or skip the test where that is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if (
        shutil.which("mount") is None
        or os.geteuid() != 0
        or subprocess.run(command, capture_output=True, check=False).returncode
    ):
        pytest.skip("this machine does not allow mounting a small disk")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB."""
    small_disk(tmp_path / "disk", 1024)
    yield tmp_path / "disk"
    subprocess.run(["umount", str(tmp_path / "disk")], check=True)


def test_full_disk(disk: Path, tmp_path: Path) -> None:
    """When the disk is full the command says so and the store is as it was; with room again a rerun does it all."""
    (tmp_path / "small.jsonl").write_bytes(lines(0, 3))
    (tmp_path / "big.jsonl").write_bytes(played(3000))
    store = disk / "store"
    assert ddz("ingest", "small.jsonl", "--store", store, folder=tmp_path).returncode == 0
    before, listed = content(store), sorted(store.rglob("*"))
    for jobs in ("1", "2"):
        run = ddz("ingest", "big.jsonl", "--store", store, "--jobs", jobs, folder=tmp_path)
        assert (run.returncode, run.stdout) == (3, "")
        assert "No space left on device" in run.stderr
        assert len(run.stderr.splitlines()) == 1
        assert (content(store), sorted(store.rglob("*"))) == (before, listed)
    run = ddz("export", "hands", "-o", disk / "x.jsonl", "--store", store, folder=tmp_path)
    assert run.returncode == 0
    (disk / "x.jsonl").unlink()
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
    assert "3000 stored" in ddz("ingest", "big.jsonl", "--store", store, folder=tmp_path).stdout
    assert ddz("verify", "--store", store, folder=tmp_path).stdout == "the store is whole\n"


def test_read_only_folder(disk: Path, tmp_path: Path) -> None:
    """A store on a disk that cannot be written is read as ever, and every command that would write says so in one line."""
    (tmp_path / "log.jsonl").write_bytes(lines(0, 3))
    store = disk / "store"
    assert ddz("ingest", "log.jsonl", "--store", store, folder=tmp_path).returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    question = ("sql", "SELECT count(*) AS n FROM hands", "--format", "csv", "--store", store)
    assert ddz(*question, folder=tmp_path).stdout.split() == ["n", "3"]
    for command in (
        ["ingest", "log.jsonl"], ["ingest", "log.jsonl", "--reparse"], ["forget", "ann"], list(RESCORE),
        ["remove", "--source", "log.jsonl"], ["rejected", "purge", "--all"], ["rejected", "retry"],
    ):  # fmt: skip
        run = ddz(*command, "--store", store, folder=tmp_path)
        assert run.returncode == 3, command
        assert run.stderr.startswith(("error[store_unwritable]", "error[input_output]"))
        assert "Read-only file system" in run.stderr and len(run.stderr.splitlines()) == 1
    run = ddz("ingest", "log.jsonl", "--store", disk / "another", folder=tmp_path)
    assert (run.returncode, len(run.stderr.splitlines())) == (3, 1)


def test_vanished_file(tmp_path: Path) -> None:
    """A file that vanishes while those before it are read ends the ingest with its name, and nothing is stored."""
    assert ddz("simulate", "--hands", "20000", "-o", "a.jsonl", folder=tmp_path).returncode == 0
    (tmp_path / "b.jsonl").write_bytes(lines(0, 3))
    with subprocess.Popen(
        [*DDZ, "ingest", "a.jsonl", "b.jsonl", "--jobs", "1"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as run:
        while not list((tmp_path / "ddz-store").glob("tmp-*/hands-*")) and run.poll() is None:
            time.sleep(0.01)
        (tmp_path / "b.jsonl").unlink()
        _, told = run.communicate(timeout=120)
    assert run.returncode == 3
    assert told == "error[input_output]: the system says: No such file or directory, b.jsonl\n"
    assert not (tmp_path / "ddz-store" / "manifest.json").exists()


def test_two_ingests_at_once(tmp_path: Path) -> None:
    """While one ingest waits for its input, a second one is told who holds the store; the first then ends well."""
    (tmp_path / "log.jsonl").write_bytes(lines(5, 8))
    with subprocess.Popen(
        [*DDZ, "ingest", "-"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        assert first.stdin is not None
        while not list((tmp_path / "ddz-store").glob("tmp-*")) and first.poll() is None:
            time.sleep(0.01)
        second = ddz("ingest", "log.jsonl", folder=tmp_path)
        printed, _ = first.communicate(lines(0, 3), timeout=60)
    assert second.returncode == 3
    assert second.stderr.startswith("error[store_locked]: another command is writing to the store (pid ")
    assert f"(pid {first.pid} on " in second.stderr
    assert b"3 read = 3 stored" in printed
    assert "3 read = 3 stored" in ddz("ingest", "log.jsonl", folder=tmp_path).stdout


def test_readers_during_publishes(tmp_path: Path) -> None:
    """Who asks while others ingest, compact and re-score sees the store before or after each publish, and never half of one."""
    store = tmp_path / "store"
    (tmp_path / "0.jsonl").write_bytes(played(30, seed=10))
    take(store, tmp_path / "0.jsonl")
    for number in range(1, 5):
        (tmp_path / f"{number}.jsonl").write_bytes(played(30, seed=10 + number))
    work = "; ".join(
        f"main_with('ingest', '{tmp_path}/{number}.jsonl', '--store', '{store}', '--jobs', '1')"
        for number in range(1, 5)
    )
    code = (
        "import sys\nfrom ddz_analytics.cli import ddz\n"
        f"def main_with(*words): ddz.main(list(words), standalone_mode=False)\n{work}\n"
    )
    question = (
        "SELECT (SELECT count(*) FROM hands) AS hands, (SELECT count(*) FROM hand_facts) AS facts, "
        "(SELECT count(DISTINCT hand_id) FROM plays) AS played, (SELECT sum(stored) FROM source_files)::BIGINT AS stored"
    )
    seen = []
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL) as writer:
        while writer.poll() is None:
            try:
                (row,) = run_query(store, question).to_pylist()
            except DdzError as error:  # two publishes came while it was asking
                assert error.code in ("part_missing", "part_unreadable")
                continue
            seen.append(row)
    assert writer.returncode == 0
    assert seen
    for row in seen:
        assert row["hands"] == row["facts"] == row["stored"] and row["hands"] % 30 == 0
        assert row["played"] <= row["hands"]
    assert run_query(store, question).to_pylist()[0]["hands"] == 150
