"""A hand as every parser emits it: the structs of the `ddz/1` format.

Field names, types and bounds here *are* the format: the published JSON Schema is generated from these structs.
Optional fields are `UNSET` when absent, because `null` is not an allowed value (but for `landlord`).
Amounts are whole numbers or texts with at most four decimals; see `ddz_analytics.cards` for card text.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

SEATS = 3
SCALE = 10_000  # amounts are kept as int64 counts of 1/10,000
LARGEST_AMOUNT = 10**14 - 1  # DECIMAL(18,4)

Seat = Annotated[int, Meta(ge=0, le=2)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Amount = (
    Annotated[int, Meta(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT)]
    | Annotated[str, Meta(pattern=r"^-?[0-9]{1,14}(\.[0-9]{1,4})?(?!\n)$")]
)
Price = (  # an amount that cannot be negative
    Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)]
    | Annotated[str, Meta(pattern=r"^[0-9]{1,14}(\.[0-9]{1,4})?(?!\n)$")]
)
Text = Annotated[str, Meta(min_length=1)]
CardText = Annotated[str, Meta(min_length=1, max_length=120)]

Act = Literal[
    "bid", "call", "rob", "decline", "open", "double", "kick",
    "play", "pass",
    "autoplay", "disconnect", "reconnect", "escape",
]  # fmt: skip
Stage = Literal["start", "deal", "bottom"]
Actor = Literal["player", "timeout", "autoplay", "judge"]
Outcome = Literal["complete", "redeal", "escaped", "void", "unfinished"]
Shuffle = Literal["full", "none", "other"]
Event = Literal["regular", "championship", "swiss"]
BalanceKind = Literal["coins", "points"]
Category = Literal[
    "single", "pair", "trio", "trio_single", "trio_pair", "straight", "pair_chain", "trio_chain",
    "plane_single", "plane_pair", "four_two_single", "four_two_pair", "four_two_mixed",
    "bomb", "bomb_soft", "bomb_hard", "bomb_pure", "rocket",
]  # fmt: skip
RankText = Literal["3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2"]

ROLE_NAMES = ("landlord", "landlord_down", "landlord_up")  # as views call them, in order of play
ACTS: tuple[str, ...] = get_args(Act)
STAGES: tuple[str, ...] = get_args(Stage)
ACTORS: tuple[str, ...] = get_args(Actor)
OUTCOMES: tuple[str, ...] = get_args(Outcome)


class Declared(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A reading that the log itself declares for an ambiguous set of cards."""

    category: Category
    length: Annotated[int, Meta(ge=1, le=20)] | UnsetType = UNSET
    main: str | UnsetType = UNSET


class Action(Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One act of one seat, in the order of the log; `action_index` is its place, counted from 0."""

    seat: Seat
    act: Act
    value: Amount | UnsetType = UNSET
    cards: CardText | UnsetType = UNSET
    ms: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET
    actor: Actor | UnsetType = UNSET
    auto: bool | UnsetType = UNSET
    stage: Stage | UnsetType = UNSET
    dealt: Annotated[int, Meta(ge=0, le=17)] | UnsetType = UNSET
    sent: str | UnsetType = UNSET
    declared: Category | Declared | UnsetType = field(name="as", default=UNSET)
    wilds_as: list[RankText] | UnsetType = UNSET


class Room(Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What the room fixes: amounts of one point, of the two room bids, of a coin rate, a fee, a threshold."""

    unit: Price | UnsetType = UNSET
    low: Price | UnsetType = UNSET
    high: Price | UnsetType = UNSET
    rate: Price | UnsetType = UNSET
    fee: Price | UnsetType = UNSET
    double_threshold: Price | UnsetType = UNSET


class Recorded(Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What the platform says came out; kept for reconciliation, never an input to scoring."""

    scores: tuple[Amount, Amount, Amount] | UnsetType = UNSET
    bid: Amount | UnsetType = UNSET
    multiplier: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET
    fees: tuple[Amount, Amount, Amount] | UnsetType = UNSET
    balances_after: tuple[Amount, Amount, Amount] | UnsetType = UNSET


class Hand(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One deal played out (or thrown in), as a log tells it; field by field the `ddz/1` line."""

    format: Literal["ddz/1"]
    id: Text
    players: tuple[str, str, str]
    dealt: tuple[CardText, CardText, CardText]
    bottom: CardText
    landlord: Seat | None
    actions: list[Action]
    outcome: Outcome
    table: Text | UnsetType = UNSET
    match: Text | UnsetType = UNSET
    no: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET
    started_at: datetime | UnsetType = UNSET
    ended_at: datetime | UnsetType = UNSET
    rules: Text | UnsetType = UNSET
    room: Room | UnsetType = UNSET
    event: Event | UnsetType = UNSET
    registered: tuple[Count, Count, Count] | UnsetType = UNSET
    kinds: tuple[str, str, str] | UnsetType = UNSET
    balances: tuple[Amount, Amount, Amount] | UnsetType = UNSET
    balance_kind: BalanceKind | UnsetType = UNSET
    shuffle: Shuffle | UnsetType = UNSET
    wild: RankText | UnsetType = UNSET
    first: Seat | UnsetType = UNSET
    recorded: Recorded | UnsetType = UNSET
    extra: dict[str, Any] | UnsetType = field(
        name="_extra", default=UNSET
    )  # the line's fields that begin with "_"


class UnreadHand(Hand, forbid_unknown_fields=True, omit_defaults=True):
    """A hand whose actions are still the text that the line has for them; `tabulate` reads those of many hands at once."""

    actions: Raw  # type: ignore[assignment]  # a list after it was read


class Located(Struct, frozen=True, gc=False):
    """A hand, the line of its source on which it begins (counted from 1), and the record's bytes as they came.

    `format` names the format that the hand was first recorded in, where that is not the source's own.
    """

    hand: Hand
    line: int
    raw: bytes
    format: str = ""


class Rejected(Struct, frozen=True, gc=False):
    """A record that cannot become a hand: a code of the catalogue, what is wrong, and the bytes as they came."""

    line: int
    code: str
    detail: str
    raw: bytes


class Skipped(Struct, frozen=True, gc=False):
    """A record (or several) that the format knows and that is no hand, such as a header."""

    line: int
    detail: str
    records: int = 1
