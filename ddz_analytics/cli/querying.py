"""`ddz sql`: questions over the views."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ddz_analytics.cli.common import (
    answer_format_option,
    output_option,
    quiet_option,
    store_option,
    write_out,
)
from ddz_analytics.errors import UsageError
from ddz_analytics.locale import language

LIST = "SELECT view_name, column_name, data_type, comment FROM duckdb_columns() JOIN duckdb_views() USING (view_name)"


@click.command()
@click.argument("query", required=False)
@store_option
@answer_format_option
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
    write_out(asking.FORMATS[form](answer).encode(), output)


def _listing(store: Path) -> str:
    from ddz_analytics.store.catalog import described

    lines = []
    for view, comment, columns in described(store, language()):
        lines.append(f"\n{view}: {comment}")
        lines += [f"  {name:28} {kind:26} {told}" for name, kind, told in columns]
    return "\n".join(lines).lstrip("\n") + "\n"
