"""Texts for people from one catalogue, every text in every language side by side, so that a term is the same everywhere.

The files beside this one hold tables of `name = { en = "…", zh = "…" }`; a text's key is the names of its tables and its own,
joined by dots. `{name}` in a text is filled in by the caller. `zh/` holds what stands in English in the code: the help of the
commands, and the words of the command's library. Which language this process speaks is chosen once, in `language`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ddz_analytics.locale.language import LANGUAGES, language

__all__ = ["LANGUAGES", "language", "said", "term", "text", "texts"]


@cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """Every text: key to language to text."""
    import tomllib

    files = sorted(Path(__file__).parent.glob("*.toml"))
    found = [entry for file in files for entry in _entries("", tomllib.loads(file.read_text("utf-8")))]
    return dict(found)


def text(key: str, lang: str, **values: object) -> str:
    """The text of a key in a language, filled in; raises KeyError for a key that no file has."""
    return texts()[key][lang].format(**values)


def said(key: str, **values: object) -> str:
    """The text of a key in the language of this process, filled in."""
    return text(key, language(), **values)


def term(kind: str, code: str, lang: str) -> str:
    """What a code of some kind is called; a code without a name, such as one that a plug-in brings, is its own name."""
    named = texts().get(f"{kind}.{code}")
    return named[lang] if named else code


def _entries(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    for name, value in table.items():
        if isinstance(next(iter(value.values())), str):
            yield prefix + name, value
        else:
            yield from _entries(f"{prefix}{name}.", value)
