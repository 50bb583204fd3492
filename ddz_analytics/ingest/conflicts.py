"""Hands that contradict one another: where the other one stands, and how one that is read again takes its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.hands import Rejected
from ddz_analytics.ingest.dedupe import COLUMNS, keys_of
from ddz_analytics.ingest.parsing import rejected_table
from ddz_analytics.parsers.ddz1 import write_line
from ddz_analytics.records import hands_of
from ddz_analytics.store import Writer
from ddz_analytics.store.forgetting import without_hands
from ddz_analytics.store.manifest import Manifest, RejectedPart, SourceFile
from ddz_analytics.store.parts import read_part, write_part
from ddz_analytics.store.stretches import generations, stretches_of

PLACES = ("source_path", "source_line")


class Rivals(NamedTuple):
    """Where the first hand of each key stands, of those that were parsed and of those stored; which files are read on with."""

    parsed: Mapping[str, str]
    stored: Mapping[str, str]
    read_on: Collection[str]

    def conflict(self, key: str, path: str, line: int) -> str:
        """What is said of a hand of a key at a place that contradicts another one."""
        first = self.parsed[key]
        rival = self.stored.get(key, first)
        if first.startswith(f"{path}:") and first != f"{path}:{line}":
            where = f"stands in the same file, at {first}: leave one of them out"
        elif not rival.startswith(f"{path}:"):
            where = f"stands at {rival}; --reparse puts this in its place"
        elif path in self.read_on:
            where = f"stands in the same file, at {rival}: leave one of them out"
        else:
            where = f"stood at {rival} when this file was read before; --reparse puts this in its place"
        return f"another hand of this table and id, with other content, {where}"


def places_by_key(hands: pa.Table, global_ids: Collection[str], wanted: Collection[str]) -> dict[str, str]:
    """By key, among those wanted: the place (`file:line`) of the first hand; the table has `COLUMNS` and `PLACES`."""
    keys = keys_of(hands, global_ids)
    rows = np.flatnonzero(pc.is_in(keys, value_set=pa.array(sorted(wanted), type=pa.string())).to_numpy())
    found: dict[str, str] = {}
    chosen = hands.select(list(PLACES)).take(pa.array(rows))
    paths, lines = (chosen[name].to_pylist() for name in PLACES)
    for key, path, line in zip(keys.take(pa.array(rows)).to_pylist(), paths, lines, strict=True):
        found.setdefault(key, f"{path}:{line}")
    return found


def without_rivals(
    writer: Writer, manifest: Manifest, hands: pa.Table, global_ids: Collection[str]
) -> Manifest:
    """The manifest without the stored hands that contradict some that were read again; these go to the quarantine as conflicts.

    `hands` has `COLUMNS` and `PLACES`. A hand in the quarantine is written as `ddz/1`, because its own bytes are not kept.
    """
    told = hands.filter(
        pc.is_in(hands["source_format"], value_set=pa.array(sorted(global_ids), type=pa.string()))
    )
    contents, keys = told["content_hash"].combine_chunks(), keys_of(told, global_ids).combine_chunks()

    def contradicted(table: pa.Table, _: Ints) -> Flags:
        same_key = pc.is_in(keys_of(table, global_ids), value_set=keys)
        other = pc.invert(pc.is_in(table["content_hash"], value_set=contents))
        flags: Flags = pc.and_(same_key, other).to_numpy()
        return flags

    places = places_by_key(told, global_ids, keys.to_pylist())
    tables, publishes = [], []
    for part in manifest.hands:
        gone = contradicted(read_part(writer.path / part.path, COLUMNS), np.empty(0, dtype=np.int64))
        if gone.any():
            rows = read_part(writer.path / part.path).filter(pa.array(gone))
            tables.append(_as_conflicts(rows, keys_of(rows, global_ids).to_pylist(), places))
            publishes.append(generations(part.stretches)[gone])
    if not tables:
        return manifest
    manifest = without_hands(writer, manifest, COLUMNS, contradicted)
    path, table, of_each = writer.new_part("rejected"), pa.concat_tables(tables), np.concatenate(publishes)
    part_of = RejectedPart(path, write_part(writer.path / path, "rejected", [table]), stretches_of(of_each))
    moved = Counter(zip(table["source_path"].to_pylist(), of_each.tolist(), strict=True))
    return structs.replace(
        manifest,
        rejected=[*manifest.rejected, part_of],
        ledger=[_with_fewer(entry, moved[entry.path, entry.generation]) for entry in manifest.ledger],
    )


def _as_conflicts(rows: pa.Table, keys: Sequence[str], places: Mapping[str, str]) -> pa.Table:
    """Some hands as rows of the quarantine; `places` says by key where the hand stands that took its place."""
    tables = []
    for place, key in enumerate(keys):
        (row,) = rows.slice(place, 1).select([*PLACES, "evidence"]).to_pylist()
        told = row["evidence"] == "replayed"
        raw = b"".join(map(write_line, hands_of(rows.slice(place, 1)))) if told else b""
        detail = f"in its place stands {places[key]}, which was read again"
        detail += "; the bytes are those of ddz/1" if told else "; it was declared, so there are no bytes"
        tables.append(
            rejected_table(row["source_path"], [Rejected(row["source_line"], "conflict", detail, raw)])
        )
    return pa.concat_tables(tables)


def _with_fewer(entry: SourceFile, moved: int) -> SourceFile:
    return structs.replace(entry, stored=entry.stored - moved, rejected=entry.rejected + moved)
