"""A store re-scored by Spark's workers: the tasks of the local engine, a part each, spread by `mapInArrow`."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.rescore import Rescored, Scenario, Watch, rescore_by, unwatched
from ddz_analytics.rules import RuleSet
from ddz_analytics.spark.faults import plain_spark_faults
from ddz_analytics.spark.frames import begin_worker
from ddz_analytics.spark.session import session
from ddz_analytics.store.manifest import load_manifest
from ddz_analytics.version import VERSION
from ddz_analytics.workers import Result, Run, Task, result_of, tried

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def rescore(
    store: Path,
    rule_sets: Sequence[RuleSet],
    spark: SparkSession | str = "local[*]",
    balances: Scenario = "recorded",
    watch: Watch = unwatched,
) -> Rescored:
    """Settle what is missing or out of date in a store, in the workers of a session (or of one at a master), and publish it as one.

    A worker reads a part of the store, replays or settles it, and writes the new part, so all of them must see the store's folder
    under its name here: with a local master, or on a file system that they share. The parts are those that `rescore.rescore`
    writes. Raises UsageError `spark_chained`, DdzError `spark_store`, `spark_worker`, `spark_failed`, and as that and `session` do.
    """
    if balances == "chained":
        what = "chained balances are not settled on Spark: every hand waits for the hands before it"
        raise UsageError("spark_chained", what, mend="leave --engine out, or take recorded balances")
    load_manifest(store)  # a missing store need not wait for Spark
    folder = store.resolve()
    with session(spark) if isinstance(spark, str) else nullcontext(spark) as running:
        return rescore_by(lambda: nullcontext(_run(running, folder)), folder, rule_sets, balances, watch)


def _run(spark: SparkSession, store: Path) -> Run:
    def run(function: Callable[[Task], Result], tasks: Iterable[Task], _seconds: float) -> Iterator[Result]:
        listed = list(tasks)
        if not listed:
            return
        work = partial(_each_task, store, VERSION, function, listed)
        with plain_spark_faults():
            places = spark.range(0, len(listed), 1, len(listed))  # a partition each
            rows = places.mapInArrow(work, "place long, result binary").collect()
        for row in sorted(rows, key=lambda row: row.place):
            yield result_of(pickle.loads(row.result))

    return run


def _each_task(
    store: Path,
    version: str,
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Runs in a worker: what a function makes of the tasks that stand at some places."""
    begin_worker(version)
    if not store.is_dir():
        mend = "put it where all workers see it, or use ddz_analytics.spark on Parquet: docs/spark.md"
        raise DdzError("spark_store", "a worker does not see the store", where=str(store), mend=mend)
    for batch in batches:
        places = batch.column("id")
        results = [pickle.dumps(tried(function, tasks[place])) for place in places.to_pylist()]
        yield pa.RecordBatch.from_arrays([places, pa.array(results, pa.binary())], ["place", "result"])
