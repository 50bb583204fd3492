"""What leaves a store: everything that came of a source, the scores of a rule set, and the id of a player.

A forgotten player's hands stay, because they are also those of the other two and all amounts sum over three seats; in the place
of the id stands `forgotten`, the same word for everybody who was forgotten. It is replaced wherever it stands by itself: ids of
tables, matches and hands, fields of the log's own, paths; a rejected record in which it occurs goes. Parts that held it are
unlinked at once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.columns import Flags, Ints, whole
from ddz_analytics.errors import UsageError
from ddz_analytics.names import Replace, occurs_in, replaced_within, replacing
from ddz_analytics.store import Writer, open_writer
from ddz_analytics.store.compacting import compacted
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.store.forgetting import without_hands, without_rejected
from ddz_analytics.store.manifest import HandsPart, Manifest, RejectedPart, SettledPart, SourceFile
from ddz_analytics.store.parts import REPLAYED, read_part, write_part
from ddz_analytics.store.quarantine import is_of
from ddz_analytics.store.stretches import generations
from ddz_analytics.texts import (
    NAMING_TEXTS,
    PLAYERS,
    SENT,
    any_of,
    flags_of,
    with_hashes,
    with_sent,
    with_texts,
)

FORGOTTEN = "forgotten"
_TEXTS = ["source_path", *NAMING_TEXTS]

Source = tuple[str, int]  # a path and the publish that read it


@dataclass(frozen=True)
class Forgotten:
    """What forgetting a player changed: hands he sat in, other hands that named him, rejected records, files concerned."""

    hands: int
    named_elsewhere: int
    rejected: int
    files: Sequence[str]


@dataclass(frozen=True)
class Removed:
    """What went with a source: its files, hands and rejected records; `duplicates` counts those that other files have."""

    files: Sequence[str]
    hands: int
    rejected: int
    duplicates: int


def remove(store: Path, source: str) -> Removed:
    """Take out all that came of a file, of each member of a zip file, or of each file below a folder.

    Raises UsageError `source_unknown`, and StoreError as `open_writer` does.
    """
    with plain_faults(), open_writer(store) as writer:
        before = writer.manifest
        gone = {entry.path for entry in before.ledger if is_of(entry.path, source)}
        if not gone:
            mend = "write it as the view `source_files` does"
            raise UsageError("source_unknown", "nothing was ingested from there", where=source, mend=mend)
        labels = pa.array(sorted(gone), type=pa.string())

        def doomed(table: pa.Table, _: Ints) -> Flags:
            flags: Flags = pc.is_in(table["source_path"], value_set=labels).to_numpy()
            return flags

        manifest = without_hands(writer, before, ["source_path"], doomed)
        manifest = without_rejected(writer, manifest, ["source_path"], doomed)
        manifest = structs.replace(
            manifest, ledger=[entry for entry in before.ledger if entry.path not in gone]
        )
        _publish(writer, manifest)
        return Removed(
            sorted(gone),
            _rows(before.hands) - _rows(manifest.hands),
            _rows(before.rejected) - _rows(manifest.rejected),
            sum(entry.duplicate for entry in manifest.ledger),
        )


def forget(store: Path, player: str, *, dry_run: bool = False, typed: str = "") -> Forgotten:
    """Take a player's id out of a store, or only say what that would change; settlements with chained balances go with it.

    `typed` is how the user named him, if not as the store does. Raises UsageError `player_unknown` where the id is nowhere, and StoreError as `open_writer` does.
    """
    with plain_faults(), open_writer(store) as writer:
        forgetting = _Forgetting(writer, player)
        manifest = forgetting.manifest() if player not in ("", FORGOTTEN) else writer.manifest
        if not forgetting.files:
            mend = "write the id as the view `hand_seats` does"
            raise UsageError(
                "player_unknown", f"nobody in the store is called {(typed or player)!r}", mend=mend
            )
        if not dry_run:
            _publish(writer, manifest)
        return Forgotten(
            forgetting.sat,
            forgetting.named,
            forgetting.rejected,
            sorted({path for path, _ in forgetting.files}),
        )


def remove_scores(store: Path, rule_set: str) -> int:
    """Take out every score under a rule set; how many hand settlements that were. The hands stay.

    Raises UsageError `scores_unknown`, and StoreError as `open_writer` does.
    """
    with plain_faults(), open_writer(store) as writer:
        before = writer.manifest
        known = [entry.rule_set for entry in before.rules]
        if rule_set not in known:
            mend = f"scored are {', '.join(known)}" if known else "nothing is scored"
            raise UsageError("scores_unknown", f"no hand is scored under {rule_set!r}", mend=mend)
        kept = [part for part in before.settlements if part.rule_set != rule_set]
        rules = [entry for entry in before.rules if entry.rule_set != rule_set]
        _publish(writer, structs.replace(before, settlements=kept, rules=rules))
        return _rows(before.settlements) - _rows(kept)


def _publish(writer: Writer, manifest: Manifest) -> None:
    """Publish, and unlink what was live before."""
    writer.publish(compacted(writer, manifest))
    writer.discard_old()


def _rows(parts: Sequence[HandsPart | RejectedPart | SettledPart]) -> int:
    return sum(part.rows for part in parts)


class _Forgetting:
    """One player's id on its way out; counts what it changes, and notes the `files` in which it was found."""

    def __init__(self, writer: Writer, player: str) -> None:
        self.sat = self.named = self.rejected = 0
        self.files: set[Source] = set()
        self._writer, self._player = writer, player
        self._names = {player: FORGOTTEN}
        self._replace = replacing(self._names)
        self._renamed: dict[str, str] = {}

    def manifest(self) -> Manifest:
        """The manifest without the id; the parts that it newly names are written."""
        before = self._writer.manifest
        hands = [self._hands(part) for part in before.hands]
        tables = {
            table: [
                structs.replace(part, hands=self._renamed.get(part.hands, part.hands))
                for part in getattr(before, table)
            ]
            for table in REPLAYED
        }
        tables["issues"] = [
            structs.replace(part, path=self._texts("issues", part.path, ["detail"]))
            for part in tables["issues"]
        ]
        manifest = structs.replace(
            before,
            hands=hands,
            **tables,
            settlements=[part for part in before.settlements if not (part.rests_on and self.sat)],
        )
        manifest = without_rejected(
            self._writer, manifest, ["source_path", "detail", "raw"], self._is_named_in_record
        )
        renamed = [
            structs.replace(part, path=self._texts("rejected", part.path, ["source_path"]))
            for part in manifest.rejected
        ]
        return structs.replace(manifest, rejected=renamed, ledger=self._ledger(before.ledger))

    def _hands(self, part: HandsPart) -> HandsPart:
        """The part, written anew if any of its hands has the id."""
        path = self._writer.path / part.path
        table = read_part(path, [*PLAYERS, *_TEXTS, "extra", SENT])
        changed = self._changed(table)
        if not changed.any():
            return part
        where = zip(
            table["source_path"].filter(pa.array(changed)).to_pylist(),
            generations(part.stretches)[changed].tolist(),
            strict=True,
        )
        self.files |= set(where)
        rows = self._without_id(read_part(path), changed)
        new = self._writer.new_part("hands")
        write_part(self._writer.path / new, "hands", [rows])
        self._renamed[part.path] = new
        return structs.replace(part, path=new)

    def _changed(self, table: pa.Table) -> Flags:
        """In which hands the id stands; counts them."""
        sat = any_of([flags_of(pc.equal(table[name], self._player)) for name in PLAYERS])
        named = any_of([self._differs(table[name], self._replace) for name in _TEXTS])
        named |= self._differs(table["extra"], self._without_id_in_json)
        acts = whole(table["actions"])
        sent = self._differs(acts.flatten().field("sent"), self._replace)
        named[pc.list_parent_indices(acts).filter(pa.array(sent)).to_numpy()] = True
        self.sat += int(sat.sum())
        self.named += int((named & ~sat).sum())
        return sat | named

    def _without_id(self, rows: pa.Table, changed: Flags) -> pa.Table:
        for name in PLAYERS:
            rows = with_texts(rows, name, lambda value: FORGOTTEN if value == self._player else value)
        for name in _TEXTS:
            rows = with_texts(rows, name, self._replace)
        rows = with_texts(rows, "extra", self._without_id_in_json)
        rows = with_sent(rows, self._replace)
        return with_hashes(rows, changed)

    def _without_id_in_json(self, text: str) -> str:
        return msgspec.json.encode(replaced_within(msgspec.json.decode(text), self._names)).decode()

    def _differs(self, column: pa.Array | pa.ChunkedArray, replace: Replace) -> Flags:
        """Where a text would change; only those are looked at that have the letters of the id in them."""
        plain, escaped = self._player, json.dumps(self._player, ensure_ascii=False)[1:-1]
        hits = pc.or_(pc.match_substring(column, plain), pc.match_substring(column, escaped))
        found = flags_of(hits)
        for place in np.flatnonzero(found).tolist():
            text = column[place].as_py()
            found[place] = replace(text) != text
        return found

    def _texts(self, table: str, path: str, names: Sequence[str]) -> str:
        """The path of a part, written anew if the id stands in some columns of texts."""
        columns = read_part(self._writer.path / path, names)
        if not any(self._differs(columns[name], self._replace).any() for name in names):
            return path
        rows = read_part(self._writer.path / path)
        for name in names:
            rows = with_texts(rows, name, self._replace)
        new = self._writer.new_part(table)
        write_part(self._writer.path / new, table, [rows])
        return new

    def _is_named_in_record(self, table: pa.Table, publishes: Ints) -> Flags:
        """Which rejected records hold the id."""
        gone = self._differs(table["detail"], self._replace)
        raw = table["raw"].to_pylist()
        for place in np.flatnonzero(~gone).tolist():
            gone[place] = raw[place] is not None and occurs_in(raw[place], self._player)
        paths = table["source_path"].filter(pa.array(gone)).to_pylist()
        self.files |= set(zip(paths, publishes[gone].tolist(), strict=True))
        self.rejected += int(gone.sum())
        return gone

    def _ledger(self, entries: Sequence[SourceFile]) -> list[SourceFile]:
        """The ledger with the id out of every path, and the files sealed in which it was found."""
        result = []
        for entry in entries:
            path = self._replace(entry.path)
            if path != entry.path:
                self.files.add((entry.path, entry.generation))
            sealed = entry.sealed or (entry.path, entry.generation) in self.files
            result.append(structs.replace(entry, path=path, sealed=sealed))
        return result
