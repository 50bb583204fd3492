"""A hand on a terminal, trick by trick, 80 places wide, coloured by escapes that a pipe is spared.

What comes from a log is made inert before anything is coloured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddz_analytics.answers.plain import inert
from ddz_analytics.explain.moments import by_whom
from ddz_analytics.explain.plain import heading_lines
from ddz_analytics.viewer.coloured import BOLD, CYAN, DIM, RED, YELLOW, Coloured, cards, plain, styled
from ddz_analytics.viewer.course import PASS, Course, Frame
from ddz_analytics.viewer.nets import SIGNS, net_lines, stake_text, status_words
from ddz_analytics.viewer.running import Run
from ddz_analytics.viewer.words import (
    deed_words,
    issue_words,
    mark_words,
    opening_words,
    role_words,
    say,
    shape,
)
from ddz_analytics.widths import text_width

_WIDTH, _INDENT, _LEFT, _GAP = 80, plain("  "), 9, 2


def as_text(course: Course, runs: Sequence[Run], lang: str) -> str:
    """The whole hand with its settlements under one rule set or two; colours are ANSI escapes."""
    return "\n".join(line.text for line in _Told(course, runs, lang).lines())


class _Told:
    """A hand being told: the texts of one language, how wide each column is, and the stakes shown last."""

    def __init__(self, course: Course, runs: Sequence[Run], lang: str) -> None:
        self.course, self.runs, self.lang = course, runs, lang
        self.roles = [role_words(course.heading, seat, lang) for seat in range(3)]
        landlord = course.heading.landlord_seat or 0
        self.order = [(landlord + place) % 3 for place in range(3)]
        self.first = max(map(text_width, (*self.roles, say("bottom", lang)))) + _GAP
        stakes = [stake_text(each) for run in runs for each in run.so_far]
        self.stake = max(map(text_width, [*stakes, ""])) + _GAP
        self.body = _WIDTH - _INDENT.width - self.first - _LEFT - self.stake * len(runs)
        self.shown: list[str] = [""] * len(runs)

    def lines(self) -> Iterator[Coloured]:
        """All lines in order."""
        first, *course, last = self.course.frames
        yield from self._head()
        yield from self._deal(first)
        title, passing, trick = "", list[Frame](), 0
        for place, frame in enumerate(course, start=1):
            trick = frame.trick or trick
            heading = say("trick", self.lang, number=trick) if trick else say("auction", self.lang)
            if heading != title:
                yield from self._passes(passing)
                yield from (plain(""), self._heading(heading))
                title = heading
            if _says_only_pass(frame) and not self._changed(place):
                passing.append(frame)
            else:
                yield from self._passes(passing)
                yield from self._act(frame, place)
        yield from self._passes(passing)
        yield from self._end(last)

    def _head(self) -> Iterator[Coloured]:
        heading, lang = self.course.heading, self.lang
        named, *rest = heading_lines(heading, lang)
        yield styled(inert(named), BOLD)
        yield from (plain(inert(line)) for line in rest)
        if heading.recorded_rules is not None:
            yield plain(say("played_under", lang, rules=inert(heading.recorded_rules)))
        for sign, run in zip(SIGNS, self.runs, strict=False):
            title = run.title_zh if lang == "zh" else run.title_en
            yield styled(sign, BOLD) + plain(f" {inert(run.rule_set)} · {inert(title)}")
        if any(each is not None for run in self.runs for each in run.so_far):
            yield styled(say("stakes_legend", lang), DIM)

    def _heading(self, title: str) -> Coloured:
        line = styled(title, CYAN).filled(_WIDTH - self.stake * len(self.runs))
        for sign in SIGNS[: len(self.runs)] if len(self.runs) > 1 else ():
            line += styled(sign, DIM).at_right(self.stake)
        return line if len(self.runs) > 1 else styled(title, CYAN)

    def _deal(self, frame: Frame) -> Iterator[Coloured]:
        heading, lang = self.course.heading, self.lang
        yield from (plain(""), styled(say("deal", lang), CYAN))
        indent = _INDENT + plain(" " * self.first)
        for seat in self.order:
            held = frame.held[seat]
            yield self._role(seat) + plain(inert(heading.seats[seat].player or ""))
            yield indent + (styled(say("no_cards", lang), DIM) if held is None else cards(held, lang))
        if self.course.bottom is not None:
            yield _INDENT + plain(say("bottom", lang)).filled(self.first) + cards(self.course.bottom, lang)
        for words in list(opening_words(self.course, lang))[self.course.is_told :]:
            yield _INDENT + plain(words)
        yield from self._remarks(frame)

    def _role(self, seat: int) -> Coloured:
        role = self.roles[seat]
        landlord = seat == self.course.heading.landlord_seat
        return _INDENT + (styled(role, BOLD) if landlord else plain(role)).filled(self.first)

    def _act(self, frame: Frame, place: int) -> Iterator[Coloured]:
        seat = 0 if frame.seat is None else frame.seat
        role, words = self._role(seat), self._what(frame)
        counts = frame.cards is not None and frame.act is not None and frame.left[seat] is not None
        left = styled(say("left", self.lang, number=frame.left[seat]) if counts else "", DIM)
        stakes = self._stakes(place)
        behind = left.at_right(_LEFT) + stakes if left.width or stakes.width else plain("")
        if not behind.width:
            yield role + words
        elif words.width <= self.body:
            yield role + words.filled(self.body) + behind
        else:
            yield role + words
            yield plain(" " * (role.width + self.body)) + behind
        yield from self._remarks(frame)

    def _what(self, frame: Frame) -> Coloured:
        """What was done: of a play its cards and what they are, and the time that it took."""
        act, lang = frame.act, self.lang
        if act is None:
            return plain(say("takes_bottom", lang, cards="")) + cards(frame.cards or "", lang)
        spent = "" if act.ms is None else " · " + say("seconds", lang, seconds=f"{act.ms / 1000:.1f}")
        if frame.cards is None:
            return plain(deed_words(act, None, lang)) + styled(spent, DIM)
        strong = (act.category or "").startswith(("bomb", "rocket"))
        what = styled(f"  {shape(act, lang)}", *([BOLD, YELLOW] if strong else [DIM]))
        return cards(frame.cards, lang) + what + styled(by_whom(act, lang) + spent, DIM)

    def _changed(self, place: int) -> bool:
        return [stake_text(run.so_far[place]) for run in self.runs] != self.shown

    def _stakes(self, place: int) -> Coloured:
        """What is played for, where it is another than shown last."""
        line = plain("")
        if self._changed(place):
            self.shown = [stake_text(run.so_far[place]) for run in self.runs]
            told = max((place for place, each in enumerate(self.shown, start=1) if each), default=0)
            for each in self.shown[:told]:
                line += styled(each, BOLD).at_right(self.stake)
        return line

    def _passes(self, frames: list[Frame]) -> Iterator[Coloured]:
        """Passes of which there is nothing else to say, in one line; they are told then."""
        if frames:
            names = say("list", self.lang).join(self.roles[frame.seat or 0] for frame in frames)
            yield _INDENT + styled(say("passes", self.lang), DIM).filled(self.first) + styled(names, DIM)
            frames.clear()

    def _remarks(self, frame: Frame) -> Iterator[Coloured]:
        for mark in frame.marks:
            words = say("of_seat", self.lang, who=self.roles[mark.seat], words=mark_words(mark, self.lang))
            yield _INDENT + _INDENT + styled(f"* {words}", CYAN)
        for issue in frame.issues:
            colour = RED if issue.severity == "error" else YELLOW
            yield _INDENT + _INDENT + styled(f"! {inert(issue_words(issue, self.lang))}", colour)

    def _end(self, frame: Frame) -> Iterator[Coloured]:
        lang, runs = self.lang, self.runs
        yield from (plain(""), self._heading(say("end", lang)))
        *before, last = (_INDENT + plain(say(key, lang)) for key in self.course.ending)
        stakes = self._stakes(-1)
        yield from before
        yield last.filled(_WIDTH - self.stake * len(runs)) + stakes if stakes.width else last
        yield from self._remarks(frame)
        yield from (plain(""), styled(say("settlement", lang), CYAN))
        yield from (_INDENT + line for line in net_lines(self.course, runs, lang))
        for sign, run in zip(SIGNS, runs, strict=False):
            yield _INDENT + styled(sign, BOLD) + plain(f" {status_words(run, lang)}")


def _says_only_pass(frame: Frame) -> bool:
    act = frame.act
    if act is None or act.act != PASS or act.actor not in (None, "player"):
        return False
    return act.ms is None and not frame.marks and not frame.issues
