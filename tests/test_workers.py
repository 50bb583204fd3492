"""Processes that work side by side."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ddz_analytics.workers import LONG, workers

_STOPPED = """
import os, signal
from ddz_analytics.workers import LONG, workers

def own_id(_: int) -> int:
    return os.getpid()

if __name__ == "__main__":
    with workers(2) as run:
        for worker in set(run(own_id, range(20), LONG)):
            os.kill(worker, signal.SIGSTOP)
    print("left")
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system stops no processes")
def test_leaving_waits_for_no_worker_that_does_not_answer(tmp_path: Path) -> None:
    """When all results are in, workers are not asked to leave: one that can no longer be reached would never do."""
    (tmp_path / "stopped.py").write_text(_STOPPED)
    done = subprocess.run(
        [sys.executable, "stopped.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.returncode) == ("left\n", 0), done.stderr


def test_workers_of_another_run_go_on() -> None:
    """The end of one run ends its own processes only."""
    with workers(2) as outer:
        before = {*outer(_own_id, range(8), LONG)}
        with workers(2) as inner:
            assert before.isdisjoint(inner(_own_id, range(8), LONG))
        assert len([*outer(_own_id, range(8), LONG)]) == 8


def _own_id(_: int) -> int:
    return os.getpid()


_LISTED = """
import sys
import pyarrow as pa
from ddz_analytics.without_pandas import leave_pandas_out

leave_pandas_out()
table = pa.table({"cards": [17, 20]})
print("pandas" in sys.modules, table.to_pandas().cards.sum())
"""


def test_pandas_is_loaded_only_where_it_is_asked_for() -> None:
    """Left out once, pandas is not loaded by a list that Arrow is given, and is there for who wants a DataFrame."""
    done = subprocess.run([sys.executable, "-c", _LISTED], capture_output=True, text=True, check=True)
    assert done.stdout == "False 37\n"
