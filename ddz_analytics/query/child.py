"""The process that answers a question for `ddz sql`: limits first, then the answer on stdout, then a report to its parent.

The parent writes a request (JSON) to stdin. Whatever a question does to this process, planning and printing included, the
operating system ends it when it asks for more memory or time than it may have, or when its parent is gone.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

_SHARE = 512 * 2**20  # bytes of address space that the program itself takes up
_THREADS = 4
_DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


def main() -> None:
    """Answer the request on stdin; the exit code says whether there is a report in the file that it names."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    request = json.load(sys.stdin.buffer)
    _limit(request)
    try:
        report = _report(request)
    except MemoryError:  # there may be none left to say so in words
        os._exit(request["out_of_memory"])
    with os.fdopen(request["report"], "wb") as file:
        file.write(json.dumps(report).encode())
    sys.stdout.buffer.flush()
    os._exit(0)  # nothing is left to tidy up, and freeing a large answer takes time


def _limit(request: dict[str, Any]) -> None:
    """Have this process ended with its parent, and when it takes more address space or processor time than it may."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != request["parent"]:
        os._exit(1)
    processors = min(_THREADS, os.cpu_count() or 1)
    seconds = int(request["seconds"] * processors) + 1
    for kind, most in ((resource.RLIMIT_AS, request["memory"]), (resource.RLIMIT_CPU, seconds)):
        if (
            sys.platform == "linux" or kind == resource.RLIMIT_CPU
        ):  # elsewhere address space cannot be limited
            allowed = resource.getrlimit(kind)[1]
            lowest = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
            resource.setrlimit(kind, (lowest, lowest))


def _report(request: dict[str, Any]) -> dict[str, Any]:
    from ddz_analytics.errors import DdzError, UsageError

    try:
        return {"notes": _answered(request)}
    except DdzError as error:
        said = {"code": error.code, "what": error.what, "where": error.where, "mend": error.mend}
        return {"error": said, "usage": isinstance(error, UsageError)}


def _answered(request: dict[str, Any]) -> list[str]:
    """Write the answer to stdout; what is to be said about it."""
    from ddz_analytics.answers import Form
    from ddz_analytics.answers.writing import write_answer
    from ddz_analytics.locale import said
    from ddz_analytics.locale.language import speak
    from ddz_analytics.query import Limits, answer
    from ddz_analytics.query.own_tables import read_own

    speak(request["lang"])
    if request["tz"] is not None:
        from ddz_analytics.ingest import check_zone

        check_zone(request["tz"])
    tables = {name: read_own(Path(path)) for name, path in request["tables"]}
    inside = max(request["memory"] // 4, request["memory"] - _SHARE)
    limits = Limits(request["seconds"], f"{inside // 2**20}MiB", min(_THREADS, os.cpu_count() or 1))
    store = Path(request["store"])
    answered = answer(store, request["sql"], tables=tables, limits=limits, tz=request["tz"])
    rows, most = answered.rows, request["rows"]
    notes = answered.notes
    if most is not None and rows.num_rows > most:
        notes.append(said("sql.cut", shown=most, rows=rows.num_rows))
        rows = rows.slice(0, most)
    return notes + write_answer(rows, Form(request["kind"], request["encoding"]), sys.stdout.buffer)


if __name__ == "__main__":
    main()
