"""One tournament game, put together from what its log says in whichever form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Action, Hand, Outcome
from ddz_analytics.parsers.botzone_cards import ONE_DECK, card_ids, cards_text, check_ids, deal_text
from ddz_analytics.parsers.text_records import players_of

_INFO = (
    "TI",
    "TC",
    "RI",
    "RC",
    "UC",
    "MS",
    "TIME",
)  # the numbers of an INFO message, as the recorded form names them


class Said(NamedTuple):
    """One thing that a log says: at which line, what kind of thing, of which seat (a letter), and the rest."""

    line: int
    kind: str
    seat: str
    text: str


@dataclass
class Game:
    """What a log says of one game that begins at `line`."""

    line: int
    names: dict[int, str] = field(default_factory=dict)
    dealt: dict[int, list[int]] = field(default_factory=dict)
    landlord: int | None = None
    bottom: list[int] | None = None
    actions: list[Action] = field(default_factory=list)
    winner: int | None = None
    played: list[int] = field(default_factory=lambda: [0] * SEATS)  # cards, by seat
    about: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    @property
    def thrown_in(self) -> bool:
        """Whether all three declined, and nobody became landlord."""
        bids = [act.value for act in self.actions if act.act == "bid"]
        return self.landlord is None and bids == [0] * SEATS == bids[: len(self.actions)]

    @property
    def decided(self) -> bool:
        """Whether the log says how the game ended."""
        return self.winner is not None or self.thrown_in

    def take(self, said: Said) -> None:
        """Take one thing; raises `BadRecord` where it cannot be, or is against what was said before."""
        if said.kind == "info":
            self._about(said)
            return
        seat = _seat(said)
        if self.winner is not None and said.kind != "error":
            raise BadRecord("out_of_range", f"the game goes on after its end - at line {said.line}")
        if said.kind == "error":
            self.errors.append(said.seat)
        elif said.kind == "gameover":
            self.winner = seat
        elif said.kind == "name":
            self.names[seat] = said.text
        elif said.kind == "bid":
            self.actions.append(Action(seat=seat, act="bid", value=_bid(said)))
        else:
            self._cards(said, seat)

    def _about(self, said: Said) -> None:
        about = (
            zip(_INFO, said.text.split(","), strict=False)
            if said.seat == "INFO"
            else [(said.seat, said.text)]
        )
        self.about.update(about)

    def _cards(self, said: Said, seat: int) -> None:
        if said.kind == "play" and said.text == "-1":
            self.actions.append(Action(seat=seat, act="pass"))
            return
        ids = card_ids(said.text, said.line)
        if said.kind == "deal":
            if self.dealt.setdefault(seat, ids) != ids:
                raise BadRecord("out_of_range", f"another deal of the same seat - at line {said.line}")
            return
        check_ids(ids, said.line)
        if said.kind == "leftover":
            if self.landlord is not None:
                raise BadRecord("out_of_range", f"a landlord a second time - at line {said.line}")
            self.landlord, self.bottom = seat, ids
            return
        if not ids:
            raise BadRecord("bad_cards", f"a play without cards - at line {said.line}")
        self.played[seat] += len(ids)
        self.actions.append(Action(seat=seat, act="play", cards=cards_text(ids)))

    def hand(self, name: str) -> Hand:
        """The hand; raises `BadRecord` where not all cards are told."""
        if len(self.dealt) < SEATS:
            told = " and ".join("ABC"[seat] for seat in sorted(self.dealt))
            raise BadRecord("deal_size", f"the game tells the cards of {told} only - at line {self.line}")
        hands = [self.dealt[seat] for seat in range(SEATS)]
        undealt = sorted({*range(ONE_DECK)}.difference(*hands))
        dealt, bottom = deal_text(hands, undealt if self.bottom is None else self.bottom, self.line)
        outcome = self._outcome()
        return Hand(
            format="ddz/1",
            id=name,
            players=players_of([self.names.get(seat, "") for seat in range(SEATS)]),
            dealt=dealt,
            bottom=bottom,
            landlord=self.landlord,
            actions=self.actions,
            outcome=outcome,
            extra=self._remarks(outcome) or UNSET,
        )

    def _remarks(self, outcome: Outcome) -> dict[str, Any]:
        """What the log says beside: which game of which round, seats in error, a winner who still has cards."""
        stated = None if self.winner is None or outcome == "complete" else "ABC"[self.winner]
        found = {"_info": self.about, "_errors": self.errors, "_winner": stated}
        return {name: value for name, value in found.items() if value}

    def _outcome(self) -> Outcome:
        """Complete when the stated winner has played all cards; a tournament may end a game otherwise."""
        if self.winner is not None and self.played[self.winner] == 17 + 3 * (self.winner == self.landlord):
            return "complete"
        return "redeal" if self.thrown_in and self.winner is None else "unfinished"


def _seat(said: Said) -> int:
    """A seat by its letter; a fourth one is another game."""
    if len(said.seat) != 1 or not "A" <= said.seat <= "Z":
        raise BadRecord("out_of_range", f"{said.seat[:20]!r} is no seat - at line {said.line}")
    if said.seat > "C":
        raise BadRecord(
            "unsupported_mode", f"there is no seat {said.seat} in a game of three - at line {said.line}"
        )
    return "ABC".index(said.seat)


def _bid(said: Said) -> int:
    if said.text not in ("0", "1", "2", "3"):
        raise BadRecord("out_of_range", f"{said.text[:20]!r} is no bid - at line {said.line}")
    return int(said.text)
