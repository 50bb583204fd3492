"""A store: a folder of immutable parts and one manifest, for any number of readers and one writer.

manifest.json   what is live; replacing it is what publishes
parts/          Parquet files; one that the manifest does not name is garbage
ddz.duckdb      views over the live parts, rebuilt from them at will; ddz.built says from what, and what it holds
views-HASH/     empty; by it views that moved know their own store again (catalog.py)
lock            held by the writer
tmp-PID/        the writer's working files
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from msgspec import structs

from ddz_analytics.errors import StoreError
from ddz_analytics.store.durable import crash_point, sync, write_new
from ddz_analytics.store.lock import write_lock
from ddz_analytics.store.manifest import FILE_NAME, Manifest, TablePart, dump_manifest, load_manifest
from ddz_analytics.store.parts import FOLDER, SCHEMAS, fingerprint_of, is_readable, read_part, write_part

CATALOG = "ddz.duckdb"
_BUILT = "ddz.built"
_OURS = frozenset((FILE_NAME, FOLDER, CATALOG, _BUILT, "lock"))
_MARK = "views-"


@dataclass
class Store:
    """A store as one manifest says it is; what others publish later does not show."""

    path: Path
    manifest: Manifest

    def paths(self, table: str) -> list[Path]:
        """The files of a table, in order; at least one, which may be without rows."""
        return [self.path / file for file in self.manifest.files()[table]]

    def read(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows of a table, in order."""
        return pa.concat_tables(read_part(path, columns) for path in self.paths(table))

    def catalog(self) -> Path:
        """The DuckDB file of views; one that is missing, or was not built from this manifest, is built first.

        While another command is writing, the views of the publish before are given. Raises StoreError `catalog_missing` when
        there are none, or when they cannot be built here.
        """
        if _catalog_is_current(self):
            return self.path / CATALOG
        try:
            with write_lock(self.path / "lock"):
                _build_catalog(Store(self.path, load_manifest(self.path)))
        except (StoreError, OSError) as error:
            others_write = isinstance(error, StoreError) and error.code == "store_locked"
            if not others_write or not (self.path / CATALOG).exists():
                what = "the views are not built yet"
                mend = str(error) if isinstance(error, OSError) else f"{error.what}, {error.mend}"
                raise StoreError(
                    "catalog_missing", what, where=str(self.path / CATALOG), mend=mend
                ) from error
        return self.path / CATALOG


@dataclass
class Writer(Store):
    """The one writer of a store."""

    _named: int = 0

    @property
    def scratch(self) -> Path:
        """A folder for its working files, gone when it is done."""
        return self.path / f"tmp-{os.getpid()}"

    def new_part(self, table: str) -> str:
        """A name for a part of the next publish; asking in the same order gives the same names."""
        self._named += 1
        return f"{FOLDER}/{table}-{self.manifest.generation + 1:06d}-{self._named:06d}.parquet"

    def publish(self, manifest: Manifest) -> None:
        """Make the manifest, whose parts are all on disk, the store's own; then build its views.

        Raises StoreError `views_unbuilt` where it is published and that fails.
        """
        numbered = structs.replace(manifest.without_stale(), generation=self.manifest.generation + 1)
        manifest = self._with_fingerprints(self._with_tables(numbered))
        sync(self.path / FOLDER)
        new = self.path / (FILE_NAME + ".new")
        write_new(new, dump_manifest(manifest))
        crash_point("before_manifest_rename")
        new.replace(self.path / FILE_NAME)
        crash_point("after_manifest_rename")
        sync(self.path)
        self.manifest, self._named = manifest, 0
        self._discard(f"*-{manifest.generation:06d}-*.parquet")  # joined to others before anybody saw them
        _build_catalog(self)

    def _with_tables(self, manifest: Manifest) -> Manifest:
        """The manifest with its own tables written out, and a part without rows for each table."""
        if not manifest.empty:
            empty = {table: f"{FOLDER}/{table}-empty.parquet" for table in SCHEMAS}
            for table, path in empty.items():
                write_part(self.path / path, table, [])
            manifest = structs.replace(manifest, empty=empty)
        if manifest.ledger != self.manifest.ledger:
            written = self._write_structs("source_files", manifest.ledger)
            manifest = structs.replace(manifest, source_files=written)
        if manifest.rules != self.manifest.rules:
            manifest = structs.replace(manifest, rule_sets=self._write_structs("rule_sets", manifest.rules))
        return manifest

    def _with_fingerprints(self, manifest: Manifest) -> Manifest:
        """The manifest with the hash of every live part; those of parts that were live before are known."""
        known = self.manifest.fingerprints
        live = sorted(set(manifest.live()))
        fingerprints = {path: known.get(path) or fingerprint_of(self.path / path) for path in live}
        return structs.replace(manifest, fingerprints=fingerprints)

    def _write_structs(self, table: str, entries: Sequence[object]) -> list[TablePart]:
        if not entries:
            return []
        columns = {field.name: [getattr(entry, field.name) for entry in entries] for field in SCHEMAS[table]}
        path = self.new_part(table)
        return [
            TablePart(path, write_part(self.path / path, table, [pa.table(columns, schema=SCHEMAS[table])]))
        ]

    def discard_unpublished(self) -> None:
        """Remove the parts that were written for a publish that did not come."""
        self._discard(f"*-{self.manifest.generation + 1:06d}-*.parquet")

    def discard_old(self) -> None:
        """Remove the parts of earlier publishes now, although a reader may still want them: what they hold is to be gone."""
        self._discard("*")

    def _discard(self, pattern: str) -> None:
        live = {self.path / path for path in self.manifest.live()}
        for path in (self.path / FOLDER).glob(pattern):
            if path not in live:
                path.unlink()


def open_store(path: Path) -> Store:
    """Open a store for reading; raises StoreError `store_missing`, `store_newer` or `store_damaged`."""
    return Store(path, load_manifest(path))


def exists(path: Path) -> bool:
    """Whether there is a store at a path, be it readable or not."""
    return (path / FILE_NAME).exists()


@contextmanager
def open_writer(path: Path) -> Iterator[Writer]:
    """Open a store for writing, after mending what a killed writer left: its views, and its garbage.

    Raises what `open_store` raises, and StoreError `store_locked` while another writes.
    """
    load_manifest(path)
    with _writing(path) as writer:
        yield writer


@contextmanager
def create_writer(path: Path) -> Iterator[Writer]:
    """Open a store for writing that need not exist; it does once something is published.

    Raises what `open_writer` raises, and StoreError `store_not_empty` for a folder that holds other things.
    """
    if not exists(path):
        _refuse_other_things(path)
    with _writing(path) as writer:
        yield writer


@contextmanager
def _writing(path: Path) -> Iterator[Writer]:
    (path / FOLDER).mkdir(parents=True, exist_ok=True)
    with write_lock(path / "lock"):
        published = exists(path)
        writer = Writer(path, load_manifest(path) if published else Manifest())
        if published and not _catalog_is_current(writer):
            _build_catalog(writer)
        _remove_garbage(writer)
        writer.scratch.mkdir()
        try:
            yield writer
        finally:
            writer.discard_unpublished()
            shutil.rmtree(writer.scratch)


def _refuse_other_things(path: Path) -> None:
    if (path / CATALOG).exists() or (path / _BUILT).exists():
        what = "the manifest is gone, without which nobody knows what the store holds"
        raise StoreError(
            "store_damaged",
            what,
            where=str(path / FILE_NAME),
            mend="put it back, or name a new folder with --store",
        )
    if path.exists() and not path.is_dir():
        raise StoreError("store_not_empty", "a store is a folder, and this is none", where=str(path))
    others = [found.name for found in path.iterdir() if not _is_ours(found.name)] if path.exists() else []
    if others:
        what = f"the folder is no store and holds other things, such as {min(others)}"
        raise StoreError(
            "store_not_empty", what, where=str(path), mend="name a new or empty folder with --store"
        )


def _is_ours(name: str) -> bool:
    return name in _OURS or name.startswith(("tmp-", _MARK)) or name.endswith(".new")


def _mark_of(store: Store) -> str:
    """The name of the folder that says which manifest a store has."""
    return _MARK + fingerprint_of(store.path / FILE_NAME)[:16]


def _remove_garbage(store: Writer) -> None:
    store.discard_old()
    for path in store.path.glob("tmp-*"):
        shutil.rmtree(path)
    for path in store.path.glob("*.new"):
        path.unlink()
    for path in store.path.glob(f"{_MARK}*"):
        if path.name != _mark_of(store):
            path.rmdir()


def _catalog_is_current(store: Store) -> bool:
    from ddz_analytics.store.catalog import is_current

    return is_current(store.path, store.manifest)


def _build_catalog(store: Store) -> None:
    """Build the views; raises StoreError `part_unreadable` where a part is at fault, else `views_unbuilt`."""
    import duckdb  # most readers of parts never need it

    try:
        _build_beside(store)
    except (duckdb.Error, OSError) as error:
        with suppress(OSError):
            (store.path / (CATALOG + ".new")).unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        what = f"the views cannot be built: {reason.splitlines()[0]}"
        if any(not is_readable(store.path / part) for part in store.manifest.live()):
            mend = "`ddz verify` says which part is damaged or missing"
            raise StoreError("part_unreadable", what, where=str(store.path), mend=mend) from error
        mend = "make room on the disk or in memory; the next command builds them"
        what = f"everything is stored, but {what}"
        raise StoreError("views_unbuilt", what, where=str(store.path), mend=mend) from error


def _build_beside(store: Store) -> None:
    """Build the views beside the old ones, rename, and only then note from which manifest they are."""
    from ddz_analytics.store.catalog import build_catalog, built_from

    new = store.path / (CATALOG + ".new")
    new.unlink(missing_ok=True)
    mark = _mark_of(store)
    (store.path / mark).mkdir(exist_ok=True)
    build_catalog(new, store.path, store.manifest.files(), tz=store.manifest.time_zone, mark=mark)
    sync(new)
    said = built_from(store.path, store.manifest, new.read_bytes())
    crash_point("before_catalog_rename")
    new.replace(store.path / CATALOG)
    note = store.path / (_BUILT + ".new")
    write_new(note, said)
    note.replace(store.path / _BUILT)
    sync(store.path)
