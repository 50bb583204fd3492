"""The content arranged as the templates show it: one part for each other rule set, tables turned, citations as links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from markupsafe import Markup, escape

from ddz_analytics.answers.plain import inert
from ddz_analytics.bilingual import grouped
from ddz_analytics.explain import WorkedStep
from ddz_analytics.pages import in_script
from ddz_analytics.report.wording import Both, named, say
from ddz_analytics.report.worst import Settling
from ddz_analytics.rules import KEYS, RuleSet, clauses
from ddz_analytics.viewer.sheet import both_steps, sheet_of

Row = Mapping[str, Any]
BANDS = ("loses_over_16", "loses", "same", "gains", "gains_over_16")
_CLAUSE = re.compile(r"\b[A-Z][0-9]+\b")


def title(rules: RuleSet) -> Both:
    """The name of a rule set for people."""
    return Both(inert(rules.title_en or rules.id), inert(rules.title_zh or rules.id))


def meaning(key: str) -> Both:
    """What a parameter means."""
    return Both(KEYS[key].en, KEYS[key].zh)


def value_text(value: object) -> Both:
    """A parameter's value as people read it."""
    if isinstance(value, bool):
        return say(f"report.{'yes' if value else 'no'}")
    if value == "none":
        return say("report.none")
    if isinstance(value, list | tuple):
        events = [named("event", str(item)) for item in value]
        return Both(", ".join(event.en for event in events), "、".join(event.zh for event in events))
    return named("value", str(value))


def json_value(text: str) -> Both:
    """As `value_text`, of a value in JSON."""
    return value_text(msgspec.json.decode(text))


def cite(source: str) -> Markup:
    """A citation whose clauses are links to what they say."""
    known = clauses()

    def link(found: re.Match[str]) -> str:
        return f'<a href="#clause-{found[0]}">{found[0]}</a>' if found[0] in known else found[0]

    return Markup(_CLAUSE.sub(link, str(escape(inert(source)))))  # escaped before links are put in


def clause_of(source: str) -> Markup:
    """The first part of a citation, page and clauses, as a link."""
    return cite(re.split(r"[:：;；]", source, maxsplit=1)[0])


def lines(text: str) -> Markup:
    """A text of several lines, in which only the ends of lines act."""
    return Markup("\n").join(inert(line) for line in text.split("\n"))


def role(name: str | None) -> Both:
    """What a role is called."""
    return named("role", name or "nobody")


def party(name: str | None) -> Both:
    """What a party to a payment is called."""
    return named("party", name or "nobody")


def steps(settling: Settling) -> list[tuple[WorkedStep, Both, Both]]:
    """Each step with its title and its words in both languages."""
    return both_steps(settling.steps)


def nets(settling: Settling) -> str:
    """What landlord, down and up have in the end."""
    last = settling.steps["en"][-1]
    return " / ".join(grouped(amount) for amount in (last.landlord, last.down, last.up))


def bar_parts(row: Row) -> list[tuple[int, float, float]]:
    """The five bands as (number, from, width) in thousandths of all."""
    parts, begin = [], 0.0
    for number, band in enumerate(BANDS):
        width = 1000 * row[band] / row["hands"] if row["hands"] else 0.0
        if width:
            parts.append((number, round(begin, 3), round(width, 3)))
        begin += width
    return parts


HELPERS: dict[str, Callable[..., object] | tuple[str, ...]] = {
    "title": title,
    "meaning": meaning,
    "value_text": value_text,
    "json_value": json_value,
    "cite": cite,
    "clause_of": clause_of,
    "lines": lines,
    "role": role,
    "party": party,
    "steps": steps,
    "grouped": grouped,
    "nets": nets,
    "bar_parts": bar_parts,
    "sheet_of": sheet_of,
    "in_script": in_script,
    "BANDS": BANDS,
}
