"""Re-scoring on Spark, with a real one in local mode: what its workers write is what local processes write."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from ddz_analytics import rescore as rescoring
from ddz_analytics import spark as on_spark
from ddz_analytics.errors import UsageError
from ddz_analytics.ingest import intake
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules, shipped_rules
from ddz_analytics.simulate import simulate
from ddz_analytics.store import open_store
from ddz_analytics.store.parts import REPLAYED
from ddz_analytics.verify import verify
from tests.command import ddz
from tests.conftest import SPARK_MASTER
from tests.reports import SAMPLES
from tests.stores import content, take, ten_hands_in

RULE_SETS = [load_rules(name) for name in shipped_rules()]
JJ = load_rules("jj-classic")
KEYS = ("rule_set", "hand_id", "seat", "play_index", "issue_index", "episode")


@pytest.fixture(scope="module")
def unscored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of all sample logs, in parts of a thousand hands, not scored yet."""
    store = tmp_path_factory.mktemp("unscored") / "store"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "HANDS_PER_PART", 1000)
        take(store, *sorted(str(found) for found in SAMPLES.iterdir() if found.is_dir()))
    return store


@pytest.fixture
def ten_hands(tmp_path: Path) -> Path:
    """A store with ten hands that were played out, not scored yet."""
    return ten_hands_in(tmp_path)


def copy_of(store: Path, folder: Path) -> Path:
    """The same store at another place."""
    return Path(shutil.copytree(store, folder / "copy"))


def in_order(table: pa.Table) -> pa.Table:
    """The rows of a table in an order that depends on nothing else."""
    return table.sort_by(
        [(name, "ascending") for name in KEYS if name in table.column_names]
    ).combine_chunks()


def parts_of(table: pa.Table) -> list[Any]:
    """Conditions that cut a table by rule set, where it has any: less is sorted at once."""
    if "rule_set" not in table.column_names:
        return [pc.field("hand_id").is_valid()]
    return [pc.field("rule_set") == name for name in sorted(pc.unique(table["rule_set"]).to_pylist())]


def check_store(unscored: Path, folder: Path, spark: Any) -> Path:
    """Workers score a store into the very parts that a local process writes, and it is whole; returns it."""
    here, there = copy_of(unscored, folder / "here"), copy_of(unscored, folder / "there")
    assert len(open_store(here).manifest.facts) > 2
    assert on_spark.rescore(there, RULE_SETS, spark) == rescore(here, RULE_SETS)
    assert open_store(there).manifest.fingerprints == open_store(here).manifest.fingerprints
    assert verify(there) == []
    return there


def check_parquet(scored: Path, out: Path, spark: Any) -> None:
    """The hands of a scored store become the replayed tables and settlements that it has, and manifests count them."""
    store = open_store(scored)
    hands = [str(path) for path in store.paths("hands")]
    made = on_spark.replay(spark, hands, f"{out.as_uri()}/replayed", mapped=store.manifest.mapped)
    settled = on_spark.settle(spark, [f"{out.as_uri()}/replayed/facts"], f"{out.as_uri()}/scored", RULE_SETS)
    for table, output in zip((*REPLAYED, "settlements"), (*made.tables, *settled.tables), strict=True):
        wanted, folder = store.read(table), "scored" if table == "settlements" else "replayed"
        assert (output.folder, output.rows, sum(output.files.values())) == (table, len(wanted), len(wanted))
        for part in parts_of(wanted):
            found = pq.read_table(out / folder / table, filters=part)
            assert in_order(found).equals(in_order(wanted.filter(part))), table
    assert settled.rule_sets == {rules.id: rules.rule_hash for rules in RULE_SETS}
    assert on_spark.read_manifest(spark, f"{out.as_uri()}/scored") == settled


def test_all_samples(unscored: Path, tmp_path: Path, spark: Any) -> None:
    """Two workers make of the sample logs what local processes make of them: part by part in a store, row by row in Parquet."""
    check_parquet(check_store(unscored, tmp_path, spark), tmp_path / "out", spark)


@pytest.mark.long
def test_two_hundred_thousand_hands(tmp_path: Path, spark: Any) -> None:
    """Two workers make of 200,000 hands of all shipped rule sets what local processes make of them."""
    each = 200_000 // len(RULE_SETS)
    with (tmp_path / "log.jsonl").open("wb") as log:
        for rules in RULE_SETS:
            log.writelines(line + b"\n" for line in simulate(rules, hands=each, seed=11, players=600))
    take(tmp_path / "store", tmp_path / "log.jsonl", jobs=2)
    check_parquet(check_store(tmp_path / "store", tmp_path, spark), tmp_path / "out", spark)


def test_grid_of_settings_by_the_command(ten_hands: Path, tmp_path: Path, spark: Any) -> None:
    """`ddz rescore --engine spark` takes a grid and says what the local engine says; a second run finds all current."""
    grid = ("--rules", "jj-classic", "--set", "cap.doublings=1,2", "--store")
    on_workers = ("--engine", "spark", "--master", SPARK_MASTER)
    local = copy_of(ten_hands, tmp_path)
    there, here = (
        ddz("rescore", *grid, ten_hands, *on_workers, folder=tmp_path),
        ddz("rescore", *grid, local, folder=tmp_path),
    )
    assert (there.returncode, there.stderr, there.stdout) == (0, "", here.stdout)
    assert content(ten_hands) == content(local)
    again = ddz("rescore", *grid, ten_hands, *on_workers, folder=tmp_path)
    assert again.stdout.count(": current") == 2
    assert ddz("verify", "--store", ten_hands, folder=tmp_path).stdout == "the store is whole\n"


def test_older_replay(ten_hands: Path, monkeypatch: pytest.MonkeyPatch, spark: Any) -> None:
    """What an older version replayed is replayed again by the workers before they settle it."""
    monkeypatch.setattr(rescoring, "REPLAY_VERSION", 99)
    assert on_spark.rescore(ten_hands, [JJ], spark) == rescoring.Rescored({JJ.id: 10}, 10)
    assert verify(ten_hands) == []


def test_forms_are_made_once_in_each_worker(spark: Any) -> None:
    """A worker keeps the table of forms from one part to the next."""

    def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from os import getpid

        from ddz_analytics.combinations import form_table

        for batch in batches:
            before = form_table.cache_info().misses
            form_table()
            now = form_table.cache_info().misses - before
            yield pa.RecordBatch.from_pydict({"worker": [getpid()] * len(batch), "made": [now] * len(batch)})

    rows = spark.range(0, 12, 1, 12).mapInArrow(made, "worker long, made long").collect()
    workers = {row.worker for row in rows}
    assert sum(row.made for row in rows) <= len(workers) < len(rows) == 12


def test_chained_balances(ten_hands: Path, tmp_path: Path) -> None:
    """Chained balances are refused, and why is said."""
    with pytest.raises(UsageError) as error:
        on_spark.rescore(ten_hands, [JJ], SPARK_MASTER, "chained")
    assert error.value.code == "spark_chained"
    run = ddz("rescore", "--engine", "spark", "--balances", "chained", "--store", ten_hands, folder=tmp_path)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "every hand waits for the hands before it" in run.stderr


@pytest.mark.parametrize(("options"), [("--master", "local[2]"), ("--engine", "spark", "--jobs", "2")])
def test_option_of_the_other_engine(options: tuple[str, ...], ten_hands: Path, tmp_path: Path) -> None:
    """An option that the chosen engine does not read is refused."""
    run = ddz("rescore", "--store", ten_hands, *options, folder=tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith("error[engine]: ")
