"""Answers as files and texts: what every command prints tables with.

An answer is an Arrow table. A command writes one, or several under their titles, in one of KINDS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ddz_analytics.errors import UsageError

Kind = Literal["table", "csv", "xlsx", "json", "jsonl", "parquet"]
Encoding = Literal["utf-8", "utf-8-sig", "gb18030"]
KINDS: tuple[Kind, ...] = ("table", "csv", "xlsx", "json", "jsonl", "parquet")
OF_SEVERAL: tuple[Kind, ...] = ("table", "csv", "xlsx", "json")  # what several tables can be written as
BESIDE_WORDS: tuple[Kind, ...] = (
    "table",
    "csv",
    "xlsx",
)  # what a command writes its tables as that else tells them in words
BINARY: frozenset[Kind] = frozenset(("xlsx", "parquet"))  # nothing to show on a terminal
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-8-sig", "gb18030")


@dataclass(frozen=True)
class Form:
    """How an answer is written; only CSV has another encoding than UTF-8 (`utf-8-sig`: with the mark that Excel looks for)."""

    kind: Kind = "table"
    encoding: Encoding = "utf-8"

    def __post_init__(self) -> None:
        """Refuse an encoding of what is no CSV, as UsageError `answer_encoding`."""
        if self.encoding != "utf-8" and self.kind != "csv":
            what = f"{self.kind} is never written in {self.encoding}"
            raise UsageError("answer_encoding", what, mend="give --encoding with --format csv alone")
