"""Playthroughs of OpenSpiel: one game as a text for people, in which every action is applied and some states are shown.

A state says whose turn it is, and its text repeats who played what. Where no state is shown the turn goes round as the game's
rules have it, and all that states do say must agree with that.
"""

from __future__ import annotations

import re
from typing import Any, BinaryIO

from ddz_analytics.errors import BadRecord
from ddz_analytics.parsers.base import Source, load_json
from ddz_analytics.parsers.documents import Records, records_from
from ddz_analytics.parsers.open_spiel_acts import turns

BEGINS = b"game: "
_CHANCE = -1
_DEALT = 52  # actions of chance: who speaks first, and the cards
_SHOWN = ("CurrentPlayer() = ", "Returns() = ", "# Player ", "# State ", "# Apply action ", "action: ")
_PLAYED = re.compile(r"# Player ([012]) played (.+)")
_FIRST = re.compile(r"Decide first card up position (\d{1,2})")


def is_playthrough(head: bytes) -> bool:
    """Whether a file begins with a playthrough of this game."""
    return head.startswith(BEGINS + b"dou_dizhu") and b"GameType." in head


def playthroughs(stream: BinaryIO, source: Source) -> Records:
    """The line on which each playthrough begins, and its bytes."""
    return records_from(stream, source, lambda line: line.startswith(BEGINS))


class _Told:
    """What the lines of a playthrough say that matters here."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.numbers: list[str] = []
        self.returns = "[0, 0, 0]"
        self.played: list[tuple[int, str]] = []  # as the last state that is shown has it
        self.to_act: dict[int, str] = {}  # by the number of actions before

    def take(self, line: str) -> None:
        """Take one line."""
        if line.startswith("# Apply action "):
            self.texts.append(_quoted(line.removeprefix("# Apply action ")))
        elif line.startswith("action: "):
            self.numbers.append(line.removeprefix("action: "))
        elif line.startswith("CurrentPlayer() = "):
            self.to_act[len(self.texts)] = line.removeprefix("CurrentPlayer() = ")
        elif line.startswith("Returns() = "):
            self.returns = line.removeprefix("Returns() = ")
        elif line.startswith("# State "):
            self.played = []
        elif played := _PLAYED.fullmatch(line):
            self.played.append((int(played[1]), played[2]))


def read_playthrough(raw: bytes) -> dict[str, Any]:
    """A playthrough as the document of a playout's line; raises `BadRecord`."""
    try:
        lines = raw.decode("utf-8").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        raise BadRecord("bad_encoding", f"not UTF-8 at byte {error.start}") from None
    told = _Told()
    for line in lines:
        if line.startswith(_SHOWN):
            told.take(line)
    if len(told.texts) < _DEALT or len(told.numbers) < len(told.texts):
        raise BadRecord("truncated", f"{len(told.texts)} actions, of which the first {_DEALT} are the deal")
    return {
        "game": lines[0].removeprefix(BEGINS.decode()),
        "history": [_number(text) for text in told.numbers],
        "players": [_CHANCE] * _DEALT + _seats(told),
        "action_strings": told.texts,
        "returns": load_json(told.returns.encode()),
    }


def _seats(told: _Told) -> list[int]:
    """The seat of each act after the deal."""
    first = _FIRST.fullmatch(told.texts[0])
    if first is None:
        raise BadRecord("out_of_range", f"{told.texts[0][:40]!r} does not say who speaks first")
    acts = told.texts[_DEALT:]
    seats = turns(acts, int(first[1]))
    for place, seat in enumerate(seats):
        if told.to_act.get(_DEALT + place, str(seat)) != str(seat):
            detail = f"player {told.to_act[_DEALT + place][:20]} is to act, where it is the turn of {seat}"
            raise BadRecord("out_of_range", f"{detail} - at action {_DEALT + place}")
    if told.played != list(zip(seats, acts, strict=True))[: len(told.played)]:
        raise BadRecord("out_of_range", "the last state tells other plays than the actions")
    return seats


def _quoted(text: str) -> str:
    if len(text) < 2 or not (text.startswith('"') and text.endswith('"')):
        raise BadRecord("truncated", f"the action {text[:40]} is not whole")
    return text[1:-1]


def _number(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise BadRecord("wrong_type", f"{text[:20]!r} is no number of an action")
    return int(text)
