"""The public functions that need no store, as `ddz_analytics` offers them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, TypeVar

import pyarrow as pa

from ddz_analytics.api.auction_result import Act, Amount, AuctionResult, auction
from ddz_analytics.api.declared import as_facts, exact_amount
from ddz_analytics.api.payments import minimise
from ddz_analytics.auction_state import Fault
from ddz_analytics.cards import RANK_OF, RANKS, SMALL_JOKER, SUITS, counts_of, is_suited, pack
from ddz_analytics.combinations import Reading, Switches, following, is_declared, readings_of
from ddz_analytics.errors import BadRecord, DdzError, UsageError
from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet, load_rules
from ddz_analytics.rules.values import nearest
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.settle import settle as settle_facts
from ddz_analytics.wilds import readings_with_wilds

__all__ = [
    "Act",
    "Amount",
    "Answer",
    "AuctionResult",
    "DdzError",
    "Fault",
    "Permission",
    "Reading",
    "RuleSet",
    "Switches",
    "auction",
    "beats",
    "classify",
    "load_rules",
    "may_double",
    "minimise",
    "settle",
]

Given = TypeVar("Given")
SwitchesLike = Switches | Mapping[str, bool] | None


class Permission(NamedTuple):
    """Whether a seat may double, else why not.

    `reason` is `own` (its own balance), `landlord` (his), `someone` (one of the three) or `not_offered`.
    """

    allowed: bool
    reason: str | None


@dataclass(frozen=True)
class Answer:
    """Whether a play beats another (its truth value), with the readings that were used.

    `reading` is how the play is read, None when it does not beat; `previous` how the play to beat is read. `reread`: it is
    not its leading reading but another one that was needed, as replay would take it from what follows.
    """

    beats: bool
    reading: Reading | None
    previous: Reading
    reread: bool = False

    def __bool__(self) -> bool:
        """Whether the play beats."""
        return self.beats


def classify(cards: str, wild: str | None = None, *, switches: SwitchesLike = None) -> tuple[Reading, ...]:
    """Every way to read a set of cards as a combination, the leading one first; empty when it is none.

    `cards` as in `ddz/1`: ranks in any order ("333R", "10" for "T"), or cards with suits, separated by spaces ("S3 H3 R").
    `wild`: the rank of the wild cards, in a game that has them; then a bomb is a bomb_soft, bomb_hard or bomb_pure.
    `switches`: those that differ from the defaults. Raises UsageError `bad_cards`, `wild_rank`, `switch`.
    Source: jj J12-J22, jj2 L14-L26.
    """
    return _readings(cards, wild, _switches(switches))


def beats(  # noqa: PLR0913 - each of the last four may be left out, and is named
    play: str,
    previous: str,
    *,
    wild: str | None = None,
    switches: SwitchesLike = None,
    declared: Reading | str | None = None,
    previous_declared: Reading | str | None = None,
) -> Answer:
    """Whether one set of cards, played after another, beats it; `wild` and `switches` as in `classify`.

    A declared reading is a `Reading`, a category ("bomb"), or "category:length:main"; it is not read in another way. An
    undeclared play to beat is taken in its leading reading, else in the first that is beaten. A play that cannot be read (as
    declared) does not beat; for a play to beat this raises UsageError `illegal_combination` or `declared_reading`.
    Also raises `bad_cards`, `wild_rank`, `switch`. Source: jj J23-J25, jj2 L27, L28.
    """
    chosen = _switches(switches)
    readings = _declared(_readings(play, wild, chosen), declared)
    to_beat = _readings(previous, wild, chosen)
    if not to_beat:
        raise UsageError(
            "illegal_combination", f"{previous} is no combination", mend="ask what beats a legal play"
        )
    to_beat = _declared(to_beat, previous_declared)
    if not to_beat:
        raise UsageError("declared_reading", f"{previous} cannot be read as {previous_declared}")
    if previous_declared is not None:
        to_beat = to_beat[:1]
    for place, other in enumerate(to_beat):
        reading = following(readings, other)
        if reading is not None:
            return Answer(beats=True, reading=reading, previous=other, reread=place > 0)
    return Answer(beats=False, reading=None, previous=to_beat[0])


def may_double(
    rules: RuleSet | str, balances: Sequence[Amount], threshold: Amount, landlord: int
) -> tuple[Permission, Permission, Permission]:
    """Which of the seats 0, 1, 2 may double, by their balances and the room's threshold (points or coins, exact).

    Raises UsageError `amount`, `seat`, and what `load_rules` raises. Source: happy H18, H19.
    """
    chosen = load_rules(rules) if isinstance(rules, str) else rules
    if isinstance(landlord, bool) or landlord not in range(SEATS) or len(balances) != SEATS:
        raise UsageError(
            "seat", "a balance for each of three seats, and the landlord's seat", mend="seats are 0, 1 and 2"
        )
    if chosen.double_factor == 1:
        refused = Permission(allowed=False, reason="not_offered")
        return refused, refused, refused
    row: dict[str, object] = {
        "hand_id": 0,
        "landlord_seat": landlord,
        "winner_seat": landlord,
        "bombs": 0,
        "rockets": 0,
    }
    row["room_double_threshold"] = _decimal(threshold)
    for place, role in enumerate(ROLES):
        row |= {f"{role}_plays": 1, f"{role}_doubled": 2}
        row[f"{role}_balance"] = _decimal(balances[(landlord + place) % SEATS])
    settled = settle(pa.Table.from_pylist([row]), chosen)
    by_role = [settled[f"double_refused_{role}"][0].as_py() for role in ROLES]
    first, second, third = (by_role[(seat - landlord) % SEATS] for seat in range(SEATS))
    return (
        Permission(first is None, first),
        Permission(second is None, second),
        Permission(third is None, third),
    )


def settle(facts: Given, rules: RuleSet | str) -> Given:
    """The settlement of each row of facts under a rule set (or the spec of one), in the order of the rows.

    `facts` is an Arrow table or a pandas DataFrame with columns of `settle_facts`, amounts in points or coins; hand_id,
    landlord_seat, winner_seat, bombs, rockets and the plays of each role must be there, any other column that is missing
    counts as null. The answer is the same kind of table (a DataFrame keeps its index and is Arrow-backed) with the columns of
    the stored settlements: amounts DECIMAL(18,4) by role, `assumed` a bit for each place in `assumptions.CODES`.
    Raises UsageError `facts_table`, `facts_missing`, `facts_column` (with the nearest name), `facts_type`, `facts_value`,
    `facts_null`, and what `load_rules` raises. Source: RULES of the rule set, section by section.
    """
    chosen = load_rules(rules) if isinstance(rules, str) else rules
    if isinstance(facts, pa.Table):
        settled: Given = settle_facts(as_facts(facts), chosen)
        return settled
    return _settle_frame(facts, chosen)


def _settle_frame(facts: Given, rules: RuleSet) -> Given:
    import pandas as pd  # only who has a DataFrame needs it

    if not isinstance(facts, pd.DataFrame):
        what = f"facts are a {type(facts).__name__}"
        raise UsageError("facts_table", what, mend="give an Arrow table or a pandas DataFrame")
    try:
        table = pa.Table.from_pandas(facts, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError) as wrong:
        raise UsageError("facts_type", str(wrong).splitlines()[0], mend="one type in each column") from wrong
    frame: Given = (
        settle_facts(as_facts(table), rules).to_pandas(types_mapper=pd.ArrowDtype).set_axis(facts.index)
    )
    return frame


def _readings(cards: str, wild: str | None, switches: Switches) -> tuple[Reading, ...]:
    counts = _counts(cards)
    if wild is None:
        return readings_of(counts, switches)
    rank = RANK_OF.get("T" if wild == "10" else wild, SMALL_JOKER)
    if rank >= SMALL_JOKER:
        raise UsageError("wild_rank", f"{wild!r} cannot be wild", mend=f"one of {RANKS[:SMALL_JOKER]}")
    return readings_with_wilds(counts, rank, switches)


def _counts(cards: str) -> int:
    """The packed counts of a card text; suits, where there are any, do not matter."""
    try:
        return counts_of(pack(cards, suited=is_suited(cards) or cards[:1] in SUITS))
    except BadRecord as wrong:
        raise UsageError(
            wrong.code, wrong.detail, mend="ranks 3456789TJQKA2 and the jokers B and R"
        ) from wrong


def _switches(switches: SwitchesLike) -> Switches:
    given = (
        {} if switches is None else switches._asdict() if isinstance(switches, Switches) else dict(switches)
    )
    for name, on in given.items():
        if name not in Switches._fields:
            mend = f"nearest: {nearest(str(name), Switches._fields)}"
            raise UsageError("switch", f"unknown switch {name}", mend=mend)
        if not isinstance(on, bool):
            raise UsageError("switch", f"{name} = {on!r} is no switch", mend="allowed: False, True")
    return Switches(**given)


def _declared(readings: tuple[Reading, ...], declared: Reading | str | None) -> tuple[Reading, ...]:
    """Those of the readings that are as declared."""
    if declared is None:
        return readings
    if isinstance(declared, Reading):
        return tuple(reading for reading in readings if reading == declared)
    return tuple(reading for reading in readings if is_declared(reading, declared))


def _decimal(value: Amount) -> Decimal:
    """The amount with its four decimals."""
    return Decimal(exact_amount(value)).scaleb(-4)
