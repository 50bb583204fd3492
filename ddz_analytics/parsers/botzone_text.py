"""`botzone-text`: the text log of programs that let bots play Botzone's FightTheLandlord2 on one's own machine.

A game begins at `==== GAME n seed=…` and ends with its `SUMMARY`; without one it is cut off. A play that is not legal stops the
game: it did not count, so the hand is unfinished and what was sent is kept apart. Landlord, final bid and multiplier (without
the bid) are the log's own words; there are no scores. Lines that are indented and not known, and what a bot printed, are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from msgspec import UNSET

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Hand, Recorded, Skipped
from ddz_analytics.parsers.base import Parsed, Source
from ddz_analytics.parsers.botzone_cards import DIALECT, deal_text
from ddz_analytics.parsers.botzone_text_game import Game
from ddz_analytics.parsers.text_records import TextRecord, parsed, players_of

_HEAD = re.compile(r"=+ GAME (?P<no>\d{1,9})(?: seed=(?P<seed>-?\d{1,18}))?(?: .*)?")
_GAME = re.compile(rb"^=+ GAME \d", re.MULTILINE)


class BotzoneText:
    """The parser of `botzone-text`."""

    name = "botzone-text"
    version = 1
    records = frozenset(("auction",))
    ids_are_global = False
    switches: Mapping[str, bool] = DIALECT
    reference_rules: str | None = "qq-classic"
    by_line = False

    def sniff(self, head: bytes) -> float:
        """Nearly certain when a game begins and hands are dealt in it, whatever bots printed between."""
        return 0.95 if _GAME.search(head) and b"\ninitial P" in head else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each game; a summary of several games is skipped."""
        return parsed(stream, source, lambda line: line.startswith(b"==="), _read)


def _read(record: TextRecord) -> Hand | Skipped:
    (number, title), *lines = record.lines()
    if title.startswith("=") and "SUMMARY" in title:
        return Skipped(number, "a summary of several games")
    head = _HEAD.fullmatch(title)
    if head is None:
        raise BadRecord("missing_field", f"no game begins like this - at line {number}")
    game = Game()
    for place, line in enumerate(lines):
        try:
            game.take(*line)
        except BadRecord as fault:
            cut_off = place == len(lines) - 1 and not game.summary and not record.raw.endswith(b"\n")
            raise BadRecord("truncated", fault.detail) if cut_off else fault from None
    if not game.summary:
        raise BadRecord("truncated", f"the game of line {number} has no SUMMARY")
    return _hand(game, head, number)


def _hand(game: Game, head: re.Match[str], line: int) -> Hand:
    dealt, bottom = deal_text([game.dealt.get(seat, []) for seat in range(3)], game.bottom or [], line)
    if head["seed"]:
        game.extra["_seed"] = int(head["seed"])
    return Hand(
        format="ddz/1",
        id="-".join(number for number in head.groups() if number),
        no=int(head["no"]),
        players=players_of([game.bots.get(seat, "") for seat in range(3)]),
        kinds=("bot", "bot", "bot"),
        dealt=dealt,
        bottom=bottom,
        landlord=game.landlord,
        actions=game.actions,
        outcome="unfinished" if game.winner is None else "complete",
        recorded=Recorded(bid=game.final_bid, multiplier=game.multiplier),
        extra=game.extra or UNSET,
    )
