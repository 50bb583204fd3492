"""Hands that a program has in memory, written to a file first, so that they are read as strictly as any log."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics.errors import UsageError
from ddz_analytics.hands import Hand
from ddz_analytics.ingest.sources import Found
from ddz_analytics.parsers.ddz1 import write_line

NAMESPACE = "memory:"  # what the name of such a source begins with
MEND = "give paths (str or Path), hands (a line of bytes, a mapping or a Hand each), or an Arrow table or DataFrame"


def sources_of(given: object, name: str, folder: Path) -> list[str | Found]:
    """What `ingest` is to read: paths as they are; hands or a table as a file in `folder`, called `memory:NAME`.

    A `str` or `Path`, alone or among others, is a path. Of an iterable of hands each is `bytes` (a line of any format by line),
    a mapping (`ddz/1`) or a `Hand`; a table is written as Parquet, which `ddz/1` and tables of facts are read from.
    Raises UsageError `ingest_source` for anything else.
    """
    if isinstance(given, str | PathLike):
        return [str(given)]
    file = folder / "given"
    table = as_table(given)
    if table is not None:
        pq.write_table(table, file)
        return [Found(NAMESPACE + name, file)]
    if isinstance(given, bytes | Mapping | Hand) or not isinstance(given, Iterable):
        raise _refusal(given)
    paths = list(given) if isinstance(given, list | tuple) else []
    if paths and all(isinstance(each, str | PathLike) for each in paths):
        return [str(path) for path in paths]
    with file.open("wb") as lines:
        lines.writelines(_lines(given))
    return [Found(NAMESPACE + name, file)]


def as_table(given: object) -> Any | None:
    """A table that is given, as Arrow; None where it is none. Raises UsageError `ingest_source`."""
    if isinstance(given, pa.Table):
        return given
    pandas = sys.modules.get("pandas")  # who has a DataFrame has loaded it
    if pandas is None or not isinstance(given, pandas.DataFrame):
        return None
    try:
        return pa.Table.from_pandas(given, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError) as wrong:
        what = str(wrong).splitlines()[0]
        raise UsageError("ingest_source", what, mend="one type in each column") from wrong


def _lines(hands: Iterable[object]) -> Iterator[bytes]:
    for hand in hands:
        yield _line(hand).rstrip(b"\r\n") + b"\n"


def _line(hand: object) -> bytes:
    if isinstance(hand, bytes):
        return hand
    if isinstance(hand, Hand):
        return write_line(hand)
    if not isinstance(hand, Mapping):
        raise _refusal(hand)
    try:
        return msgspec.json.encode(hand)
    except (TypeError, ValueError, RecursionError) as wrong:
        raise UsageError("ingest_source", f"a mapping that is no JSON: {wrong}", mend=MEND) from wrong


def _refusal(given: object) -> UsageError:
    return UsageError(
        "ingest_source", f"what is given, {type(given).__name__}, cannot be ingested", mend=MEND
    )
