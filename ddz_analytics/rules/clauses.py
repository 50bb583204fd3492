"""The clauses of the five rule pages, numbered, and the clauses that a citation names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from ddz_analytics.rules.load import FOLDER

# "jj J29-J37, J41": a page, then its clauses and ranges of clauses
_CITED = re.compile(r"\b(?:jj2?|casino|qq|happy) ((?:[A-Z][0-9]+(?:-[A-Z][0-9]+)?(?:, )?)+)")
_RANGE = re.compile(r"([A-Z])([0-9]+)(?:-[A-Z]([0-9]+))?")


class Clause(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One clause of a rule page in our own words; `heading` stands as on the page, `scoring` if it moves points."""

    id: str
    page: Literal["jj", "jj2", "casino", "qq", "happy"]
    heading: str
    zh: str
    en: str
    scoring: bool


@cache
def clauses() -> dict[str, Clause]:
    """Every clause by its id (J1 … J58, L1 … L41, C1 … C40, Q1 … Q27, H1 … H38), in the order of the pages."""
    pages = tomllib.loads((FOLDER / "clauses.toml").read_text("utf-8"))
    return {name: msgspec.convert({"id": name, **clause}, Clause) for name, clause in pages.items()}


def cited_clauses(citation: str) -> list[str]:
    """The clause ids that a citation such as "jj J29-J31: 积分规则; qq Q18: 積分" names, ranges written out."""
    return [clause for match in _CITED.finditer(citation) for clause in _written_out(match[1])]


def _written_out(ids: str) -> Iterator[str]:
    for letter, first, last in _RANGE.findall(ids):
        for number in range(int(first), int(last or first) + 1):
            yield f"{letter}{number}"
