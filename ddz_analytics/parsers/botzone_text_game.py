"""One game of the text log of local FightTheLandlord2 matches, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET, UnsetType

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Action
from ddz_analytics.parsers.botzone_cards import card_ids, cards_text, check_ids

_SEAT, _IDS = r"P(?P<seat>\d{1,3})", r"\[(?P<ids>[^\[\]]*)\]"
_BOT = re.compile(r"P(\d{1,3})=(.+?)(?:, (?=P\d)|$)")
_INITIAL = re.compile(rf"initial {_SEAT} .*{_IDS}")
_PUBLIC = re.compile(rf"public=.*{_IDS}")
_BID = re.compile(rf"BID {_SEAT} .*?\bbid=(?P<bid>-?\d{{1,9}}) ok=(?P<ok>True|False)(?: .*)?")
_LANDLORD = re.compile(rf"landlord={_SEAT} (?:.* )?finalBid=(?P<bid>[0-3])")
_TURN = re.compile(rf"TURN (?P<number>\d{{1,6}}) {_SEAT}(?: .*)?")
_PASS = re.compile(r"action=PASS(?: legal=(?P<legal>True|False)(?: .*)?)?")
_PLAY = re.compile(rf"action=[A-Z]+\d? [^\[]*{_IDS}(?: [^\[]*?)? legal=(?P<legal>True|False)(?: .*)?")
_WINNER = re.compile(rf"WINNER {_SEAT}(?: .*)?")
_ELAPSED = re.compile(r" elapsedMs=(\d{1,9}(?:\.\d{1,9})?)(?: |$)")
_IS_SUMMARY = re.compile(
    r"SUMMARY .*\bmultiplier=(?P<multiplier>\d{1,9}) spring=(?P<spring>True|False) antiSpring=(?P<antiSpring>True|False)(?: .*)?"
)


@dataclass
class Game:
    """What the lines of one game say; `summary` once its last one is read."""

    bots: dict[int, str] = field(default_factory=dict)
    dealt: dict[int, list[int]] = field(default_factory=dict)
    bottom: list[int] | None = None
    landlord: int | None = None
    final_bid: int | UnsetType = UNSET
    actions: list[Action] = field(default_factory=list)
    winner: int | None = None
    multiplier: int | UnsetType = UNSET
    summary: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    _turns: int = 0
    _asked: tuple[int, int | UnsetType] | None = (
        None  # the seat whose action is yet to come, and its thinking time
    )
    _printing: bool = False  # what a bot printed may go on over several lines

    def take(self, number: int, line: str) -> None:
        """Take one line; raises `BadRecord` for one that is known and wrong, or neither known nor indented."""
        text = line.strip()
        for prefix, read in _LINES.items():
            if text.startswith(prefix):
                self._printing = False
                read(self, text, number)
                return
        if not (self._printing or line[0].isspace()):
            raise BadRecord("unknown_field", f"{text[:40]!r} is no line of this format - at line {number}")

    def _match(self, pattern: re.Pattern[str], text: str, number: int) -> re.Match[str]:
        found = pattern.fullmatch(text)
        if found is None:
            raise BadRecord("out_of_range", f"{text[:40]!r} goes on as no such line does - at line {number}")
        if self.summary:
            raise BadRecord("out_of_range", f"the game goes on after its SUMMARY - at line {number}")
        return found

    def _bots(self, text: str, number: int) -> None:
        self.bots = {_seat(seat, number): name for seat, name in _BOT.findall(text)}

    def _initial(self, text: str, number: int) -> None:
        said = self._match(_INITIAL, text, number)
        seat = _seat(said["seat"], number)
        if seat in self.dealt:
            raise BadRecord("out_of_range", f"a second hand of P{seat} - at line {number}")
        self.dealt[seat] = card_ids(said["ids"], number)

    def _public(self, text: str, number: int) -> None:
        if self.bottom is not None:
            raise BadRecord("out_of_range", f"bottom cards a second time - at line {number}")
        self.bottom = card_ids(self._match(_PUBLIC, text, number)["ids"], number)

    def _bid(self, text: str, number: int) -> None:
        """A bid; one that is not ok counts as none, by the judge, and is kept apart."""
        said = self._match(_BID, text, number)
        seat, value, accepted = _seat(said["seat"], number), int(said["bid"]), said["ok"] == "True"
        if not accepted:
            self.extra["_refused_bid"] = f"P{seat} {value}"
        elif not 0 <= value <= 3:
            raise BadRecord("out_of_range", f"there is no bid of {value} - at line {number}")
        self.actions.append(
            Action(
                seat=seat,
                act="bid",
                value=value if accepted else 0,
                ms=_elapsed(text),
                actor=UNSET if accepted else "judge",
            )
        )

    def _take_landlord(self, text: str, number: int) -> None:
        said = self._match(_LANDLORD, text, number)
        if self.landlord is not None:
            raise BadRecord("out_of_range", f"a landlord a second time - at line {number}")
        self.landlord, self.final_bid = _seat(said["seat"], number), int(said["bid"])

    def _turn(self, text: str, number: int) -> None:
        said = self._match(_TURN, text, number)
        self._turns += 1
        if self._asked is not None or int(said["number"]) != self._turns:
            raise BadRecord("missing_field", f"the turn before is not whole - at line {number}")
        self._asked = _seat(said["seat"], number), _elapsed(text)

    def _action(self, text: str, number: int) -> None:
        """What the seat of the turn did; what is not legal did not count. Later ones of a turn are of a list that a bot printed."""
        if self._asked is None:
            return
        passes, (seat, ms) = text.startswith("action=PASS"), self._asked
        said, self._asked = self._match(_PASS if passes else _PLAY, text, number), None
        if said["legal"] == "False":
            self.extra["_sent"] = f"P{seat} pass" if passes else f"P{seat} [{said['ids']}]"
        elif passes:
            self.actions.append(Action(seat=seat, act="pass", ms=ms))
        else:
            ids = card_ids(said["ids"], number)
            check_ids(ids, number)
            self.actions.append(Action(seat=seat, act="play", cards=cards_text(ids), ms=ms))

    def _take_winner(self, text: str, number: int) -> None:
        self.winner = _seat(self._match(_WINNER, text, number)["seat"], number)

    def _take_summary(self, text: str, number: int) -> None:
        """The end: why a game was stopped, or who won, by which multiplier, and whether by a spring."""
        if self._asked is not None:
            raise BadRecord("missing_field", f"the last turn has no action - at line {number}")
        if text.startswith("SUMMARY illegal="):
            self.extra = {"_illegal": text.removeprefix("SUMMARY illegal=")} | self.extra
        else:
            said = self._match(_IS_SUMMARY, text, number)
            words = (word.partition("=") for word in text.split(" "))
            self._result({name: value for name, _, value in words}, number)
            self.multiplier = int(said["multiplier"])
            for name in ("spring", "antiSpring"):
                if said[name] == "True":
                    self.extra[f"_{name}"] = True
        self.summary = True

    def _result(self, said: dict[str, str], number: int) -> None:
        """Take the winner, where no line before named one, and hold the rest against what was said before."""
        forced = "_crash" in self.extra
        if self.winner is None and not forced and "winner" in said:
            self.winner = _seat(said["winner"].removeprefix("P"), number)
        known = {"winner": self.winner, "landlord": self.landlord}
        texts = {name: f"P{seat}" for name, seat in known.items() if seat is not None}
        if self.final_bid is not UNSET:
            texts["finalBid"] = str(self.final_bid)
        for name, known_text in texts.items():
            if said.get(name, known_text) != known_text:
                detail = f"{name} was {known_text}, now it is {said[name][:20]} - at line {number}"
                raise BadRecord("out_of_range", detail)

    def _kept(self, text: str, _: int) -> None:
        """Why a game was stopped before its end, in the log's own words."""
        word, rest = text.split(" ", 1)
        name = "_crash" if rest.startswith("CRASH ") else "_" + word.removesuffix("_STOP").lower()
        self.extra[name] = text if name == "_crash" else rest

    def _printed(self, _: str, __: int) -> None:
        self._printing = True

    def _not_needed(self, _: str, __: int) -> None:
        """A line that says again what others say."""


_LINES: dict[str, Callable[[Game, str, int], None]] = {  # by how a line begins; of two that match the first
    "bots: ": Game._bots,
    "initial P": Game._initial,
    "public=": Game._public,
    "BID STDERR": Game._printed,
    "BID CRASH ": Game._kept,
    "BID ": Game._bid,
    "landlord=": Game._take_landlord,
    "playStart ": Game._not_needed,
    "TURN ": Game._turn,
    "action=": Game._action,
    "rawOutput=": Game._printed,
    "stderr=": Game._printed,
    "inputJson=": Game._printed,
    "ILLEGAL_STOP ": Game._kept,
    "PLAY CRASH ": Game._kept,
    "FORCED_RESULT ": Game._kept,
    "STOP ": Game._kept,
    "WINNER ": Game._take_winner,
    "SUMMARY ": Game._take_summary,
    "OUR_LOSS_TURNS": Game._not_needed,
}


def _seat(text: str, number: int) -> int:
    """A seat by its number; a fourth one is another game."""
    if not (text.isascii() and text.isdigit() and int(text) < SEATS):
        raise BadRecord(
            "unsupported_mode", f"there is no seat P{text[:10]} in a game of three - at line {number}"
        )
    return int(text)


def _elapsed(text: str) -> int | UnsetType:
    """The thinking time in whole milliseconds, where a line tells it."""
    found = _ELAPSED.search(text)
    return UNSET if found is None else round(float(found[1]))
