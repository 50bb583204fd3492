"""`rlcard-trace`: JSON Lines, one game per line, of RLCard's Dou Dizhu with the trace of its actions.

Hands are told with suits, plays and bottom cards by rank only, so the hand is kept without suits; the suits serve to check
that the 54 cards of one deck were dealt. There is no auction. Payoffs are 1 for a winner and 0 for a loser: a scale of its
own, no points, kept as recorded scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import product
from operator import or_
from typing import Annotated, BinaryIO

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ddz_analytics.cards import FULL_DECK, RANKS, SMALL_JOKER, SUITS, pack, text_of
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Action, Hand, Recorded, Seat
from ddz_analytics.numbered import Numbered, Repertoire
from ddz_analytics.parsers.base import (
    Parsed,
    Source,
    has_object_with,
    load_json,
    read_each,
    records_by_line,
    shaped,
)
from ddz_analytics.parsers.plays import check_deal

Payoff = Annotated[float, Meta(ge=0, le=1)]


class Game(Struct, forbid_unknown_fields=True):
    """One line: the game's number, who played, the deal (the landlord's hand with the bottom cards), acts, payoffs."""

    game: Annotated[int, Meta(ge=0)]
    agents: Annotated[str, Meta(min_length=1)]
    init_hands_with_suit: list[str]
    seen_cards: str
    landlord_id: Seat
    trace: list[tuple[Seat, str]]
    payoffs: tuple[Payoff, Payoff, Payoff] | UnsetType = UNSET


class UnreadGame(Game, forbid_unknown_fields=True):
    """A game whose trace is still the text that the line has for it."""

    trace: Raw  # type: ignore[assignment]


_decode = msgspec.json.Decoder(Game).decode
_decode_head = msgspec.json.Decoder(UnreadGame).decode
_decode_act = msgspec.json.Decoder(tuple[Seat, str]).decode
_UNREAD = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_LONGEST_NUMBER = 1 << 63
_LONGEST_CARDS = 120
_DECK = {*map("".join, product(SUITS, RANKS[:SMALL_JOKER])), "BJ", "RJ"}  # as RLCard writes cards
_WRITTEN = 3 * len(_DECK) - 1  # letters: two for each card, and a space between any two
_SUITS_AND_SPACES = SUITS.encode() + b" "
_REMEMBERED = 1 << 15  # acts that are kept for the hands to come


class RlcardTrace:
    """The parser of `rlcard-trace`."""

    name = "rlcard-trace"
    version = 1
    records: frozenset[str] = frozenset()
    ids_are_global = False
    switches: Mapping[str, bool] = {
        "both_jokers_as_two_singles": False,
        "quad_as_single_wings": False,
        "adjacent_triple_as_wings": False,
        "same_rank_pairs": False,
    }
    reference_rules: str | None = None
    by_line = True

    def sniff(self, head: bytes) -> float:
        """Nearly certain when a line has the suited hands that no other format names so."""
        return 0.9 if has_object_with(head, b'"init_hands_with_suit"') else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each line."""
        return read_each(records_by_line(stream, source), _whole_hand)

    def parse_heads(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """The same, but the actions are told by number, where they can be."""
        return read_each(records_by_line(stream, source), _head)


def _game(raw: bytes) -> Game:
    """What one line tells; raises `BadRecord`.

    The decoder keeps the last of two equal keys without a word, so a line goes the slow way unless its quotation marks are those
    of its keys and texts.
    """
    try:
        game: Game = _decode(raw)
    except _UNREAD:
        return shaped(load_json(raw), Game)
    return game if _is_plain(raw, game, len(game.trace)) else shaped(load_json(raw), Game)


def _is_plain(raw: bytes, game: Game, acts: int) -> bool:
    keys = len(Game.__struct_fields__) - (game.payoffs is UNSET)
    texts = 2 + len(game.init_hands_with_suit) + acts
    return b"\\" not in raw and raw.count(b'"') == 2 * (keys + texts) and game.game < _LONGEST_NUMBER


class _Met(dict[bytes, bytes]):
    """Acts as traces write them, without brackets, and their numbers; raises KeyError for what is none that `ddz/1` can have."""

    def __init__(self) -> None:
        self.repertoire = Repertoire()

    def __missing__(self, written: bytes) -> bytes:
        try:
            seat, text = _decode_act(b"[" + written + b"]")
        except _UNREAD:
            raise KeyError(written) from None
        if not 0 < len(text) <= _LONGEST_CARDS:
            raise KeyError(written)
        number = self[written] = self.repertoire.number(_action(seat, text))
        return number

    def forget(self) -> None:
        """Begin anew; hands that were told by the numbers of before have these with them."""
        self.clear()
        self.repertoire = Repertoire()


_met = _Met()


def _whole_hand(_: int, raw: bytes) -> Hand:
    game = _game(raw)
    return _hand(game, _actions(game))


def _head(line: int, raw: bytes) -> Hand:
    if len(_met) > _REMEMBERED:
        _met.forget()
    try:
        game: UnreadGame = _decode_head(raw)
        acts = _each_written(bytes(game.trace))
        numbers = b"".join(map(_met.__getitem__, acts))
    except (*_UNREAD, KeyError):
        return _whole_hand(line, raw)
    if not _is_plain(raw, game, len(acts)):
        return _whole_hand(line, raw)
    return _hand(game, Numbered(numbers, _met.repertoire))


def _each_written(trace: bytes) -> list[bytes]:
    """The texts between `[[`, `], [` and `]]`; if each of them is an act, the trace is these acts and nothing else."""
    if not (trace.startswith(b"[[") and trace.endswith(b"]]")):
        raise KeyError(trace)
    return trace[2:-2].split(b"], [" if b"], [" in trace else b"],[")


def _actions(game: Game) -> list[Action]:
    return [_action(seat, text) for seat, text in game.trace]


def _hand(game: Game, actions: list[Action] | Numbered) -> Hand:
    dealt, bottom = _deal(game)
    recorded: Recorded | UnsetType = UNSET
    if game.payoffs is not UNSET:
        first, second, third = (_whole(payoff) for payoff in game.payoffs)
        recorded = Recorded(scores=(first, second, third))
    return Hand(
        format="ddz/1",
        id=str(game.game),
        players=_players(game.agents),
        kinds=("bot", "bot", "bot"),
        dealt=dealt,
        bottom=bottom,
        landlord=game.landlord_id,
        actions=actions,  # type: ignore[arg-type]  # a list after it was read
        outcome="unfinished" if game.payoffs is UNSET else "complete",
        recorded=recorded,
    )


def _action(seat: int, text: str) -> Action:
    return Action(seat=seat, act="pass") if text == "pass" else Action(seat=seat, act="play", cards=text)


def _players(agents: str) -> tuple[str, str, str]:
    """An agent's name and its seat: the same agent may sit on several seats, and a hand has three players."""
    names = agents.split("/")
    if len(names) != SEATS:
        names = [agents] * SEATS
    return f"{names[0]}#0", f"{names[1]}#1", f"{names[2]}#2"


def _whole(payoff: float) -> int:
    if not payoff.is_integer():
        raise BadRecord("out_of_range", f"a payoff of {payoff} is neither 1 nor 0")
    return int(payoff)


def _deal(game: Game) -> tuple[tuple[str, str, str], str]:
    """The three hands of 17 and the bottom cards as rank text; raises `BadRecord` unless one deck was dealt."""
    ranks, is_deck = _ranks(game.init_hands_with_suit)
    check_deal([len(each) for each in ranks], game.landlord_id)
    if len(game.seen_cards) != 3:
        raise BadRecord("deal_size", f"{len(game.seen_cards)} bottom cards, not 3")
    if not is_deck:
        raise BadRecord("deck", "the cards dealt are not the 54 cards of one deck")
    for letter in game.seen_cards:
        if letter not in ranks[game.landlord_id]:
            raise BadRecord("deck", f"the bottom cards {game.seen_cards} are not all in the landlord's hand")
        ranks[game.landlord_id] = ranks[game.landlord_id].replace(letter, "", 1)
    return (ranks[0], ranks[1], ranks[2]), game.seen_cards


def _ranks(hands: list[str]) -> tuple[list[str], bool]:
    """The ranks of each hand, and whether all cards together are one deck; raises `BadRecord` for what is no card."""
    written = " ".join(hands)
    if set(written.split(" ")) == _DECK and len(written) == _WRITTEN:
        letters = "/".join(hands).replace("BJ", "B").replace("RJ", "R").encode()
        return letters.translate(None, _SUITS_AND_SPACES).decode().split("/"), True
    masks = [pack(text, suited=True) for text in hands]
    return [text_of(mask) for mask in masks], reduce(or_, masks, 0) == FULL_DECK
