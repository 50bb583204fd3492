"""The acts of one hand, written as JSON text while they happen, each with its thinking time or with who acted instead."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from ddz_analytics.hands import SEATS
from ddz_analytics.simulate.split import Draw

Text = Callable[[], str]  # the next of an endless row of texts

BY_SYSTEM = ',"actor":"autoplay"}'
PLAY = tuple(f'{{"seat":{seat},"act":"play","cards":"' for seat in range(SEATS))
PASS = tuple(f'{{"seat":{seat},"act":"pass"' for seat in range(SEATS))

_TIMES = 4093  # thinking times drawn in advance; they come round again, at another place of another hand
_USUAL_LIMIT = 20_000  # ms, where the rules name no limit
_SHORTEST = 400


class Thinking:
    """Thinking times below a limit in ms, short ones the most common: `end` ends any act, `passes` are whole passes by seat."""

    def __init__(self, draw: Draw, limit: int | None) -> None:
        """Without a limit, that of a patient room."""
        span = (limit or _USUAL_LIMIT) - _SHORTEST
        ends = [f',"ms":{_SHORTEST + int(span * draw() * draw() * draw())}}}' for _ in range(_TIMES)]
        self.end: Text = cycle(ends).__next__
        self.passes: tuple[Text, ...] = tuple(cycle([start + end for end in ends]).__next__ for start in PASS)


def timed_out(seconds: int) -> str:
    """The end of an act that the system made because the time ran out."""
    return f',"ms":{seconds * 1000},"actor":"timeout"}}'


class Acts:
    """The acts so far, and for each seat on autoplay how the end of its acts reads (empty: it acts by hand)."""

    __slots__ = ("absent", "out", "thinking")

    def __init__(self, thinking: Thinking) -> None:
        """Nothing has been said yet."""
        self.out: list[str] = []
        self.thinking = thinking
        self.absent = ["", "", ""]

    def say(self, seat: int, body: str) -> None:
        """An act with thinking time; `body` begins with the act's name in quotes. Only the first absent act can time out."""
        end = self.absent[seat]
        if end:
            self.absent[seat] = BY_SYSTEM
        self.out.append(f'{{"seat":{seat},"act":{body}{end or self.thinking.end()}')

    def note(self, seat: int, body: str) -> None:
        """An act that takes no time: a hand opened, a button pressed, a line lost."""
        self.out.append(f'{{"seat":{seat},"act":{body}}}')
