"""docs/spark.md is true: its programs run, one after the other, on a store of samples."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.conftest import SPARK_MASTER
from tests.documents import ROOT
from tests.reports import SAMPLES
from tests.stores import take

PAGE = (ROOT / "docs" / "spark.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    """The blocks of a kind, in order."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_programs_of_the_page(tmp_path: Path, spark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Every program and query of the page runs, and its check finds that all sums are zero."""
    take(tmp_path / "ddz-store", SAMPLES / "ddz-text", SAMPLES / "simulated" / "happy.ddz.jsonl")
    assert f'"{SPARK_MASTER}"' in PAGE
    known: dict[str, Any] = {}
    with chdir(tmp_path):
        for program in blocks("python"):
            exec(
                re.sub(r'"(ddz-store|replayed|scored)', rf'"{tmp_path}/\1', program), known
            )  # Spark was started elsewhere
        assert capsys.readouterr().out.splitlines()[-1] == "[]"
        for query in blocks("sql"):
            rows = duckdb.sql(query)
            assert rows is None or rows.fetchall()
