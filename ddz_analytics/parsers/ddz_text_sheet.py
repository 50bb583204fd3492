"""One hand of `ddz-text`: its lines into a hand, every fault with the number of its line and what was expected there."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple, NoReturn

from ddz_analytics.cards import FULL_DECK, pack
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Hand
from ddz_analytics.parsers.base import shaped
from ddz_analytics.parsers.ddz_text_words import (
    FIELDS,
    NOBODY,
    OUTCOMES,
    PASSES,
    SECTIONS,
    STATES,
    CardsRead,
    cards_read,
    half_width,
    split_actor,
    spoken,
)
from ddz_analytics.parsers.plays import TWO_DECKS, outcome_of

_WORD = re.compile(r"([^\s:]+)\s*:?\s*(.*)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_AMOUNT = re.compile(r"\+?(-?\d{1,14}(?:\.\d{1,4})?)", re.ASCII)
_NOTHING_SAID = ("", "-")
_REQUIRED = {"players": "玩家 or players", "bottom": "底牌 or bottom", "landlord": "地主 or landlord"}


class _Line(NamedTuple):
    """What stands on a line, and its number."""

    number: int
    text: str


def read_sheet(raw: bytes, first_line: int) -> Hand:
    """The hand that some lines tell, the first of which has this number; raises `BadRecord`."""
    try:
        text = raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = first_line + raw[: error.start].count(b"\n")
        raise BadRecord("bad_encoding", f"line {line}: not UTF-8") from None
    sheet = _Sheet()
    for number, words in enumerate(text.split("\n"), start=first_line):
        if said := _COMMENT.sub("", half_width(words)).strip():
            sheet.take(_Line(number, said))
    return sheet.hand()


def _expected(line: _Line, what: str, code: str = "out_of_range") -> NoReturn:
    raise BadRecord(code, f"line {line.number}: expected {what}, not {line.text[:40]!r}")


class _Sheet:
    """A hand on its way from lines into the fields of `ddz/1`."""

    def __init__(self) -> None:
        self.id = ""
        self.players: list[str] = []
        self.fields: dict[str, Any] = {}
        self.room: dict[str, Any] = {}
        self.recorded: dict[str, Any] = {}
        self.dealt: dict[int, CardsRead] = {}
        self.bottom: CardsRead | None = None
        self.acts: list[dict[str, Any]] = []
        self._section = ""
        self._seen: set[str] = set()

    def take(self, line: _Line) -> None:
        """Take one line that says something."""
        found = _WORD.fullmatch(line.text)
        word, rest = found.groups() if found else (line.text, "")
        if not self.id:
            self.id = rest or _expected(line, "牌局 ID or hand ID", "missing_field")
        elif word in self.players:
            self._of_player(self.players.index(word), _Line(line.number, rest))
        elif self._section and "|" in line.text:
            self._row(line)
        elif word.lower() in SECTIONS and not rest:
            self._section = SECTIONS[word.lower()]
        elif word.lower() in FIELDS:
            self._field(FIELDS[word.lower()], _Line(line.number, rest))
        else:
            _expected(line, "a field, a player's name, 叫牌 (auction) or 出牌 (play)", "unknown_field")

    def _field(self, name: str, line: _Line) -> None:
        if name in self._seen:
            raise BadRecord("duplicate_key", f"line {line.number}: this was said before, `{name}`")
        self._seen.add(name)
        if name == "players":
            self.players = _names(line)
        elif name == "bottom":
            self.bottom = _cards(line)
        elif name in ("landlord", "first"):
            self.fields[name] = self._seat(line, nobody=name == "landlord")
        elif name.startswith("room."):
            self.room[name.removeprefix("room.")] = _amount(line)
        else:
            key = {"time": "started_at"}.get(name, name)
            into = self.recorded if name in ("scores", "multiplier") else self.fields
            into[key] = _READ.get(name, _text)(line)

    def _seat(self, line: _Line, *, nobody: bool) -> int | None:
        if nobody and line.text.lower() in NOBODY:
            return None
        if line.text not in self.players:
            _expected(line, "one of the players " + " ".join(self.players or ["(玩家 comes first)"]))
        return self.players.index(line.text)

    def _of_player(self, seat: int, line: _Line) -> None:
        if not self._section:
            if seat in self.dealt:
                raise BadRecord(
                    "duplicate_key", f"line {line.number}: cards were dealt to this player before"
                )
            self.dealt[seat] = _cards(line)
        else:
            self.acts.append(self._act(seat, line))

    def _row(self, line: _Line) -> None:
        """Three acts in the columns of the players; nothing, or a dash, where a seat has not begun or the hand has ended."""
        cells = [cell.strip() for cell in line.text.split("|")]
        if len(cells) == SEATS + 2 and not cells[0] and not cells[-1]:  # the row has a frame
            cells = cells[1:-1]
        if len(cells) != SEATS:
            _expected(line, "three columns")
        for seat, cell in enumerate(cells):
            if cell not in _NOTHING_SAID:
                self.acts.append(self._act(seat, _Line(line.number, cell)))

    def _act(self, seat: int, line: _Line) -> dict[str, Any]:
        try:
            text, actor = split_actor(line.text)
        except BadRecord as fault:
            raise BadRecord(fault.code, f"line {line.number}: {fault.detail}") from None
        found = _played(line, text) if self._section == "play" else spoken(text.lower())
        if found is None:
            _expected(
                line,
                "a word of the auction such as 不叫, 叫1分, 叫地主, 抢地主, 加倍, 明牌, bid 1, call, rob",
            )
        return {"seat": seat, **found, **({} if actor is None else {"actor": actor})}

    def hand(self) -> Hand:
        """The hand; raises `BadRecord` for what is missing or of another shape."""
        for name, words in _REQUIRED.items():
            if name not in self._seen:
                raise BadRecord("missing_field", f"expected a line {words}")
        for seat, player in enumerate(self.players):
            if seat not in self.dealt:
                raise BadRecord("missing_field", f"expected a line `{player} CARDS` before 叫牌 or 出牌")
        head = {"format": "ddz/1", "id": self.id, "players": self.players, "outcome": "redeal"}
        more = {"room": self.room, "recorded": self.recorded}
        said = head | self.fields | {name: values for name, values in more.items() if values}
        hand = shaped(said | self._with_cards(), Hand)
        if "outcome" not in self._seen and hand.landlord is not None:
            hand.outcome = outcome_of(hand.actions, hand.landlord)
        return hand

    def _with_cards(self) -> dict[str, Any]:
        """The cards of the deal and of the acts, with suits where all are told with suits."""
        bottom = self.bottom or CardsRead(())
        deal = [*(self.dealt[seat] for seat in range(SEATS)), bottom]
        if sum(len(cards.cards) for cards in deal) >= TWO_DECKS:
            raise BadRecord("unsupported_mode", "more cards than one deck has")
        if all(cards.suited for cards in deal):
            _check_suits(deal)
        suited = all(
            cards.suited for cards in [*deal, *(act["cards"] for act in self.acts if "cards" in act)]
        )
        actions = [
            act | {"cards": act["cards"].text(suited=suited)} if "cards" in act else act for act in self.acts
        ]
        dealt = [cards.text(suited=suited) for cards in deal]
        return {"dealt": dealt[:SEATS], "bottom": dealt[SEATS], "actions": actions}


def _played(line: _Line, text: str) -> dict[str, Any]:
    """A pass, a state, or cards; a `+` behind several trios in sequence declares a plane."""
    if text.lower() in PASSES:
        return {"act": "pass"}
    if text.lower() in STATES:
        return dict(STATES[text.lower()])
    cards = cards_read(text)
    if cards is None:
        _expected(line, "cards or a pass such as 不出", "bad_cards")
    declared = cards.plane()
    return {"act": "play", "cards": cards} | ({"as": declared} if declared else {})


def _check_suits(deal: list[CardsRead]) -> None:
    """Suits that are not kept, because plays are told without, serve to check that one deck was dealt."""
    masks = [pack(cards.text(suited=True), suited=True) for cards in deal]
    if masks[0] | masks[1] | masks[2] | masks[3] != FULL_DECK:
        raise BadRecord("deck", "the cards dealt are not the 54 cards of one deck")


def _names(line: _Line) -> list[str]:
    names = line.text.split()
    if len(names) != SEATS:
        _expected(line, "three names", "unsupported_mode" if len(names) > SEATS else "out_of_range")
    if len(set(names)) < SEATS or any(name.lower() in FIELDS | SECTIONS for name in names):
        _expected(line, "three different names that are no words of the format")
    return names


def _cards(line: _Line) -> CardsRead:
    return cards_read(line.text) or _expected(line, "cards", "bad_cards")


def _text(line: _Line) -> str:
    return line.text or _expected(line, "some text")


def _amount(line: _Line) -> int | str:
    found = _AMOUNT.fullmatch(line.text)
    if found is None:
        _expected(line, "an amount such as 10 or 0.5")
    return found[1] if "." in found[1] else int(found[1])


def _amounts(line: _Line) -> list[int | str]:
    texts = line.text.split()
    if len(texts) != SEATS:
        _expected(line, "three amounts, one for each player")
    return [_amount(_Line(line.number, text)) for text in texts]


def _number(line: _Line) -> int:
    if not re.fullmatch(r"\d{1,15}", line.text, re.ASCII):
        _expected(line, "a number")
    return int(line.text)


def _time(line: _Line) -> datetime:
    if re.search(r"[.,]\d{7}", line.text):  # the rest would be cut off
        _expected(line, "a time of microseconds at most")
    try:
        return datetime.fromisoformat(line.text)
    except ValueError:
        _expected(line, "a time such as 2026-01-02 11:04")


def _rank(line: _Line) -> str:
    cards = cards_read(line.text)
    if cards is None or len(cards.cards) != 1:
        _expected(line, "one rank")
    return cards.text(suited=False)


def _outcome(line: _Line) -> str:
    return OUTCOMES.get(line.text.lower()) or _expected(line, " ".join(OUTCOMES))


_READ: dict[str, Callable[[_Line], Any]] = {
    "no": _number, "multiplier": _number, "time": _time, "wild": _rank, "outcome": _outcome, "scores": _amounts, "balances": _amounts,
}  # fmt: skip
