"""Hands told apart by fingerprints first get the verdicts that they would get if each were compared with each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.errors import StoreError
from ddz_analytics.ingest.dedupe import COLUMNS, Dedupe, judge
from ddz_analytics.ingest.fingerprints import verdicts
from ddz_analytics.schema import HANDS

GLOBAL = ["global", "worldwide"]


def drawn(rng: np.random.Generator, number: int) -> pa.Table:
    """So many hands with few contents, formats, tables and ids, so that all of them meet again."""
    values = {
        "content_hash": rng.integers(60, size=number).astype(str).tolist(),
        "source_format": rng.choice([*GLOBAL, "local"], size=number).tolist(),
        "table_id": rng.choice([None, "", "t", "t/1"], size=number).tolist(),  # type: ignore[arg-type]  # None is a value
        "source_hand_id": rng.integers(30, size=number).astype(str).tolist(),
    }
    columns = [pa.array(values.get(field.name, [None] * number), type=field.type) for field in HANDS]
    return pa.table(columns, schema=HANDS)


@pytest.mark.parametrize("dedupe", ["content", "id", "none"])
@pytest.mark.parametrize(("files", "parts"), [(0, 2), (3, 0), (1, 1), (3, 2)])
def test_the_verdicts_are_those_of_the_hands_themselves(
    tmp_path: Path, dedupe: Dedupe, files: int, parts: int
) -> None:
    """Whatever is repeated among some files, and between them and stored parts, the verdicts are the same."""
    rng = np.random.default_rng(4)
    parsed, stored = ([drawn(rng, 40) for _ in range(number)] for number in (files, parts))
    for place, table in enumerate(parsed):
        with (
            pa.OSFile(str(tmp_path / f"{place}.arrow"), "wb") as file,
            pa.ipc.new_file(file, HANDS) as writer,
        ):
            writer.write_table(table)
    for place, table in enumerate(stored):
        pq.write_table(table, tmp_path / f"{place}.parquet")
    found = verdicts(
        [tmp_path / f"{place}.arrow" for place in range(files)],
        [tmp_path / f"{place}.parquet" for place in range(parts)],
        dedupe,
        GLOBAL,
    )
    nothing = HANDS.empty_table()
    every, before = (pa.concat_tables([nothing, *tables]).select(COLUMNS) for tables in (parsed, stored))
    assert found.tolist() == judge(every, before, dedupe, GLOBAL).tolist()


@pytest.mark.parametrize("content", [None, b"PAR1"], ids=["missing", "damaged"])
def test_a_part_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    """Hands are not compared with fewer parts than there are: one that is gone or damaged ends in its name."""
    pq.write_table(HANDS.empty_table(), tmp_path / "whole.parquet")
    if content is not None:
        (tmp_path / "other.parquet").write_bytes(content)
    with pytest.raises(StoreError, match=r"part_unreadable.*other\.parquet"):
        verdicts([], [tmp_path / "whole.parquet", tmp_path / "other.parquet"], "content", GLOBAL)
