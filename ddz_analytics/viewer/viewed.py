"""A hand of a store to look at, under one rule set or two, and the same as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from ddz_analytics.explain.explained import Question, facts_of
from ddz_analytics.explain.hand import WorkedStep
from ddz_analytics.explain.record import read_hand
from ddz_analytics.explain.steps import worked
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.rules import RuleSet
from ddz_analytics.store.catalog import Connection
from ddz_analytics.version import VERSION
from ddz_analytics.viewer.course import Course, course_of
from ddz_analytics.viewer.running import Run, run_of
from ddz_analytics.viewer.words import issue_words, mark_words, sentence, shape

Steps = dict[str, list[WorkedStep]]


@dataclass(frozen=True)
class Viewed:
    """A hand with what it is worth under each rule set, and the steps of each settlement by language."""

    course: Course
    runs: list[Run]
    rule_sets: list[RuleSet]
    steps: list[Steps]


def view(connection: Connection, question: Question) -> Viewed:
    """A hand of the store to look at; chained balances must be settled before. Raises as `explain` does."""
    record = read_hand(connection, question.hand_id)
    course = course_of(record, question.player)
    runs, steps = [], []
    for rules in question.rule_sets:
        facts = facts_of(connection, record, rules, question)
        runs.append(run_of(record, course.frames, facts, rules))
        steps.append({lang: worked(facts, rules, lang) for lang in LANGUAGES})
    return Viewed(course, runs, list(question.rule_sets), steps)


def as_data(viewed: Viewed, lang: str) -> dict[str, Any]:
    """The frames and settlements as plain values, with the words of one language."""
    course = viewed.course
    frames = [
        {
            "words": sentence(course, frame, lang),
            "shape": "" if frame.act is None else shape(frame.act, lang),
            **msgspec.to_builtins(frame),
            "marks": [{**msgspec.to_builtins(mark), "words": mark_words(mark, lang)} for mark in frame.marks],
            "issues": [
                {**msgspec.to_builtins(issue), "words": issue_words(issue, lang)} for issue in frame.issues
            ],
            "so_far": {run.rule_set: msgspec.to_builtins(run.so_far[place]) for run in viewed.runs},
        }
        for place, frame in enumerate(course.frames)
    ]
    settlements = [
        {name: value for name, value in msgspec.to_builtins(run).items() if name != "so_far"}
        for run in viewed.runs
    ]
    heading = msgspec.to_builtins(course.heading)
    return {"version": VERSION, "lang": lang, "hand": heading, "frames": frames, "settlements": settlements}
