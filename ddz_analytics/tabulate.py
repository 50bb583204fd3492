"""Parsed hands into the columns of the `hands` table: flatten, pack the cards, check the deck, hash the content.

A record that cannot become a row (a field that does not belong to its act, not the 54 cards, a card twice) is handed back as
a rejection with its line and bytes; nothing is mended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
from msgspec import UNSET, Struct
from msgspec.structs import astuple, replace

from ddz_analytics import cards
from ddz_analytics.acts import UnreadError
from ddz_analytics.columns import Ints, known, nullable_amounts, plain_amount, said, scaled_column
from ddz_analytics.errors import BadRecord
from ddz_analytics.flatten import Faults, FlatActions
from ddz_analytics.hands import Action, Hand, Located, Recorded, Rejected, Room
from ddz_analytics.parsers.base import Parser
from ddz_analytics.parsers.ddz1 import acts_of
from ddz_analytics.schema import HANDS, SEAT_NUMBERS

_NO_ROOM, _NO_RECORDED = Room(), Recorded()
_SILENT = (UNSET, UNSET, UNSET)
FIRST_YEAR, LAST_YEAR = 1900, 2200  # hands are played by people alive
HASH_DIGITS = 32  # 128 bits
_NO_CARDS, _NO_ACTIONS = ("-", "-", "-"), list[Action]()
_encode = msgspec.json.Encoder().encode


def hands_table(located: Sequence[Located], parser: Parser, path: str) -> tuple[pa.Table, list[Rejected]]:
    """The rows of the `hands` table for some parsed hands, in order (`hand_id` still 0), and those that cannot be rows."""
    try:
        batch = _Batch([item.hand for item in located])
    except UnreadError as unread:
        kept, refused_now = _with_acts(located, set(unread.places))
        table, refused_later = hands_table(kept, parser, path)
        return table, refused_now + refused_later
    if batch.faults:
        kept = [item for place, item in enumerate(located) if place not in batch.faults]
        refused = [(located[place], fault) for place, fault in sorted(batch.faults.items())]
        table, _ = hands_table(kept, parser, path)
        return table, [Rejected(item.line, fault.code, fault.detail, item.raw) for item, fault in refused]
    columns = batch.columns()
    columns["hand_id"] = pa.array(np.zeros(len(located), dtype=np.int64))
    columns["source_line"] = pa.array([item.line for item in located], type=pa.int64())
    columns["source_format"] = pa.array([item.format or parser.name for item in located], type=pa.string())
    for name, text in (("source_path", path), ("evidence", "replayed")):
        columns[name] = pa.repeat(pa.scalar(text), len(located))
    return pa.table([columns[name] for name in HANDS.names], schema=HANDS), []


def _with_acts(located: Sequence[Located], places: set[int]) -> tuple[list[Located], list[Rejected]]:
    """The hands, those at some places with their acts read one by one, and those whose acts cannot be read."""
    kept, refused = [], []
    for place, item in enumerate(located):
        try:
            if place in places:
                item.hand.actions = acts_of(item)
            kept.append(item)
        except BadRecord as fault:
            refused.append(Rejected(item.line, fault.code, fault.detail, item.raw))
    return kept, refused


class _Batch:
    """Some hands on their way into columns; `faults` says which cannot become rows, and why."""

    def __init__(self, hands: Sequence[Hand]) -> None:
        self.hands = hands
        self.told = _by_field(Hand, hands)
        self.faults: Faults = {}
        self.actions = FlatActions(hands, self.faults)
        self.suited = np.array([cards.is_suited(hand.dealt[0]) for hand in hands], dtype=bool)
        self._check_times()
        self.play_masks = self._pack_plays()
        self._check_wilds()
        self.dealt_masks = self._pack_deal()
        self._check_deck()

    def _check_times(self) -> None:
        for place, hand in enumerate(self.hands):
            for name, time in (("started_at", hand.started_at), ("ended_at", hand.ended_at)):
                if time is not UNSET and not FIRST_YEAR <= time.year <= LAST_YEAR:
                    detail = f"a time before {FIRST_YEAR} or after {LAST_YEAR} - at `{name}`"
                    self.faults.setdefault(place, BadRecord("out_of_range", detail))
                elif time is not UNSET and time.tzinfo is None:
                    self.faults.setdefault(
                        place, BadRecord("naive_time", f"a time without offset - at `{name}`")
                    )

    def _pack_plays(self) -> Ints:
        """A mask per action; 0 where the act has no cards."""
        rows = self.actions.with_cards
        suited = np.repeat(self.suited, np.diff(self.actions.offsets))[rows]

        def blame(place: int, fault: BadRecord) -> None:
            self.actions.blame(int(rows[place]), fault.code, fault.detail)

        masks = np.zeros(self.actions.offsets[-1], dtype=np.int64)
        masks[rows] = _pack(self.actions.cards, suited, blame)
        return masks

    def _check_wilds(self) -> None:
        """Ranks may be declared for wild cards only, one for each that is played."""
        declared = self.actions.more["wilds_as"]
        for row, kind in self.actions.saying(known(declared)):
            wild, said_ranks = self.hands[self.actions.hand_of(row)].wild, len(declared[kind].as_py())
            counts = cards.counts_of(int(self.play_masks[row]))
            number = 0 if wild is UNSET else cards.rank_counts(counts)[cards.RANK_OF[wild]]
            if said_ranks != number or number == 0:
                detail = f"`wilds_as` has {said_ranks} ranks, the play {number} wild cards"
                self.actions.blame(row, "out_of_range", detail)

    def _pack_deal(self) -> Ints:
        """Masks of the three hands dealt and the bottom: shape (hands, 4)."""
        texts = pa.array(
            [text for hand in self.hands for text in (*hand.dealt, hand.bottom)], type=pa.string()
        )

        def blame(place: int, fault: BadRecord) -> None:
            name = "bottom" if place % 4 == 3 else f"dealt[{place % 4}]"
            self.faults.setdefault(place // 4, BadRecord(fault.code, f"{fault.detail} - at `{name}`"))

        return _pack(texts, np.repeat(self.suited, 4), blame).reshape(-1, 4)

    def _check_deck(self) -> None:
        """17 cards each and 3 at the bottom, and together exactly the 54 cards of one deck."""
        counts = cards.counts(self.dealt_masks)
        sizes = cards.sizes(counts)
        wrong_size = (sizes != np.array([17, 17, 17, 3])).any(axis=1)
        wrong_deck = counts.sum(axis=1) != cards.FULL_COUNTS
        wrong_deck |= self.suited & (self.dealt_masks.sum(axis=1) != cards.FULL_DECK)
        for place in np.flatnonzero(wrong_size | wrong_deck).tolist():
            dealt = "/".join(str(size) for size in sizes[place].tolist())
            if wrong_size[place]:
                fault = BadRecord("deal_size", f"{dealt} cards dealt, not 17/17/17/3")
            else:
                fault = BadRecord("deck", "the cards dealt are not the 54 cards of one deck")
            self.faults.setdefault(place, fault)

    def columns(self) -> dict[str, pa.Array]:
        """Every column that the hands themselves fill."""
        return {
            **self._head_columns(),
            **self._seat_columns(),
            **{name: nullable_amounts(scaled_column(values)) for name, values in self._amounts.items()},
            "actions": self.actions.list_column(self.play_masks),
            "content_hash": self._content_hashes(),
            "deal_id": self._deal_ids(),
        }

    def _head_columns(self) -> dict[str, pa.Array]:
        fields = {
            "source_hand_id": "id", "table_id": "table", "match_id": "match", "event": "event", "recorded_rules": "rules",
            "wild_rank": "wild", "shuffle": "shuffle", "outcome": "outcome", "balance_kind": "balance_kind", "hand_no": "no",
            "started_at": "started_at", "ended_at": "ended_at", "landlord_seat": "landlord", "first_seat": "first",
        }  # fmt: skip
        extra = [
            UNSET if said is UNSET else msgspec.json.encode(said).decode() for said in self.told["extra"]
        ]
        return {
            **{column: said(self.told[field], HANDS.field(column).type) for column, field in fields.items()},
            "recorded_multiplier": said(self._recorded["multiplier"], pa.int64()),
            "extra": said(extra, pa.string()),
            "suited": pa.array(self.suited),
            "bottom": pa.array(self.dealt_masks[:, 3]),
        }

    @cached_property
    def _recorded(self) -> dict[str, Sequence[Any]]:
        return _by_field(
            Recorded, [_NO_RECORDED if said is UNSET else said for said in self.told["recorded"]]
        )

    @cached_property
    def _amounts(self) -> dict[str, Sequence[Any]]:
        """The amounts of every column that holds any, as the log gives them."""
        room = _by_field(Room, [_NO_ROOM if said is UNSET else said for said in self.told["room"]])
        found = {f"room_{key}": values for key, values in room.items()}
        found["recorded_bid"] = self._recorded["bid"]
        threes = {"balance": self.told["balances"]}
        for name, field in (("score", "scores"), ("fee", "fees"), ("balance_after", "balances_after")):
            threes[f"recorded_{name}"] = self._recorded[field]
        for name, values in threes.items():
            found |= {f"{name}_{seat}": own for seat, own in enumerate(_by_seat(values))}
        return found

    def _seat_columns(self) -> dict[str, pa.Array]:
        found = {f"dealt_{seat}": pa.array(self.dealt_masks[:, seat]) for seat in SEAT_NUMBERS}
        for name, field in (("player", "players"), ("kind", "kinds"), ("registered", "registered")):
            for seat, values in enumerate(_by_seat(self.told[field])):
                found[f"{name}_{seat}"] = said(values, HANDS.field(f"{name}_{seat}").type)
        return found

    def _content_hashes(self) -> pa.Array:
        """A 128-bit hash of the whole hand but its path and line, whatever the order of cards, the time zone or the zeros of amounts."""
        numbers = self.actions.numbers(self.play_masks)
        steps, ends = numbers.ravel().data, (self.actions.offsets * numbers.shape[1]).tolist()
        deals = [masks.tobytes() for masks in self.dealt_masks]
        texts = {place: _encode(said) for place, said in self.actions.texts().items()}
        hashes = []
        for place, head in enumerate(self._heads()):
            digest = sha256(head + deals[place])
            digest.update(steps[ends[place] : ends[place + 1]])
            digest.update(texts.get(place, b""))
            hashes.append(digest.hexdigest()[:HASH_DIGITS])
        return pa.array(hashes, type=pa.string())

    def _heads(self) -> list[bytes]:
        """All of each hand but its cards and actions, the same however times and amounts are written, and with nothing empty."""
        heads = [_head(hand) for hand in self.hands]
        empty = _NO_ROOM in self.told["room"] or _NO_RECORDED in self.told["recorded"]
        if empty or any(str in set(map(type, values)) for values in self._amounts.values()):
            for head in heads:
                _say_plainly(head)
        return [_encode(head) for head in heads]

    def _deal_ids(self) -> pa.Array:
        """A number that two hands share when the same cards were dealt to the same seats (the mixer of splitmix64)."""
        mixed = np.zeros(len(self.hands), dtype=np.uint64)
        for masks in self.dealt_masks.astype(np.uint64).T:
            mixed = (mixed ^ masks) + np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
        return pa.array((mixed >> np.uint64(1)).astype(np.int64))


def _pack(
    texts: pa.StringArray, suited: npt.NDArray[np.bool_], blame: Callable[[int, BadRecord], None]
) -> Ints:
    """The masks of some card texts; what cannot be packed is blamed and stays 0."""
    masks, left_over = cards.pack_unsuited_column(texts)
    for place in np.flatnonzero(left_over | suited).tolist():
        try:
            masks[place] = cards.pack(texts[place].as_py(), suited=bool(suited[place]))
        except BadRecord as fault:
            masks[place] = 0
            blame(place, fault)
    return masks


def _by_field(shape: type[Struct], structs: Iterable[Struct]) -> dict[str, Sequence[Any]]:
    """What some structs of one shape say, by field."""
    columns = [*zip(*map(astuple, structs), strict=True)] or [()] * len(shape.__struct_fields__)
    return dict(zip(shape.__struct_fields__, columns, strict=True))


def _head(hand: Hand) -> Hand:
    """A copy of a hand without its cards and actions, its times those of UTC."""
    head = replace(hand, actions=_NO_ACTIONS, dealt=_NO_CARDS, bottom="-")
    if hand.started_at is not UNSET:
        head.started_at = hand.started_at.astimezone(UTC)
    if hand.ended_at is not UNSET:
        head.ended_at = hand.ended_at.astimezone(UTC)
    return head


def _say_plainly(head: Hand) -> None:
    """Take needless zeros off the amounts, and away what says nothing."""
    if head.balances is not UNSET:
        head.balances = _plain(head.balances)
    if head.room is not UNSET:
        head.room = _said_amounts(head.room)
    if head.recorded is not UNSET:
        head.recorded = _said_amounts(head.recorded)


def _said_amounts(said: Room | Recorded) -> Any:
    """What a room or a record says, without needless zeros."""
    amounts = ((field, getattr(said, field)) for field in said.__struct_fields__)
    return {field: _plain(amount) for field, amount in amounts if amount is not UNSET} or UNSET


def _plain(amount: Any) -> Any:
    """An amount, or three, without needless zeros."""
    if isinstance(amount, int):
        return amount
    if isinstance(amount, tuple):
        return [_plain(each) for each in amount] if str in map(type, amount) else amount
    return plain_amount(Decimal(amount))


def _by_seat(threes: Sequence[Any]) -> tuple[Sequence[Any], ...]:
    """Values by hand as values by seat."""
    silent = threes.count(UNSET)
    if silent == len(threes):
        return (threes,) * len(SEAT_NUMBERS)
    return tuple(zip(*((_SILENT if three is UNSET else three) for three in threes), strict=True))
