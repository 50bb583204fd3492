"""What a mapping may say, key by key: the structs that a mapping file is read into; `docs/mapping.md` explains every key.

An empty text or list means that the key is not given. Where a column stands a text is short for `{ column = "…" }`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ddz_analytics.hands import Act, Actor, Amount, BalanceKind, Event, Outcome, Room, Shuffle, Stage
from ddz_analytics.mapping.formats import TableFormat, Text

Names = Text | tuple[Text, ...]
Word = str | int  # what a word of a code table stands for
FormatName = Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9-]*\Z", max_length=60)]


class _Said(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a mapping: a key that is not known is refused."""


class Column(_Said, frozen=True, kw_only=True):
    """Where a value stands and what it means.

    `of` names another table than the section's; its rows of the hand (and seat) must agree, and `where` chooses among them by
    the texts of other columns. `codes` maps every word that may stand there, `null` says what no value stands for. `counted_from`
    is the number of the first seat, `divide` what an amount is to be divided by, `less` a column that is taken from it, `time`
    how a time is written: iso, seconds, milliseconds (since 1970), or a pattern such as `%d.%m.%Y %H:%M`; `by` says whether a
    seat is meant by its player or by its number.
    """

    column: Text
    of: str = ""
    where: dict[Text, Names] = {}
    codes: dict[str, Word | Meaning] = {}
    null: Word | Meaning | UnsetType = UNSET
    counted_from: Literal[0, 1] = 0
    divide: Annotated[int, Meta(ge=1)] = 1
    less: str = ""
    time: Text = "iso"
    by: Literal["player", "seat"] = "player"


class Meaning(_Said, frozen=True, kw_only=True):
    """What a word of an act column stands for: an act (turn: a play if there are cards, else a pass; skip: none) and its fields."""

    act: Act | Literal["turn", "skip"]
    value: Amount | UnsetType = UNSET
    actor: Actor | UnsetType = UNSET
    stage: Stage | UnsetType = UNSET


Where = Text | Column


class Cards(_Said, frozen=True, kw_only=True):
    """How cards are written.

    The words of a card are one of `suits` and one of `ranks` in this `order` (without `suits` a rank alone), or one of `jokers`;
    they stand for the letters of `ddz/1`. `numbers` makes words of numbers instead: rank or suit is what counts up first, then
    come the small and the big joker. A set is cut at `separator` (empty: cards follow each other), after the characters `strip`
    were taken from its ends and those of each word. `hex` says that a number in JSON is meant in hexadecimal digits (`0x13`).
    """

    suits: dict[Text, Literal["S", "H", "C", "D"]] = {}
    ranks: dict[Text, Text] = {}
    order: Literal["suit-rank", "rank-suit"] = "suit-rank"
    jokers: dict[Text, Literal["B", "R"]] = {}
    numbers: Numbers | UnsetType = UNSET
    separator: str = ","
    strip: str = " "
    hex: bool = False


class Numbers(_Said, frozen=True, kw_only=True):
    """Cards as numbers from `first` on: `ranks` and `suits` in the order of their numbers, `within` a rank the suits or the other way."""

    within: Literal["rank", "suit"]
    ranks: Text = "3456789TJQKA2"
    suits: Text = "SHCD"
    first: int = 0
    small_joker: int = 52
    big_joker: int = 53


class Table(TableFormat, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table: its files, how they are written, the columns of the hand's key, and whose row it is.

    `files` are patterns (`*`, `?`, `[…]`, `**`) for the end of a path. `repeated` once counts rows that are the same in every
    column as one; refuse rejects the hand. `optional` admits that no file is there. `player` or `seat` is the column that says
    whose row it is.
    """

    files: Names
    key: Names
    player: str = ""
    seat: str | Column = ""
    repeated: Literal["refuse", "once"] = "refuse"
    optional: bool = False


class RoomColumns(_Said, frozen=True, kw_only=True):
    """What the room fixes: amounts."""

    unit: str | Column = ""
    low: str | Column = ""
    high: str | Column = ""
    rate: str | Column = ""
    fee: str | Column = ""
    double_threshold: str | Column = ""


class RecordedColumns(_Said, frozen=True, kw_only=True):
    """What the platform says came out of the hand as a whole."""

    bid: str | Column = ""
    multiplier: str | Column = ""


class HandColumns(_Said, frozen=True, kw_only=True):
    """The table `of` one row per hand, and the columns of its fields.

    `without_landlord` is the outcome of a hand that has none; `extra` are columns that are kept as they are, under names that
    begin with `_`.
    """

    of: Text
    id: Where
    table: str | Column = ""
    match: str | Column = ""
    no: str | Column = ""
    started_at: str | Column = ""
    ended_at: str | Column = ""
    rules: str | Column = ""
    event: str | Column = ""
    balance_kind: str | Column = ""
    shuffle: str | Column = ""
    wild: str | Column = ""
    first: str | Column = ""
    landlord: str | Column = ""
    outcome: str | Column = ""
    bottom: str | Column = ""
    without_landlord: Outcome | UnsetType = UNSET
    room: RoomColumns = RoomColumns()
    recorded: RecordedColumns = RecordedColumns()
    extra: dict[Annotated[str, Meta(pattern=r"\A_.")], Where] = {}


Three = Annotated[tuple[Where, ...], Meta(min_length=3, max_length=3)]
PerSeat = str | Column | Three


class SeatColumns(_Said, frozen=True, kw_only=True):
    """Who sits where, and what each seat has.

    Either `players` are three columns of the hand's row in order of play, or a table `of` a row per seat says by its player or
    seat whose row it is. Where it says no seats the `order` acts takes them from the first two players who play, else bid. `role`
    tells the landlord by the word landlord. The others are columns of that table, or three columns of the hand's row.
    `bottom_in_hand` says that what was dealt to the landlord includes the bottom cards.
    """

    players: Three | UnsetType = UNSET
    of: str = ""
    order: Literal["seat", "acts"] = "seat"
    role: str | Column = ""
    dealt: PerSeat
    kind: PerSeat = ""
    registered: PerSeat = ""
    balance: PerSeat = ""
    score: PerSeat = ""
    fee: PerSeat = ""
    balance_after: PerSeat = ""
    bottom_in_hand: bool = False


class Acts(_Said, frozen=True, kw_only=True):
    """A table `of` acts, in the order of the numbers in some columns (else of seats), after those of all earlier sections.

    Sections of the same `phase` are put in one order together. `every` row is this act, or `act` is the column that says which;
    the others are the columns of its fields.
    """

    of: Text
    order: Names = ()
    phase: int | UnsetType = UNSET
    every: Act | Literal["turn", ""] = ""
    act: str | Column = ""
    value: str | Column = ""
    cards: str | Column = ""
    ms: str | Column = ""
    actor: str | Column = ""
    stage: str | Column = ""
    dealt: str | Column = ""
    sent: str | Column = ""


class Constants(_Said, frozen=True, kw_only=True):
    """Fields that are the same for every hand and stand in no column."""

    rules: Text | UnsetType = UNSET
    match: Text | UnsetType = UNSET
    event: Event | UnsetType = UNSET
    balance_kind: BalanceKind | UnsetType = UNSET
    shuffle: Shuffle | UnsetType = UNSET
    outcome: Outcome | UnsetType = UNSET
    room: Room | UnsetType = UNSET


class Relational(_Said, frozen=True, kw_only=True, tag_field="format", tag="relational"):
    """A mapping of tables; `name` is what the store calls the format of these logs, `zone` that of times without an offset."""

    name: FormatName
    tables: dict[Text, Table]
    hand: HandColumns
    seats: SeatColumns
    acts: list[Acts] = []
    cards: Cards
    constants: Constants = Constants()
    zone: str = ""


class Stream(_Said, frozen=True, kw_only=True):
    """What all events have: paths, keys with dots between, from the event's own object on.

    `kind` is its name. Events of one `game` have one id there; without it, games follow each other in every `group` (a table, a
    room). Where an event comes once for everybody who was told, `recipients` are the paths that say to whom, and copies count as
    one. `ignore` are names of events that say nothing here; `without_end` is the outcome of a game that no event closes.
    """

    kind: Text
    game: str = ""
    group: Names = ()
    recipients: Names = ()
    ignore: Names = ()
    without_end: Outcome | UnsetType = UNSET


HandField = Literal[
    "id", "table", "match", "no", "started_at", "ended_at", "rules", "event", "balance_kind", "shuffle", "wild", "first",
    "landlord", "outcome", "bottom", "room.unit", "room.low", "room.high", "room.rate", "room.fee", "room.double_threshold",
    "recorded.bid", "recorded.multiplier",
]  # fmt: skip
SeatField = Literal["player", "dealt", "kind", "registered", "balance", "score", "fee", "balance_after"]


class EventKind(_Said, frozen=True, kw_only=True):
    """What an event means: a game `opens` or `closes` with it, it has an `outcome`, it is an `act`, it says fields.

    `act` is the act itself, or a column whose codes say which. `seat` or `player` says whose event it is. `hand` are fields of
    the hand, `seats` fields of the event's seat, or, where `each` is the path of a list, of each of its entries; whose an entry
    is, its `each_seat` says (the number of a seat or, if the mapping says by = "player", a player), else its place in the list.
    """

    opens: bool = False
    closes: bool = False
    outcome: Outcome | UnsetType = UNSET
    act: Act | Literal["turn", ""] | Column = ""
    seat: str | Column = ""
    player: str | Column = ""
    value: str | Column = ""
    cards: str | Column = ""
    ms: str | Column = ""
    actor: str | Column = ""
    stage: str | Column = ""
    dealt: str | Column = ""
    sent: str | Column = ""
    hand: dict[HandField, Where] = {}
    seats: dict[SeatField, Where] = {}
    each: str = ""
    each_seat: str | Column = ""


class Events(_Said, frozen=True, kw_only=True, tag_field="format", tag="events"):
    """A mapping of streams of events in JSON; the events `on` which something happens go by the names that `kind` gives them.

    `files` are patterns for the end of a path (empty: all that is ingested); `bottom_in_hand` says that what is dealt to the
    landlord includes the bottom cards.
    """

    name: FormatName
    files: Names = ()
    stream: Stream
    on: dict[Text, EventKind]
    cards: Cards
    bottom_in_hand: bool = False
    constants: Constants = Constants()
    zone: str = ""


Mapping = Relational | Events
