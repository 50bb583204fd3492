"""What goes wrong with Spark ends in one line with a code."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics import spark as on_spark
from ddz_analytics.errors import DdzError, StoreError
from ddz_analytics.rules import load_rules
from ddz_analytics.spark import frames, stores
from ddz_analytics.spark.faults import told
from ddz_analytics.spark.session import check_java, check_reachable, session
from ddz_analytics.version import VERSION
from tests.command import ddz
from tests.conftest import SPARK_MASTER
from tests.stores import played, take, ten_hands_in

JJ = load_rules("jj-classic")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with ten hands that were played out, not scored yet."""
    return ten_hands_in(tmp_path)


def program(path: Path, script: str) -> Path:
    """A program of one's own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def code_of(call: Any, *arguments: Any) -> str:
    """The code of the error in which a call ends."""
    with pytest.raises(DdzError) as error:
        call(*arguments)
    assert "\n" not in str(error.value)
    return error.value.code


def test_without_pyspark(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pyspark is not installed, the command says how to install it, and leaves the store as it was."""
    monkeypatch.setitem(sys.modules, "pyspark", None)
    before = (store / "manifest.json").read_bytes()
    run = ddz("rescore", "--engine", "spark", "--store", store, folder=tmp_path)
    assert (run.returncode, run.stdout) == (3, "")
    assert (
        run.stderr == "error[spark_missing]: pyspark is not installed, pip install 'ddz_analytics[spark]'\n"
    )
    chinese = ddz("rescore", "--engine", "spark", "--store", store, "--lang", "zh", folder=tmp_path).stderr
    assert chinese.startswith("错误[spark_missing]：没有安装 pyspark（")
    assert (store / "manifest.json").read_bytes() == before


@pytest.mark.parametrize(
    "said", ['java version "1.8.0_292"', 'openjdk version "11.0.2" 2019-01-15', "no Java at all"]
)
def test_java_that_is_too_old(said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Java before 17 is refused by what it says of itself, before Spark is started with it."""
    program(tmp_path / "bin" / "java", f"echo '{said}' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(DdzError, match=said.replace(".", r"\.")) as error:
        check_java()
    assert error.value.code == "spark_java"


def test_java_that_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Java 17 and what is newer is accepted."""
    for said in ('openjdk version "17.0.15" 2025-04-15', 'openjdk version "25" 2025-09-16'):
        program(tmp_path / "bin" / "java", f"echo '{said}' >&2")
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        check_java()


def test_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Java Spark is not tried."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert code_of(check_java) == "spark_java"


@pytest.mark.parametrize(
    "master", ["spark://127.0.0.1:{}", "spark://127.0.0.1:{},127.0.0.1:x", "spark://nobody"]
)
def test_master_that_cannot_be_reached(master: str) -> None:
    """Where nobody listens at a master's port, this is said at once."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # ours, and nobody listens
        assert code_of(check_reachable, master.format(taken.getsockname()[1])) == "spark_master"


@pytest.mark.long
@pytest.mark.usefixtures("java")
def test_master_that_is_none(store: Path, tmp_path: Path) -> None:
    """A master that Spark does not know is told with Spark's own reason, in one line, whatever Java says on the way."""
    code = "from ddz_analytics.start import main; main()"
    words = ["rescore", "--engine", "spark", "--master", "mars", "--store", str(store)]
    run = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (run.returncode, run.stderr.count("\n")) == (3, 1)
    assert run.stderr.startswith("error[spark_master]: Spark does not start there: Master must either be ")


def test_session_elsewhere(spark: Any) -> None:
    """A process that has a session does not quietly use it for another master."""

    def begin() -> None:
        with session("local[1]"):
            pass

    assert spark.sparkContext.master == SPARK_MASTER
    assert code_of(begin) == "spark_master"


def test_worker_without_the_package(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark: Any
) -> None:
    """A Python of the workers that has not what is needed, or is not there, is told as that."""
    bare = program(tmp_path / "bare" / "python", f'exec {sys.executable} -S "$@"')
    for python, reason in ((bare, "No module named"), (tmp_path / "none", "Cannot run program")):
        monkeypatch.setattr(spark.sparkContext, "pythonExec", str(python))
        with pytest.raises(DdzError, match=reason) as error:
            on_spark.rescore(store, [JJ], spark)
        assert error.value.code == "spark_worker"


def test_worker_with_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has another version of the package settles nothing."""
    monkeypatch.setattr(frames, "VERSION", "0.0.1")
    assert code_of(frames.begin_worker, "0.1.0") == "spark_worker"


def test_worker_that_does_not_see_the_store(tmp_path: Path) -> None:
    """A worker on a machine without the store's folder says so."""
    work = stores._each_task(tmp_path / "elsewhere", VERSION, len, [], iter([]))
    assert code_of(next, work) == "spark_store"


def test_error_of_a_part(store: Path, spark: Any) -> None:
    """What goes wrong with a part comes from the worker as the error that it is here, and nothing is published."""
    before = (store / "manifest.json").read_bytes()
    (part,) = store.glob("parts/facts-000001-*.parquet")
    part.write_bytes(b"no Parquet")
    with pytest.raises(StoreError) as error:
        on_spark.rescore(store, [JJ], spark)
    assert error.value.code == "part_unreadable"
    assert (store / "manifest.json").read_bytes() == before
    assert not list(store.glob("parts/settlements-0*"))


def test_folders(store: Path, tmp_path: Path, spark: Any) -> None:
    """A source that is not there or is something else, and a target that is there, are refused."""
    hands, facts = (str(next(store.glob(f"parts/{table}-000001-*"))) for table in ("hands", "facts"))
    assert code_of(on_spark.settle, spark, [f"{tmp_path}/none"], f"{tmp_path}/a", [JJ]) == "spark_source"
    assert code_of(on_spark.settle, spark, [hands], f"{tmp_path}/a", [JJ]) == "spark_columns"
    (tmp_path / "a" / "settlements").mkdir(parents=True)
    assert code_of(on_spark.settle, spark, [facts], f"{tmp_path}/a", [JJ]) == "spark_target"
    assert code_of(on_spark.read_manifest, spark, f"{tmp_path}/a") == "spark_source"


TEXTS = {
    "settle_amount": "An exception was thrown from the Python worker:\nTraceback\nx.DdzError: error[settle_amount]: what, where",
    "spark_worker": "An exception was thrown\n[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.9 than in driver: 3.11",
    "spark_failed": "An error occurred while calling o1.x.\n: SparkException: Lost task 0.0 in stage 0.0 (TID 0) (h executor driver): crashed\n\tat x",
}


@pytest.mark.parametrize("code", TEXTS)
def test_text_of_spark(code: str) -> None:
    """The texts of Spark's exceptions are cut down to the line that matters."""
    assert told(TEXTS[code]).code == code
    assert len(str(told(TEXTS[code]))) < 200


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "An error occurred while calling o1.x.\n: x.SparkException: all gone\n\tat y",
            ": x.SparkException: all gone",
        ),
        (
            "An exception was thrown from the Python worker:\nTraceback (most):\n  File x\nMemoryError: much",
            "MemoryError: much",
        ),
        (
            "Job aborted: Lost task 0.0 in stage 0.0 (TID 0) (h driver): java.io.IOException: no",
            "java.io.IOException: no",
        ),
        ("", "no reason is given"),
    ],
)
def test_reason_of_a_failure(text: str, reason: str) -> None:
    """A failure that nobody knows is told by the line that says most."""
    assert told(text).what == reason


@pytest.mark.long
@pytest.mark.usefixtures("java")
def test_interrupt(tmp_path: Path) -> None:
    """Ctrl-C while workers settle ends the command in one line, with nothing published and no process left."""
    (tmp_path / "log.jsonl").write_bytes(played(2000, 3))
    store = tmp_path / "store"
    take(store, tmp_path / "log.jsonl")
    grid = [f"--set=events.bomb={','.join(map(str, range(2, 40)))}", "--set=cap.doublings=1,2,3,4,5,6,7,8,9"]
    words = [
        "rescore",
        "--engine",
        "spark",
        "--master",
        SPARK_MASTER,
        "--rules=jj-classic",
        *grid,
        "--store",
        str(store),
    ]
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # not so where tests run in the background
    code = f"{heeds}; from ddz_analytics.start import main; main()"
    before = (store / "manifest.json").read_bytes()
    with subprocess.Popen(
        [sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        while not list(store.glob("parts/settlements-0*")):
            assert run.poll() is None
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        said = run.communicate(timeout=60)[1]
    assert (run.returncode, said) == (130, "interrupted: nothing was published that was not whole\n")
    assert (store / "manifest.json").read_bytes() == before
