"""Which files an ingest reads, in an order of their own, and one pass over each: its hash, its line ends, where to cut it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ddz_analytics.ingest.labels import STDIN, file_label
from ddz_analytics.ingest.searching import PassedOver, Search
from ddz_analytics.streams import BLOCK, standard_input

CUT_EVERY = 16 << 20  # bytes of a plain file that are one piece of work, whatever the number of jobs


@dataclass(frozen=True)
class Found:
    """A file to read: the name it goes by in the store, and where its bytes are."""

    label: str
    path: Path

    def spooled(self, folder: Path) -> Found:
        """The same, if it is no regular file (standard input, a pipe) with its bytes copied into a folder."""
        if self.path.is_file() and self.label != STDIN:
            return self
        copy = folder / f"spooled-{sha256(self.label.encode()).hexdigest()[:16]}"
        with copy.open("wb") as file:
            if self.label == STDIN:
                shutil.copyfileobj(standard_input().buffer, file, BLOCK)
            else:
                with self.path.open("rb") as pipe:
                    shutil.copyfileobj(pipe, file, BLOCK)
        return Found(self.label, copy)


class Sources(NamedTuple):
    """The files to read, and what was met on the way that is none."""

    found: list[Found]
    passed_over: list[PassedOver]


class Cut(NamedTuple):
    """A place in a file at the beginning of a line: the byte, and the line's number."""

    start: int
    line: int


@dataclass(frozen=True)
class Survey:
    """One pass over the bytes of a file.

    `beginnings` maps each size that was asked for to the hash of that many bytes, and `line_ends` those of these sizes that
    are at a line end to a cut there; `cuts` are the places at which to cut a big file.
    """

    sha256: str
    size: int
    beginnings: dict[int, str] = field(default_factory=dict)
    line_ends: dict[int, Cut] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)


def find_sources(paths: Sequence[str | Found], store: Path) -> Sources:
    """The files that some paths name, sorted by name, each once: files, folders (with all below), globs, `-`; what is found already.

    Below a folder hidden files and the store itself are left out. Raises UsageError `path_missing`, and `input_output` for a
    device, which might never end.
    """
    found = {each.path: each for each in paths if isinstance(each, Found)}
    search = Search(store)
    for path in (each for each in paths if not isinstance(each, Found)):
        if path == STDIN:
            found.setdefault(Path(STDIN), Found(STDIN, Path(STDIN)))
            continue
        for file in search.files(path):
            found.setdefault(file.resolve(), Found(file_label(file), file))
    return Sources(sorted(found.values(), key=lambda each: each.label), search.passed_over)


def survey(path: Path, sizes: Iterable[int] = ()) -> Survey:
    """Read a file once; `sizes` are the sizes that its beginning is wanted for."""
    digest, lines, at, next_cut = sha256(), 0, 0, CUT_EVERY
    found, wanted = Survey("", 0), sorted(sizes)
    with path.open("rb") as file:
        for block in _blocks(file, wanted):
            digest.update(block)
            line_end = block.find(b"\n", max(0, next_cut - at)) if at + len(block) > next_cut else -1
            if line_end >= 0:
                found.cuts.append(Cut(at + line_end + 1, lines + block.count(b"\n", 0, line_end + 1) + 1))
                next_cut = at + line_end + 1 + CUT_EVERY
            lines += block.count(b"\n")
            at += len(block)
            if at in wanted:
                found.beginnings[at] = digest.hexdigest()
                if block.endswith(b"\n"):
                    found.line_ends[at] = Cut(at, lines + 1)
    return replace(found, sha256=digest.hexdigest(), size=at)


def _blocks(file: BinaryIO, ends: Sequence[int]) -> Iterator[bytes]:
    """The file in blocks, such that one ends at each of `ends` within the file."""
    at = 0
    for end in ends:
        while at < end and (block := file.read(min(BLOCK, end - at))):
            yield block
            at += len(block)
    while block := file.read(BLOCK):
        yield block
