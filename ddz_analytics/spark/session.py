"""A Spark session as this package wants it; what is missing for one is said before a Java process starts."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from ddz_analytics.errors import DdzError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST_JAVA = 17
_PATIENCE = 5  # seconds in which a master answers, be it only with a refusal
_STDERR = 2
_ALWAYS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.speculation": "false",  # a part is written by one task
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_LOOPBACK = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}


@contextmanager
def session(master: str = "local[*]", settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """A Spark session at a master, stopped in the end; one that runs there already in this process is used, and goes on.

    `settings` are Spark's own, beside those of spark-defaults.conf. Workers on this machine run this Python unless PYSPARK_PYTHON
    names another. Raises DdzError `spark_missing` (pyspark), `spark_java` (none, or too old), `spark_master` (it cannot be
    reached, or this process has a session at another one).
    """
    check_pyspark()
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        _check_same(running.sparkContext.master, master)
        yield running
        return
    check_java()
    check_reachable(master)
    on_interrupt = signal.getsignal(signal.SIGINT)
    spark = _started(master, settings or {})
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, on_interrupt)  # Spark's own calls Java in the middle of another call
    try:
        yield spark
    finally:
        spark.stop()


def check_pyspark() -> None:
    """Raise DdzError `spark_missing` where pyspark cannot be imported."""
    try:
        import pyspark  # noqa: F401 - whether it is there
    except ImportError as error:
        mend = "pip install 'ddz_analytics[spark]'"
        raise DdzError("spark_missing", "pyspark is not installed", mend=mend) from error


def check_java() -> None:
    """Raise DdzError `spark_java` where there is no Java, or one that is too old for Spark."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{home}/bin" if home else None)
    mend = f"install Java {OLDEST_JAVA} or newer, and name its folder in JAVA_HOME"
    if java is None:
        raise DdzError("spark_java", "there is no Java", where=home or "", mend=mend)
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    number = re.search(r'version "(?:1\.)?(\d+)', said)
    if number is None or int(number[1]) < OLDEST_JAVA:
        first = next(iter(said.splitlines()), "says no version")
        raise DdzError("spark_java", f"this Java will not do: {first}", where=java, mend=mend)


def check_reachable(master: str) -> None:
    """Raise DdzError `spark_master` where nobody listens at a master `spark://HOST:PORT`: Spark itself would wait a minute."""
    if not master.startswith("spark://"):
        return
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), _PATIENCE).close()
        except (OSError, ValueError) as error:
            last = error
        else:
            return
    raise _no_master(master, str(last)) from last


def _check_same(running: str, master: str) -> None:
    if running != master:
        mend = "stop it, or name its master"
        raise DdzError(
            "spark_master", f"this process has a Spark session at {running}", where=master, mend=mend
        )


def _no_master(master: str, reason: str) -> DdzError:
    mend = "--master is local[N], spark://HOST:PORT, yarn or k8s://HOST:PORT"
    return DdzError("spark_master", f"Spark does not start there: {reason}", where=master, mend=mend)


def _started(master: str, settings: Mapping[str, str]) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    is_local = master.startswith("local")
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if is_local:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("ddz_analytics")
    for name, value in {**_ALWAYS, **(_LOOPBACK if is_local else {}), **settings}.items():
        builder = builder.config(name, value)
    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    logging.getLogger().addFilter(_is_not_of_py4j)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    with TemporaryFile() as log:
        try:
            with _stderr_into(log):
                return builder.getOrCreate()
        except (Py4JError, PySparkException) as error:
            log.seek(0)
            raise _no_master(master, _reason(log.read().decode(errors="replace")) or str(error)) from error


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    """Whether a record comes from elsewhere than py4j, which shows the traceback of each interrupt, in part under no name."""
    return "/py4j/" not in record.pathname


@contextmanager
def _stderr_into(log: IO[bytes]) -> Iterator[None]:
    """What processes that start in here write to stderr goes into a file as long as they live."""
    kept = os.dup(_STDERR)
    os.dup2(log.fileno(), _STDERR)
    try:
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)


def _reason(log: str) -> str:
    """The last thing that a log says went wrong."""
    found = re.findall(r"^.*(?:Exception: |ERROR \w+: )(.*)$", log, re.MULTILINE)
    return found[-1] if found else ""
