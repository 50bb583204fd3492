"""What the events of one game tell, put together as the document that a line of `ddz/1` would be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.mapping.acting import ALSO, SKIP, VALUED
from ddz_analytics.mapping.alphabet import Alphabet
from ddz_analytics.mapping.games import Game
from ddz_analytics.mapping.paths import Document, Heard, PathField, at
from ddz_analytics.mapping.seating import SEATS
from ddz_analytics.mapping.spec import Column, EventKind, Events, Meaning
from ddz_analytics.mapping.trace import Trace
from ddz_analytics.mapping.values import Kind

_ACT_FIELDS = ("value", "cards", "ms", "actor", "stage", "dealt", "sent")
_LISTS = {
    "player": "players",
    "dealt": "dealt",
    "kind": "kinds",
    "registered": "registered",
    "balance": "balances",
}
_RECORDED = {"score": "scores", "fee": "fees", "balance_after": "balances_after"}


class EventFields:
    """What one kind of event means, made ready."""

    def __init__(self, event: EventKind, alphabet: Alphabet) -> None:
        self.event = event
        given = {name: getattr(event, name) for name in _ACT_FIELDS if getattr(event, name)}
        self.fields = {
            name: PathField(name, where, alphabet, "integer" if name == "dealt" else None)
            for name, where in given.items()
        }
        self.act = PathField("act", event.act, alphabet) if isinstance(event.act, Column) else None
        self.hand = {name: PathField(name, where, alphabet) for name, where in event.hand.items()}
        self.seats = {name: PathField(name, where, alphabet) for name, where in event.seats.items()}
        self.seat = PathField("seat", event.seat, alphabet) if event.seat else None
        self.player = PathField("player", event.player, alphabet, "text") if event.player else None
        by_player = isinstance(event.each_seat, Column) and event.each_seat.by == "player"
        kind: Kind = "text" if by_player else "seat"
        whose = PathField("seat", event.each_seat, alphabet, kind) if event.each_seat else None
        self.each_player = whose if by_player else None
        self.each_seat = None if by_player else whose
        self.each = event.each.split(".") if event.each else None

    def all(self) -> Iterator[PathField]:
        """Every field."""
        single = (self.act, self.seat, self.player, self.each_player, self.each_seat)
        yield from (each for each in single if each is not None)
        for fields in (self.fields, self.hand, self.seats):
            yield from fields.values()


class Telling:
    """Reads games; raises BadRecord for what does not fit, with its place."""

    def __init__(self, mapping: Events, trace: Trace | None) -> None:
        self._mapping = mapping
        self._alphabet = Alphabet(mapping.cards)
        self._on = {name: EventFields(event, self._alphabet) for name, event in mapping.on.items()}
        for fields in self._on.values():
            for each in fields.all():
                each.trace = trace

    def document(self, game: Game) -> Document:
        """The hand that the events of a game tell."""
        told = Told(self._mapping)
        kinds = [(event, self._meaning(event)) for event in game.events]
        for event, fields in kinds:  # who sits where may be told after somebody has acted
            told.take_fields(event, fields)
        for event, fields in kinds:
            told.take_act(event, fields)
        return told.document(self._alphabet)

    def _meaning(self, event: Heard) -> EventFields:
        if event.kind not in self._on:
            known = ", ".join([*self._on, *self._mapping.stream.ignore])
            raise BadRecord(
                "out_of_range", f"the event {event.kind[:40]!r} is none of {known} - at line {event.line}"
            )
        return self._on[event.kind]


class Told:
    """What is known of one game so far."""

    def __init__(self, mapping: Events) -> None:
        self._mapping = mapping
        self._hand: Document = {}
        self._seats: list[Document] = [{}, {}, {}]
        self._acts: list[Document] = []

    def take_fields(self, event: Heard, fields: EventFields) -> None:
        """Take what an event says of the hand and of the seats."""
        if fields.event.outcome is not UNSET:
            _put(self._hand, "outcome", fields.event.outcome, event)
        for name, field in fields.hand.items():
            _put(self._hand, name, field.of(event.content, event), event)
        if fields.each is None:
            if fields.seats:
                self._take_seat(
                    event, fields, event.content, self._seat(event.content, event, fields.seat, fields.player)
                )
            return
        entries = at(event.content, fields.each)
        if not isinstance(entries, list):
            raise BadRecord("missing_field", f"no list at `{fields.event.each}` - at {event.where}")
        for place, entry in enumerate(entries):
            whose = (fields.each_seat, fields.each_player)
            seat = self._seat(entry, event, *whose) if any(whose) else _checked(place, event)
            self._take_seat(event, fields, entry, seat)

    def take_act(self, event: Heard, fields: EventFields) -> None:
        """Take what somebody does."""
        meaning: Any = fields.event.act if fields.act is None else fields.act.of(event.content, event)
        if meaning is UNSET:
            raise BadRecord("missing_field", f"nothing says what act it is - at {event.where}")
        if not meaning or meaning == SKIP:
            return
        if not isinstance(meaning, Meaning):
            meaning = Meaning(act=meaning)
        values = {name: field.of(event.content, event) for name, field in fields.fields.items()}
        for name in ("value", "actor", "stage"):
            if (constant := getattr(meaning, name)) is not UNSET:
                values[name] = constant
        if meaning.act == SKIP or SKIP in values.values():
            return
        seat = self._seat(event.content, event, fields.seat, fields.player)
        self._acts.append({"seat": seat, **_action(meaning.act, values, event)})

    def document(self, alphabet: Alphabet) -> Document:
        """The hand as far as it is told; that a field is missing is found later."""
        stream, constants = self._mapping.stream, msgspec.to_builtins(self._mapping.constants)
        document: Document = {"format": "ddz/1", "landlord": None, "actions": self._acts, **constants}
        if stream.without_end is not UNSET:
            document["outcome"] = stream.without_end
        for name, value in self._hand.items():
            section, _, key = name.rpartition(".")
            (document.setdefault(section, {}) if section else document)[key] = value
        if document["landlord"] is not None and not isinstance(document["landlord"], int):
            document["landlord"] = self._player(document["landlord"])
        if isinstance(document.get("first"), str):
            document["first"] = self._player(document["first"])
        self._say_seats(document)
        if self._mapping.bottom_in_hand and document["landlord"] is not None and "dealt" in document:
            dealt, seat = document["dealt"], document["landlord"]
            dealt[seat] = alphabet.without(dealt[seat], document.get("bottom", ""))
        return document

    def _say_seats(self, document: Document) -> None:
        recorded = document.get("recorded", {})
        for names, place in ((_LISTS, document), (_RECORDED, recorded)):
            for name, key in names.items():
                values = [seat.get(name, UNSET) for seat in self._seats]
                if 0 < values.count(UNSET) < 3:
                    raise BadRecord(
                        "missing_field", f"no `{name}` of the seat {values.index(UNSET)}, but of others"
                    )
                if UNSET not in values:
                    place[key] = values
        if recorded:
            document["recorded"] = recorded

    def _take_seat(self, event: Heard, fields: EventFields, content: Any, seat: int) -> None:
        for name, field in fields.seats.items():
            _put(self._seats[seat], name, field.of(content, event), event)

    def _seat(self, content: Any, event: Heard, seat: PathField | None, player: PathField | None) -> int:
        """The seat whose content it is, by its number or by its player."""
        whose = seat or player
        value = UNSET if whose is None else whose.of(content, event)
        if value is UNSET:
            raise BadRecord("missing_field", f"nothing says whose it is - at {event.where}")
        return _checked(value, event) if whose is seat else self._player(value)

    def _player(self, player: str) -> int:
        players = [seat.get("player") for seat in self._seats]
        if player not in players:
            raise BadRecord("out_of_range", f"{player!r} is none of the players {players}")
        return players.index(player)


def _action(act: str, values: Document, event: Heard) -> Document:
    cards = values.get("cards", UNSET)
    played = cards is not UNSET and cards != ""
    if act == "turn":
        act = "play" if played else "pass"
    if act in ("play", "pass") and played != (act == "play"):
        code, detail = (
            ("out_of_range", "a pass with cards") if played else ("missing_field", "a play without cards")
        )
        raise BadRecord(code, f"{detail} - at {event.where}")
    wanted = ["ms", "actor", *ALSO.get(act, ())]
    wanted += ["value"] * (act in VALUED) + ["stage"] * (act == "open") + ["cards"] * (act == "play")
    return {"act": act, **{name: values[name] for name in wanted if values.get(name, UNSET) is not UNSET}}


def _put(place: Document, name: str, value: Any, event: Heard) -> None:
    """Say a field, unless it was said; raises BadRecord `repeated_row` where two events do not agree."""
    if value is not UNSET and place.setdefault(name, value) != value:
        detail = f"events of one hand do not agree on `{name}`: {place[name]} and {value}"
        raise BadRecord("repeated_row", f"{detail} - at {event.where}")


def _checked(seat: Any, event: Heard) -> int:
    if seat not in SEATS:
        hint = ", perhaps counted_from = 1" if seat == len(SEATS) else ""
        raise BadRecord("out_of_range", f"{seat!r} is not a seat from 0 to 2{hint} - at {event.where}")
    return int(seat)
