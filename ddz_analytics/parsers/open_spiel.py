"""`open-spiel`: JSON Lines, one playout of OpenSpiel's Dou Dizhu per line, or a playthrough as its tests keep them.

The action strings are read, not the action ids, which changed between versions. The first 52 actions are chance's: who
speaks first, then 51 cards dealt in turn; the three left over are the bottom. The auction goes round until a 3 or two passes
after a bid; three passes end the game, a redeal. Cards are dealt with suits and played by rank, so the hand is kept without.
A plane's string names its wings (`333444555-666`), which is kept as a declared reading.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Annotated, BinaryIO

from msgspec import UNSET, Meta, Struct, UnsetType

from ddz_analytics.cards import FULL_DECK, RANKS, SUITS, text_of
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import (
    LARGEST_AMOUNT,
    SEATS,
    Hand,
    Outcome,
    Recorded,
)
from ddz_analytics.parsers.base import (
    UNNAMED,
    Parsed,
    Source,
    has_object_with,
    load_json,
    read_each,
    records_by_line,
    shaped,
    with_peek,
)
from ddz_analytics.parsers.open_spiel_acts import auction_length, done, said
from ddz_analytics.parsers.open_spiel_playthrough import (
    BEGINS,
    is_playthrough,
    playthroughs,
    read_playthrough,
)

DEALT = 51
CHANCE = -1
_CARDS = {
    f"{suit}{rank}": 1 << (4 * place + SUITS.index(suit))
    for suit in SUITS
    for place, rank in enumerate(RANKS[:13])
}
_CARDS |= {"(BWJ)": 1 << 4 * RANKS.index("B"), "(CJ)": 1 << 4 * RANKS.index("R")}


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
        """Nearly certain when a line names the game and has a history, or begins a playthrough."""
        found = has_object_with(head, b'"dou_dizhu', b'"history"') or is_playthrough(head)
        return 0.9 if found else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each line or playthrough."""
        reader = with_peek(stream)
        as_text = reader.peek(len(BEGINS)).startswith(BEGINS)
        read = read_playthrough if as_text else load_json
        yield from read_each(
            playthroughs(reader, source) if as_text else records_by_line(reader, source),
            lambda _, raw: _hand(shaped(read(raw), Playout)),
        )


def _hand(playout: Playout) -> Hand:
    _check_frame(playout)
    dealt, bottom = _deal(playout.action_strings[1 : DEALT + 1])
    acts = list(zip(playout.players[DEALT + 1 :], playout.action_strings[DEALT + 1 :], strict=True))
    spoken = auction_length([text for _, text in acts])
    bidders = [seat for seat, text in acts[:spoken] if text != "Pass"]
    scores = _returns(playout)
    return Hand(
        format="ddz/1",
        id=hashlib.sha256("\n".join(playout.action_strings).encode()).hexdigest()[:16],
        players=UNNAMED,
        kinds=("bot", "bot", "bot"),
        dealt=dealt,
        bottom=bottom,
        landlord=bidders[-1] if bidders else None,
        actions=[said(*act) for act in acts[:spoken]] + [done(*act) for act in acts[spoken:]],
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
