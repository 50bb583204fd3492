"""What a report says, before it is laid out: answers, differences, and the hands that differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ddz_analytics.answers.plain import inert
from ddz_analytics.attribution import attributions
from ddz_analytics.choosing import check_where, chosen_hands
from ddz_analytics.comparison import BASELINE_GROUPS, Comparison, compare, memory_for, rule_differences
from ddz_analytics.distinct import Read
from ddz_analytics.errors import UsageError
from ddz_analytics.info import content_digest
from ddz_analytics.report.grid import Grid, grid_of
from ddz_analytics.report.questions import Answer, Questions
from ddz_analytics.report.worst import ShownHand, shown_hands
from ddz_analytics.rescore import Scenario, current
from ddz_analytics.rules import RuleSet, parameters
from ddz_analytics.store.catalog import connect
from ddz_analytics.sweep import facts_of
from ddz_analytics.version import VERSION

QUESTIONS = (
    "comparison/changed", "hands", "origins", "info/files", "info/rejected", "info/replayed", "reconciled",
    "comparison/statuses", "comparison/assumptions", "comparison/bands", "comparison/roles",
    "comparison/intervals", "comparison/break_even", "comparison/overview",
    "comparison/distribution", "comparison/multipliers", "comparison/caps", "comparison/gini", "comparison/days",
    "comparison/autoplay_losses", "comparison/house", "comparison/liability", "comparison/autoplay_seats",
    "comparison/autoplay_starts", "comparison/shortfalls", "comparison/flows", "comparison/refusals", "comparison/balances",
)  # fmt: skip
_encode = msgspec.json.Encoder(decimal_format="number").encode
MOVES = 12  # players of each other rule set
PER_HAND = (
    "facts",
    "heads",
    "seats",
    "acts",
    "episodes",
    "issues",
)  # their rows are shown as hands, not as tables


class Chosen(NamedTuple):
    """Which hands (all, or those with a seat that `where` fits), and where the balances before each come from.

    `advance`: how many of each match go on. `settings`: how `variants` vary parameters, which is drawn as a grid.
    """

    where: str | None = None
    balances: Scenario = "recorded"
    advance: int | None = None
    settings: tuple[str, ...] = ()
    variants: tuple[RuleSet, ...] = ()


@dataclass(frozen=True)
class Content:
    """A baseline against others over the hands of a store that are chosen; all that the page and its twin show."""

    digest: str
    chosen: Chosen
    baseline: RuleSet
    others: tuple[RuleSet, ...]
    answers: dict[str, Answer]
    differences: list[dict[str, str]]
    contributions: list[dict[str, Any]]
    hands: list[ShownHand]
    grid: Grid | None

    def rows(self, question: str, rule_set: str | None = None) -> list[dict[str, Any]]:
        """The rows of an answer, or those of one rule set in it; none where the question was not asked."""
        rows = self.answers[question].rows() if question in self.answers else []
        return rows if rule_set is None else [row for row in rows if row["rule_set"] == rule_set]


def gather(store: Path, baseline: RuleSet, others: Sequence[RuleSet], chosen: Chosen) -> Content:
    """Ask the store all that a report needs.

    Raises UsageError `nothing_to_compare`, `rule_set_twice`, `not_scored` (a rule set, as it is now, is not scored) or `no_hands`,
    and what `check_where` and `connect` raise.
    """
    _check(store, baseline, others, chosen)
    with connect(store, memory_for(store)) as connection:
        digest = content_digest(connection)
        names = [rules.id for rules in others]
        compared = compare(connection, baseline.id, names, chosen.balances, chosen.where, chosen.advance)
        questions = asked(compared)
        if questions.answers["hands"].rows()[0]["hands"] == 0:
            raise UsageError(
                "no_hands", "there is no hand to report on", where=str(store), mend="ingest some first"
            )
        hands = shown_hands(questions, baseline, others)
        read = facts_of(store, chosen_hands(connection, chosen.where))
    contributions, grid = _counted(read, baseline, others, chosen)
    different = rule_differences(baseline, others).to_pylist()
    return Content(
        digest, chosen, baseline, tuple(others), questions.answers, different, contributions, hands, grid
    )


def asked(compared: Comparison) -> Questions:
    """The questions of every report, answered; chosen hands alone make no standings."""
    questions = Questions(compared)
    for name in QUESTIONS:
        questions.ask(name)
    for group in BASELINE_GROUPS:
        questions.ask("comparison/groups_baseline", group, by=group)
    if compared.where is None:
        questions.ask("comparison/standings")
        questions.ask("comparison/moves", count=MOVES)
    return questions


def as_json(content: Content) -> bytes:
    """Every number of the report: the answer and statement of each question, the hands shown, the rule sets."""
    twin = {
        "version": VERSION,
        "content": content.digest,
        "where": content.chosen.where,
        "scenario": content.chosen.balances,
        "advance": content.chosen.advance,
        "baseline": content.baseline.id,
        "others": [rules.id for rules in content.others],
        "rule_sets": [_rule_set(rules) for rules in (content.baseline, *content.others)],
        "differences": [
            {
                **row,
                "baseline": msgspec.Raw(row["baseline"].encode()),
                "other": msgspec.Raw(row["other"].encode()),
            }
            for row in content.differences
        ],
        "contributions": content.contributions,
        "grid": content.grid,
        "answers": {
            name: {"sql": answer.statement, **({} if name in PER_HAND else {"rows": _plain(answer.rows())})}
            for name, answer in content.answers.items()
        },
        "hands": [hand.as_value() for hand in content.hands],
    }
    text = msgspec.json.format(_encode(twin), indent=1).decode()
    return "\n".join(map(_escaped, text.split("\n"))).encode() + b"\n"


def _counted(
    read: Read, baseline: RuleSet, others: Sequence[RuleSet], chosen: Chosen
) -> tuple[list[dict[str, Any]], Grid | None]:
    """What is counted on hands that look alike: what each differing parameter contributes, where that does not take too long, and
    the grid; nothing where balances are chained, which tell all hands apart."""
    if chosen.balances == "chained":
        return [], None
    table, _ = attributions(read, baseline, others)
    grid = grid_of(read, baseline, chosen.variants, chosen.settings) if chosen.variants else None
    return table.to_pylist(), grid


def _check(store: Path, baseline: RuleSet, others: Sequence[RuleSet], chosen: Chosen) -> None:
    names = [rules.id for rules in (baseline, *others)]
    if not others:
        raise UsageError("nothing_to_compare", f"only {baseline.id} is given", mend="name another rule set")
    if len(set(names)) < len(names):
        raise UsageError("rule_set_twice", "a rule set is given twice", mend="give each once")
    scored = current(store, chosen.balances)
    how = "" if chosen.balances == "recorded" else f" --balances {chosen.balances}"
    for rules in (baseline, *others):
        if scored.get(rules.id) != rules.rule_hash:
            mend = f"ddz rescore --rules '{rules.id}'{how}"
            raise UsageError(
                "not_scored", f"not every hand is scored under {rules.id} as it is now", mend=mend
            )
    if chosen.where is not None:
        check_where(store, chosen.where)


def _rule_set(rules: RuleSet) -> dict[str, object]:
    return {
        "id": rules.id,
        "title": {"en": rules.title_en, "zh": rules.title_zh},
        "rule_hash": rules.rule_hash,
        "assumed": rules.assumed,
        "sources": rules.sources,
        "parameters": parameters(rules),
    }


def _plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows whose floating-point numbers have the digits that do not depend on the order in which they were added up."""
    return [
        {name: float(f"{cell:.10g}") if isinstance(cell, float) else cell for name, cell in row.items()}
        for row in rows
    ]


def _escaped(line: str) -> str:
    """A line of JSON whose control characters, also those that turn a text's direction, are escapes."""
    if inert(line) == line:
        return line
    return "".join(letter if letter == inert(letter) else f"\\u{ord(letter):04x}" for letter in line)
