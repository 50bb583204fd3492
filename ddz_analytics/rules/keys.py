"""The reference of the keys of a rule file: what each means, what it may be, which clauses it rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from types import MappingProxyType

import msgspec
from msgspec import Struct

from ddz_analytics.rules.load import FOLDER
from ddz_analytics.rules.ruleset import ATTRIBUTES, neutral
from ddz_analytics.rules.values import allowed, written


class Key(Struct, frozen=True, kw_only=True):
    """One key: dotted name, neutral value as a rule file writes it, allowed values, meaning, clause ids."""

    name: str
    neutral: object
    allowed: str
    en: str
    zh: str
    clauses: tuple[str, ...]


class _Meaning(Struct, forbid_unknown_fields=True):
    en: str
    zh: str
    clauses: tuple[str, ...]


def _keys() -> Mapping[str, Key]:
    said = msgspec.convert(tomllib.loads((FOLDER / "keys.toml").read_text("utf-8")), dict[str, _Meaning])
    return MappingProxyType({name: _key(name, said[name]) for name in ATTRIBUTES})


def _key(name: str, said: _Meaning) -> Key:
    value = written(name, neutral(name))
    return Key(name=name, neutral=value, allowed=allowed(name), en=said.en, zh=said.zh, clauses=said.clauses)


KEYS: Mapping[str, Key] = _keys()
