"""Which of the files that were found belong to which table, by patterns for the end of a path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import PurePath

from ddz_analytics.errors import UsageError
from ddz_analytics.mapping.sections import listed
from ddz_analytics.mapping.spec import Names, Relational
from ddz_analytics.mapping.tables import File
from ddz_analytics.mapping.used import columns_used


def files_of(mapping: Relational, found: Sequence[File]) -> dict[str, list[File]]:
    """The files of every table that the mapping reads, in order.

    Raises UsageError `mapping_files` where a table has no file and is not optional, or a file that is no dump two tables.
    """
    files: dict[str, list[File]] = {}
    owner: dict[str, str] = {}
    for name in columns_used(mapping):
        table = mapping.tables[name]
        files[name] = matching(table.files, found)
        if not files[name] and not table.optional:
            patterns = ", ".join(listed(table.files))
            raise UsageError(
                "mapping_files", f"no file of the table {name!r}", where=patterns, mend=_named(found)
            )
        for label, _ in files[name]:
            if table.format != "sql" and label in owner:
                raise UsageError(
                    "mapping_files", f"a file of the table {owner[label]!r} and of {name!r}", where=label
                )
            owner[label] = name
    return files


def matching(patterns: Names, found: Sequence[File]) -> list[File]:
    """The files whose paths end as one of some patterns says, in order; all where there are none."""
    wanted = listed(patterns)
    return [each for each in found if not wanted or any(_matches(each[0], pattern) for pattern in wanted)]


def unnamed(files: Mapping[str, Sequence[File]], found: Sequence[File]) -> list[str]:
    """The names of files that no table has."""
    named = {label for table in files.values() for label, _ in table}
    return [label for label, _ in found if label not in named]


def _named(found: Sequence[File]) -> str:
    names = sorted({PurePath(label).name for label, _ in found})
    return "there are: " + ", ".join(names[:8]) + (" …" if len(names) > 8 else "")


def _matches(label: str, pattern: str) -> bool:
    """Whether a path ends as a pattern says; `**` stands for any number of folders."""
    return _fits(("**", *pattern.split("/")), PurePath(label).parts)


@cache
def _fits(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    if not pattern or not parts:
        return not parts and set(pattern) <= {"**"}
    if pattern[0] == "**":
        return _fits(pattern[1:], parts) or _fits(pattern, parts[1:])
    return fnmatchcase(parts[0], pattern[0]) and _fits(pattern[1:], parts[1:])
