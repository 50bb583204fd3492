"""What the checks and the readers of mappings share: the columns of a section, lists of one, words for acts, refusals."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, Struct, structs

from ddz_analytics.errors import UsageError
from ddz_analytics.hands import ACTS
from ddz_analytics.mapping.spec import Column, Meaning, Names, Where
from ddz_analytics.mapping.values import fault_of_pattern

_NO_COLUMNS = {"of", "every", "order", "without_landlord"}
_ACT_WORDS = {*ACTS, "turn", "skip"}


def refused(what: str, where: str) -> UsageError:
    """The error of a mapping whose key says what cannot be."""
    return UsageError("mapping_value", what, where=where)


def listed(names: Names) -> tuple[str, ...]:
    """A list of which one alone may stand as a text."""
    return (names,) if isinstance(names, str) else names


def columns_of(section: Struct) -> Iterator[tuple[str, Where]]:
    """The columns that a section names, each with the key of its field."""
    for name, value in structs.asdict(section).items():
        if name in _NO_COLUMNS or not value:
            continue
        if isinstance(value, Column | str):
            yield name, value
        elif isinstance(value, tuple):
            yield from ((f"{name}[{place}]", each) for place, each in enumerate(value))


def check_time(column: Where, where: str) -> None:
    """Refuse a pattern of times that is none."""
    if isinstance(column, Column) and (fault := fault_of_pattern(column.time)):
        raise refused(fault, where)


def check_words(act: str | Column, where: str) -> None:
    """Refuse a word of an act column that stands for no act."""
    if isinstance(act, Column):
        words = [*act.codes.values(), *([] if act.null is UNSET else [act.null])]
        for word in words:
            if not isinstance(word, Meaning) and word not in _ACT_WORDS:
                raise refused(f"{word!r} is no act: " + ", ".join(sorted(_ACT_WORDS)), where)
