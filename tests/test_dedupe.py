"""Verdicts on parsed hands: new, duplicate, conflict."""

from __future__ import annotations

import pyarrow as pa
import pytest

from ddz_analytics.ingest.dedupe import COLUMNS, CONFLICT, DUPLICATE, NEW, Dedupe, judge

Row = tuple[str, str, str | None, str]  # content, format, table, id


def hands(*rows: Row) -> pa.Table:
    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    chunks = [pa.table([[value] for value in row], schema=schema) for row in rows]  # a chunk for each row
    return pa.concat_tables([schema.empty_table(), *chunks])


def verdicts(new: pa.Table, stored: pa.Table | None = None, dedupe: Dedupe = "content") -> list[int]:
    found: list[int] = judge(
        new, hands() if stored is None else stored, dedupe, ["global", "worldwide"]
    ).tolist()
    return found


def test_nothing() -> None:
    """No hands, no verdicts."""
    assert verdicts(hands(), hands(("x", "global", "t", "1"))) == []


def test_global_ids() -> None:
    """Where ids are global, other content under the same table and id is a conflict with the first."""
    new = hands(
        ("x", "global", "t", "1"), ("y", "global", "t", "1"), ("x", "global", "t", "1"), ("y", "global", "t", "1"),
        ("z", "global", "t", "2"), ("w", "global", "u", "1"), ("v", "worldwide", "t", "1"),
    )  # fmt: skip
    assert verdicts(new) == [NEW, CONFLICT, DUPLICATE, CONFLICT, NEW, NEW, NEW]


def test_global_ids_against_the_store() -> None:
    """What the store holds comes before what is new."""
    stored = hands(("x", "global", "t", "1"))
    new = hands(
        ("y", "global", "t", "1"),
        ("y", "global", "t", "1"),
        ("x", "global", "t", "1"),
        ("z", "global", "t", "9"),
    )
    assert verdicts(new, stored) == [CONFLICT, CONFLICT, DUPLICATE, NEW]


def test_local_ids() -> None:
    """Where ids are not global, only equal content makes a duplicate, and nothing is a conflict."""
    new = hands(("x", "local", None, "1"), ("y", "local", None, "1"), ("x", "local", None, "1"))
    assert verdicts(new) == [NEW, NEW, DUPLICATE]
    assert verdicts(new, hands(("y", "local", None, "7"))) == [NEW, DUPLICATE, DUPLICATE]
    assert verdicts(new, dedupe="id") == [NEW, NEW, DUPLICATE]


def test_one_hand_in_two_formats() -> None:
    """Equal content is a duplicate across formats, in one run as against the store."""
    one, other = ("x", "global", "t", "1"), ("x", "local", None, "1")
    assert verdicts(hands(one, other)) == [NEW, DUPLICATE]
    assert verdicts(hands(other), hands(one)) == [DUPLICATE]


@pytest.mark.parametrize(
    ("one", "other"), [((None, "a"), ("", "a")), (("t/1", "a"), ("t", "1/a")), ((None, "1/a"), ("1", "a"))]
)
def test_table_and_id_are_not_run_together(
    one: tuple[str | None, str], other: tuple[str | None, str]
) -> None:
    """Two pairs of table and id are the same only if both are."""
    assert verdicts(hands(("x", "global", *one), ("y", "global", *other))) == [NEW, NEW]


def test_by_id() -> None:
    """By id, whatever has a table and id that were seen is a duplicate."""
    new = hands(("x", "global", "t", "1"), ("y", "global", "t", "1"), ("z", "global", "t", "2"))
    assert verdicts(new, hands(("w", "global", "t", "2")), "id") == [NEW, DUPLICATE, DUPLICATE]


def test_without_deduplication() -> None:
    """Without deduplication every hand is new."""
    row = ("x", "global", "t", "1")
    assert verdicts(hands(row, row), hands(row), "none") == [NEW, NEW]
