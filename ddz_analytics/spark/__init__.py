"""Replay and settling on Spark: the functions that local processes run, over Parquet wherever Spark reads it.

A store stays one machine's, or lies where all workers see it: `rescore` spreads its parts over the workers, and they come out
byte for byte as local processes write them. What is too large for a store is Parquet at any URI: `replay` makes the replayed
tables of hands, `settle` the settlements of facts, each with a manifest; `replayed` and `settled` do the same to data frames.
"""

from ddz_analytics.spark.folders import Manifest, Output, read_manifest, replay, settle
from ddz_analytics.spark.frames import replayed, settled
from ddz_analytics.spark.session import session
from ddz_analytics.spark.stores import rescore

__all__ = [
    "Manifest",
    "Output",
    "read_manifest",
    "replay",
    "replayed",
    "rescore",
    "session",
    "settle",
    "settled",
]
