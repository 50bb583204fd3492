"""What the parser tests share: the sample logs, and reading some bytes with a parser."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ddz_analytics.hands import Hand, Located, Rejected, Skipped
from ddz_analytics.parsers import parsers
from ddz_analytics.parsers.base import Parsed, Parser, Source
from ddz_analytics.tabulate import hands_table

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_logs"
CODES = (ROOT / "docs" / "codes.md").read_text("utf-8").partition("## Rejections")[2].partition("\n## ")[0]
REJECTIONS = frozenset(
    re.findall(r"(?m)^\| `(\w+)` \|", CODES)
)  # those of the catalogue that a parser may give
OTHER_FORMATS = ("open-spiel/playouts.jsonl", "rlcard-trace/rule_agents.jsonl", "botzone-ftl2/local_log.json")


def sample_bytes(name: str) -> bytes:
    """A sample log, decompressed."""
    data = (SAMPLES / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def sample_names(folder: str) -> list[str]:
    """Every log in a folder of sample logs."""
    return sorted(f"{folder}/{path.name}" for path in (SAMPLES / folder).iterdir())


def read(parser: Parser, data: bytes) -> list[Parsed]:
    """Everything that a parser makes of some bytes."""
    return list(parser.parse(io.BytesIO(data), Source("log")))


def hands(parser: Parser, data: bytes) -> list[Hand]:
    """The hands of some bytes in which nothing is rejected or skipped."""
    found = read(parser, data)
    assert all(isinstance(item, Located) for item in found), found
    return [item.hand for item in found if isinstance(item, Located)]


def one_hand(parser: Parser, document: Any) -> Hand:
    """The one hand that a document, as one line, comes to."""
    (hand,) = hands(parser, json.dumps(document).encode())
    return hand


def knows(parser: Parser, *names: str) -> list[bool]:
    """Whether a parser takes any of some sample logs for its own."""
    return [parser.sniff(sample_bytes(name)[:65536]) != 0.0 for name in names]


def with_value(document: Any, place: Sequence[str | int], value: object) -> Any:
    """The document itself, with another value at a place in it."""
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return document


def rejected(parser: Parser, data: bytes) -> Rejected:
    """The one rejection that some bytes come to."""
    (item,) = read(parser, data)
    assert isinstance(item, Rejected)
    return item


def code_of(parser: Parser, document: Any) -> str:
    """The code of the rejection that a document comes to as one line; its bytes are kept."""
    raw = json.dumps(document).encode()
    item = rejected(parser, raw)
    assert item.raw == raw
    return item.code


def located(items: list[Parsed]) -> list[Located]:
    """The hands among parsed records."""
    return [item for item in items if isinstance(item, Located)]


def tally(items: list[Parsed]) -> tuple[int, int, int]:
    """How many hands, rejections and skipped records there are."""
    return tuple(sum(isinstance(item, kind) for item in items) for kind in (Located, Rejected, Skipped))  # type: ignore[return-value]  # three kinds


def hands_of_log(form: str, data: bytes) -> pa.Table:
    """The hands table of a log of which nothing is rejected; `hand_id` is the place, so that repeated records keep their own rows."""
    parser = parsers()[form]
    table, refused = hands_table(located(read(parser, data)), parser, "log")
    assert not refused, refused
    return table.set_column(0, "hand_id", pa.array(np.arange(len(table))))
