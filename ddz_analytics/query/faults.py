"""DuckDB's errors as the tool's own: one line with a code."""

from __future__ import annotations

import re

import duckdb

from ddz_analytics.answers.plain import inert
from ddz_analytics.errors import DdzError, StoreError

_ADVICE = re.compile(r"\n\nLINE |\n\nPossible solutions|\nDatabase is launched")
_CODES: tuple[tuple[type[duckdb.Error], str, str], ...] = (
    (duckdb.ParserException, "sql_syntax", "mend the SQL"),
    (duckdb.CatalogException, "sql_name", "`ddz sql` alone lists views and columns"),
    (duckdb.BinderException, "sql_name", "`ddz sql` alone lists views and columns"),
    (duckdb.PermissionException, "sql_refused", "only the views can be read"),
    (duckdb.InterruptException, "sql_timeout", "ask for less, or give --timeout"),
    (duckdb.OutOfMemoryException, "sql_memory", "ask for less, or give --memory"),
)


def told(error: duckdb.Error | UnicodeEncodeError) -> DdzError:
    """DuckDB's words in one line, without the excerpt of the text."""
    if isinstance(error, UnicodeEncodeError):
        return DdzError("sql_syntax", "the question is not UTF-8", mend="mend the SQL")
    what = inert(" ".join(_ADVICE.split(str(error))[0].split()))
    if "reading the Arrow source failed" in what:
        return StoreError("part_unreadable", what, mend="`ddz verify` tells more")
    for kind, code, mend in _CODES:
        if isinstance(error, kind):
            return DdzError(code, what, mend=mend)
    return DdzError("sql_failed", what)
