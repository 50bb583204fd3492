"""What a comparison makes once for its questions: the same rows as those of the macros and views that the questions name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ddz_analytics.choosing import limited
from ddz_analytics.comparison import Comparison, compare
from ddz_analytics.shared import READ
from ddz_analytics.store.catalog import connect

WHERE = "source_format = 'open-spiel' AND role = 'landlord'"


def rows_of(found: Comparison, text: str) -> Counter[str]:
    """The rows of a statement, whatever the order of rows and columns, with how often each is there."""
    query = limited(text, found.where)
    (statement,) = found.connection.extract_statements(query)
    given = {name: found.parameters[name] for name in statement.named_parameters}
    table = found.connection.sql(query, params=given).to_arrow_table()
    rows = table.select(sorted(table.column_names)).to_pylist()
    asked = (None, found.baseline, *found.others)
    return Counter(
        str(row)
        for row in rows
        if row.get("scenario") in (None, found.scenario) and row.get("rule_set") in asked
    )


@pytest.mark.parametrize(
    ("read", "where"),
    [(read, where) for read in READ for where in (None, WHERE) if where is None or read != "FROM standings"],
)
def test_what_is_read_instead_has_the_same_rows(samples: Path, read: str, where: str | None) -> None:
    """Every relation that a comparison keeps is, row for row, what its questions ask for, also over chosen hands."""
    text = f"SELECT * FROM {read.removeprefix('FROM ')}"
    with connect(samples) as connection:
        found = compare(connection, "jj-classic", ["jj-bomb", "casino-capped"], where=where)
        asked = rows_of(found, text)
        assert asked == rows_of(found, found.shared.reading(text))
    assert asked
