"""The examples of mappings: they read the logs beside them, and the logs are what their script writes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from ddz_analytics.ingest.summary import Counts
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store.catalog import connect
from tests.stores import column, counts_of, take

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@pytest.fixture(params=["relational", "events"])
def example(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name of an example whose log was read into the store `store`."""
    name = str(request.param)
    found = counts_of(take(tmp_path / "store", EXAMPLES / name, mapping=EXAMPLES / name / "mapping.toml"))
    if name == "relational":
        assert found["games.csv"] == Counts(read=14, stored=13, rejected=1)
        assert column(tmp_path / "store", "rejected", "code") == ["repeated_row", "orphan_row"]
    else:
        assert found == {"events.jsonl": Counts(read=3, stored=3)}
    return name


def test_scores_of_the_examples(example: str, tmp_path: Path) -> None:
    """Every finished hand of the examples replays, and its scores are recomputed exactly."""
    status = column(tmp_path / "store", "facts", "replay_status")
    assert status == (["ok"] * 12 + ["unfinished"] if example == "relational" else ["ok"] * 3)
    rescore(tmp_path / "store", [load_rules("happy")])
    with connect(tmp_path / "store") as connection:
        verdicts = connection.sql("SELECT verdict, count(*) FROM reconciliation GROUP BY ALL").fetchall()
    assert verdicts == [("exact", 36 if example == "relational" else 9)]


def test_the_script_writes_the_examples(tmp_path: Path) -> None:
    """The logs of the examples are, byte for byte, what the script beside them writes."""
    for name in ("relational", "events"):
        (tmp_path / name).mkdir()
    runpy.run_path(str(EXAMPLES / "make_examples.py"))["main"](tmp_path)
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.*"))
    assert len(written) == 6
    for path in written:
        assert (tmp_path / path).read_bytes() == (EXAMPLES / path).read_bytes()
