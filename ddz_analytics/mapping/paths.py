"""Values of events: paths through JSON on their way into fields."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.alphabet import Alphabet
from ddz_analytics.mapping.fields import kind_of
from ddz_analytics.mapping.spec import Where
from ddz_analytics.mapping.trace import Became, Trace
from ddz_analytics.mapping.values import Kind, as_column, converter

_LONGEST = 40  # characters of a value in a message
Document = dict[str, Any]


class Heard(NamedTuple):
    """An event: its name, its content, the line on which its text begins, and that text."""

    kind: str
    content: Document
    line: int
    raw: bytes

    @property
    def where(self) -> str:
        """Its place in words."""
        return f"`{self.kind}`, line {self.line}"


class PathField:
    """A path and the field that it fills; `of` some content is the field's value there, UNSET if it has none."""

    def __init__(self, name: str, where: Where, alphabet: Alphabet, kind: Kind | None = None) -> None:
        self.name = name
        self.column = as_column(where)
        self._keys = self.column.column.split(".")
        kind = kind or kind_of(name, self.column)
        self._cards = alphabet if kind == "cards" and not self.column.codes else None
        self._convert = converter(self.column, kind)
        self.trace: Trace | None = None

    def of(self, content: Any, event: Heard) -> Any:
        """The value; raises BadRecord with the place of what does not fit."""
        found = at(content, self._keys)
        try:
            value = self._value(found)
        except BadRecord as fault:
            shown = str(found)[:_LONGEST]
            raise BadRecord(
                fault.code, f"{fault.detail} - at `{self.column.column}` = {shown!r}, {event.where}"
            ) from None
        if self.trace is not None:
            shown_value = None if value is UNSET else str(value)
            text = None if found is None else str(found)
            self.trace.append(Became(f"{event.kind}.{self.column.column}", text, self.name, shown_value))
        return value

    def _value(self, found: Any) -> Any:
        if found is None:
            return self.column.null
        if self._cards is not None:
            return self._cards.listed(found) if isinstance(found, list) else self._cards.cards(text_of(found))
        return self._convert(text_of(found))


def at(content: Any, keys: list[str]) -> Any:
    """What stands at the end of a path, None if the path leads nowhere."""
    for key in keys:
        if isinstance(content, dict):
            content = content.get(key)
        elif isinstance(content, list) and key.isdecimal() and int(key) < len(content):
            content = content[int(key)]
        else:
            return None
    return content


def without(content: Document, paths: list[list[str]]) -> Document:
    """Some content without what stands at the ends of some paths."""
    for first, *rest in paths:
        if first in content:
            copy = {key: value for key, value in content.items() if key != first}
            if rest and isinstance(content[first], dict):
                copy[first] = without(content[first], [rest])
            content = copy
    return content


def text_of(value: Any) -> str:
    """A value of JSON as text; raises BadRecord for a list or object."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise BadRecord("wrong_type", "a list or object where a value is expected")
