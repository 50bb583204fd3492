"""The catalog: views, macros and comments over the stored parts, as a DuckDB file or in a connection's memory.

`definitions` has what they say; `sql/comments.toml` and `sql/comments.zh.toml` say what every view and column means.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pyarrow as pa

from ddz_analytics.errors import DdzError, StoreError, UsageError
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.store.comments import columns_of, comments, in_every_language
from ddz_analytics.store.definitions import SQL, TABLE_MACROS, VIEWS, definitions, literal, sql_text
from ddz_analytics.store.manifest import Manifest, load_manifest
from ddz_analytics.store.parts import SCHEMAS
from ddz_analytics.version import VERSION

__all__ = [
    "FILE_NAME", "NOTE", "SQL", "TABLE_MACROS", "VIEWS", "Connection", "build_catalog", "built_from", "connect", "define_stored",
    "define_views", "describe", "described", "is_current", "literal", "ranges_of_hands", "sql_text",
]  # fmt: skip

FILE_NAME = "ddz.duckdb"
NOTE = "ddz.built"
MEMORY = "50%"  # of the machine's; what is more goes to a folder of its own for temporary files, which is removed in the end
HANDS_PER_RANGE = 250_000
STORAGE_VERSION = "v1.2.0"  # so that clients of DuckDB 1.2 and later open the file too

Connection = duckdb.DuckDBPyConnection


def ranges_of_hands(connection: Connection, tables: Sequence[str] = ("hands",)) -> list[dict[str, int]]:
    """The ranges in which some stored tables have hands, in order: the parameters `first` and `end` of statements about one range.

    A statement that looks at hands a range at a time takes memory that does not grow with the store.
    """
    every = " UNION ALL ".join(f"SELECT hand_id FROM stored.{table}" for table in tables)
    found = connection.sql(
        f"SELECT DISTINCT hand_id // {HANDS_PER_RANGE} FROM ({every}) ORDER BY ALL"
    ).fetchall()
    return [{"first": place * HANDS_PER_RANGE, "end": (place + 1) * HANDS_PER_RANGE} for (place,) in found]


def build_catalog(
    target: Path, store: Path, files: Mapping[str, Sequence[str]], *, tz: str = "UTC", mark: str = ""
) -> None:
    """Write the DuckDB file `target`: views over the parts `files` (stored table to paths relative to `store`).

    A table without parts gives an empty view of the right types. `tz` is the zone of `local_time` and `local_day`. With the name
    of a folder in the store as its `mark`, the file finds the parts beside itself wherever it is opened as FILE_NAME; attached to
    another database it finds them in `store`, or where `SET VARIABLE ddz_store = '<path>'` says.
    """
    target.write_bytes(_built_before(store, tz) or _without_parts(definitions(tz)))
    with _attached(target) as connection:
        define_stored(connection, store, files, mark)


@cache
def _without_parts(definitions: tuple[str, ...]) -> bytes:
    """The DuckDB file of a store without parts: binding its views and describing them takes ten times as long as naming parts."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / FILE_NAME
        with _attached(target) as connection:
            connection.execute("CREATE SCHEMA stored")
            define_stored(connection, target.parent, {})
            connection.execute("; ".join(definitions))
            describe(connection)
        return target.read_bytes()


@contextmanager
def _attached(target: Path) -> Iterator[Connection]:
    """A connection that writes to a DuckDB file."""
    with _memory() as connection:
        connection.execute(
            f"ATTACH {literal(str(target))} AS catalog (STORAGE_VERSION {literal(STORAGE_VERSION)})"
        )
        # One transaction, else each of hundreds of comments is synced to the disk by itself.
        connection.execute("USE catalog; BEGIN")
        yield connection
        connection.execute("COMMIT; USE memory; DETACH catalog")


def built_from(store: Path, manifest: Manifest, content: bytes) -> bytes:
    """What a file of views was built from, and what it holds: kept beside it, so that nobody reads another one's views."""
    whose = f"manifest {manifest.generation} at {store.resolve()}\n"
    return whose.encode() + _holding(content, manifest.time_zone)


def _holding(content: bytes, tz: str) -> bytes:
    meanings = [path.read_text("utf-8") for path in sorted(SQL.glob("comments*.toml"))]
    said = "\n".join((VERSION, *definitions(tz), *meanings))
    return f"views {sha256(said.encode()).hexdigest()}\nfile {sha256(content).hexdigest()}\n".encode()


def _built_before(store: Path, tz: str) -> bytes | None:
    """The store's own file of views, which only lacks where the parts are now, if it is, byte for byte, one that was built so."""
    try:
        content = (store / FILE_NAME).read_bytes()
        return content if (store / NOTE).read_bytes().endswith(_holding(content, tz)) else None
    except FileNotFoundError:
        return None


def is_current(store: Path, manifest: Manifest) -> bool:
    """Whether the store's file of views is, byte for byte, the one that was built from this manifest for this place."""
    try:
        content = (store / FILE_NAME).read_bytes()
        return (store / NOTE).read_bytes() == built_from(store, manifest, content)
    except FileNotFoundError:
        return False


@contextmanager
def connect(store: Path, memory: str = MEMORY) -> Iterator[Connection]:
    """A connection with every view over the parts that the store's manifest names now, for the tool's own SQL.

    It takes so much `memory` at the most, or what the environment variable `DDZ_MEMORY` says. Raises StoreError as
    `load_manifest` does, and `part_unreadable`; DdzError `out_of_memory`, both also for what is asked within; UsageError
    `memory_setting`.
    """
    manifest = load_manifest(store)
    memory = os.environ.get("DDZ_MEMORY", memory)
    try:
        with TemporaryDirectory(prefix="ddz-") as spilled, _memory() as connection:
            connection.execute("SET enable_progress_bar = false")
            _limit_memory(connection, memory)
            connection.execute(f"SET temp_directory = {literal(spilled)}")
            connection.execute(f"SET TimeZone = {literal(manifest.time_zone)}")
            _take_views(connection, store, manifest)
            yield connection
    except duckdb.OutOfMemoryException as error:
        what = f"a question needs more than {memory} of memory"
        raise DdzError("out_of_memory", what, mend="set DDZ_MEMORY, such as DDZ_MEMORY=8GB") from error
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        what = f"a part of the store cannot be read: {str(error).splitlines()[0]}"
        mend = "run the command again if another one was writing, else `ddz verify`"
        raise StoreError("part_unreadable", what, where=str(store), mend=mend) from error


def _limit_memory(connection: Connection, memory: str) -> None:
    try:
        connection.execute(f"SET memory_limit = {literal(memory)}")
    except duckdb.Error as error:
        what = f"DDZ_MEMORY is no size: {memory!r}"
        raise UsageError("memory_setting", what, mend="write it like 8GB or 50%") from error


def _take_views(connection: Connection, store: Path, manifest: Manifest) -> None:
    """The views that were built; new ones in memory, which takes eight times as long, where those are stale or a client holds them."""
    if is_current(store, manifest):
        with suppress(duckdb.IOException):
            connection.execute(
                f"ATTACH {literal(str(store / FILE_NAME))} AS catalog (READ_ONLY); USE catalog"
            )
            return
    connection.execute("CREATE SCHEMA stored")
    define_stored(connection, store, manifest.files())
    define_views(connection, manifest.time_zone)


def _memory() -> Connection:
    return duckdb.connect(config={"autoinstall_known_extensions": False, "python_enable_replacements": False})


def define_stored(
    connection: Connection, store: Path, files: Mapping[str, Sequence[str]], mark: str = ""
) -> None:
    """Make the relation of each stored table over its Parquet parts, in `store` or as `build_catalog` says."""
    home = f"{_beside(mark)}, " if mark else ""
    place = f"coalesce(getvariable('ddz_store'), {home}{literal(str(store.absolute()))})"
    connection.execute(f"CREATE OR REPLACE MACRO stored.part(path) AS {place} || '/' || path")
    for table, columns in SCHEMAS.items():
        paths = files.get(table, ())
        source = _parts(paths) if paths else _nothing(connection, columns)
        connection.execute(f"CREATE OR REPLACE VIEW stored.{table} AS {source}")


def _beside(mark: str) -> str:
    """The folder of the opened database file, where that is a FILE_NAME; else NULL.

    The one thing that follows the file and may stand in the path of a part is DuckDB's default folder for temporary files. It is
    that of the database which was opened, not of one attached to it: the way through the store's mark leads nowhere, and to an
    error, in a store with another manifest, whose parts may have the same names.
    """
    ending = f"/{FILE_NAME}.tmp"
    temporary = "current_setting('temp_directory')"
    folder = f"left({temporary}, -{len(ending)})"
    return (
        f"CASE WHEN ends_with({temporary}, {literal(ending)}) THEN {folder} || {literal(f'/{mark}/..')} END"
    )


def define_views(connection: Connection, tz: str) -> None:
    """Make the macros and the views on top of the relations in the schema `stored`."""
    connection.execute("; ".join(definitions(tz)))


def describe(connection: Connection) -> None:
    """Put a comment on every macro, view and column; takes a tenth of a second."""
    connection.execute("; ".join(_comment_statements(connection)))


def _parts(paths: Sequence[str]) -> str:
    return (
        "SELECT * FROM read_parquet([" + ", ".join(f"stored.part({literal(path)})" for path in paths) + "])"
    )


def _nothing(connection: Connection, columns: pa.Schema) -> str:
    """A query with the columns of a stored table and no row."""
    empty = connection.from_arrow(columns.empty_table())
    fields = [f"NULL::{kind} AS {name}" for name, kind in zip(empty.columns, empty.types, strict=True)]
    return f"SELECT {', '.join(fields)} WHERE false"


def described(store: Path, lang: str = "en") -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """Every view with its comment and its columns (name, type, comment), in order; raises as `connect` does."""
    with connect(store) as connection:
        found = connection.sql(sql_text("columns")).fetchall()
    columns = {view: columns_of(view, lang) for view in VIEWS}
    return [
        (
            view,
            comments(lang)["views"].get(view, ""),
            [(column, kind, columns[view].get(column, "")) for table, column, kind in found if table == view],
        )
        for view in VIEWS
    ]


def _comment_statements(connection: Connection) -> Iterator[str]:
    said = {lang: comments(lang) for lang in LANGUAGES}
    for macro in comments()["macros"]:
        kind = "MACRO TABLE" if macro in TABLE_MACROS else "MACRO"
        yield _comment_on(
            f"{kind} {macro}", {lang: said[lang]["macros"].get(macro, "") for lang in LANGUAGES}
        )
    for view in VIEWS:
        yield _comment_on(f"VIEW {view}", {lang: said[lang]["views"].get(view, "") for lang in LANGUAGES})
    for view, column, _ in connection.execute(sql_text("columns")).fetchall():
        told = {lang: columns_of(view, lang).get(column, "") for lang in LANGUAGES}
        if any(told.values()):
            yield _comment_on(f"COLUMN {view}.{column}", told)


def _comment_on(what: str, told: Mapping[str, str]) -> str:
    return f"COMMENT ON {what} IS {literal(in_every_language(told))}"
