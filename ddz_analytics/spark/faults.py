"""What goes wrong on Spark, in a line: its exceptions carry the stack traces of two languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ddz_analytics.errors import DdzError

_OURS = re.compile(r"Error: error\[([a-z_]+)\]: (.*)")
_NO_WORKER = re.compile(
    r"ModuleNotFoundError: (No module named '\w+)|(Cannot run program \S+?):"
    r"|PYTHON_VERSION_MISMATCH\] (.+)|PACKAGE_NOT_INSTALLED\] (.+)"
)
_PATH = re.compile(r"\[PATH_(NOT_FOUND|ALREADY_EXISTS)\] .*?(\w+:\S+?)\.?(?:\s|$)")
_TASK = re.compile(r"Lost task \S+ in stage .*?\): (.*)")
_STARTS = ("An error occurred while calling", "An exception was thrown from the Python worker", "Traceback")


@contextmanager
def plain_spark_faults() -> Iterator[None]:
    """Whatever Spark refuses in here ends in a DdzError.

    `spark_worker`: a worker's Python cannot run this package; `spark_source`, `spark_target`: a path that is not there, or is
    there already; `spark_failed`: anything else; or the error of this package that a worker met.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException, ConnectionError) as error:
        raise told(str(error)) from error


def told(text: str) -> DdzError:
    """The error that an exception of Spark's is about."""
    ours = _OURS.search(text)
    if ours:
        return DdzError(ours[1], ours[2])
    no_worker = _NO_WORKER.search(text)
    if no_worker:
        reason = next(filter(None, no_worker.groups())).replace("'", "")
        mend = "PYSPARK_PYTHON names a Python there that has ddz_analytics: docs/spark.md"
        return DdzError("spark_worker", f"the workers' Python: {reason}", mend=mend)
    path = _PATH.search(text)
    if path and path[1] == "NOT_FOUND":
        return DdzError("spark_source", "there is nothing to read", where=path[2], mend="mend the path")
    if path:
        mend = "name a new folder; what stands there is not written over"
        return DdzError("spark_target", "the folder is there already", where=path[2], mend=mend)
    return DdzError("spark_failed", _reason(text), mend="Spark's own log says more")


def _reason(text: str) -> str:
    """The line that says most: what the task died of, else the last line of a Python worker's trace, else the first line."""
    task = _TASK.search(text)
    if task:
        return task[1]
    lines = [line for line in text.splitlines() if line.strip()]
    python = [line for line in lines if re.match(r"[\w.]*(?:Error|Exception)\b", line)]
    return next(
        iter(python[-1:] or [line for line in lines if not line.startswith(_STARTS)]), "no reason is given"
    )
