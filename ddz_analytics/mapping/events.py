"""Hands out of a stream of events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Located, Rejected
from ddz_analytics.mapping.games import Game, Games
from ddz_analytics.mapping.hearing import heard
from ddz_analytics.mapping.shaping import hand_of
from ddz_analytics.mapping.spec import Events
from ddz_analytics.mapping.telling import Telling
from ddz_analytics.mapping.trace import Trace
from ddz_analytics.parsers.base import Parsed, Source


class EventsReader:
    """Reads streams of events; a game is a record, and so is what is no event, or one of no game."""

    def __init__(self, mapping: Events, trace: Trace | None = None) -> None:
        self._mapping = mapping
        self._telling = Telling(mapping, trace)

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or rejection for each game, in the order in which they are over."""
        games = Games(self._mapping)
        for event in heard(stream, source, self._mapping.stream.kind.split(".")):
            for found in [event] if isinstance(event, Rejected) else games.hear(event):
                yield found if isinstance(found, Rejected) else self._record(found)
        for game in games.rest():
            yield self._record(game)

    def _record(self, game: Game) -> Located | Rejected:
        line, raw = game.events[0].line, game.raw()
        try:
            return Located(hand_of(self._telling.document(game), f"line {line}"), line, raw)
        except BadRecord as fault:
            return Rejected(line, fault.code, fault.detail, raw)
