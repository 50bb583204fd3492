"""Example questions over the views: one SQL file each, in `sql/examples/`, which says its grain and asks in English and Chinese."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ddz_analytics.errors import UsageError
from ddz_analytics.rules.values import nearest

FOLDER = Path(__file__).parent / "sql" / "examples"
_HEAD = re.compile(r"-- grain: (.*)\n-- en: (.*)\n-- zh: (.*)\n")


class Example(NamedTuple):
    """A question in words and in SQL, with what one row of its answer stands for."""

    name: str
    grain: str
    en: str
    zh: str
    sql: str


@cache
def examples() -> tuple[Example, ...]:
    """All examples, by name."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.sql")))


def example_of(name: str) -> Example:
    """The example of a name; raises UsageError `example_unknown` with the nearest one."""
    found = next((each for each in examples() if each.name == name), None)
    if found is None:
        mend = (
            f"nearest: {nearest(name, [each.name for each in examples()])}; `--example list` names them all"
        )
        raise UsageError("example_unknown", f"no example is called {name!r}", mend=mend)
    return found


def _read(path: Path) -> Example:
    text = path.read_text("utf-8")
    head = _HEAD.match(text)
    if head is None:
        raise ValueError(f"{path.name} does not open with its grain and its question")
    return Example(path.stem, head[1], head[2], head[3], text[head.end() :])
