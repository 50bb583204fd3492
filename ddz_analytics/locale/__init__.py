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

__all__ = [
    "LANGUAGES", "code_text", "codes", "command_text", "command_texts", "labelled", "language", "said",
    "term", "text", "texts",
]  # fmt: skip

_HERE = Path(__file__).parent
_CODES, _COMMANDS = "codes.toml", "command.toml"


@cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """Every text of what is told of hands and rules: key to language to text."""
    files = [file for file in sorted(_HERE.glob("*.toml")) if file.name not in (_CODES, _COMMANDS)]
    return dict(entry for file in files for entry in _entries("", _read(file)))


@cache
def command_texts() -> Mapping[str, Mapping[str, str]]:
    """What the commands say of their own work: key to language to text."""
    return dict(_entries("", _read(_HERE / _COMMANDS)))


@cache
def codes() -> Mapping[str, Any]:
    """The catalogue of codes, which few runs need: `codes`, what is said of each kind, and `code`, by kind and code.

    An entry has `what`, a short `name` where that is long, and `cure` where there is something to do, each by language.
    """
    return _read(_HERE / _CODES)


def text(key: str, lang: str, **values: object) -> str:
    """The text of a key in a language, filled in; raises KeyError for a key that no file has."""
    return texts()[key][lang].format(**values)


def said(key: str, /, **values: object) -> str:
    """What a command says, by the key of the text, in the language of this process, filled in."""
    return command_text(key, language(), **values)


def command_text(key: str, lang: str, /, **values: object) -> str:
    """What a command says, by the key of the text, in a language, filled in.

    `{hands:hand|hands}` in a text is a number with the word for one or for another number of things.
    """
    counted = {name: _Count(value) if type(value) is int else value for name, value in values.items()}
    return command_texts()[key][lang].format(**counted)


class _Count(int):
    """A number that knows in which word of a text it ends."""

    def __format__(self, words: str) -> str:
        one, bar, more = words.partition("|")
        return f"{int(self)} {one if self == 1 else more}" if bar else format(int(self), words)


def term(kind: str, code: str, lang: str) -> str:
    """What a code of some kind is called; a code without a name, such as one that a plug-in brings, is its own name."""
    named = texts().get(f"{kind}.{code}")
    return named[lang] if named else code


def code_text(kind: str, code: str, part: str, lang: str) -> str:
    """What a code of some kind means (`what`, `name`) or what to do about it (`cure`); empty where the catalogue does not say."""
    return str(codes()["code"][kind].get(code, {}).get(part, {}).get(lang, ""))


def labelled(kind: str, code: str) -> str:
    """A code as tables and lists show it to people: itself, and what it means where the language is not the code's."""
    lang = language()
    meaning = (
        "" if lang == "en" else code_text(kind, code, "name", lang) or code_text(kind, code, "what", lang)
    )
    return f"{code}（{meaning}）" if meaning else code


def _read(file: Path) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(file.read_text("utf-8"))


def _entries(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    for name, value in table.items():
        if isinstance(next(iter(value.values())), str):
            yield prefix + name, value
        else:
            yield from _entries(f"{prefix}{name}.", value)
