"""Which clauses a step rests on: of all that its rule set cites, those about what the step does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from ddz_analytics.rules import RuleSet, cited_clauses, clauses

_SET = re.compile(r"--set ([a-z_]+\.[a-z_]+)=")


class Topic(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a rule set that say how a step goes, the main one first, and the clauses of all pages about it."""

    keys: tuple[str, ...]
    clauses: tuple[str, ...]


class CitedClause(Struct, frozen=True):
    """A clause by page and heading (as on the page), in our own words."""

    id: str
    page: str
    heading: str
    words: str


@cache
def topics() -> Mapping[str, Topic]:
    """Every topic by its name."""
    found = tomllib.loads(Path(__file__).with_name("clauses.toml").read_text("utf-8"))
    return {name: msgspec.convert(topic, Topic) for name, topic in found.items()}


def citation(rules: RuleSet, sections: Sequence[str], about: Sequence[str]) -> str:
    """What a rule set cites for a step: clauses by page and heading, settings of a variant, and what a rule file names.

    `sections`: where the rule set says it; `about`: the topics of the step. Where the sections cite none of the topics' clauses,
    all that they cite stands.
    """
    pieces = [piece for section in sections for piece in _pieces(rules, section)]
    own = [piece for piece in pieces if not cited_clauses(piece) and not _SET.match(piece)]
    there = {clause for piece in pieces for clause in cited_clauses(piece)}
    named: list[str] = []
    settings: list[str] = []
    for topic in (topics()[name] for name in about):
        said = {key[1]: piece for piece in pieces if (key := _SET.match(piece)) and key[1] in topic.keys}
        if not said.keys() & set(topic.keys[:1]):  # else a setting says otherwise than the clauses
            named += (name for name in topic.clauses if name in there)
        settings += said.values()
    found = [*_by_heading(dict.fromkeys(named)), *dict.fromkeys(settings), *own]
    return "; ".join(found or [piece for piece in pieces if not _SET.match(piece)])


def clauses_of(cited: str, lang: str) -> list[CitedClause]:
    """The clauses that a citation names, in words."""
    found = (clauses()[name] for name in dict.fromkeys(cited_clauses(cited)) if name in clauses())
    return [
        CitedClause(clause.id, clause.page, clause.heading, clause.zh if lang == "zh" else clause.en)
        for clause in found
    ]


def _pieces(rules: RuleSet, section: str) -> list[str]:
    cited = rules.sources.get(section, "")
    return cited.split("; ") if cited else []


def _by_heading(names: Iterable[str]) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for clause in (clauses()[name] for name in names):
        found.setdefault(f"{clause.page}: {clause.heading}", []).append(clause.id)
    for place, ids in found.items():
        page, _, heading = place.partition(": ")
        yield f"{page} {', '.join(ids)}: {heading}"
