"""What every view, column and macro means, in each language: `sql/comments.toml` and `sql/comments.zh.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ddz_analytics.locale import LANGUAGES
from ddz_analytics.schema import SEAT_NUMBERS

_PLACE = Path(__file__).parents[1] / "sql"
_FILES = {"en": "comments.toml", "zh": "comments.zh.toml"}


@cache
def comments(lang: str = "en") -> Mapping[str, Any]:
    """What is said in one language, as its file has it."""
    return tomllib.loads((_PLACE / _FILES[lang]).read_text("utf-8"))


@cache
def columns_of(view: str, lang: str = "en") -> Mapping[str, str]:
    """What is said of the columns of a view; a view may have more columns than that, and fewer."""
    said = comments(lang)
    columns = said["columns"]
    like = columns.get(said["like"].get(view), {})
    return _by_seat(_by_role(said["common"] | like | columns.get(view, {}), said["roles"]))


def in_every_language(said: Mapping[str, str]) -> str:
    """One comment out of one for each language that has it."""
    return " / ".join(filter(None, (said[lang] for lang in LANGUAGES)))


def _by_role(described: Mapping[str, str], roles: Mapping[str, str]) -> dict[str, str]:
    """The descriptions with `{role}` in a name and its text written out for each role."""
    return {
        name.replace("{role}", role): text.replace("{role}", who)
        for name, text in described.items()
        for role, who in roles.items()
    }


def _by_seat(described: Mapping[str, str]) -> dict[str, str]:
    """The descriptions with `{seat}` in a name and its text written out for each seat."""
    return {
        name.replace("{seat}", str(seat)): text.replace("{seat}", str(seat))
        for name, text in described.items()
        for seat in SEAT_NUMBERS
    }
