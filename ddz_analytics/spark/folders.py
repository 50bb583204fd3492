"""Parquet at one URI replayed or settled into Parquet at another, with a manifest that lists what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ddz_analytics.ingest.replaying import DECLARED
from ddz_analytics.replay import REPLAY_VERSION
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.settle import SETTLE_VERSION
from ddz_analytics.spark.faults import plain_spark_faults
from ddz_analytics.spark.frames import replayed, settled
from ddz_analytics.store.manifest import MappedFormat
from ddz_analytics.store.parts import REPLAYED
from ddz_analytics.version import VERSION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FILE_NAME = "manifest.json"


class Output(Struct, frozen=True):
    """One table in a folder beside the manifest: its rows, and those of each of its files that has any."""

    folder: str
    rows: int
    files: dict[str, int]


class Manifest(Struct, frozen=True):
    """What one run read and wrote; it is written last, so a folder without one is not whole.

    `versions`: of this package, its replay and its settling. `rule_sets`: id to digest. `declared`: hands that were not replayed,
    because their facts were declared.
    """

    source: list[str]
    versions: dict[str, str | int]
    tables: list[Output]
    rule_sets: dict[str, str] = {}
    declared: int = 0


def replay(
    spark: SparkSession,
    source: Sequence[str],
    target: str,
    tables: Sequence[str] = REPLAYED,
    mapped: Sequence[MappedFormat] = (),
) -> Manifest:
    """Replay hands in Parquet (the columns of a store's parts of hands) at some URIs into a new folder: a folder for each table.

    Each table is a pass over the hands: name those that are wanted. `mapped` as in `replayed`. Raises DdzError `spark_source`,
    `spark_target`, `spark_columns`, `spark_worker`, `spark_failed`.
    """
    with plain_spark_faults():
        hands = spark.read.parquet(*source)
        frames = {table: replayed(hands, table, mapped) for table in tables}
        written = [_written(frame, target, table) for table, frame in frames.items()]
        declared = hands.where(f"evidence = '{DECLARED}'").count()
        return _noted(spark, target, Manifest(list(source), _versions(), written, declared=declared))


def settle(spark: SparkSession, source: Sequence[str], target: str, rule_sets: Sequence[RuleSet]) -> Manifest:
    """Settle facts in Parquet (the columns of a store's parts of facts) at some URIs into the folder `settlements` of a new folder.

    Balances are those of the log. Raises as `replay` does.
    """
    with plain_spark_faults():
        frame = settled(spark.read.parquet(*source), rule_sets)
        written = _written(frame, target, "settlements")
        hashes = {rules.id: rules.rule_hash for rules in rule_sets}
        return _noted(spark, target, Manifest(list(source), _versions(), [written], hashes))


def read_manifest(spark: SparkSession, target: str) -> Manifest:
    """The manifest of a folder; raises DdzError `spark_source` where there is none."""
    with plain_spark_faults():
        (row,) = spark.read.text(f"{target}/{FILE_NAME}", wholetext=True).collect()
    return msgspec.json.decode(row.value, type=Manifest)


def _versions() -> dict[str, str | int]:
    return {"ddz_analytics": VERSION, "replay": REPLAY_VERSION, "settle": SETTLE_VERSION}


def _written(frame: DataFrame, target: str, table: str) -> Output:
    """Write a table, and count what is there."""
    folder = f"{target}/{table}"
    frame.write.option("compression", "zstd").parquet(folder)
    spark = frame.sparkSession
    counted = spark.read.parquet(folder).groupBy("_metadata.file_name").count().orderBy("file_name").collect()
    files = {row["file_name"]: row["count"] for row in counted}
    return Output(table, sum(files.values()), files)


def _noted(spark: SparkSession, target: str, manifest: Manifest) -> Manifest:
    """Write the manifest with the file system that Spark has for the URI."""
    context = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(f"{target}/{FILE_NAME}")
    stream = path.getFileSystem(context._jsc.hadoopConfiguration()).create(path)
    stream.write(bytearray(msgspec.json.format(msgspec.json.encode(manifest), indent=1)))
    stream.close()
    return manifest
