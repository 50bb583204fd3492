"""Rates of replay and settling on Spark beside the local engine, in hands per core-second: `python -m tests.bench.spark [HANDS]` (Linux).

Counted is the processor time of this process and all below it, Java and its workers among them, in the second of two rounds: Java
has compiled by then. Ratios are within one run, so they hold on a busy machine, too.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from ddz_analytics import spark as on_spark
from ddz_analytics.ingest import Options, ingest
from ddz_analytics.ingest.replaying import replayed_in_cuts
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store import Store, open_store
from ddz_analytics.store.parts import read_part, write_part
from tests.bench.logs import write_logs

RULE_SETS = [load_rules(name) for name in ("jj-classic", "qq-classic", "happy", "casino-capped")]
TICKS = os.sysconf("SC_CLK_TCK")


def spent() -> float:
    """Processor seconds of this process and all below it, those that are gone among them."""
    parent_of, seconds = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        parent_of[int(folder.name)] = int(fields[1])
        seconds[int(folder.name)] = sum(map(int, fields[11:15])) / TICKS
    ours = {os.getpid()}
    while below := {process for process, parent in parent_of.items() if parent in ours} - ours:
        ours |= below
    return sum(seconds[process] for process in ours)


@contextmanager
def timed(rates: dict[str, float], name: str, hands: int) -> Iterator[None]:
    """Note how many hands per core-second pass in here."""
    before = spent()
    yield
    rates[name] = hands / (spent() - before)


def generated(folder: Path, hands: int) -> Store:
    """A store of simulated hands, not scored yet."""
    ingest(folder / "store", [str(log) for log in write_logs(folder / "logs", hands)], Options())
    return open_store(folder / "store")


def locally(store: Store, folder: Path, rates: dict[str, float]) -> None:
    """One process."""
    pa.set_cpu_count(1)
    hands = sum(part.rows for part in store.manifest.hands)
    for table in ("facts", "plays"):
        with timed(rates, table, hands):
            for number, path in enumerate(store.paths("hands")):
                found = replayed_in_cuts(read_part(path), store.manifest.mapped)
                write_part(folder / f"{table}-{number}", table, [getattr(each, table) for each in found])
    scored = shutil.copytree(store.path, folder / "scored")
    with timed(rates, "settlements", hands * len(RULE_SETS)):
        rescore(Path(scored), RULE_SETS)
    rates["settlements, store"] = rates["settlements"]


def on_workers(store: Store, folder: Path, rates: dict[str, float]) -> None:
    """Spark with two workers, twice."""
    hands = sum(part.rows for part in store.manifest.hands)
    source, mapped = [str(path) for path in store.paths("hands")], store.manifest.mapped
    with on_spark.session("local[2]") as session:
        for turn in ("cold", "warm"):
            for table in ("facts", "plays"):
                with timed(rates, table, hands):
                    on_spark.replay(session, source, f"{folder}/{turn}-{table}", [table], mapped)
            with timed(rates, "settlements", hands * len(RULE_SETS)):
                on_spark.settle(
                    session, [f"{folder}/{turn}-facts/facts"], f"{folder}/{turn}-scored", RULE_SETS
                )
            scored = shutil.copytree(store.path, folder / turn)
            with timed(rates, "settlements, store", hands * len(RULE_SETS)):
                on_spark.rescore(Path(scored), RULE_SETS, session)


def main(hands: int) -> None:
    """Print a line for each table: both rates, and how they stand to each other."""
    local: dict[str, float] = {}
    spark: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = generated(folder, hands)
        locally(store, folder, local)
        on_workers(store, folder, spark)
        for table, rate in spark.items():
            print(
                f"{table:20} local {local[table]:10,.0f}  Spark {rate:10,.0f}  ratio {rate / local[table]:.2f}"
            )
        for table in ("facts", "plays", "scored"):
            size = sum(file.stat().st_size for file in folder.glob(f"warm-{table}/*/*.parquet"))
            print(f"{table:20} {size / hands:10,.1f} bytes per hand")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
