"""`douzero`: deals and games as DouZero and a fork of it keep them.

JSON Lines of deals with the sequence of plays, or pickles of such deals, alone (a file of deals to evaluate agents on) or with
plays; and JSON Lines of the fork's records of games, which name who acted. Ranks are numbers, so hands have no suits. Seat 0 is
the landlord, seat 1 plays after him; there is no auction but in the fork's records, where bids may be told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, BinaryIO, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ddz_analytics.cards import LARGEST_PLAY
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import LARGEST_AMOUNT, SEATS, Action, Hand, Located, Recorded, Rejected, Text
from ddz_analytics.parsers.base import (
    KEPT_BYTES,
    LONGEST_RECORD,
    UNNAMED,
    Parsed,
    Source,
    has_object_with,
    load_json,
    records_by_line,
    shaped,
    with_peek,
)
from ddz_analytics.parsers.plain_pickle import Item, plain_items
from ddz_analytics.parsers.plays import TWO_DECKS, check_deal, outcome_of

Role = Literal["landlord", "landlord_down", "landlord_up"]
ROLES: tuple[Role, ...] = ("landlord", "landlord_down", "landlord_up")
PICKLES = (b"\x80", b"(", b"]", b"}")  # how a pickle of a list or a dictionary begins
BOTTOM = 3
LEGACY = "legacy"  # what the fork calls DouZero's own rules
LONGEST_GAME = 1000  # acts; a game has at most 54 plays and two passes after each
RANK_TEXTS = {
    number: text for number, text in zip((*range(3, 15), 17, 20, 30), "3456789TJQKA2BR", strict=True)
}

Card = Annotated[int, Meta(ge=-999, le=999)]  # which of them are cards is said when they become text
Cards = Annotated[list[Card], Meta(max_length=TWO_DECKS)]
Play = Annotated[list[Card], Meta(max_length=LARGEST_PLAY)]
Points = Annotated[int, Meta(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT)]


class Deal(Struct, forbid_unknown_fields=True):
    """Three hands, the landlord's with the bottom cards, and the bottom cards once more."""

    landlord: Cards
    landlord_up: Cards
    landlord_down: Cards
    three_landlord_cards: Cards


class Scores(Struct, forbid_unknown_fields=True):
    """What the landlord and what each peasant scored."""

    landlord: Points
    farmer: Points


class Game(Struct, forbid_unknown_fields=True):
    """A deal and, where it was played, the cards of each act in turn from the landlord on; an empty list is a pass."""

    card_play_data: Deal
    card_play_action_seq: Annotated[list[Play], Meta(max_length=LONGEST_GAME)] | UnsetType = UNSET
    agents: str | dict[Role, str] | UnsetType = UNSET
    winner: Literal["landlord", "farmer"] | UnsetType = UNSET
    bomb_num: Annotated[int, Meta(ge=0, le=LONGEST_GAME)] | UnsetType = UNSET
    num_scores: Scores | UnsetType = UNSET


class Result(Struct):
    """How a recorded game ended; it may say more, which is kept as it stands."""

    winner_team: Literal["landlord", "farmer"]
    winner_position: str
    landlord_score: Points | UnsetType = UNSET
    farmer_score: Points | UnsetType = UNSET


class Record(Struct, forbid_unknown_fields=True):
    """A record of the fork's: who acted stands with every act."""

    game_id: Text
    ruleset_id: Text
    seats: list[Role]
    initial_hands: Deal
    bottom_cards: Cards
    action_history: Annotated[list[tuple[Role, Play]], Meta(max_length=LONGEST_GAME)]
    final_result: dict[str, Any]
    bidding_history: list[tuple[Role, Annotated[int, Meta(ge=0, le=3)]]] = []
    ruleset_version: str | UnsetType = UNSET
    ruleset_hash: str | UnsetType = UNSET
    player_skill_weight: dict[str, float] | UnsetType = UNSET
    source_metadata: dict[str, Any] | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    format_version: Literal[1] = 1
    schema_version: Literal[1] = 1
    kind: Literal["human_game_record"] = "human_game_record"


KEPT = (
    "ruleset_id",
    "ruleset_version",
    "ruleset_hash",
    "final_result",
    "player_skill_weight",
    "source_metadata",
    "timestamp",
)


class Douzero:
    """The parser of `douzero`."""

    name = "douzero"
    version = 1
    records = frozenset(("auction",))
    ids_are_global = False
    switches: Mapping[str, bool] = {"same_rank_pairs": False}
    reference_rules: str | None = "douzero-adp"
    by_line = True

    def sniff(self, head: bytes) -> float:
        """Nearly certain of a line, or a pickle, in which the bottom cards are called as DouZero does."""
        pickled = head[:1] in PICKLES and b"three_landlord_cards" in head
        in_lines = has_object_with(head, b'"three_landlord_cards"')
        return 0.9 if pickled or in_lines else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each line, or for each deal of a pickle, whose number stands for the line."""
        reader = with_peek(stream)
        records = _of_pickle(reader) if reader.peek(1)[:1] in PICKLES else records_by_line(reader, source)
        for record in records:
            if isinstance(record, Rejected):
                yield record
                continue
            place, found = record
            raw = found.raw if isinstance(found, Item) else found
            try:
                document = found.value if isinstance(found, Item) else load_json(raw)
                yield Located(_hand(document, str(place)), place, raw)
            except BadRecord as fault:
                yield Rejected(place, fault.code, fault.detail, raw)


def _of_pickle(stream: BinaryIO) -> Iterator[tuple[int, Item] | Rejected]:
    """What was pickled, counted from 1; a pickle that is too large, cut off or of something else ends in a rejection."""
    data = stream.read(LONGEST_RECORD + 1)
    if len(data) > LONGEST_RECORD:
        yield Rejected(1, "too_large", f"a pickle of more than {LONGEST_RECORD} bytes", data[:KEPT_BYTES])
        return
    for number, item in enumerate(plain_items(data), start=1):
        if isinstance(item, Item):
            yield number, item
        else:
            yield Rejected(number, item.code, item.detail, data[-KEPT_BYTES:])


def _hand(document: Any, name: str) -> Hand:
    """The hand of a game of either form; one without an id of its own is called by its place."""
    if isinstance(document, dict) and "game_id" in document:
        return _hand_of_record(shaped(document, Record))
    if isinstance(document, dict) and "card_play_data" not in document:
        deal = {key: document[key] for key in document if key in Deal.__struct_fields__}
        document = {key: document[key] for key in document if key not in deal} | {"card_play_data": deal}
    game = shaped(document, Game)
    plays = [] if game.card_play_action_seq is UNSET else game.card_play_action_seq
    actions = [_action(turn % SEATS, cards) for turn, cards in enumerate(plays)]
    said = {"_winner": game.winner, "_bomb_num": game.bomb_num}
    hand = _dealt(game.card_play_data, ROLES, name)
    hand.players = _players(game.agents)
    hand.actions = actions
    hand.outcome = outcome_of(actions, 0) if game.winner is UNSET else "complete"
    if game.num_scores is not UNSET:
        hand.recorded = _scores(ROLES, game.num_scores)
    hand.extra = {key: value for key, value in said.items() if value is not UNSET} or UNSET
    return hand


def _hand_of_record(record: Record) -> Hand:
    seats = record.seats
    if len(seats) != SEATS:
        raise BadRecord("unsupported_mode", f"{len(seats)} players, not three - at `$.seats`")
    first = ROLES.index(seats[0])
    if tuple(seats) != ROLES[first:] + ROLES[:first]:
        raise BadRecord("out_of_range", f"{'/'.join(seats)} do not sit in the order of play - at `$.seats`")
    if sorted(record.bottom_cards) != sorted(record.initial_hands.three_landlord_cards):
        raise BadRecord("deck", "`bottom_cards` and `three_landlord_cards` are different cards")
    result = shaped(record.final_result, Result, "$.final_result")
    bids = [Action(seat=seats.index(role), act="bid", value=bid) for role, bid in record.bidding_history]
    hand = _dealt(record.initial_hands, seats, record.game_id)
    hand.actions = [*bids, *(_action(seats.index(role), cards) for role, cards in record.action_history)]
    hand.outcome = "complete"
    if record.ruleset_id != LEGACY:
        hand.rules = record.ruleset_id
    if result.landlord_score is not UNSET and result.farmer_score is not UNSET:
        hand.recorded = _scores(seats, Scores(result.landlord_score, result.farmer_score))
    hand.extra = {f"_{name}": getattr(record, name) for name in KEPT if getattr(record, name) is not UNSET}
    return hand


def _dealt(deal: Deal, seats: Sequence[str], name: str) -> Hand:
    """A hand of which nothing but the deal is known; raises `BadRecord`."""
    landlord = seats.index("landlord")
    hands = [list(getattr(deal, role)) for role in seats]
    check_deal([len(cards) for cards in hands], landlord)
    if len(deal.three_landlord_cards) != BOTTOM:
        raise BadRecord("deal_size", f"{len(deal.three_landlord_cards)} bottom cards, not 3")
    for card in deal.three_landlord_cards:
        if card not in hands[landlord]:
            raise BadRecord("deck", f"the bottom card {card} is not in the landlord's hand")
        hands[landlord].remove(card)
    first, second, third = (_text(sorted(cards)) for cards in hands)
    return Hand(
        format="ddz/1",
        id=name,
        players=UNNAMED,
        dealt=(first, second, third),
        bottom=_text(sorted(deal.three_landlord_cards)),
        landlord=landlord,
        actions=[],
        outcome="unfinished",
    )


def _text(cards: Sequence[int]) -> str:
    for card in cards:
        if card not in RANK_TEXTS:
            raise BadRecord("bad_cards", f"{str(card)[:20]} is no card")
    return "".join(RANK_TEXTS[card] for card in cards)


def _action(seat: int, cards: Sequence[int]) -> Action:
    return Action(seat=seat, act="play", cards=_text(cards)) if cards else Action(seat=seat, act="pass")


def _players(agents: str | dict[Role, str] | UnsetType) -> tuple[str, str, str]:
    """An agent and its seat, as one agent may sit on several; the seat alone where none is named."""
    if isinstance(agents, UnsetType):
        return UNNAMED
    if isinstance(agents, str):
        return f"{agents}#0", f"{agents}#1", f"{agents}#2"
    first, second, third = (
        f"{agents[role]}#{seat}" if role in agents else UNNAMED[seat] for seat, role in enumerate(ROLES)
    )
    return first, second, third


def _scores(seats: Sequence[str], scores: Scores) -> Recorded:
    first, second, third = (scores.landlord if role == "landlord" else scores.farmer for role in seats)
    return Recorded(scores=(first, second, third))
