"""Small parts joined to bigger ones, so that many small ingests make no store that is slow to read.

A part is joined to the one before it unless that is at least twice as long, so that each part is much longer than the next: a
store of a million hands that came one by one has a few dozen parts, and each hand was written about eight times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
from msgspec import structs

from ddz_analytics.store import Writer
from ddz_analytics.store.manifest import HandsPart, Manifest, RejectedPart, ReplayedPart, SettledPart
from ddz_analytics.store.parts import REPLAYED, read_part, write_part
from ddz_analytics.store.stretches import joined

HANDS_PER_PART = 50_000  # the log of a busy day still keeps more than one process at work
MUCH_LONGER = 2
_BYTES_OF_REJECTED = 16 << 20
_AT_ONCE = 2  # parts that are joined side by side

Part = TypeVar("Part", HandsPart, RejectedPart)
Made = TypeVar("Made", ReplayedPart, SettledPart)


def compacted(writer: Writer, manifest: Manifest, most: int = HANDS_PER_PART) -> Manifest:
    """The manifest with small parts joined to parts of at most `most` hands, which are written.

    Rows keep their order. Hands are joined only where the same was made of all of them: those that a rule set has not settled
    yet wait for the next re-scoring, so that no settlement is lost.
    """
    manifest = structs.replace(manifest.without_stale(), rejected=_joined_rejected(writer, manifest.rejected))
    made_of = _made_of(manifest)

    def fit(left: Sequence[HandsPart], right: Sequence[HandsPart]) -> bool:
        versions = {name: version for part in left for name, version in part.parsers.items()}
        same = all(
            versions.get(name, version) == version for part in right for name, version in part.parsers.items()
        )
        few = sum(part.rows for part in chain(left, right)) <= most
        return few and same and made_of[left[0].path] == made_of[right[0].path]

    groups = _groups(manifest.hands, lambda part: part.rows, fit)
    if len(groups) == len(manifest.hands):
        return manifest
    with ThreadPoolExecutor(_AT_ONCE) as aside:
        join = _Join(writer, aside)
        manifest = join.all_tables(manifest, groups)
        join.check()
    return manifest


def _made_of(manifest: Manifest) -> dict[str, frozenset[tuple[object, ...]]]:
    """By the path of its hands: all that was made of a part, and by what."""
    hands_of = {part.path: part.hands for part in manifest.facts}
    found: dict[str, set[tuple[object, ...]]] = {part.path: set() for part in manifest.hands}
    for table in REPLAYED:
        for part in getattr(manifest, table):
            found[part.hands].add((table, part.replay_version))
    for settled in manifest.settlements:
        by = structs.replace(settled, path="", rows=0, facts="")
        found[hands_of[settled.facts]].add(structs.astuple(by))
    return {path: frozenset(made) for path, made in found.items()}


def _groups(
    parts: Iterable[Part], size: Callable[[Part], int], fit: Callable[[Sequence[Part], Sequence[Part]], bool]
) -> list[list[Part]]:
    """The parts in order, those together that are to be joined."""
    groups: list[list[Part]] = []
    sizes: list[int] = []
    for part in parts:
        groups.append([part])
        sizes.append(size(part))
        while len(groups) > 1 and sizes[-2] < MUCH_LONGER * sizes[-1] and fit(groups[-2], groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
            sizes[-2:] = [sizes[-2] + sizes[-1]]
    return groups


def _joined_rejected(writer: Writer, parts: Sequence[RejectedPart]) -> list[RejectedPart]:
    def size(part: RejectedPart) -> int:
        return (writer.path / part.path).stat().st_size

    def fit(left: Sequence[RejectedPart], right: Sequence[RejectedPart]) -> bool:
        return sum(map(size, chain(left, right))) <= _BYTES_OF_REJECTED

    result = []
    for group in _groups(parts, size, fit):
        if len(group) == 1:
            result += group
            continue
        path = writer.new_part("rejected")
        rows = _write(writer.path, path, "rejected", [part.path for part in group])
        result.append(RejectedPart(path, rows, joined(part.stretches for part in group)))
    return result


def _write(store: Path, new: str, table: str, paths: Sequence[str]) -> int:
    """Write one part with the rows of several, and say how many."""
    return write_part(store / new, table, [pa.concat_tables([read_part(store / path) for path in paths])])


class _Join:
    """Joins groups of hands, and what was made of them; `renamed` has the new path of each part that was joined.

    The parts are written in threads: the work is Arrow's. `check` says when they are there, or raises.
    """

    def __init__(self, writer: Writer, aside: ThreadPoolExecutor) -> None:
        self.renamed: dict[str, str] = {}
        self._writer, self._aside = writer, aside
        self._writing: list[Future[int]] = []

    def check(self) -> None:
        """Wait until everything is written; raises what went wrong."""
        for each in self._writing:
            each.result()

    def all_tables(self, manifest: Manifest, groups: Sequence[Sequence[HandsPart]]) -> Manifest:
        """The manifest with every group as one part of hands."""
        before = manifest.facts_digest
        hands = [self._hands(group) if len(group) > 1 else group[0] for group in groups]
        replayed = {table: self._made(table, getattr(manifest, table), "hands") for table in REPLAYED}
        manifest = structs.replace(manifest, hands=hands, **replayed)
        settled = self._made("settlements", manifest.settlements, "facts")
        after = manifest.facts_digest  # the same facts under new names
        settled = [
            structs.replace(part, rests_on=after) if part.rests_on == before else part for part in settled
        ]
        return structs.replace(manifest, settlements=settled)

    def _hands(self, group: Sequence[HandsPart]) -> HandsPart:
        path, rows = self._joined("hands", group)
        versions = {name: version for part in group for name, version in part.parsers.items()}
        return HandsPart(path, rows, joined(part.stretches for part in group), versions)

    def _made(self, table: str, parts: Sequence[Made], parent: str) -> list[Made]:
        """The parts of a table, joined like those that their field `parent` names."""
        together: dict[Made, list[Made]] = {}
        for part in parts:
            above = getattr(part, parent)
            changes: dict[str, object] = {parent: self.renamed.get(above, above), "path": "", "rows": 0}
            together.setdefault(structs.replace(part, **changes), []).append(part)
        result = []
        for like, members in together.items():
            if getattr(members[0], parent) == getattr(like, parent):
                result += members
                continue
            path, rows = self._joined(table, members)
            result.append(structs.replace(like, path=path, rows=rows))
        return result

    def _joined(self, table: str, parts: Sequence[HandsPart] | Sequence[Made]) -> tuple[str, int]:
        """The name and the length of a new part in the place of some."""
        new, paths = self._writer.new_part(table), [part.path for part in parts]
        self._writing.append(self._aside.submit(_write, self._writer.path, new, table, paths))
        self.renamed |= dict.fromkeys(paths, new)
        return new, sum(part.rows for part in parts)
