"""What may be asked: exactly one statement whose syntax tree holds nothing but queries.

A list of allowed statements would not do, because `WITH x AS (COPY … TO …) SELECT 1` is a SELECT.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb

from ddz_analytics.errors import DdzError
from ddz_analytics.store.catalog import TABLE_MACROS, Connection

_QUERIES = frozenset(("SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"))
# every other table function reads files or memory, runs a text as SQL, or tells of the process
_TABLE_FUNCTIONS = frozenset(
    ("range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree", "summary",
     "duckdb_columns", "duckdb_functions", "duckdb_types", "duckdb_views", "pragma_table_info", *TABLE_MACROS)
)  # fmt: skip
# functions that write or tell of the process; all others only compute
_NO_FUNCTIONS = frozenset(
    ("current_setting", "write_log", "nextval", "setval", "currval", "sleep_ms", "query", "query_table")
)
_OPTION = r"(?:analyze|format|true|false|text|json|html|graphviz|yaml|mermaid)"
_EXPLAIN = re.compile(
    rf"\s*explain\s+(?:analyze\s+)?(?:\(\s*{_OPTION}(?:[\s,]+{_OPTION})*\s*\)\s*)?", re.IGNORECASE
)


def check(connection: Connection, sql: str) -> dict[str, Any]:
    """The syntax tree of one statement that only asks; raises DdzError `sql_refused` and `sql_statements` for any other."""
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise DdzError("sql_statements", f"{len(statements)} statements", mend="give exactly one")
    kind = statements[0].type
    if kind == duckdb.StatementType.EXPLAIN:
        return _explained(connection, sql)
    rows = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()
    try:
        tree: dict[str, Any] = json.loads(rows[0][0])
    except RecursionError:
        raise _refusal("the SQL is nested too deeply") from None
    if kind != duckdb.StatementType.SELECT or tree["error"]:
        pivot = " (a PIVOT needs `ON column IN (values)`)" if kind == duckdb.StatementType.MULTI else ""
        raise _refusal(f"{kind.name} is not a question{pivot}")
    for node in nodes(tree):
        _check_node(node)
    return tree


def nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Every object in a JSON value, however deep."""
    left = [tree]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            yield value
            left += value.values()
        elif isinstance(value, list):
            left += value


def _explained(connection: Connection, sql: str) -> dict[str, Any]:
    """The tree of what is explained: what stands before it must be known to the last character, so that nothing hides there."""
    begin = _EXPLAIN.match(sql)
    if begin is None:
        raise _refusal("an EXPLAIN after a comment")
    try:
        return check(connection, sql[begin.end() :])
    except duckdb.ParserException:
        raise _refusal("an EXPLAIN with a comment, or with an option that is not known") from None


def _check_node(node: Mapping[str, Any]) -> None:
    kind = node.get("type")
    if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _QUERIES:
        raise _refusal(f"{kind.removesuffix('_NODE').removesuffix('_QUERY')} is not a question")
    if kind == "TABLE_FUNCTION":
        name = node["function"]["function_name"]
        if name.lower() not in _TABLE_FUNCTIONS:
            raise _refusal(f"the function {name} is not allowed")
    name = node.get("function_name")
    if isinstance(name, str) and name.lower() in _NO_FUNCTIONS:
        raise _refusal(f"the function {name} is not allowed")


def _refusal(what: str) -> DdzError:
    mend = "only SELECT, VALUES, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN over the views"
    return DdzError("sql_refused", what, mend=mend)
