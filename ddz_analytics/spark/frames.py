"""Hands and facts in data frames, replayed and settled batch by batch in Spark's Python workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from ddz_analytics.errors import DdzError
from ddz_analytics.ingest.replaying import DECLARED, replayed_in_cuts
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import FACTS, HANDS, SETTLEMENTS
from ddz_analytics.settlement.settle import settle
from ddz_analytics.spark.border import from_spark, spark_schema, to_spark
from ddz_analytics.store.manifest import MappedFormat
from ddz_analytics.store.parts import SCHEMAS
from ddz_analytics.version import VERSION
from ddz_analytics.workers import no_collecting

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Work = Callable[[pa.Table], Iterator[pa.Table]]


def replayed(hands: DataFrame, table: str = "facts", mapped: Sequence[MappedFormat] = ()) -> DataFrame:
    """One replayed table (facts, plays, issues or episodes) of hands in the columns of a store's parts of hands.

    Hands whose facts were declared have nothing to replay and are left out. `mapped`: the formats that mappings define, as a
    store's manifest has them. Raises DdzError `spark_columns` for a frame without the columns.
    """
    told = hands.where(f"evidence <> '{DECLARED}'") if "evidence" in hands.columns else hands
    return _over(told, HANDS, partial(_replay, table, tuple(mapped)), SCHEMAS[table])


def settled(facts: DataFrame, rule_sets: Sequence[RuleSet]) -> DataFrame:
    """The settlements of facts, in the columns of a store's parts of facts, under each rule set; scenario `recorded`.

    Raises DdzError `spark_columns` for a frame without the columns.
    """
    return _over(facts, FACTS, partial(_settle, tuple(rule_sets)), SETTLEMENTS)


def _replay(table: str, mapped: Sequence[MappedFormat], hands: pa.Table) -> Iterator[pa.Table]:
    for each in replayed_in_cuts(hands, mapped):
        yield getattr(each, table)


def _settle(rule_sets: Sequence[RuleSet], facts: pa.Table) -> Iterator[pa.Table]:
    for rules in rule_sets:
        yield settle(facts, rules)


def _over(frame: DataFrame, given: pa.Schema, work: Work, made: pa.Schema) -> DataFrame:
    """What some work makes of the batches of a frame."""
    missing = sorted(set(given.names) - set(frame.columns))
    if missing:
        what = f"the columns {', '.join(missing)} are missing"
        raise DdzError("spark_columns", what, mend="give parts of a store, or what `replay` wrote")
    made_here = frame.sparkSession.createDataFrame(spark_schema(made).empty_table()).schema
    return frame.select(*given.names).mapInArrow(partial(_each_batch, work, given, VERSION), made_here)


def _each_batch(
    work: Work, given: pa.Schema, version: str, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    begin_worker(version)
    for batch in batches:
        with no_collecting():
            made = list(work(from_spark(batch, given)))
        for table in made:
            yield from to_spark(table)


def begin_worker(version: str) -> None:
    """One core for each worker, as Spark counts them; raises DdzError `spark_worker` where it has another version of this package."""
    pa.set_cpu_count(1)
    if version != VERSION:
        what = f"a worker has ddz_analytics {VERSION}, the command {version}"
        raise DdzError("spark_worker", what, mend="install the same version where the workers run")
