"""Some rows of the `hands` table as flat arrays: what replay computes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import repeat
from typing import NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.auction_state import Said
from ddz_analytics.cards import RANKS, counts, unsuited
from ddz_analytics.columns import Codes, Flags, Ints, ints, uncoded, whole
from ddz_analytics.combinations import Switches
from ddz_analytics.errors import UsageError
from ddz_analytics.hands import ACTORS, ACTS, OUTCOMES, SEATS, STAGES
from ddz_analytics.play import Acted
from ddz_analytics.rules import RuleSet, load_rules, shipped_overlays, shipped_rules, switches_of
from ddz_analytics.wilds import NO_WILD

# The codes of acts come in groups: words of the auction, then other acts before the play, play and pass, states of a seat.
OPEN, PLAY, PASS, ESCAPE = (ACTS.index(act) for act in ("open", "play", "pass", "escape"))
COMPLETE, REDEAL, ESCAPED, UNFINISHED = (
    OUTCOMES.index(outcome) for outcome in ("complete", "redeal", "escaped", "unfinished")
)
NOBODY = -1
SHUTTLE = "space_shuttle"  # in a format's dialect: it knows chains of quads, which no switch covers


class Format(Protocol):
    """What replay must know of the format that a hand came in."""

    @property
    def records(self) -> frozenset[str]:
        """What the format can say."""

    @property
    def switches(self) -> Mapping[str, bool]:
        """The dialect of combination switches."""


class Context(NamedTuple):
    """By what a hand is judged: the rule set it was played under (None: not known) and its format's dialect."""

    recorded: str | None
    rules: RuleSet | None
    switches: Switches
    has_shuttle: bool
    records: frozenset[str]


@dataclass
class Batch:
    """Hands and their actions: arrays over hands (n), over hands and seats (n, 3), and over all actions."""

    table: pa.Table
    contexts: list[Context]
    context: Ints  # n: place in contexts
    landlord: Ints  # n, NOBODY where there is none
    first: Ints  # n, NOBODY where the log does not say
    outcome: Ints  # place in OUTCOMES
    escaped: Flags
    suited: Flags
    wild: Ints  # n: the wild rank, NO_WILD where there is none
    held: Ints  # (n, 3) masks at the first play: the landlord's with the bottom
    offsets: Ints  # n + 1
    hand: Ints  # of each action
    seat: Codes
    act: Codes
    cards: Ints
    value: Ints  # in 1/10,000, NOBODY where the log does not say
    ms: Ints  # NOBODY where the log does not say
    actor: Codes  # NOBODY where the log does not say, and so on
    stage: Codes
    dealt: Codes
    declared: pa.Array
    wilds_as: pa.Array

    def __len__(self) -> int:
        return len(self.landlord)

    @cached_property
    def held_counts(self) -> Ints:
        """The counts of what each seat holds at the first play (n, 3)."""
        return counts(self.held)

    @cached_property
    def turns(self) -> Ints:
        """The rows of all plays and passes."""
        return np.flatnonzero((self.act == PLAY) | (self.act == PASS))

    @cached_property
    def first_turn(self) -> Ints:
        """The row of the first play or pass of each hand, the number of all actions where there is none."""
        return self.first_of(self.turns)

    def first_of(self, rows: Ints) -> Ints:
        """The first of some rows (in order) in each hand, the number of all actions where there is none."""
        place = np.searchsorted(rows, self.offsets)
        found, there = np.full(len(self), len(self.act)), place[:-1] < place[1:]
        found[there] = rows[place[:-1][there]]
        return found

    def last_of(self, rows: Ints) -> Ints:
        """The last of some rows (in order) in each hand, `NOBODY` where there is none."""
        place = np.searchsorted(rows, self.offsets)
        found, there = np.full(len(self), NOBODY), place[:-1] < place[1:]
        found[there] = rows[place[1:][there] - 1]
        return found

    def rows_of(self, hand: int) -> Ints:
        """The rows of one hand's actions."""
        return np.arange(self.offsets[hand], self.offsets[hand + 1])

    def acted(self, rows: Ints) -> list[Acted]:
        """Some actions for the scalar walk."""
        columns = (
            self.seat[rows].tolist(),
            [ACTS[code] for code in self.act[rows].tolist()],
            self.cards[rows].tolist(),
            self.value[rows].tolist(),
            [None if code == NOBODY else ACTORS[code] for code in self.actor[rows].tolist()],
            self.ms[rows].tolist(),
            _texts(self.declared, rows),
            _texts(self.wilds_as, rows),
            [None if code == NOBODY else STAGES[code] for code in self.stage[rows].tolist()],
        )
        return [Acted(*row) for row in zip(*columns, strict=False)]

    def said(self, rows: Ints, numbers: Ints) -> list[Said]:
        """Some actions as acts before the play, which have these numbers."""
        columns = (self.seat, self.act, self.value, self.stage, self.dealt)
        words = zip(*(column[rows].tolist() for column in columns), numbers.tolist(), strict=True)
        return [
            Said(
                seat,
                ACTS[act],
                or_none(value),
                STAGES[stage] if stage != NOBODY else None,
                or_none(dealt),
                number,
            )
            for seat, act, value, stage, dealt, number in words
        ]


def or_none(number: int) -> int | None:
    """None for `NOBODY`."""
    return None if number == NOBODY else number


def _texts(column: pa.Array, rows: Ints) -> Iterable[str | None]:
    return repeat(None) if column.null_count == len(column) else column.take(pa.array(rows)).to_pylist()


@cache
def known_rules(recorded: str) -> RuleSet | None:
    """The shipped rule set (with shipped overlays) that a log names; None when it is none of them. Never a file."""
    shipped = {*shipped_rules(), *shipped_overlays()}
    if not all(part in shipped for part in recorded.split("+")):
        return None
    try:
        return load_rules(recorded)
    except UsageError:  # overlays in a place where they cannot stand
        return None


def context_of(recorded: str | None, form: Format) -> Context:
    """The recorded rule set's switches, else the dialect of the format, else the defaults."""
    rules = known_rules(recorded) if recorded is not None else None
    if rules is not None:
        switches = switches_of(rules)
    else:
        switches = Switches(**{name: on for name, on in form.switches.items() if name != SHUTTLE})
    return Context(recorded, rules, switches, form.switches.get(SHUTTLE, False), form.records)


def read_batch(table: pa.Table, formats: Mapping[str, Format]) -> Batch:
    """The arrays of some rows of the `hands` table; `formats` has each source format by name."""
    rules, form = whole(table["recorded_rules"]), whole(table["source_format"])
    context, rows = alike(rules, form)
    known_as = zip(*(column.take(pa.array(rows)).to_pylist() for column in (rules, form)), strict=True)
    lists = whole(table["actions"])
    offsets = ints(lists.offsets)
    actions = lists.flatten()
    column = {field.name: actions.field(place) for place, field in enumerate(actions.type)}
    landlord = ints(table["landlord_seat"], missing=NOBODY)
    outcome = ints(pc.index_in(whole(table["outcome"]), value_set=pa.array(OUTCOMES)))
    return Batch(
        table=table,
        contexts=[context_of(recorded, formats[name]) for recorded, name in known_as],
        context=context,
        landlord=landlord,
        first=ints(table["first_seat"], missing=NOBODY),
        outcome=outcome,
        escaped=outcome == ESCAPED,
        suited=ints(table["suited"]) == 1,
        wild=ints(pc.index_in(whole(table["wild_rank"]), value_set=pa.array([*RANKS])), missing=NO_WILD),
        held=_held(table, landlord),
        offsets=offsets - offsets[0],
        hand=np.repeat(np.arange(len(table)), np.diff(offsets)),
        seat=uncoded(column["seat"]),
        act=uncoded(column["act"]),
        cards=ints(column["cards"]),
        value=_maybe(column["value"]),
        ms=_maybe(column["ms"]),
        actor=uncoded(column["actor"]),
        stage=uncoded(column["stage"]),
        dealt=uncoded(column["dealt"]),
        declared=column["declared"],
        wilds_as=column["wilds_as"],
    )


def alike(*columns: pa.Array) -> tuple[Ints, Ints]:
    """A number for each row of some columns, the same for equal rows, counted as they come; and the first row with each number."""
    numbers = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        encoded = column.dictionary_encode(null_encoding="encode")
        both = numbers * len(encoded.dictionary) + ints(encoded.indices)
        numbers = ints(pa.array(both).dictionary_encode().indices)
    return numbers, np.unique(numbers, return_index=True)[1]


def _maybe(column: pa.Array) -> Ints:
    """The numbers of a column that often has none at all, which then takes no memory."""
    if column.null_count == len(column):
        return np.broadcast_to(np.int64(NOBODY), len(column))
    return ints(column, missing=NOBODY)


def _held(table: pa.Table, landlord: Ints) -> Ints:
    """What each seat holds when the play begins."""
    dealt = np.stack([ints(table[f"dealt_{seat}"]) for seat in range(SEATS)], axis=1)
    bottom, suited = ints(table["bottom"]), ints(table["suited"]) == 1
    taker = np.flatnonzero(landlord != NOBODY)
    seats = landlord[taker]
    with_bottom = np.where(suited[taker], dealt[taker, seats] | bottom[taker], 0)
    plain = ~suited[taker]
    merged = counts(dealt[taker, seats]) + counts(bottom[taker])
    with_bottom[plain] = unsuited(merged[plain])
    dealt[taker, seats] = with_bottom
    return dealt
