"""The notation of a rule file and the engine's values: reading, writing, and saying what is allowed.

A rule file writes a share as text ("0.05") and "no limit" as "none"; the engine keeps 500 and None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from ddz_analytics.errors import UsageError
from ddz_analytics.rules.ruleset import ATTRIBUTES, TYPES, RuleSet, Share, value_of

_SHARE_TEXT = re.compile(r"(0|1)(?:\.([0-9]{1,4}))?")
_WHOLE_TEXT = re.compile(r"0|-?[1-9][0-9]{0,18}")  # no key takes a longer number
_SCALE = 10_000
_LIST_MARK = ":"  # between the items of a list on the command line, where "," separates variants


def nearest(word: str, known: Iterable[str]) -> str:
    """The known name most like `word`."""
    return get_close_matches(word, sorted(known), n=1, cutoff=0.0)[0]


def known_key(key: str, *, where: str = "") -> str:
    """The dotted key itself; raises `rule_key` with the nearest name if no rule set has it."""
    if key in ATTRIBUTES:
        return key
    mend = f"nearest: {nearest(key, ATTRIBUTES)}"
    raise UsageError("rule_key", f"unknown key {key}", where=where, mend=mend)


def parse(key: str, raw: object, *, where: str = "") -> object:
    """The engine's value of what a rule file writes; raises `rule_value` with the allowed values, never coerces."""
    try:
        if TYPES[key] == Share:
            return _share(msgspec.convert(raw, str))
        if raw == "none" and _may_be_none(key):
            return None
        value = msgspec.convert(raw, TYPES[key])
        return _in_order(key, value) if isinstance(value, tuple) else value
    except ValueError as wrong:  # msgspec's ValidationError is one
        mend = f"allowed: {allowed(key)}"
        raise UsageError(
            "rule_value", f"{key} = {_told(raw)} is not allowed", where=where, mend=mend
        ) from wrong


def _told(raw: object) -> str:
    try:
        return repr(raw)
    except ValueError:  # written in hexadecimal a number may be longer than Python is willing to tell
        return "a number too long to tell"


def parse_text(key: str, text: str) -> object:
    """The engine's value of a value typed on a command line: as in a rule file, a list as `bombs:spring`."""
    kind = TYPES[key]
    if get_origin(kind) is tuple:
        return parse(key, text.split(_LIST_MARK))
    if kind is bool and text in ("true", "false"):
        return parse(key, text == "true")
    if _WHOLE_TEXT.fullmatch(text) and kind != Share:
        return parse(key, int(text))
    return parse(key, text)


def written(key: str, value: object) -> object:
    """The engine's value as a rule file writes it: "none" for None, a share as text, all else as it is."""
    if TYPES[key] == Share and isinstance(value, int):
        whole, rest = divmod(value, _SCALE)
        return f"{whole}.{rest:04d}".rstrip("0").rstrip(".")
    return "none" if value is None else value


def shown(key: str, value: object) -> str:
    """The engine's value as it is typed on a command line."""
    raw = written(key, value)
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return _LIST_MARK.join(raw) if isinstance(raw, tuple) else str(raw)


def parameters(rules: RuleSet) -> dict[str, object]:
    """Every dotted key with its value as a rule file writes it, in the order of the reference."""
    return {key: written(key, value_of(rules, key)) for key in ATTRIBUTES}


def allowed(key: str) -> str:
    """The values a key may have, as a person reads them."""
    if TYPES[key] == Share:
        return 'text from "0" to "1" with at most four decimals'
    return _allowed(TYPES[key])


def _allowed(kind: Any) -> str:
    inner = get_args(kind)
    if kind is bool:
        return "false, true"
    if get_origin(kind) is Literal:
        return ", ".join(str(value) for value in inner)
    if get_origin(kind) is tuple:
        return f"one or more of {_allowed(inner[0])}"
    if NoneType in inner:
        return f"none, {_allowed(inner[0])}"
    bounds: Meta = inner[1]  # what is left are whole numbers with bounds
    return f"{bounds.ge} to {bounds.le}"


def _may_be_none(key: str) -> bool:
    return NoneType in get_args(TYPES[key])


def _share(text: str) -> int:
    match = _SHARE_TEXT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    share = int(match[1]) * _SCALE + int((match[2] or "0").ljust(4, "0"))
    return msgspec.convert(share, Share)


def _in_order(key: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """A list names a set: each item once, kept in the order of the type, so that equal lists are equal values."""
    if not chosen or len(set(chosen)) != len(chosen):
        raise ValueError(key)
    return tuple(item for item in get_args(get_args(TYPES[key])[0]) if item in chosen)
