"""The files that a path names, and what lies among them that is no file to read."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.labels import file_label

Why = Literal["dead_link", "folder_link", "no_file", "store"]


class PassedOver(NamedTuple):
    """Something that is not read: a link that leads nowhere or to a folder, a pipe, socket or device, a store or part of one."""

    path: str
    why: Why


class Search:
    """Goes through paths; notes what it passes over in `passed_over`. The `store` below a folder is no news."""

    def __init__(self, store: Path) -> None:
        self.passed_over: list[PassedOver] = []
        self._store = store.resolve()

    def files(self, path: str) -> Iterator[Path]:
        """What one path names, as written (`./` apart)."""
        if os.path.lexists(path):
            yield from self._named(Path(path))
            return
        matches = sorted(set(_matching(path)))
        if not matches:
            raise _missing(Path(path))
        for match in map(Path, matches):
            yield from self._below(match) if match.is_dir() else self._met(match)

    def _named(self, path: Path) -> Iterator[Path]:
        """A path that somebody has named, which is there: what cannot be read is an error."""
        if path.is_dir():
            yield from self._below(path)
        elif not path.exists():
            raise _missing(path)
        elif path.is_char_device() or path.is_block_device():
            mend = "name a file, a folder or a pipe, or - for standard input"
            raise UsageError("input_output", "a device is no log", where=str(path), mend=mend)
        elif path.resolve().is_relative_to(self._store):
            self._pass_over(path, "store")
        else:
            yield path

    def _below(self, top: Path) -> Iterator[Path]:
        """All files at any depth."""
        if self._is_store(top):
            self._pass_over(top, "store")
            return
        for parent, folders, files in os.walk(top, onerror=_unreadable):
            inside = [Path(parent) / name for name in sorted(folders) if not name.startswith(".")]
            folders[:] = [folder.name for folder in inside if self._is_open(folder)]
            for name in sorted(files):
                if not name.startswith("."):
                    yield from self._met(Path(parent) / name)

    def _is_open(self, folder: Path) -> bool:
        """Whether to go into a folder below another one."""
        if folder.resolve() == self._store:
            return False
        why: Why | None = (
            "folder_link" if folder.is_symlink() else "store" if self._is_store(folder) else None
        )
        if why is not None:
            self._pass_over(folder, why)
        return why is None

    def _met(self, file: Path) -> Iterator[Path]:
        """Something in a folder that is none."""
        if file.is_file():
            yield from self._named(file)
        else:
            self._pass_over(file, "no_file" if file.exists() else "dead_link")

    def _is_store(self, folder: Path) -> bool:
        place = folder.resolve()
        signs = (place / "manifest.json", place / "parts", place / "lock")
        return place.is_relative_to(self._store) or all(sign.exists() for sign in signs)

    def _pass_over(self, path: Path, why: Why) -> None:
        self.passed_over.append(PassedOver(file_label(path), why))


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


def _missing(path: Path) -> UsageError:
    return UsageError("path_missing", "there is no such file or folder", where=str(path))


def _unreadable(error: OSError) -> None:
    raise error
