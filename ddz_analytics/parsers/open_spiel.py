"""`open-spiel`: JSON Lines, one playout of OpenSpiel's Dou Dizhu per line.

The action strings are read, not the action ids, which changed between versions. The first 52 actions are chance's: who
speaks first, then 51 cards dealt in turn; the three left over are the bottom. The auction goes round until a 3 or two passes
after a bid; three passes end the game, a redeal. Cards are dealt with suits and played by rank, so the hand is kept without.
A plane's string names its wings (`333444555-666`), which is kept as a declared reading.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, BinaryIO

from msgspec import UNSET, Meta, Struct, UnsetType

from ddz_analytics.cards import FULL_DECK, RANKS, SUITS, text_of
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import (
    LARGEST_AMOUNT,
    SEATS,
    Action,
    Declared,
    Hand,
    Located,
    Outcome,
    Recorded,
    Rejected,
)
from ddz_analytics.parsers.base import Parsed, Source, has_object_with, load_json, records_by_line, shaped

DEALT = 51
CHANCE = -1
_CARDS = {
    f"{suit}{rank}": 1 << (4 * place + SUITS.index(suit))
    for suit in SUITS
    for place, rank in enumerate(RANKS[:13])
}
_CARDS |= {"(BWJ)": 1 << 4 * RANKS.index("B"), "(CJ)": 1 << 4 * RANKS.index("R")}
_BID = re.compile(r"Bid ([123])")
_PLAY = re.compile(r"(?P<core>[3-9TJQKA2BR]+)(?:-(?P<wings>[3-9TJQKA2BR]+))?")


class Playout(Struct, forbid_unknown_fields=True):
    """One line: action ids, who acted (-1: chance), each action's string, and the returns; the state's text is not needed."""

    game: str
    history: list[int]
    players: list[Annotated[int, Meta(ge=CHANCE, lt=SEATS)]]
    action_strings: list[str]
    returns: tuple[float, float, float]
    state_str: str | UnsetType = UNSET


class OpenSpiel:
    """The parser of `open-spiel`."""

    name = "open-spiel"
    version = 1
    records = frozenset(("auction",))
    ids_are_global = False
    switches: Mapping[str, bool] = {
        "both_jokers_as_two_singles": False,
        "quad_as_single_wings": False,
        "same_rank_pairs": False,
    }
    reference_rules: str | None = "qq-classic"
    by_line = True

    def sniff(self, head: bytes) -> float:
        """Nearly certain when a line names the game and has a history."""
        return 0.9 if has_object_with(head, b'"dou_dizhu', b'"history"') else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each line."""
        for record in records_by_line(stream, source):
            if isinstance(record, Rejected):
                yield record
                continue
            line, raw = record
            try:
                yield Located(_hand(shaped(load_json(raw), Playout)), line, raw)
            except BadRecord as fault:
                yield Rejected(line, fault.code, fault.detail, raw)


def _hand(playout: Playout) -> Hand:
    _check_frame(playout)
    dealt, bottom = _deal(playout.action_strings[1 : DEALT + 1])
    acts = list(zip(playout.players[DEALT + 1 :], playout.action_strings[DEALT + 1 :], strict=True))
    spoken = _auction_length([text for _, text in acts])
    bidders = [seat for seat, text in acts[:spoken] if text != "Pass"]
    scores = _returns(playout)
    return Hand(
        format="ddz/1",
        id=hashlib.sha256("\n".join(playout.action_strings).encode()).hexdigest()[:16],
        players=("seat0", "seat1", "seat2"),
        kinds=("bot", "bot", "bot"),
        dealt=dealt,
        bottom=bottom,
        landlord=bidders[-1] if bidders else None,
        actions=[_said(*act) for act in acts[:spoken]] + [_done(*act) for act in acts[spoken:]],
        outcome=_outcome(scores, spoken, bid_made=bool(bidders)),
        recorded=Recorded(scores=scores),
    )


def _check_frame(playout: Playout) -> None:
    """Another game, columns of different length, a deal that is not chance's or not whole, chance in the play."""
    if not playout.game.startswith("dou_dizhu"):
        raise BadRecord("unsupported_mode", f"the game {playout.game[:40]!r} is not dou_dizhu")
    lengths = {len(playout.history), len(playout.players), len(playout.action_strings)}
    if len(lengths) > 1:
        raise BadRecord("out_of_range", "`history`, `players` and `action_strings` are not of one length")
    if playout.players[: DEALT + 1] != [CHANCE] * (DEALT + 1):
        raise BadRecord("deal_size", f"the first {DEALT + 1} actions are not the deal")
    if CHANCE in playout.players[DEALT + 1 :]:
        raise BadRecord("out_of_range", "chance acts after the deal")


def _deal(texts: list[str]) -> tuple[tuple[str, str, str], str]:
    """The hands by rank, the k-th card to seat k % 3, and the cards left over; raises `BadRecord` for no card or one twice."""
    masks = [0, 0, 0]
    for place, text in enumerate(texts):
        card = _CARDS.get(text.removeprefix("Deal ")) if text.startswith("Deal ") else None
        if card is None:
            raise BadRecord(
                "bad_cards", f"{text[:40]!r} does not deal a card - at `action_strings[{place + 1}]`"
            )
        if card & (masks[0] | masks[1] | masks[2]):
            raise BadRecord("deck", f"{text!r}, a card dealt before - at `action_strings[{place + 1}]`")
        masks[place % SEATS] |= card
    bottom = FULL_DECK & ~(masks[0] | masks[1] | masks[2])
    return (text_of(masks[0]), text_of(masks[1]), text_of(masks[2])), text_of(bottom)


def _auction_length(texts: list[str]) -> int:
    """How many of the acts after the deal are the auction: up to a 3, two passes after a bid, or three without one."""
    passes, needed = 0, 3
    for place, text in enumerate(texts):
        if text == "Pass":
            passes += 1
        elif _BID.fullmatch(text):
            passes, needed = 0, 2
        else:
            return place
        if text == "Bid 3" or passes == needed:
            return place + 1
    return len(texts)


def _said(seat: int, text: str) -> Action:
    bid = _BID.fullmatch(text)
    return Action(seat=seat, act="bid", value=int(bid[1]) if bid else 0)


def _done(seat: int, text: str) -> Action:
    if text == "Pass":
        return Action(seat=seat, act="pass")
    play = _PLAY.fullmatch(text.replace("(BWJ)", "B").replace("(CJ)", "R"))
    if play is None:
        raise BadRecord("bad_cards", f"{text[:40]!r} plays no cards")
    core, wings = play["core"], play["wings"]
    if wings is None:
        return Action(seat=seat, act="play", cards=core)
    length = len(set(core))
    declared = Declared(
        "plane_single" if len(wings) == length else "plane_pair", length, max(core, key=RANKS.index)
    )
    return Action(seat=seat, act="play", cards=core + wings, declared=declared)


def _returns(playout: Playout) -> tuple[int, int, int]:
    for score in playout.returns:
        if not (score.is_integer() and abs(score) <= LARGEST_AMOUNT):
            raise BadRecord("out_of_range", f"a return of {score} is no whole number of points")
    first, second, third = (int(score) for score in playout.returns)
    return first, second, third


def _outcome(scores: tuple[int, int, int], spoken: int, *, bid_made: bool) -> Outcome:
    """The engine returns nothing but zeros until a game is over, and after three passes."""
    if any(scores):
        return "complete"
    return "redeal" if spoken == SEATS and not bid_made else "unfinished"
