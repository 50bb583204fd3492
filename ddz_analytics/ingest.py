"""Ingest: log files into the store, in two stages that run side by side in processes, and one publish.

Sources are put in order first, and neither pieces nor parts depend on the number of jobs, so the same input gives the same parts.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics import dedupe
from ddz_analytics.columns import Ints
from ddz_analytics.errors import UsageError
from ddz_analytics.forgetting import without_hands, without_rejected
from ddz_analytics.manifest import HandsPart, Manifest, RejectedPart, SourceFile
from ddz_analytics.parsers import parsers
from ddz_analytics.parsing import ParseTask, PieceCounts, RecoverTask, parse_pieces, recover_conflicts, rejected_table
from ddz_analytics.parts import REPLAYED, read_part, write_part
from ddz_analytics.planning import Piece, Planned, Planner
from ddz_analytics.replaying import Chosen, StoreTask, Written, cut_evenly, mapped, store_hands
from ddz_analytics.sources import CUT_EVERY, find_sources
from ddz_analytics.store import Writer, create_writer
from ddz_analytics.workers import Run, workers

HANDS_PER_PART = 100_000
...
