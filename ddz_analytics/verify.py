"""Whether a store is whole: every part readable and as its manifest says, ids unique, every score accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics.catalog import STORED, connect, sql_text
from ddz_analytics.manifest import Manifest, SettledPart, load_manifest

# what each statement of `sql/verify/` counts
CHECKS = {
    "hand_ids_repeat": "hands share a number with another",
    "hands_without_facts": "hands have no facts",
    "facts_repeat": "hands have facts more than once",
    "facts_without_hands": "hands have facts, plays, issues, episodes or settlements and are not stored",
    "settlements_repeat": "settlements are there more than once",
    "sums_not_zero": "settlements do not sum to zero with the house",
    "house_not_its_parts": "settlements give the house another sum than that of its parts",
    "components_do_not_add_up": "scores are not the sum of their components",
    "flows_do_not_add_up": "scores are not the sum of what flows to and from the seat",
}


@dataclass(frozen=True)
class Finding:
    """Something wrong with a store: a code (`part_…` or a key of CHECKS), what it is, and the part or the hand concerned."""

    code: str
    what: str
    where: str


def verify(store: Path) -> list[Finding]:
    """All that is wrong with a store, nothing when it is whole; raises StoreError as `load_manifest` does.

    Where a part cannot be read, or is not what its name says, its content is not judged any further.
    """
    manifest = load_manifest(store)
    found = [finding for table in STORED for finding in _part_findings(store, manifest, table)]
    return found or list(_content_findings(store))


def _part_findings(store: Path, manifest: Manifest, table: str) -> Iterator[Finding]:
    listed = getattr(manifest, table)
    for part in listed:
        yield from _misread(store, part.path, table, part.rows)
        if isinstance(part, SettledPart) and (store / part.path).exists():
            yield from _mislabelled(store, part)
    if table in manifest.empty:
        yield from _misread(store, manifest.empty[table], table, 0)


def _misread(store: Path, path: str, table: str, rows: int) -> Iterator[Finding]:
    """Read a part to its end, a row group at a time."""
    try:
        file = pq.ParquetFile(store / path)
        read = sum(batch.num_rows for batch in file.iter_batches())
    except FileNotFoundError:
        yield Finding("part_missing", "the manifest names a part that is not there", path)
        return
    except (OSError, pa.ArrowException) as error:
        yield Finding("part_unreadable", f"a part cannot be read: {' '.join(str(error).split())}", path)
        return
    if not file.schema_arrow.equals(STORED[table]):
        yield Finding("part_schema", f"a part does not have the columns of {table}", path)
    if read != rows:
        yield Finding("part_rows", f"a part holds {read} rows and not {rows}", path)


def _mislabelled(store: Path, part: SettledPart) -> Iterator[Finding]:
    """A part of settlements is of one scenario and one rule set, those that the manifest says."""
