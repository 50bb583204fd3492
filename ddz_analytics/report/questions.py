"""Questions to the store: each is one SQL statement over the views, written out in full, and its answer.

What is shown in the appendix is what was run, letter by letter, but that what several of them stand on was worked out once: so every
number can be asked for again with `ddz sql`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from ddz_analytics.choosing import limited
from ddz_analytics.comparison import Comparison
from ddz_analytics.store.catalog import literal, sql_text

_SQL = Path(__file__).with_name("sql")
_PARAMETER = re.compile(r"\$([a-z_]+)\b")


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
    """Asks a comparison's store, of the hands that it is about; keeps all answers by name."""

    comparison: Comparison
    answers: dict[str, Answer] = field(default_factory=dict)

    @cached_property
    def zone(self) -> str:
        """The zone of local days and times."""
        ((zone,),) = self.comparison.connection.sql(sql_text("info/zone")).fetchall()
        return str(zone)

    def ask(self, name: str, under: str | None = None, **more: object) -> Answer:
        """The answer to `sql/<name>.sql` of the report, or of the whole tool for a name with a folder, such as `info/files`.

        It is kept under the name without the folder, or under another one.
        """
        text = sql_text(name) if "/" in name else (_SQL / f"{name}.sql").read_text("utf-8")
        asked = self.comparison
        values = {**asked.parameters, "zone": self.zone, **more}
        statement = limited(_filled(text, values), asked.where)
        quicker = limited(_filled(asked.shared.reading(text), values), asked.where)
        answer = Answer(statement, asked.connection.sql(quicker).to_arrow_table())
        self.answers[under or name.rpartition("/")[2]] = answer
        return answer


def _filled(text: str, values: Mapping[str, object]) -> str:
    return _PARAMETER.sub(lambda found: literal(values[found[1]]), text).strip()
