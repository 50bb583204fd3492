"""Whether a store is whole: every part readable and as its manifest says, ids unique, every score accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ddz_analytics.store.catalog import Connection, connect, ranges_of_hands, sql_text
from ddz_analytics.store.manifest import Manifest, SettledPart, load_manifest
from ddz_analytics.store.parts import SCHEMAS, fingerprint_of

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


_OF_HANDS = [table for table, columns in SCHEMAS.items() if "hand_id" in columns.names]


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
    found = [finding for table in SCHEMAS for finding in _part_findings(store, manifest, table)]
    return found or list(_content_findings(store))


def _part_findings(store: Path, manifest: Manifest, table: str) -> Iterator[Finding]:
    empty = [(path, 0, None) for path in (manifest.empty.get(table),) if path is not None]
    for path, rows, labels in [
        *empty,
        *((part.path, part.rows, _labels(part)) for part in getattr(manifest, table)),
    ]:
        unreadable = list(_misread(store, path, table, rows))
        yield from unreadable
        if unreadable:
            continue
        if labels is not None:
            yield from _mislabelled(store, path, labels)
        if manifest.fingerprints.get(path) not in (None, fingerprint_of(store / path)):
            yield Finding("part_changed", "a part is not the file that was written", path)


def _labels(part: object) -> Mapping[str, str] | None:
    """What every row of a part of settlements must say."""
    if not isinstance(part, SettledPart):
        return None
    return {"scenario": part.scenario, "rule_set": part.rule_set, "rule_hash": part.rule_hash}


def _misread(store: Path, path: str, table: str, rows: int) -> Iterator[Finding]:
    """Read a part to its end, a batch at a time."""
    try:
        file = pq.ParquetFile(store / path, page_checksum_verification=True)
        read = sum(batch.num_rows for batch in file.iter_batches())
    except FileNotFoundError:
        yield Finding("part_missing", "the manifest names a part that is not there", path)
        return
    except (OSError, pa.ArrowException) as error:
        yield Finding("part_unreadable", f"a part cannot be read: {' '.join(str(error).split())}", path)
        return
    if not file.schema_arrow.equals(SCHEMAS[table]):
        yield Finding("part_schema", f"a part does not have the columns of {table}", path)
    if read != rows:
        yield Finding("part_rows", f"a part holds {read} rows and not {rows}", path)


def _mislabelled(store: Path, path: str, labels: Mapping[str, str]) -> Iterator[Finding]:
    found = pq.ParquetFile(store / path).read(columns=list(labels))
    for name, label in labels.items():
        others = [said for said in pc.unique(found[name]).to_pylist() if said != label]
        if others:
            yield Finding("part_mislabelled", f"a part of {label} has the {name} {others[0]}", path)


def _content_findings(store: Path) -> Iterator[Finding]:
    with connect(store) as connection:
        ranges = ranges_of_hands(connection, _OF_HANDS)
        for code, what in CHECKS.items():
            counts = list(_counts(connection, sql_text(f"verify/{code}"), ranges))
            if number := sum(count for count, _ in counts):
                example = min(hand for count, hand in counts if count)
                yield Finding(code, f"{number} {what}", f"hand {example}")


def _counts(
    connection: Connection, statement: str, ranges: Sequence[Mapping[str, int]]
) -> Iterator[tuple[int, int]]:
    """How many faults a statement finds, with a hand: of the whole store, or in turn of the ranges of hands that it asks for."""
    if "$first" not in statement:
        yield from connection.sql(statement).fetchall()
        return
    for limits in ranges:
        yield from connection.sql(statement, params=limits).fetchall()
