"""What an ingest says it did: the counts of every source, and their sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.ingest.searching import PassedOver
from ddz_analytics.mapping.trace import Became


@dataclass(frozen=True)
class Counts:
    """What came of some records: read = stored + duplicate + rejected + skipped."""

    read: int = 0
    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        """The counts of both together."""
        return Counts(
            self.read + other.read,
            self.stored + other.stored,
            self.duplicate + other.duplicate,
            self.rejected + other.rejected,
            self.skipped + other.skipped,
        )


State = Literal["new", "grown", "again", "changed", "replaced", "unchanged"]


@dataclass(frozen=True)
class FileCounts:
    """What came of one source; `format` is None where it is unknown, and `whole` says whether it was read to its end.

    `state` compares it with what was read before under its name: `grown` (it begins with that), `again` (the same, of which only a
    part was read, or beside which a table of its mapping changed), `changed` (it does not), `replaced` (the same, read in the place of it). `gone` counts hands of a changed source that it no longer has; they stay.
    """

    path: str
    format: str | None
    counts: Counts
    whole: bool = True
    state: State = "new"
    gone: int = 0


@dataclass(frozen=True)
class Refused:
    """The records that were rejected with one code: how many, and the place and detail of the first."""

    code: str
    records: int
    path: str
    line: int
    detail: str


@dataclass(frozen=True)
class Shown:
    """A hand of a dry run: its place, each column's text and the field that it became, and what is wrong with it."""

    path: str
    line: int
    columns: Sequence[Became]
    fault: str = ""

    def as_json(self) -> dict[str, object]:
        """The hand as `--json` prints it."""
        return {
            "path": self.path,
            "line": self.line,
            "columns": [became._asdict() for became in self.columns],
            "fault": self.fault,
        }


@dataclass(frozen=True)
class Summary:
    """What an ingest did with its sources, in order; those that are `unchanged` were read before and are not counted again.

    `sample` names the part of the hands that was wanted, if not all; with a mapping, `shown` are the first hands of a dry run, and
    `unnamed` the files that no table of the mapping has; `passed_over` is what is no file to read. `refused` has what was rejected by code; `replaced` counts stored hands that gave way to others of their ids (`--reparse`).
    """

    files: Sequence[FileCounts]
    unchanged: Sequence[str]
    sample: str = ""
    shown: Sequence[Shown] = ()
    unnamed: Sequence[str] = ()
    passed_over: Sequence[PassedOver] = ()
    refused: Sequence[Refused] = ()
    replaced: int = 0

    @property
    def total(self) -> Counts:
        """The sums over all files."""
        return sum((file.counts for file in self.files), Counts())

    def as_json(self) -> dict[str, object]:
        """The summary as `--json` prints it."""
        files = [
            {
                "path": file.path,
                "format": file.format,
                **asdict(file.counts),
                "state": file.state,
                "gone": file.gone,
            }
            for file in self.files
        ]
        found: dict[str, object] = {
            "files": files,
            "total": asdict(self.total),
            "unchanged": list(self.unchanged),
            "rejected_by_code": [asdict(refused) for refused in self.refused],
            "replaced_conflicts": self.replaced,
        }
        if self.sample:
            found["sample"] = self.sample
        if self.shown:
            found["shown"] = [hand.as_json() for hand in self.shown]
        if self.unnamed:
            found["unnamed"] = list(self.unnamed)
        if self.passed_over:
            found["passed_over"] = [each._asdict() for each in self.passed_over]
        return found


def refused_by_code(tables: Iterable[pa.Table]) -> list[Refused]:
    """What was rejected by code, the code with most records first; the tables have the columns of `rejected` but for the bytes."""
    found: dict[str, Refused] = {}
    for table in tables:
        codes = table["code"].combine_chunks().dictionary_encode()
        numbers = np.bincount(codes.indices.to_numpy(), minlength=len(codes.dictionary)).tolist()
        for code, records in zip(codes.dictionary.to_pylist(), numbers, strict=True):
            known = found.get(code)
            if known is not None:
                found[code] = replace(known, records=known.records + records)
                continue
            (first,) = table.slice(pc.index(table["code"], code).as_py(), 1).to_pylist()
            found[code] = Refused(code, records, first["source_path"], first["line"], first["detail"])
    return sorted(found.values(), key=lambda refused: (-refused.records, refused.code))
