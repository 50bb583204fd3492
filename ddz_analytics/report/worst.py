"""The hands that differ most: who sat there, what was played, and both settlements step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa
from msgspec import Struct, to_builtins

from ddz_analytics.comparison import one_by_one
from ddz_analytics.explain import WorkedStep, worked
from ddz_analytics.explain.record import PARTS, Record, records
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.report.questions import Questions
from ddz_analytics.rules import RuleSet
from ddz_analytics.viewer.course import Course, course_of
from ddz_analytics.viewer.running import Run, run_of

MOST = 10  # hands for each other rule set
IN_ALL = 30  # so that many rule sets do not make a large file
_TOLD = ("action_index", "seat", "act", "value", "cards", "actor", "category", "is_lead", "trick")


class Settling(Struct, frozen=True):
    """A hand under one rule set: whether exact or projected, and the steps by language."""

    rule_set: str
    status: str
    steps: dict[str, list[WorkedStep]]


@dataclass(frozen=True)
class ShownHand:
    """A hand that differs under `rule_set`: its course, what it is played for and its settlement under baseline and other."""

    rule_set: str
    largest_difference: str
    record: Record
    course: Course
    runs: list[Run]
    settlings: list[Settling]

    def as_value(self) -> dict[str, Any]:
        """All of it as plain values; of what is played for each change, from the frame on at which it holds."""
        heading = self.course.heading
        return {
            "rule_set": self.rule_set,
            "largest_difference": self.largest_difference,
            **{name: getattr(heading, name) for name in ("hand_id", "source_hand_id", "table_id", "hand_no", "bottom")},
            "seats": [to_builtins(seat) for seat in heading.seats],
            "acts": [{name: getattr(act, name) for name in _TOLD} for act in self.record.acts],
            "issues": self.record.issues,
            "stakes": {run.rule_set: _changes(run) for run in self.runs},
            "settlings": self.settlings,
        }  # fmt: skip


def shown_hands(questions: Questions, baseline: RuleSet, others: Sequence[RuleSet]) -> list[ShownHand]:
    """For each other rule set the hands that differ most, the largest difference first."""
    count = max(1, min(MOST, IN_ALL // len(others)))
    worst = questions.ask("comparison/worst", count=count).rows()
    chosen = sorted({row["hand_id"] for row in worst})
    questions.ask("settled", hands=chosen)
    facts = one_by_one(questions.ask("comparison/facts", hands=chosen).table)
    found = _records(questions, {hand_id: facts[baseline.id, hand_id] for hand_id in chosen})
    courses = {hand_id: course_of(record) for hand_id, record in found.items()}
    by_id, settled = {rules.id: rules for rules in others}, dict[tuple[str, int], tuple[Run, Settling]]()

    def settling(rules: RuleSet, hand_id: int) -> tuple[Run, Settling]:
        key = (rules.id, hand_id)
        if key not in settled:
            row = facts[key]
            run = run_of(found[hand_id], courses[hand_id].frames, row, rules)
            steps = {lang: worked(row, rules, lang) for lang in LANGUAGES}
            settled[key] = run, Settling(rules.id, run.status, steps)
        return settled[key]

    return [
        ShownHand(
            row["rule_set"],
            f"{row['largest_difference'].normalize():f}",
            found[row["hand_id"]],
            courses[row["hand_id"]],
            *map(list, zip(*(settling(rules, row["hand_id"]) for rules in (baseline, by_id[row["rule_set"]])), strict=True)),
        )
        for row in worst
    ]  # fmt: skip


def _records(questions: Questions, facts: dict[int, pa.Table]) -> dict[int, Record]:
    """The hands as they stand in the store; each part of them is a question of the report."""
    tables = {part: questions.ask(f"explain/{part}", hands=list(facts)).table for part in PARTS}
    return records(tables.__getitem__, facts)


def _changes(run: Run) -> list[dict[str, object]]:
    """Where what is played for changes: from which frame on, the multiplier and the stakes of both pairs; null: none."""
    before, changes = None, list[dict[str, object]]()
    for place, now in enumerate(run.so_far):
        if now != before:
            told = {
                "multiplier": now and now.multiplier,
                "stakes": now and [Decimal(each) for each in now.stakes],
            }
            changes.append({"frame": place, **told})
        before = now
    return changes
