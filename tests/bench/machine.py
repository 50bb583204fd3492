"""What a benchmark ran on: processor, cores, memory, and versions; nothing that names the machine or a place on it."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ddz_analytics.version import VERSION

PACKAGES = ("duckdb", "msgspec", "numpy", "pandas", "pyarrow", "rlcard")


def machine() -> dict[str, object]:
    """The processor's model, how many cores this process may use, and the memory in bytes."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.system(),
    }


def versions() -> dict[str, str]:
    """The version of this tool, of Python, and of the packages that do the work."""
    found = {"ddz_analytics": VERSION, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _processor() -> str:
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        found = None
    return found[1].strip() if found else platform.machine()
