"""What an ingest says it did: the counts of every source, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

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


@dataclass(frozen=True)
class FileCounts:
    """What came of one source; `format` is None where it is unknown, and `whole` says whether it was read to its end."""

    path: str
    format: str | None
    counts: Counts
    whole: bool = True


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
    `unnamed` the files that no table of the mapping has.
    """

    files: Sequence[FileCounts]
    unchanged: Sequence[str]
    sample: str = ""
    shown: Sequence[Shown] = ()
    unnamed: Sequence[str] = ()

    @property
    def total(self) -> Counts:
        """The sums over all files."""
        return sum((file.counts for file in self.files), Counts())

    def as_json(self) -> dict[str, object]:
        """The summary as `--json` prints it."""
        files = [{"path": file.path, "format": file.format, **asdict(file.counts)} for file in self.files]
        found: dict[str, object] = {
            "files": files,
            "total": asdict(self.total),
            "unchanged": list(self.unchanged),
        }
        if self.sample:
            found["sample"] = self.sample
        if self.shown:
            found["shown"] = [hand.as_json() for hand in self.shown]
        if self.unnamed:
            found["unnamed"] = list(self.unnamed)
        return found
