"""What the tests of the store share: small logs, ingesting them, and the content of a store as one digest."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from ddz_analytics.ingest import Options, ingest
from ddz_analytics.ingest.summary import Counts, Summary
from ddz_analytics.rules import load_rules
from ddz_analytics.simulate import simulate
from ddz_analytics.store import open_store
from ddz_analytics.store.parts import SCHEMAS

# 17 cards each and the bottom, all 54; nobody bid
THROWN_IN: dict[str, Any] = {
    "format": "ddz/1",
    "players": ["ann", "bo", "cy"],
    "dealt": ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA222"],
    "bottom": "2BR",
    "landlord": None,
    "actions": [],
    "outcome": "redeal",
}


def line(source_id: str, **changes: Any) -> bytes:
    """A deal that was thrown in, as a line of `ddz/1`."""
    return json.dumps({**THROWN_IN, "id": source_id, "table": "t1", **changes}).encode() + b"\n"


def lines(begin: int, end: int) -> bytes:
    """Such lines with the numbers from `begin` up to `end` as their ids."""
    return b"".join(line(f"{number:04d}") for number in range(begin, end))


@cache
def played(hands: int, seed: int = 1) -> bytes:
    """Hands that were played out, as lines of `ddz/1`."""
    return b"".join(
        each + b"\n" for each in simulate(load_rules("jj-classic"), hands=hands, seed=seed, players=12)
    )


def take(store: Path, *paths: Path | str, **options: Any) -> Summary:
    """Ingest some paths; the counts of every source and their sums add up."""
    summary = ingest(store, [str(path) for path in paths], Options(**options))
    for counts in (*(file.counts for file in summary.files), summary.total):
        assert counts.read == counts.stored + counts.duplicate + counts.rejected + counts.skipped
    return summary


def ten_hands_in(folder: Path) -> Path:
    """A store of ten hands that were played out, not scored yet, below a folder, of its `log.jsonl`."""
    (folder / "log.jsonl").write_bytes(played(10))
    take(folder / "store", folder / "log.jsonl")
    return folder / "store"


def take_counts(store: Path, *paths: Path | str, **options: Any) -> tuple[int, int, int, int]:
    """Ingest some paths: how many records were stored, duplicate, rejected and skipped in all."""
    total = take(store, *paths, **options).total
    return total.stored, total.duplicate, total.rejected, total.skipped


def counts_of(summary: Summary) -> dict[str, Counts]:
    """The counts of each source by the last part of its path."""
    return {file.path.rpartition("/")[2]: file.counts for file in summary.files}


def column(store: Path, table: str, name: str) -> list[Any]:
    """One column of a stored table."""
    values: list[Any] = open_store(store).read(table, [name])[name].to_pylist()
    return values


def content(store: Path) -> str:
    """A digest of every row of every table, in order, but for the time of the ingest and the place of the sources."""
    digest = hashlib.sha256()
    for table in SCHEMAS:
        rows = open_store(store).read(table)
        kept = [name for name in rows.column_names if name not in ("ingested_at", "path", "source_path")]
        digest.update(json.dumps([table, rows.select(kept).to_pylist()], default=str).encode())
    return digest.hexdigest()


def apart(code: str, *arguments: Path | str, crash_at: str = "") -> subprocess.CompletedProcess[str]:
    """Run some Python in a process of its own that is killed at a crash point, if one is named."""
    environment = {**os.environ, "DDZ_CRASH_AT": crash_at}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def parts_of(store: Path) -> dict[str, bytes]:
    """Every live part but that of the ledger, which holds the time."""
    paths = set(open_store(store).manifest.live())
    return {path: (store / path).read_bytes() for path in paths if "source_files-0" not in path}
