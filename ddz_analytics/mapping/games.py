"""Which events belong to one game: by the game's id, or by the events that open and close it; copies of an event count as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from ddz_analytics.hands import Rejected
from ddz_analytics.mapping.paths import Heard, at, without
from ddz_analytics.mapping.sections import listed
from ddz_analytics.mapping.spec import Events

LINGERING = 1000  # closed games that wait for copies of their last events
_encode = msgspec.json.Encoder(order="deterministic").encode
_NO_GAME = "an event of no game"


@dataclass
class Game:
    """The events of one game, each once; `told` counts how often each content came to each recipient."""

    events: list[Heard] = field(default_factory=list)
    began: bool = False  # something has happened since it was opened
    closed: bool = False
    told: Counter[tuple[bytes, bytes]] = field(default_factory=Counter)
    instances: Counter[bytes] = field(default_factory=Counter)

    def is_new(self, content: bytes, recipient: bytes) -> bool:
        """Whether a content comes for the first time, or once more to somebody who was told already."""
        self.told[content, recipient] += 1
        if self.told[content, recipient] <= self.instances[content]:
            return False
        self.instances[content] += 1
        return True

    def raw(self) -> bytes:
        """The bytes of the lines that its events came on, each once."""
        lines = {event.line: event.raw for event in self.events}
        return b"".join(raw + b"\n" for raw in lines.values())


class Games:
    """Gathers events into games, and gives a game away when no event of it can come any more."""

    def __init__(self, mapping: Events) -> None:
        stream = mapping.stream
        self._on = mapping.on
        self._ignored = set(listed(stream.ignore))
        self._id = stream.game.split(".") if stream.game else None
        self._group = [path.split(".") for path in listed(stream.group)]
        self._recipients = [path.split(".") for path in listed(stream.recipients)]
        self._open: dict[bytes, Game] = {}

    def hear(self, event: Heard) -> Iterator[Game | Rejected]:
        """Take an event; the games that are over by it, or the event itself if it belongs to none."""
        if event.kind in self._ignored:
            return
        key = self._key(event)
        meaning = self._on.get(event.kind)
        opens = meaning is not None and meaning.opens
        game = self._open.get(key)
        if game is not None and self._id is None and opens and game.began:
            yield self._open.pop(key)
            game = None
        if game is None:
            if not opens and self._id is None:
                yield Rejected(event.line, "orphan_row", _NO_GAME, event.raw)
                return
            game = self._open[key] = Game()
        self._add(game, event)
        game.began = game.began or not opens
        if meaning is not None and meaning.closes:
            game.closed = True
            yield from self._lingered()

    def rest(self) -> Iterator[Game]:
        """The games that are left at the end."""
        yield from self._open.values()
        self._open.clear()

    def _key(self, event: Heard) -> bytes:
        paths = self._group if self._id is None else [self._id]
        return _encode([at(event.content, path) for path in paths])

    def _add(self, game: Game, event: Heard) -> None:
        if not self._recipients:
            game.events.append(event)
            return
        content = _encode(without(event.content, self._recipients))
        recipient = _encode([at(event.content, path) for path in self._recipients])
        if game.is_new(content, recipient):
            game.events.append(event)

    def _lingered(self) -> Iterator[Game]:
        """Closed games beyond those that may wait."""
        if len(self._open) > LINGERING:
            for key in [key for key, game in self._open.items() if game.closed][:-LINGERING]:
                yield self._open.pop(key)
