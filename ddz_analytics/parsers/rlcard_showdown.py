"""`rlcard-showdown`: replays of RLCard's Dou Dizhu as its showdown site keeps them, alone or in the rows of a tournament.

A replay is one JSON object; a row has it as a text, in JSON or as Python prints it. The landlord's twenty cards are told and
never which three of them were the bottom: the three lowest stand for them, and the hand's `_bottom` says `unknown`. There is
no auction. A row states the payoff of the first seat, 1 or 0 for its side; a replay alone states no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, BinaryIO, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ddz_analytics.cards import FULL_DECK, pack, size, text_of
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Action, Hand, Located, Recorded, Rejected, Seat, Skipped, Text
from ddz_analytics.parsers.base import UNNAMED, Parsed, Source, load_json, shaped
from ddz_analytics.parsers.documents import json_records
from ddz_analytics.parsers.plays import HELD, check_deal, outcome_of
from ddz_analytics.parsers.python_text import load_python
from ddz_analytics.parsers.rlcard_trace import RlcardTrace

GAME = "doudizhu"
STORED_GAME = "tournament.game"  # what the site's database calls its table of games
PASSES: tuple[object, ...] = ("pass", "P", [])


class PlayerInfo(Struct, forbid_unknown_fields=True):
    """Who sits where, and on which side."""

    id: int | str
    index: Seat
    role: Literal["landlord", "peasant"]
    agentInfo: dict[str, Any] | UnsetType = UNSET


class Move(Struct, forbid_unknown_fields=True):
    """One act: cards as a text or a list, or a pass; what the agent thought of its choices is not kept."""

    playerIdx: Seat
    move: str | list[str]
    info: Any = UNSET
    probabilities: Any = UNSET


class Replay(Struct, forbid_unknown_fields=True):
    """A game: the hands by seat, the landlord's with the bottom cards, and the acts in order."""

    playerInfo: list[PlayerInfo]
    initHands: list[str]
    moveHistory: list[Move]


class Row(Struct, forbid_unknown_fields=True):
    """A row of a tournament; `win` and `payoff` are the first seat's."""

    name: str
    index: Annotated[int, Meta(ge=0)]
    agent0: Text
    agent1: Text
    win: bool
    payoff: Annotated[float, Meta(ge=0, le=1)]
    replay: str
    id: int | UnsetType = UNSET


class RlcardShowdown:
    """The parser of `rlcard-showdown`."""

    name = "rlcard-showdown"
    version = 1
    records: frozenset[str] = frozenset()
    ids_are_global = False
    switches: Mapping[str, bool] = RlcardTrace.switches
    reference_rules: str | None = None
    by_line = False

    def sniff(self, head: bytes) -> float:
        """Nearly certain of a JSON file in which hands and moves are called as in a replay."""
        begins_json = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[", b'"') or b"\n{" in head
        return 0.9 if begins_json and b"initHands" in head and b"moveHistory" in head else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or rejection for each replay or row; rows of other tables of the site's database are skipped."""
        for number, record in enumerate(json_records(stream, source), start=1):
            if isinstance(record, Rejected):
                yield record
                continue
            line, raw = record
            try:
                found = _read(load_json(raw), str(number))
                yield Skipped(line, found) if isinstance(found, str) else Located(found, line, raw)
            except BadRecord as fault:
                yield Rejected(line, fault.code, fault.detail, raw)


def _read(document: Any, number: str) -> Hand | str:
    """The hand of a record, or why it is none; a replay alone is called by its number in the file."""
    if isinstance(document, dict) and "model" in document:
        if document["model"] != STORED_GAME:
            return f"a row of {str(document['model'])[:40]!r}"
        document = document.get("fields")
    if isinstance(document, dict) and "replay" in document:
        return _hand_of_row(shaped(document, Row))
    if isinstance(document, dict) and "name" in document and document["name"] != GAME:
        raise BadRecord("unsupported_mode", f"a game of {str(document['name'])[:40]!r}, not of {GAME}")
    return _hand(shaped(_replay(document), Replay), number)


def _replay(document: Any) -> Any:
    """A replay, which may be a text in JSON or as Python prints it."""
    while isinstance(document, str):
        text = document.lstrip()
        document = (
            load_json(text.encode()) if text.startswith('"') or '"initHands"' in text else load_python(text)
        )
    return document


def _hand_of_row(row: Row) -> Hand:
    if row.name != GAME:
        raise BadRecord("unsupported_mode", f"a game of {row.name[:40]!r}, not of {GAME}")
    if row.payoff not in (0, 1) or row.win != (row.payoff > 0):
        raise BadRecord(
            "out_of_range", f"`win` {row.win} and `payoff` {row.payoff}, not true and 1 or false and 0"
        )
    replay = shaped(_replay(row.replay), Replay, "$.replay")
    hand = _hand(replay, f"{row.agent0}/{row.agent1}/{row.index}")
    won = int(row.payoff)
    scores = [won if (seat == hand.landlord) == (hand.landlord == 0) else 1 - won for seat in range(SEATS)]
    hand.recorded = Recorded(scores=(scores[0], scores[1], scores[2]))
    hand.outcome = "complete"
    return hand


def _hand(replay: Replay, name: str) -> Hand:
    seats = _seats(replay.playerInfo)
    landlord = [player.role for player in seats].index("landlord")
    dealt, bottom = _deal(replay.initHands, landlord)
    actions = [_action(move) for move in replay.moveHistory]
    return Hand(
        format="ddz/1",
        id=name,
        players=(_name(seats[0]), _name(seats[1]), _name(seats[2])),
        kinds=("bot", "bot", "bot"),
        dealt=dealt,
        bottom=bottom,
        landlord=landlord,
        actions=actions,
        outcome=outcome_of(actions, landlord),
        extra={"_bottom": "unknown"},
    )


def _seats(players: list[PlayerInfo]) -> list[PlayerInfo]:
    """The three players by seat, one of them the landlord."""
    if len(players) != SEATS:
        raise BadRecord("unsupported_mode", f"{len(players)} players, not three - at `$.playerInfo`")
    seats = sorted(players, key=lambda player: player.index)
    if [player.index for player in seats] != [0, 1, 2] or [player.role for player in seats].count(
        "landlord"
    ) != 1:
        raise BadRecord("out_of_range", "not seats 0, 1 and 2 with one landlord - at `$.playerInfo`")
    return seats


def _name(player: PlayerInfo) -> str:
    """The agent and its seat, as one agent may sit on several; the seat alone where no agent is named."""
    agent = {} if player.agentInfo is UNSET else player.agentInfo
    name = agent.get("name")
    return f"{name}#{player.index}" if isinstance(name, str) and name else UNNAMED[player.index]


def _deal(texts: list[str], landlord: int) -> tuple[tuple[str, str, str], str]:
    """The hands of 17 and three cards that stand for the bottom; raises `BadRecord` unless one deck was dealt."""
    check_deal([len(text.split()) for text in texts], landlord)
    masks = [pack(text, suited=True) for text in texts]
    if masks[0] | masks[1] | masks[2] != FULL_DECK:
        raise BadRecord("deck", "the cards dealt are not the 54 cards of one deck")
    bottom = 0
    while size(masks[landlord]) > HELD:
        lowest = masks[landlord] & -masks[landlord]
        bottom, masks[landlord] = bottom | lowest, masks[landlord] ^ lowest
    first, second, third = (text_of(mask, suited=True) for mask in masks)
    return (first, second, third), text_of(bottom, suited=True)


def _action(move: Move) -> Action:
    if move.move in PASSES:
        return Action(seat=move.playerIdx, act="pass")
    cards = move.move if isinstance(move.move, str) else " ".join(move.move)
    return Action(seat=move.playerIdx, act="play", cards=cards)
