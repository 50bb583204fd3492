"""Parts: the immutable Parquet files of a store, one schema a table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics import schema
from ddz_analytics.errors import StoreError
from ddz_analytics.store.durable import crash_point, sync

FOLDER = "parts"
REPLAYED = ("facts", "plays", "issues", "episodes")

SCHEMAS: dict[str, pa.Schema] = {
    "hands": schema.HANDS,
    "facts": schema.FACTS,
    "plays": schema.PLAYS,
    "issues": schema.ISSUES,
    "episodes": schema.EPISODES,
    "settlements": schema.SETTLEMENTS,
    "rejected": schema.REJECTED,
    "source_files": schema.SOURCE_FILES,
    "rule_sets": schema.RULE_SETS,
}

_ROWS_PER_GROUP = 122_880  # what DuckDB gives to one thread
_BYTES_PER_GROUP = 256 << 20
_NEVER_REPEATED = ("content_hash", "source_hand_id", "raw")  # a dictionary of them would only be thrown away


def write_part(path: Path, table: str, batches: Iterable[pa.Table]) -> int:
    """Write the rows of one part down to the disk and say how many; the schema must be the table's own."""
    wanted = SCHEMAS[table]
    repeated = [name for name in _leaves(wanted) if name not in _NEVER_REPEATED]
    rows = 0
    with (
        pq.ParquetWriter(
            path,
            wanted,
            version="2.6",
            data_page_version="1.0",  # pages of version 2 leave the levels of lists unpacked, a fifth of what hands take
            compression="zstd",
            use_dictionary=repeated,
            write_page_checksum=True,
        ) as writer
    ):
        for group in _grouped(batches):
            writer.write_table(group, row_group_size=_ROWS_PER_GROUP)
            rows += group.num_rows
    sync(path)
    crash_point("part_written")
    return rows


def _grouped(batches: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Small batches together, so that each becomes no row group of its own, but no more of them than fit into memory."""
    waiting: list[pa.Table] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size > _BYTES_PER_GROUP:
            yield pa.concat_tables(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.concat_tables(waiting)


def fingerprint_of(path: Path) -> str:
    """The SHA-256 of a part's file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_readable(path: Path) -> bool:
    """Whether a part is there and begins and ends as one does."""
    try:
        pq.read_metadata(path)
    except (OSError, pa.ArrowInvalid):
        return False
    return True


def read_part(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """The rows of one part; raises StoreError `part_unreadable`."""
    try:
        return pq.ParquetFile(path).read(columns=None if columns is None else list(columns))
    except (OSError, pa.ArrowException) as error:
        mend = "run the command again if another one was writing, else `ddz verify`"
        raise StoreError(
            "part_unreadable", f"a part of the store cannot be read: {error}", where=str(path), mend=mend
        ) from error


def _leaves(wanted: pa.Schema) -> list[str]:
    """The Parquet names of all columns, those inside the list of actions too."""
    leaves: list[str] = []
    for field in wanted:
        if pa.types.is_list(field.type):
            leaves += [f"{field.name}.list.element.{inner.name}" for inner in field.type.value_type]
        else:
            leaves.append(field.name)
    return leaves
