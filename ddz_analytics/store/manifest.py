"""The manifest: the one file that says what a store holds, every part with what it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct, structs

from ddz_analytics.errors import StoreError
from ddz_analytics.store.parts import SCHEMAS

LAYOUT = 1
FILE_NAME = "manifest.json"

PartPath = Annotated[str, Meta(pattern=r"\Aparts/[a-z0-9_-]+\.parquet\Z")]
Count = Annotated[int, Meta(ge=0)]


class Stretch(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Rows one after the other that were read for the same publish (`generation`)."""

    rows: Count
    generation: Count


class HandsPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Some hands, `stretches` of which came with one publish each; `parsers` has the version that read each format in it."""

    path: PartPath
    rows: Count
    stretches: list[Stretch]
    parsers: dict[str, int]


class ReplayedPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What replay says of one part of hands: its facts, plays, issues or episodes."""

    path: PartPath
    rows: Count
    hands: PartPath
    replay_version: int


class SettledPart(Struct, frozen=True, forbid_unknown_fields=True):
    """One part of facts settled under one rule set.

    Where balances are chained a hand depends on all hands before it: `rests_on` is then the store's `facts_digest`.
    """

    path: PartPath
    rows: Count
    facts: PartPath
    scenario: str
    rule_set: str
    rule_hash: str
    settle_version: int
    rests_on: str = ""


class RejectedPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Some records that could not become hands, `stretches` of which came with one publish each."""

    path: PartPath
    rows: Count
    stretches: list[Stretch]


class TablePart(Struct, frozen=True, forbid_unknown_fields=True):
    """A table written out of the manifest itself."""

    path: PartPath
    rows: Count


class SourceFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What came of one reading of one file: read = stored + duplicate + rejected + skipped.

    A file that grew has an entry for each reading, each with its own counts. `sha256` and `size` (bytes) are of the file as it
    was then, for a member of a zip file those of the zip file; `sha256` is empty when reading stopped before the end.
    `sample` names the part of the hands that was wanted (empty: all).
    `mtime` is in nanoseconds; `format` is empty when the format is unknown; `generation` is the publish that added the entry.
    Where a player was forgotten, the file is `sealed`: a newer version of its parser does not read it again.
    """

    path: str
    sha256: str
    size: Count
    mtime: int
    format: str
    parser_version: Count
    read: Count
    stored: Count
    duplicate: Count
    rejected: Count
    skipped: Count
    ingested_at: datetime
    generation: Count
    sample: str = ""
    sealed: bool = False


class MappedFormat(Struct, frozen=True, forbid_unknown_fields=True):
    """A format that a mapping defines: what its logs can say, and what the mapping said (JSON) when it last read some.

    Where mappings of one name could say different things, only what all of them could counts.
    """

    name: str
    version: Count
    records: frozenset[str]
    mapping: str
    switches: dict[str, bool] = {}
    reference_rules: str | None = None


class RuleSetEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule set that something in the store is scored under; `parameters` is JSON."""

    rule_set: str
    title_zh: str
    title_en: str
    source: str
    rule_hash: str
    assumed: bool
    parameters: str


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every live part of every stage, in order; `empty` holds a part without rows for each table.

    `generation` counts the publishes; `time_zone` is the zone of `local_time`; `fingerprints` has the SHA-256 of every part's file;
    `pseudonyms` is a check value of the key under which all players are, empty where they have their own ids.
    """

    layout: int = LAYOUT
    generation: Count = 0
    next_hand_id: Count = 1
    time_zone: str = "UTC"
    pseudonyms: str = ""
    empty: dict[str, PartPath] = {}
    hands: list[HandsPart] = []
    facts: list[ReplayedPart] = []
    plays: list[ReplayedPart] = []
    issues: list[ReplayedPart] = []
    episodes: list[ReplayedPart] = []
    settlements: list[SettledPart] = []
    rejected: list[RejectedPart] = []
    source_files: list[TablePart] = []
    rule_sets: list[TablePart] = []
    ledger: list[SourceFile] = []
    mapped: list[MappedFormat] = []
    rules: list[RuleSetEntry] = []
    fingerprints: dict[PartPath, str] = {}

    @property
    def facts_digest(self) -> str:
        """A digest of which parts of facts there are: another one when a hand was added, forgotten or replayed again."""
        return sha256("\n".join(part.path for part in self.facts).encode()).hexdigest()[:16]

    def without_stale(self) -> Manifest:
        """The manifest without settlements that rest on other facts than there are now."""
        kept = [part for part in self.settlements if part.rests_on in ("", self.facts_digest)]
        return structs.replace(self, settlements=kept)

    def files(self) -> dict[str, list[str]]:
        """The part paths of every table, in order; a table without parts has its empty one."""
        return {
            table: [part.path for part in getattr(self, table)] or [path]
            for table, path in self.empty.items()
        }

    def live(self) -> Iterator[str]:
        """Every path that the manifest names."""
        yield from self.empty.values()
        for paths in self.files().values():
            yield from paths


class _Layout(Struct):
    layout: int


def load_manifest(store: Path) -> Manifest:
    """The manifest of a store; raises StoreError `store_missing`, `store_newer` or `store_damaged`."""
    path = store / FILE_NAME
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        mend = "create it with `ddz ingest`, or name another with --store"
        raise StoreError("store_missing", "there is no store here", where=str(store), mend=mend) from None
    except OSError as error:
        raise StoreError("store_unreadable", f"cannot be read: {error.strerror}", where=str(path)) from error
    try:
        layout = msgspec.json.decode(content, type=_Layout).layout
        if layout > LAYOUT:
            what = f"the store has layout {layout}, this version knows up to {LAYOUT}"
            raise StoreError("store_newer", what, where=str(store), mend="upgrade ddz_analytics")
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.MsgspecError as error:
        raise StoreError("store_damaged", f"the manifest cannot be read: {error}", where=str(path)) from error
    if manifest.generation and manifest.empty.keys() != SCHEMAS.keys():
        # Without these a table would seem to have no part, and its parts would be taken for garbage.
        raise StoreError(
            "store_damaged", "the manifest does not name an empty part for each table", where=str(path)
        )
    return manifest


def dump_manifest(manifest: Manifest) -> bytes:
    """The bytes of a manifest file, laid out for people."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
