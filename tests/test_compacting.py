"""Many small ingests: their parts are joined, and nothing that was stored, replayed or settled is lost or changed by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.rescore import current, rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store import open_store, open_writer
from ddz_analytics.store.compacting import compacted
from ddz_analytics.store.manifest import Manifest
from ddz_analytics.store.parts import REPLAYED, SCHEMAS
from ddz_analytics.verify import verify
from tests.stores import column, played, take

RULES = ["jj-classic", "qq-classic"]
RUNS = 20


def part_counts(store: Path) -> dict[str, int]:
    manifest = open_store(store).manifest
    return {table: len(manifest.files()[table]) for table in SCHEMAS}


@pytest.fixture(scope="module")
def small_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store of twenty runs over a file of three hands and a bad record each, and that of one big file."""
    folder = tmp_path_factory.mktemp("runs")
    hands = played(3 * RUNS).splitlines(keepends=True)
    for run in range(RUNS):
        file = folder / f"{run:02d}.jsonl"
        file.write_bytes(b"".join(hands[3 * run : 3 * run + 3]) + b"{}\n")
        take(folder / "many", file)
        if run == RUNS // 2:
            rescore(folder / "many", [load_rules(name) for name in RULES])
    (folder / "all.jsonl").write_bytes(b"".join(hands) + b"{}\n" * RUNS)
    take(folder / "one", folder / "all.jsonl")
    return folder


def test_few_parts_after_many_runs(small_runs: Path) -> None:
    """After twenty runs every table has a handful of parts, settled hands keep their settlements until the rest is settled."""
    store = small_runs / "many"
    assert max(part_counts(store).values()) <= 6
    assert len(column(store, "settlements", "hand_id")) == len(RULES) * 3 * (RUNS // 2 + 1)
    rescore(store, [load_rules(name) for name in RULES])
    counts = part_counts(store)
    assert max(counts[table] for table in ("hands", *REPLAYED, "rejected")) <= 3
    assert counts["settlements"] == len(RULES) * counts["facts"]
    assert sorted(current(store)) == RULES
    assert verify(store) == []


def test_joined_parts_hold_what_one_run_would_have_stored(small_runs: Path) -> None:
    """Every row of every table is what a single run over all hands would have written, in the same order."""
    many, one = open_store(small_runs / "many"), open_store(small_runs / "one")
    for table in ("hands", *REPLAYED, "rejected"):
        places = [name for name in SCHEMAS[table].names if name in ("source_path", "source_line", "line")]
        assert many.read(table).drop_columns(places) == one.read(table).drop_columns(places), table


def test_joined_parts_know_what_came_of_each_file(small_runs: Path) -> None:
    """Reading one of the files again replaces its hands and records in a part that holds those of many."""
    store, file = small_runs / "many", small_runs / "07.jsonl"
    before = column(store, "hands", "source_hand_id")
    assert take(store, file, reparse=True).total.stored == 3
    after = column(store, "hands", "source_hand_id")
    assert after == [*before[:21], *before[24:], *before[21:24]]
    assert column(store, "rejected", "source_path").count(str(file)) == 1
    assert len(column(store, "rejected", "line")) == RUNS


def test_chained_balances_stay_valid(small_runs: Path, tmp_path: Path) -> None:
    """Joining parts does not make chained settlements stale: it is the same facts under other names."""
    for number in range(2):
        (tmp_path / f"{number}.jsonl").write_bytes(played(4, seed=number + 5))
        take(tmp_path / "store", tmp_path / f"{number}.jsonl")
        with open_writer(tmp_path / "store") as writer:
            assert compacted(writer, writer.manifest).hands == writer.manifest.hands
    rescore(tmp_path / "store", [load_rules("jj-classic")], balances="chained")
    assert list(current(tmp_path / "store", "chained")) == ["jj-classic"]
    assert len(column(tmp_path / "store", "settlements", "hand_id")) == 16


def test_what_differs_is_not_joined(small_runs: Path) -> None:
    """A big part before a small one, and parts of another size than allowed, are left alone."""
    with open_writer(small_runs / "one") as writer:
        manifest: Manifest = writer.manifest
        assert compacted(writer, manifest) == manifest
