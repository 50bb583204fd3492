"""`ddz sql`: questions over the views."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.cli.common import output_option, quiet_option, store_option, write_out
from ddz_analytics.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("table", "csv", "json", "jsonl")
LIST = "SELECT view_name, column_name, data_type, comment FROM duckdb_columns() JOIN duckdb_views() USING (view_name)"


@click.command()
@click.argument("query", required=False)
@store_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=None, help="Seconds a question may run."
)
@click.option("--memory", default=None, help="Memory that a question may use, e.g. 2GB.")
@output_option
@quiet_option
def sql(
    query: str | None,
    store: Path,
    form: str,
    timeout: float | None,
    memory: str | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Ask one question in SQL, read-only; without a question, list the views and their columns."""
    from ddz_analytics import query as asking

    if query is None:
        write_out(_listing(store).encode(), output)
        return
    if query == "-":
        query = sys.stdin.read()
    if not query.strip():
        raise UsageError("sql_statements", "the question is empty", mend="`ddz sql` alone lists the views")
    limits = asking.Limits(seconds=timeout, memory=memory)
    answer = asking.run_query(store, query, limits=limits)
    written: dict[str, Callable[[pa.Table], str]] = {
        "table": asking.as_table,
        "csv": asking.as_csv,
        "json": asking.as_json,
        "jsonl": asking.as_jsonl,
    }
    write_out(written[form](answer).encode(), output)


def _listing(store: Path) -> str:
    from ddz_analytics.store.catalog import described

    lines = []
    for view, comment, columns in described(store):
        lines.append(f"\n{view}: {comment}")
        lines += [f"  {name:28} {kind:26} {told}" for name, kind, told in columns]
    return "\n".join(lines).lstrip("\n") + "\n"
