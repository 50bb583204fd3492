"""Finding and replacing the ids of players in texts, such as the name of a table or a field of the log's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Replace = Callable[[str], str]

_LETTER = r"[0-9A-Za-z]"


def pattern_of(ids: Iterable[str]) -> re.Pattern[str]:
    """What finds any of some ids in a text, but not within a longer run of Latin letters and digits (no `ann` in `anna`)."""
    longest_first = sorted(set(ids), key=lambda each: (-len(each), each))
    return re.compile("|".join(map(_alone, longest_first)) or r"(?!)")


def _alone(name: str) -> str:
    before = f"(?<!{_LETTER})" if re.match(_LETTER, name) else ""
    after = f"(?!{_LETTER})" if re.search(f"{_LETTER}\\Z", name) else ""
    return before + re.escape(name) + after


def replacing(names: Mapping[str, str]) -> Replace:
    """A function that puts in a text the new names of some ids in their places."""
    pattern = pattern_of(names)
    return lambda text: pattern.sub(lambda found: names[found[0]], text)


def replaced_within(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with the new names of some ids in its texts and keys, and in the place of numbers that are such an id."""
    replace = replacing(names)

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return replace(value)
        if isinstance(value, dict):
            return {replace(key): walk(each) for key, each in value.items()}
        if isinstance(value, list):
            return [walk(each) for each in value]
        return names.get(str(value), value) if type(value) in (int, float) else value

    return walk(value)


def occurs_in(raw: bytes, name: str) -> bool:
    """Whether a record's bytes hold an id, as plain text in any usual encoding or with JSON's escapes."""
    pattern = pattern_of([name])
    for encoding in ("utf-8", "gb18030", "utf-16-le", "utf-16-be"):
        if pattern.search(raw.decode(encoding, "replace")):
            return True
    text = raw.decode("utf-8", "replace")
    return "\\" in text and bool(pattern.search(_unescaped(text)))


def _unescaped(text: str) -> str:
    """The text with JSON's escapes of single characters taken back."""
    characters = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)
    return characters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\([\"\\/])")
