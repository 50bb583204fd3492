"""The catalog: views, macros and comments over the stored parts, as a DuckDB file or in a connection's memory.

The SQL stands in `sql/`: `macros.sql`, one file for each view in `sql/views/`, and `comments.toml` with what every view and
column means. The views stand on one relation for each stored table, in the schema `stored`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import duckdb
import pyarrow as pa

from ddz_analytics.cards import RANKS
from ddz_analytics.combinations import CATEGORIES
from ddz_analytics.errors import StoreError
from ddz_analytics.hands import ACTORS, ACTS, STAGES
from ddz_analytics.parsers import parsers
from ddz_analytics.scales import play_rows, scale_rows
from ddz_analytics.schema import SEAT_NUMBERS
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.store.manifest import load_manifest
from ddz_analytics.store.parts import SCHEMAS

FILE_NAME = "ddz.duckdb"
STORAGE_VERSION = "v1.2.0"  # so that clients of DuckDB 1.2 and later open the file too
SQL = Path(__file__).parents[1] / "sql"

# in the order in which they are made: a view may stand on those before it
VIEWS = (
    "source_files", "rejected_hands", "hands", "hand_seats", "actions", "plays", "hand_facts", "hand_issues",
    "settle_facts", "declared_facts", "autoplay_episodes", "rule_sets", "settlements", "scores", "flows", "refusals", "ruins", "reconciliation",
    "standings",
)  # fmt: skip

# macros that stand for a query, each with its parameters; made after the views
TABLE_MACROS = {
    "paired_scores": "baseline, others", "paired_counts": "baseline, others", "compared_hands": "rule_sets", "clusters": "", "baseline_groups": "baseline",
}  # fmt: skip

Connection = duckdb.DuckDBPyConnection


def build_catalog(target: Path, store: Path, files: Mapping[str, Sequence[str]], *, tz: str = "UTC") -> None:
    """Write the DuckDB file `target`: views over the parts `files` (stored table to paths relative to `store`).

    A table without parts gives an empty view of the right types. A client that finds the store moved says
    `SET VARIABLE ddz_store = '<new path>'`. `tz` is the zone of `local_time` and `local_day`.
    """
    target.unlink(missing_ok=True)
    with _memory() as connection:
        connection.execute(
            f"ATTACH {literal(str(target))} AS catalog (STORAGE_VERSION {literal(STORAGE_VERSION)})"
        )
        # One transaction, else each of hundreds of comments is synced to the disk by itself.
        connection.execute("USE catalog; BEGIN")
        define_stored(connection, store, files)
        define_views(connection, tz)
        describe(connection)
        connection.execute("COMMIT; USE memory")
        connection.execute("DETACH catalog")


@contextmanager
def connect(store: Path) -> Iterator[Connection]:
    """An in-memory connection with every view over the parts that the store's manifest names now, for the tool's own SQL.

    Raises StoreError as `load_manifest` does, and `part_unreadable`, also for what is asked within.
    """
    manifest = load_manifest(store)
    try:
        with _memory() as connection:
            connection.execute("SET enable_progress_bar = false")
            connection.execute(f"SET TimeZone = {literal(manifest.time_zone)}")
            define_stored(connection, store, manifest.files())
            define_views(connection, manifest.time_zone)
            yield connection
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        what = f"a part of the store cannot be read: {str(error).splitlines()[0]}"
        mend = "run the command again if another one was writing, else `ddz verify`"
        raise StoreError("part_unreadable", what, where=str(store), mend=mend) from error


def _memory() -> Connection:
    return duckdb.connect(config={"autoinstall_known_extensions": False, "python_enable_replacements": False})


def define_stored(connection: Connection, store: Path, files: Mapping[str, Sequence[str]]) -> None:
    """Make the relation of each stored table over its Parquet parts, relative to `store` unless `ddz_store` is set."""
    place = f"coalesce(getvariable('ddz_store'), {literal(str(store.absolute()))})"
    connection.execute("CREATE SCHEMA stored")
    connection.execute(f"CREATE MACRO stored.part(path) AS {place} || '/' || path")
    for table, columns in SCHEMAS.items():
        paths = files.get(table, ())
        source = _parts(paths) if paths else _nothing(connection, columns)
        connection.execute(f"CREATE VIEW stored.{table} AS {source}")


def define_views(connection: Connection, tz: str) -> None:
    """Make the macros and the views on top of the relations in the schema `stored`."""
    connection.execute(f"CREATE VIEW stored.reference_rules AS {_references()}")
    connection.execute(f"CREATE VIEW stored.local_ids AS {_local_ids()}")
    for relation, statement in _scales().items():
        connection.execute(f"CREATE VIEW stored.{relation} AS {statement}")
    connection.execute(_macros(tz))
    connection.execute(f"CREATE VIEW stored.on_scale AS {sql_text('on_scale')}")
    for view in VIEWS:
        connection.execute(f"CREATE VIEW {view} AS {sql_text(f'views/{view}')}")
    for macro, parameters in TABLE_MACROS.items():
        connection.execute(f"CREATE MACRO {macro}({parameters}) AS TABLE {sql_text(macro)}")


def describe(connection: Connection) -> None:
    """Put a comment on every macro, view and column; takes a tenth of a second."""
    connection.execute("; ".join(_comment_statements(connection)))


@cache
def sql_text(name: str) -> str:
    """The text of one file of `sql/`, such as `views/hands`."""
    return (SQL / f"{name}.sql").read_text("utf-8")


def literal(value: object) -> str:
    """A text, a truth value, None or a sequence of them as an SQL literal."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, Iterable):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return "NULL" if value is None else str(value)


def _parts(paths: Sequence[str]) -> str:
    return (
        "SELECT * FROM read_parquet([" + ", ".join(f"stored.part({literal(path)})" for path in paths) + "])"
    )


def _nothing(connection: Connection, columns: pa.Schema) -> str:
    """A query with the columns of a stored table and no row."""
    empty = connection.from_arrow(columns.empty_table())
    fields = [f"NULL::{kind} AS {name}" for name, kind in zip(empty.columns, empty.types, strict=True)]
    return f"SELECT {', '.join(fields)} WHERE false"


def _references() -> str:
    """A query for the rule set by which each format that names none counts; NULL where its scores are no points."""
    silent = [parser for parser in parsers().values() if "rules" not in parser.records]
    rows = [f"({literal(parser.name)}, {literal(parser.reference_rules)}::VARCHAR)" for parser in silent]
    return f"SELECT * FROM (VALUES {', '.join(rows)}) AS formats (source_format, rule_set)"


def _local_ids() -> str:
    """A query for the formats whose ids say which hand it is within their file alone."""
    names = [literal(each.name) for each in parsers().values() if not each.ids_are_global]
    return f"SELECT unnest([{', '.join(names)}]::VARCHAR[]) AS source_format"


def _scales() -> dict[str, str]:
    """Queries for the scales of recorded scores that are no points, and for what each play adds on them."""
    columns = "winner, loser, fault, others"
    amounts = ", ".join(f"{column}::DECIMAL(18, 4) AS {column}" for column in columns.split(", "))
    return {
        "scales": f"SELECT source_format, scale, {amounts} FROM (VALUES {_values(scale_rows())}) AS s (source_format, scale, {columns})",
        "scale_points": "SELECT scale, category, points::DECIMAL(18, 4) AS points "
        f"FROM (VALUES {_values(play_rows())}) AS p (scale, category, points)",
    }


def _values(rows: Iterable[tuple[str | None, ...]]) -> str:
    return ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in rows)


def _macros(tz: str) -> str:
    flags = "[" + ", ".join(f"(assumed >> {place}) & 1 = 1" for place in range(len(CODES))) + "]"
    return Template(sql_text("macros")).substitute(
        acts=literal(ACTS), stages=literal(STAGES), actors=literal(ACTORS), categories=literal(CATEGORIES),
        ranks=literal(tuple(RANKS)), assumptions=literal(CODES), assumption_flags=flags, zone=literal(tz),
    )  # fmt: skip


def comments() -> dict[str, Any]:
    """The content of `comments.toml`."""
    return tomllib.loads((SQL / "comments.toml").read_text("utf-8"))


def described(store: Path) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """Every view with its comment and its columns (name, type, comment), in order; raises as `connect` does."""
    said = comments()
    with connect(store) as connection:
        found = connection.sql(sql_text("columns")).fetchall()
    columns = {view: _of(view, said) for view in VIEWS}
    return [
        (
            view,
            said["views"][view],
            [(column, kind, columns[view].get(column, "")) for table, column, kind in found if table == view],
        )
        for view in VIEWS
    ]


def _comment_statements(connection: Connection) -> Iterator[str]:
    said = comments()
    for macro, text in said["macros"].items():
        yield f"COMMENT ON {'MACRO TABLE' if macro in TABLE_MACROS else 'MACRO'} {macro} IS {literal(text)}"
    for view in VIEWS:
        yield f"COMMENT ON VIEW {view} IS {literal(said['views'][view])}"
    columns = {view: _of(view, said) for view in VIEWS}
    for view, column, _ in connection.execute(sql_text("columns")).fetchall():
        if column in columns[view]:
            yield f"COMMENT ON COLUMN {view}.{column} IS {literal(columns[view][column])}"


def _of(view: str, said: Mapping[str, Any]) -> dict[str, str]:
    """What is said of the columns of a view."""
    columns = said["columns"]
    like = columns.get(said["like"].get(view), {})
    return _by_seat(_by_role(said["common"] | like | columns.get(view, {}), said["roles"]))


def _by_role(described: Mapping[str, str], roles: Mapping[str, str]) -> dict[str, str]:
    """The descriptions with `{role}` in a name and its text written out for each role."""
    return {
        name.replace("{role}", role): text.replace("{role}", who)
        for name, text in described.items()
        for role, who in roles.items()
    }


def _by_seat(described: Mapping[str, str]) -> dict[str, str]:
    """The descriptions with `{seat}` in a name and its text written out for each seat."""
    return {
        name.replace("{seat}", str(seat)): text.replace("{seat}", str(seat))
        for name, text in described.items()
        for seat in SEAT_NUMBERS
    }
