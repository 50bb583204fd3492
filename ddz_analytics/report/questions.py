"""Questions to the store: each is one SQL statement over the views, written out in full, and its answer.

What is shown in the appendix is what was run, letter by letter, so every number can be asked for again with `ddz sql`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from ddz_analytics.comparison import Comparison
from ddz_analytics.query import run_query
from ddz_analytics.store.catalog import literal, sql_text

_SQL = Path(__file__).with_name("sql")
_PARAMETER = re.compile(r"\$([a-z_]+)\b")
_COMMENTS = re.compile(r"(?:--[^\n]*\n)*")
_OF_HANDS = (
    "hands", "hand_seats", "actions", "plays", "hand_facts", "settle_facts", "settlements", "scores", "flows",
    "refusals", "ruins", "reconciliation",
)  # fmt: skip
_STANDS_ON = {
    "paired_scores": ("settlements", "hands"),
    "compared_hands": ("settlements", "settle_facts"),
    "clusters": ("hands",),
}
_CHOSEN = "SELECT DISTINCT hand_id FROM hand_seats WHERE (\n{where}\n)"


@dataclass(frozen=True)
class Answer:
    """A statement and what came of it."""

    statement: str
    table: pa.Table

    def rows(self) -> list[dict[str, Any]]:
        """The rows as plain values."""
        found: list[dict[str, Any]] = self.table.to_pylist()
        return found


@dataclass
class Questions:
    """Asks a comparison's store, of the hands that `where` chooses (a condition over `hand_seats`); keeps all answers by name."""

    comparison: Comparison
    where: str | None
    answers: dict[str, Answer] = field(default_factory=dict)

    def ask(self, name: str, **more: object) -> Answer:
        """The answer to `sql/<name>.sql` of the report, or of the whole tool for a name with a folder, such as `info/files`."""
        text = sql_text(name) if "/" in name else (_SQL / f"{name}.sql").read_text("utf-8")
        statement = _limited(_filled(text, self._values(more)), self.where)
        answer = Answer(statement, self.comparison.connection.sql(statement).to_arrow_table())
        self.answers[name.rpartition("/")[2]] = answer
        return answer

    def hands(self) -> pa.Array | None:
        """The ids of the hands chosen; None for all."""
        if self.where is None:
            return None
        chosen = self.comparison.connection.sql(_CHOSEN.format(where=self.where)).to_arrow_table()
        return chosen["hand_id"].combine_chunks()

    def _values(self, more: Mapping[str, object]) -> dict[str, object]:
        asked = self.comparison
        others = list(asked.others)
        rule_sets = [asked.baseline, *others]
        return {
            "scenario": asked.scenario,
            "baseline": asked.baseline,
            "others": others,
            "rule_sets": rule_sets,
            **more,
        }


def check_where(store: Path, where: str) -> None:
    """Refuse a condition that is no plain condition over `hand_seats`; raises as `run_query` does."""
    run_query(store, f"WITH chosen AS ({_CHOSEN.format(where=where)}) SELECT count(*) FROM chosen")


def _filled(text: str, values: Mapping[str, object]) -> str:
    return _PARAMETER.sub(lambda found: literal(values[found[1]]), text).strip()


def _limited(statement: str, where: str | None) -> str:
    """A statement over the chosen hands alone: each view of hands that it reads stands for its chosen rows."""
    if where is None:
        return statement
    words = set(re.findall(r"\w+", statement))
    named = {view for macro, views in _STANDS_ON.items() if macro in words for view in views} | words
    parts = [f"chosen AS ({_CHOSEN.format(where=where)})"]
    parts += [
        f"{view} AS (SELECT * FROM {view} WHERE hand_id IN (SELECT hand_id FROM chosen))"
        for view in _OF_HANDS
        if view in named
    ]
    begin = _COMMENTS.match(statement)
    head = begin[0] if begin else ""
    rest = statement[len(head) :]
    body = f", {rest.removeprefix('WITH ')}" if rest.startswith("WITH ") else f"\n{rest}"
    return f"{head}WITH {', '.join(parts)}{body}"
