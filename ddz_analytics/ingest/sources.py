"""Which files an ingest reads, in an order of their own, and one pass over each: its hash, its line ends, where to cut it."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.labels import STDIN, file_label
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


def find_sources(paths: Sequence[str | Found], store: Path) -> list[Found]:
    """The files that some paths name, sorted by name, each once: files, folders (with all below), globs, `-`; what is found already.

    Below a folder hidden files and the store itself are left out. Raises UsageError `path_missing`, and `input_output` for a
    device, which might never end.
    """
    found = {each.path: each for each in paths if isinstance(each, Found)}
    for path in (each for each in paths if not isinstance(each, Found)):
        for file in [Path(STDIN)] if path == STDIN else _files(path, store.resolve()):
            if path != STDIN and not file.exists():
                raise UsageError("path_missing", "there is no such file or folder", where=str(file))
            if path != STDIN and (file.is_char_device() or file.is_block_device()):
                mend = "name a file, a folder or a pipe, or - for standard input"
                raise UsageError("input_output", "a device is no log", where=str(file), mend=mend)
            label = STDIN if path == STDIN else file_label(file)
            found.setdefault(Path(STDIN) if path == STDIN else file.resolve(), Found(label, file))
    return sorted(found.values(), key=lambda each: each.label)


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


def _files(path: str, store: Path) -> Iterator[Path]:
    """What one path names, as written (`./` apart)."""
    matches = [path] if os.path.lexists(path) else sorted(set(_matching(path)))
    if not matches:
        raise UsageError("path_missing", "there is no such file or folder", where=path)
    for match in matches:
        if Path(match).is_dir():
            yield from _below(Path(match), store)
        else:
            yield Path(match)


def _matching(pattern: str) -> Iterator[str]:
    """The paths of a glob; `**` is any number of folders, but follows no link, which might lead back to where it stands."""
    before, deep, after = pattern.partition("**/")
    found = glob.glob(before or "./") if deep else glob.glob(pattern)  # noqa: PTH207  # Path.glob takes no absolute pattern
    if not deep:
        yield from found
        return
    for folder, folders, _ in (each for top in found for each in os.walk(top)):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from _matching(os.path.join(glob.escape(folder), after))  # noqa: PTH118  # a pattern is no path


def _below(folder: Path, store: Path) -> Iterator[Path]:
    """All files at any depth; a link that leads nowhere is named too, so that it is missed, but no socket or pipe."""
    for parent, folders, files in os.walk(folder, onerror=_unreadable):
        folders[:] = [
            name for name in folders if not name.startswith(".") and (Path(parent) / name).resolve() != store
        ]
        for file in (Path(parent) / name for name in files if not name.startswith(".")):
            if file.is_file() or not file.exists():
                yield file


def _unreadable(error: OSError) -> None:
    raise error
