"""What an ingest says it did: the counts of every source, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass


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
class Summary:
    """What an ingest did with its sources, in order; those that are `unchanged` were read before and are not counted again."""

    files: Sequence[FileCounts]
    unchanged: Sequence[str]

    @property
    def total(self) -> Counts:
        """The sums over all files."""
        return sum((file.counts for file in self.files), Counts())

    def as_json(self) -> dict[str, object]:
        """The summary as `--json` prints it."""
        files = [{"path": file.path, "format": file.format, **asdict(file.counts)} for file in self.files]
        return {"files": files, "total": asdict(self.total), "unchanged": list(self.unchanged)}
