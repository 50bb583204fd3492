"""Hands chosen by a condition in SQL over `hand_seats`: a statement over the views, cut down to them."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa

from ddz_analytics.errors import UsageError
from ddz_analytics.query import run_query
from ddz_analytics.rules.values import nearest
from ddz_analytics.store.catalog import Connection

_HEAD = re.compile(
    r"(?:\s*--[^\n]*\n|\s*CREATE (?:OR REPLACE )?TEMP (?:TABLE|VIEW) \w+ AS\n|\s*INSERT INTO \w+\n)*"
)
_OF_HANDS = (
    "hands", "hand_seats", "actions", "plays", "hand_facts", "settle_facts", "settlements", "scores", "flows",
    "refusals", "ruins", "reconciliation",
)  # fmt: skip
_STANDS_ON = {
    "paired_hands": ("settlements", "hands"),
    "paired_scores": ("settlements", "hands"),
    "paired_counts": ("settlements", "hands", "hand_facts"),
    "courses": ("settle_facts",),
    "compared_hands": ("settlements", "settle_facts"),
    "compared_balances": ("settlements", "settle_facts"),
    "settled_counts": ("settlements", "settle_facts"),
    "scored_days": ("settlements", "hands"),
    "clusters": ("hands",),
    "baseline_groups": ("settlements", "scores"),
}
_CHOSEN = "SELECT DISTINCT hand_id FROM hand_seats WHERE (\n{where}\n)"


def check_where(store: Path, where: str) -> None:
    """Refuse a condition that is no plain condition over `hand_seats`, or that no hand fits.

    Raises as `run_query` does, and UsageError `no_hands`.
    """
    found = run_query(store, f"WITH chosen AS ({_CHOSEN.format(where=where)}) SELECT count(*) FROM chosen")
    if not found.column(0)[0].as_py():
        raise UsageError("no_hands", "no hand has such a seat", where=where, mend="mend the condition")


def chosen_hands(connection: Connection, where: str | None) -> pa.Array | None:
    """The ids of the hands with a seat that the condition fits; None, which means all, without one."""
    if where is None:
        return None
    return connection.sql(_CHOSEN.format(where=where)).to_arrow_table()["hand_id"].combine_chunks()


def limited(statement: str, where: str | None) -> str:
    """A statement over the chosen hands alone: each view of hands that it reads stands for its chosen rows."""
    if where is None or "SELECT" not in statement:
        return statement
    words = set(re.findall(r"\w+", statement))
    named = {view for macro, views in _STANDS_ON.items() if macro in words for view in views} | words
    parts = [f"chosen AS ({_CHOSEN.format(where=where)})"]
    parts += [
        f"{view} AS (SELECT * FROM {view} WHERE hand_id IN (SELECT hand_id FROM chosen))"
        for view in _OF_HANDS
        if view in named
    ]
    begin = _HEAD.match(statement)
    head = begin[0] if begin else ""
    rest = statement[len(head) :]
    body = f", {rest.removeprefix('WITH ')}" if rest.startswith("WITH ") else f"\n{rest}"
    stored = (
        "FROM (SELECT * FROM stored.settlements WHERE hand_id IN (SELECT hand_id FROM chosen)) AS settlements"
    )
    return f"{head}WITH {', '.join(parts)}{body}".replace("FROM stored.settlements", stored)


def check_column(connection: Connection, name: str) -> str:
    """A column of `hand_seats`; raises UsageError `unknown_column` with the nearest one."""
    known = connection.sql("FROM hand_seats LIMIT 0").columns
    if name not in known:
        mend = f"nearest: {nearest(name, known)}; they are the columns of hand_seats"
        raise UsageError("unknown_column", f"no column is called {name!r}", where="--by", mend=mend)
    return name
