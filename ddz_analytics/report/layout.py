"""The content arranged as the templates show it: one part for each other rule set, tables turned, citations as links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import msgspec
from markupsafe import Markup, escape

from ddz_analytics.answers.plain import inert
from ddz_analytics.bilingual import grouped
from ddz_analytics.explain import WorkedStep
from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.pages import in_script
from ddz_analytics.report.content import Content
from ddz_analytics.report.wording import Both, named, say, signed
from ddz_analytics.report.worst import Settling, ShownHand
from ddz_analytics.rules import KEYS, Clause, RuleSet, cited_clauses, clauses, parameters
from ddz_analytics.viewer.sheet import both_steps, sheet_of

Row = Mapping[str, Any]
BANDS = ("loses_over_16", "loses", "same", "gains", "gains_over_16")
HOUSE = ("moved", "rake", "fee", "forfeit", "fine", "net")
_CLAUSE = re.compile(r"\b[A-Z][0-9]+\b")


@dataclass(frozen=True)
class Against:
    """What the page shows of the baseline against one other rule set; `place` numbers it within the page."""

    place: int
    rules: RuleSet
    content: Content

    @property
    def changed(self) -> Row:
        """How much changes; zeros where the two have no hand in common."""
        return self.content.rows("changed", self.rules.id)[0]

    @property
    def house_days(self) -> list[Decimal]:
        """What the house takes per day under baseline and other; nothing unless every hand has a time."""
        rows = [self.content.rows("house", name) for name in (self.content.baseline.id, self.rules.id)]
        return [row["net"] / row["days"] for found in rows for row in found if all_timed(self.content)]

    @property
    def differences(self) -> list[Row]:
        """The parameters that differ."""
        return [row for row in self.content.differences if row["rule_set"] == self.rules.id]

    @property
    def contributions(self) -> list[Row]:
        """What each differing parameter contributes."""
        return [row for row in self.content.contributions if row["rule_set"] == self.rules.id]

    @property
    def bands(self) -> list[Row]:
        """The five bands, a row for each role."""
        return _by_role(self.content.rows("bands", self.rules.id))

    @property
    def roles(self) -> list[Row]:
        """The numbers by role."""
        return _by_role(self.content.rows("roles", self.rules.id))

    @property
    def intervals(self) -> list[Row]:
        """How sure the mean difference is, by role."""
        return _by_role(self.content.rows("intervals", self.rules.id))

    @property
    def break_even(self) -> tuple[str, str] | None:
        """The landlord's win rate, and by how many percentage points it would have to move to cancel the difference."""
        for row in self.content.rows("break_even", self.rules.id):
            if row["break_even"] is not None:
                return f"{100 * row['win_rate']:.1f}%", signed(round(100 * row["break_even"], 2))
        return None

    @property
    def spread(self) -> list[tuple[int, list[tuple[int, int]]]]:
        """Each step of the score with the hands of baseline and other for each role."""
        rows = self.content.rows("distribution", self.rules.id)
        counted = {(row["step"], row["role"]): (row["baseline"], row["other"]) for row in rows}
        steps = sorted({row["step"] for row in rows})
        return [(step, [counted.get((step, role), (0, 0)) for role in ROLE_NAMES]) for step in steps]

    @property
    def multipliers(self) -> list[tuple[int | None, list[Row]]]:
        """Each multiplier with the hands that reach it under baseline and other; None: not played."""
        sides = [
            {row["multiplier"]: row for row in self.content.rows("multipliers", name)}
            for name in (self.content.baseline.id, self.rules.id)
        ]
        nothing = {"hands": 0, "capped": 0}
        found = sorted({*sides[0], *sides[1]}, key=lambda multiplier: (multiplier is None, multiplier))
        return [(multiplier, [side.get(multiplier, nothing) for side in sides]) for multiplier in found]

    @property
    def caps(self) -> list[tuple[RuleSet, Row]]:
        """Which of the two rule sets cap some of the hands, with their numbers in all."""
        overview = {row["rule_set"]: row for row in self.content.rows("overview")}
        pairs = [(rules, overview[rules.id]) for rules in (self.content.baseline, self.rules)]
        return [(rules, row) for rules, row in pairs if row["capped_hands"]]

    @property
    def blind(self) -> int:
        """In how many hands no autoplay is counted because the log cannot tell it."""
        found = self.content.rows("assumptions", self.rules.id) + self.content.rows(
            "assumptions", self.content.baseline.id
        )
        return max((row["hands"] for row in found if row["assumption"] == "autoplay"), default=0)

    @property
    def hands(self) -> list[ShownHand]:
        """The hands that differ most."""
        return [hand for hand in self.content.hands if hand.rule_set == self.rules.id]


def all_timed(content: Content) -> bool:
    """Whether every hand has a time, so that amounts per day mean something."""
    hands = content.rows("hands")[0]
    return bool(hands["timed"] == hands["hands"])


class Page:
    """The content with what the whole page needs."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.baseline = content.baseline
        self.rule_sets = (content.baseline, *content.others)
        self.against = [Against(place, rules, content) for place, rules in enumerate(content.others)]
        self.hands = content.rows("hands")[0]
        self.files = content.rows("files")[0]

    def count(self, question: str, column: str, value: object, counted: str = "hands") -> int:
        """How many hands (or records) an answer counts for one value of a column."""
        return sum(row[counted] for row in self.content.rows(question) if row[column] == value)

    def status(self, rules: RuleSet, status: str) -> int:
        """How many hands have a status under a rule set."""
        found = self.content.rows("statuses", rules.id)
        return sum(row["hands"] for row in found if row["score_status"] == status)

    @property
    def title_key(self) -> str:
        """The text of the page's title, which names chained balances."""
        return "report.title" + ("_chained" if self.content.chosen.balances == "chained" else "")

    @property
    def recorded(self) -> int:
        """How many hands have scores recorded under the baseline."""
        return sum(row["hands"] for row in self.content.rows("reconciled"))

    @property
    def house_parts(self) -> list[str]:
        """What of the house's take is anything at all; the turnover and the sum always are."""
        rows = self.content.rows("house")
        return [part for part in HOUSE if part in ("moved", "net") or any(row[part] for row in rows)]

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that some rule set cites, in the order of the pages."""
        cited = {
            name
            for rules in self.rule_sets
            for source in rules.sources.values()
            for name in cited_clauses(source)
        }
        return [clause for name, clause in clauses().items() if name in cited]


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


def _by_role(rows: Iterable[Row]) -> list[Row]:
    order = (*ROLE_NAMES, None)
    return sorted(rows, key=lambda row: order.index(row["role"]))


HELPERS: dict[str, Callable[..., object] | tuple[str, ...]] = {
    "all_timed": all_timed,
    "title": title,
    "meaning": meaning,
    "value_text": value_text,
    "json_value": json_value,
    "cite": cite,
    "lines": lines,
    "role": role,
    "party": party,
    "steps": steps,
    "grouped": grouped,
    "nets": nets,
    "bar_parts": bar_parts,
    "sheet_of": sheet_of,
    "in_script": in_script,
    "parameters": parameters,
    "BANDS": BANDS,
}
