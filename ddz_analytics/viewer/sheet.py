"""The course of a hand as a table: three seats beside each other, a new row whenever the turn comes round or a trick begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ddz_analytics.answers.plain import inert
from ddz_analytics.bilingual import Both
from ddz_analytics.explain.hand import WorkedStep
from ddz_analytics.explain.moments import deed
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.viewer.course import PASS, TURNS, Course, Frame
from ddz_analytics.viewer.nets import stake_text
from ddz_analytics.viewer.running import Run
from ddz_analytics.viewer.words import (
    cards_words,
    issue_words,
    mark_words,
    opening_words,
    role_words,
    say,
    sentence,
)

_STATES = ("autoplay", "disconnect", "reconnect", "escape")
BY_SYSTEM = " ◦"  # behind what the system did for a seat
NOT_PLAYED = "–"


class Cell(NamedTuple):
    """What one seat did, how it stands out (lead, strong, quiet or nothing), and what there is to remark about it."""

    words: Both
    style: str
    remarks: tuple[tuple[str, Both], ...]


class Row(NamedTuple):
    """One round: its title if it begins something, the seats' cells, and the stakes after it where they have changed."""

    title: Both | None
    cells: list[Cell | None]
    stakes: list[str]


class Sheet(NamedTuple):
    """The whole table: the seats in its columns, what was dealt to them, the remarks of the deal, the rows, and the end."""

    seats: list[tuple[Both, str | None]]
    dealt: list[Both | None]
    bottom: Both | None
    opening: list[Both]
    beside: tuple[tuple[str, Both], ...]
    rows: list[Row]
    end: Both
    last_stakes: list[str]


def in_both(words: Iterable[str]) -> Both:
    """A text for each language; not escaped yet, without power over anything."""
    en, zh = map(inert, words)
    return Both(en, zh)


def sheet_of(course: Course, runs: Sequence[Run]) -> Sheet:
    """A hand as a table, with what it was played for under some rule sets."""
    first, *_, last = course.frames
    order = order_of(course)
    stakes = _Stakes(runs)
    rows = list(_rows(course, stakes))
    faults = (*_remarks(first), *_remarks(last))
    end = in_both(sentence(course, last, lang) for lang in LANGUAGES)
    words = [list(opening_words(course, lang))[course.is_told :] for lang in LANGUAGES]
    return Sheet(
        seats=[(role_both(course, seat), course.heading.seats[seat].player) for seat in order],
        dealt=[_cards(first.held[seat]) for seat in order],
        bottom=_cards(course.bottom),
        opening=[Both(en, zh) for en, zh in zip(*words, strict=True)],
        beside=faults,
        rows=rows,
        end=end,
        last_stakes=stakes.changed(-1),
    )


def both_steps(steps: Mapping[str, Sequence[WorkedStep]]) -> list[tuple[WorkedStep, Both, Both]]:
    """The steps of a settlement by language as one list, each with its title and its words in both."""
    pairs = zip(*(steps[lang] for lang in LANGUAGES), strict=True)
    return [(en, Both(en.title, zh.title), Both(en.words, zh.words)) for en, zh in pairs]


def order_of(course: Course) -> list[int]:
    """The seats as the table has them: landlord, down, up; without a landlord 0, 1, 2."""
    landlord = course.heading.landlord_seat or 0
    return [(landlord + place) % 3 for place in range(3)]


def role_both(course: Course, seat: int) -> Both:
    """What a seat is called."""
    return in_both(role_words(course.heading, seat, lang) for lang in LANGUAGES)


class _Stakes:
    """The stakes shown last, so that they are shown again only when they have changed."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs, self.shown = runs, [""] * len(runs)

    def changed(self, place: int) -> list[str]:
        now = [stake_text(run.so_far[place]) for run in self.runs]
        if now == self.shown:
            return [""] * len(now)
        self.shown = now
        return now


def _rows(course: Course, stakes: _Stakes) -> Iterator[Row]:
    order, acts = order_of(course), course.frames[1:-1]
    row, group, filled = Row(None, [None] * 3, []), "", 3
    for place, frame in enumerate(acts, start=1):
        now, column = _group(frame), order.index(frame.seat or 0)
        begins = now != group and now in ("auction", "bottom", "turn")
        leads = frame.act is not None and frame.act.is_lead
        if leads or now != group or column < filled or now == "state":
            if any(row.cells):
                yield row._replace(stakes=stakes.changed(place - 1))
            row = Row(_title(frame, begins=begins), [None] * 3, [])
        row.cells[column] = _cell(frame)
        group, filled = now, column + 1
    if any(row.cells):
        yield row._replace(stakes=stakes.changed(len(acts)))


def _group(frame: Frame) -> str:
    if frame.act is None:
        return "bottom"
    return "turn" if frame.act.act in TURNS else "state" if frame.act.act in _STATES else "auction"


def _title(frame: Frame, *, begins: bool) -> Both | None:
    if frame.act is not None and frame.act.is_lead and frame.trick is not None:
        return Both(str(frame.trick), str(frame.trick))
    if frame.act is None:
        return in_both(say("bottom", lang) for lang in LANGUAGES)
    if begins and frame.act.act not in TURNS:
        return in_both(say("auction", lang) for lang in LANGUAGES)
    return None


def _cell(frame: Frame) -> Cell:
    act = frame.act
    by_system = BY_SYSTEM if act is not None and act.actor not in (None, "player") else ""
    if frame.cards is not None:
        words = in_both(cards_words(frame.cards, lang) + by_system for lang in LANGUAGES)
    elif act is None or act.act == PASS:
        words = Both(NOT_PLAYED + by_system, NOT_PLAYED + by_system)
    else:
        words = in_both(deed(act, lang) for lang in LANGUAGES)
    return Cell(words, _style(frame), _remarks(frame))


def _style(frame: Frame) -> str:
    act = frame.act
    if act is None or act.act == PASS:
        return "quiet" if act is not None else ""
    strong = (act.category or "").startswith(("bomb", "rocket"))
    return " ".join(name for name, holds in (("lead", act.is_lead), ("strong", strong)) if holds)


def _remarks(frame: Frame) -> tuple[tuple[str, Both], ...]:
    marks = [("mark", in_both(mark_words(mark, lang) for lang in LANGUAGES)) for mark in frame.marks]
    issues = [
        (issue.severity, in_both(issue_words(issue, lang) for lang in LANGUAGES)) for issue in frame.issues
    ]
    return (*marks, *issues)


def _cards(text: str | None) -> Both | None:
    return None if text is None else in_both(cards_words(text, lang) for lang in LANGUAGES)
