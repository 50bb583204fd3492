"""What the viewer's script plays from: hands and what they are played for, as plain values without anything said twice.

Words stand once in a list of pairs (English, Chinese), and are named by their places in it; `{cards}` in them is for the cards.
Hands are told by what changes from frame to frame: the script takes played cards out of a hand as replay does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ddz_analytics.answers.plain import inert
from ddz_analytics.bilingual import named
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.viewer.course import Course, Frame
from ddz_analytics.viewer.nets import status_words
from ddz_analytics.viewer.running import PARTIES, Run, SoFar
from ddz_analytics.viewer.sheet import in_both, order_of, role_both
from ddz_analytics.viewer.words import deed_words, issue_words, mark_words, say, sentence

_CARDS = "{cards}"


class ViewerData:
    """Hands and runs as they are given to the page, each with its number."""

    def __init__(self) -> None:
        self._words: dict[tuple[str, str], int] = {}
        self._hands: list[dict[str, Any]] = []
        self._runs: list[dict[str, Any]] = []
        self._numbers: dict[tuple[object, ...], int] = {}

    def number(self, course: Course) -> int:
        """The number of a hand in `as_value`."""
        key = ("hand", course.heading.hand_id)
        if key not in self._numbers:
            self._numbers[key] = len(self._hands)
            self._hands.append(self._hand(course))
        return self._numbers[key]

    def run_number(self, course: Course, run: Run) -> int:
        """The number of a hand under a rule set in `as_value`."""
        key = ("run", course.heading.hand_id, run.rule_set)
        if key not in self._numbers:
            self._numbers[key] = len(self._runs)
            self._runs.append(self._run(run))
        return self._numbers[key]

    def as_value(self) -> dict[str, Any]:
        """All of it, to be written as JSON."""
        return {"words": list(self._words), "hands": self._hands, "runs": self._runs}

    def _word(self, words: Iterable[str]) -> int:
        en, zh = in_both(words)
        return self._words.setdefault((en, zh), len(self._words))

    def _say(self, key: str) -> int:
        return self._word(say(key, lang) for lang in LANGUAGES)

    def _hand(self, course: Course) -> dict[str, Any]:
        heading = course.heading
        seats = [
            {
                "role": self._word(role_both(course, seat)),
                "name": inert(heading.seats[seat].player or ""),
                "held": course.frames[0].held[seat],
            }
            for seat in range(3)
        ]
        return {
            "order": order_of(course), "seats": seats, "bottom": course.bottom, "wild": heading.wild_rank,
            "frames": [self._frame(course, frame) for frame in course.frames],
        }  # fmt: skip

    def _frame(self, course: Course, frame: Frame) -> dict[str, Any]:
        """s: seat, c: cards, w: words, t: trick, l: leads, p: passes, b: takes them up, x: not judged, a: autoplay on or off, r: remarks."""
        act = frame.act
        cards = None if frame.cards is None else _CARDS
        if frame.seat is None:
            words = self._word(sentence(course, frame, lang) for lang in LANGUAGES)
        elif act is None:
            words = self._word(say("takes_bottom", lang, cards=_CARDS) for lang in LANGUAGES)
        else:
            words = self._word(deed_words(act, cards, lang) for lang in LANGUAGES)
        told: dict[str, Any] = {
            "s": frame.seat, "c": frame.cards, "w": words, "t": frame.trick,
            "l": act is not None and act.is_lead, "p": act is not None and act.act == "pass", "b": frame.kind == "bottom",
            "x": act is not None and act.act == "play" and act.trick is None, "ms": None if act is None else act.ms,
            "a": [[mark.seat, mark.what == "begins"] for mark in frame.marks], "r": self._remarks(frame),
        }  # fmt: skip
        return {
            name: value
            for name, value in told.items()
            if value is not None and value is not False and value != []
        }

    def _remarks(self, frame: Frame) -> list[list[object]]:
        marks = [["mark", self._word(mark_words(mark, lang) for lang in LANGUAGES)] for mark in frame.marks]
        issues = [
            [issue.severity, self._word(issue_words(issue, lang) for lang in LANGUAGES)]
            for issue in frame.issues
        ]
        return [*marks, *issues]

    def _run(self, run: Run) -> dict[str, Any]:
        return {
            "id": inert(run.rule_set),
            "title": self._word((run.title_en, run.title_zh)),
            "status": self._word(status_words(run, lang) for lang in LANGUAGES),
            "net": None if run.net is None else [run.net[party] for party in PARTIES],
            "steps": self._steps(run.so_far),
        }

    def _steps(self, so_far: Sequence[SoFar | None]) -> list[list[object]]:
        """Each change of what is played for: the frame from which it holds, factors, multiplier, pairs, stakes, sum, cut."""
        steps: list[list[object]] = []
        for place, now in enumerate(so_far):
            if now == (so_far[place - 1] if place else None):
                continue
            if now is None:
                steps.append([place])
                continue
            factors = [[self._say(f"factor_{concept}"), number] for concept, number in now.factors]
            steps.append([place, factors, now.multiplier, now.pairs, now.stakes, now.adds_up, now.capped])
        return steps


def party_names() -> list[object]:
    """What the parties of a settlement are called, in both languages."""
    return [named("role", party) for party in PARTIES]
