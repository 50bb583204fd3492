"""Facts that come from elsewhere: any table with columns of the facts, checked and brought to their schema.

Nothing is coerced: a count must be whole, an amount must have at most four decimals, a word must be one of the known ones,
and a hand that is to be scored must say what its score rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.cards import RANKS, SMALL_JOKER
from ddz_analytics.columns import AMOUNT, Flags, amounts, ints, known, whole
from ddz_analytics.errors import UsageError
from ddz_analytics.hands import LARGEST_AMOUNT, OUTCOMES, SCALE, SEATS, STAGES
from ddz_analytics.rules.values import nearest
from ddz_analytics.schema import FACTS, ROLES
from ddz_analytics.settlement.columns import Facts

REQUIRED = (
    "hand_id",
    "landlord_seat",
    "winner_seat",
    "bombs",
    "rockets",
    *(f"{role}_plays" for role in ROLES),
)

_WORDS: Mapping[str, tuple[str, ...]] = {
    "evidence": ("replayed", "declared"),
    "replay_status": ("ok", "unfinished", "no_play", "faulty"),
    "outcome": OUTCOMES,
    "auction_kind": ("none", "score", "room", "rob"),
    "auction_forced": ("starter", "first_opener"),
    "escape_stage": ("before_any_bid", "auction", "play"),
    "seating_scope": ("ever", "match", "day"),
    "wild_rank": tuple(RANKS[:SMALL_JOKER]),
    **{f"{role}_open_stage": STAGES for role in ROLES},
}
_NUMBERS: Mapping[str, tuple[int, ...]] = {
    **{
        f"{name}_seat": tuple(range(SEATS))
        for name in ("landlord", "winner", "first", "first_opener", "escaped")
    },
    **{f"{role}_doubled": (1, 2, 4) for role in ROLES},
}
_MOST = {"bombs": 13, "rockets": 1, "robs": 3}  # of one deck, and of three seats with a chance each
_KINDS = ("soft_bombs", "hard_bombs", "pure_bombs")
_EXACT_FLOAT = 2**53
_LONGEST_FRACTION = 60  # digits after the point beyond which an amount is not even looked at


class _Fault(NamedTuple):
    """Where a column does not hold what it must, and what that is."""

    where: Flags
    what: str


def as_facts(table: pa.Table) -> pa.Table:
    """The facts that a table gives: schema FACTS, row by row; a column that may be missing and is counts as null.

    Raises UsageError: `facts_missing`, `facts_column` (with the nearest name), `facts_type`, `facts_value`, `facts_null`.
    """
    _check_names(table.column_names)
    columns = [_column(table, field) for field in FACTS]
    facts = pa.table(columns, schema=FACTS)
    for name in FACTS.names:
        _refuse("facts_value", name, facts, _wrong_value(facts, name))
    read = Facts(facts)
    played, left = _played(read), _left(read)
    for name, fault in (_needed(read) | _needed_of_wilds(read)).items():
        _refuse("facts_null", name, facts, fault._replace(where=fault.where & played))
    for name, fault in (_needed_of_escapes(read) | _needed_of_wilds(read)).items():
        _refuse("facts_null", name, facts, fault._replace(where=fault.where & left))
    for name, fault in _impossible(read).items():
        _refuse("facts_value", name, facts, fault._replace(where=fault.where & (played | left)))
    return facts


def exact_amount(value: int | str | Decimal) -> int:
    """An amount in 1/10,000; raises UsageError `amount` for a float, a fifth decimal or more than fourteen digits."""
    mend = 'give a whole number, a Decimal or a text such as "0.5"'
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
        raise UsageError("amount", f"{value!r} is no exact amount", mend=mend)
    try:
        number = Decimal(value)
        in_reach = abs(number) <= LARGEST_AMOUNT and number.adjusted() > -_LONGEST_FRACTION
        scaled = Fraction(number) * SCALE if in_reach else Fraction(1, 2)
    except (ArithmeticError, ValueError, TypeError):
        scaled = Fraction(1, 2)
    if scaled.denominator != 1:
        raise UsageError("amount", f"{value!r} is no amount with at most four decimals", mend=mend)
    return int(scaled)


def _check_names(names: list[str]) -> None:
    for name in names:
        if name not in FACTS.names:
            raise UsageError(
                "facts_column", f"unknown column {name}", mend=f"nearest: {nearest(str(name), FACTS.names)}"
            )
        if names.count(name) > 1:
            raise UsageError("facts_column", f"two columns are called {name}", mend="name each column once")
    for name in REQUIRED:
        if name not in names:
            raise UsageError(
                "facts_missing", f"the column {name} is missing", mend=f"needed: {', '.join(REQUIRED)}"
            )


def _column(table: pa.Table, field: pa.Field) -> pa.Array:
    """One column in its type, or `facts_type`."""
    if field.name not in table.column_names:
        return pa.nulls(len(table), field.type)
    column = whole(table[field.name])
    if pa.types.is_null(column.type):
        return pa.nulls(len(table), field.type)
    if not _is_kind(column.type, field.type):
        raise UsageError(
            "facts_type", f"column {field.name} is {column.type}", mend=f"it must be {field.type}"
        )
    try:
        return as_amounts(column) if field.type == AMOUNT else column.cast(field.type)
    except (pa.ArrowException, ValueError) as wrong:
        what = f"column {field.name}: {str(wrong).splitlines()[0]}"
        raise UsageError("facts_type", what, mend=f"it must be {field.type}") from wrong


def _is_kind(given: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether a type can hold values of another without changing what they mean."""
    types = pa.types
    if types.is_boolean(wanted):
        return bool(types.is_boolean(given))
    if types.is_string(wanted):
        texts = given.value_type if types.is_dictionary(given) else given
        return bool(types.is_string(texts) or types.is_large_string(texts) or types.is_string_view(texts))
    return bool(types.is_integer(given) or types.is_floating(given) or types.is_decimal(given))


def as_amounts(column: pa.Array) -> pa.Array:
    """DECIMAL(18,4) from whole numbers, decimals, or floats that are the nearest to a number with four decimals."""
    if pa.types.is_decimal(column.type):
        return column.cast(AMOUNT)
    there = known(column)
    if pa.types.is_integer(column.type):
        values = ints(column.cast(pa.int64()))
        exact = np.abs(values) <= LARGEST_AMOUNT
    else:
        floats = column.cast(pa.float64()).fill_null(0.0).to_numpy(zero_copy_only=False)
        scaled = np.rint(floats * SCALE)
        exact = (np.abs(scaled) < _EXACT_FLOAT) & (scaled / SCALE == floats)
        values = np.where(exact, scaled, 0).astype(np.int64)
    if not exact.all():
        row = int(np.flatnonzero(~exact)[0])
        raise ValueError(f"{column[row]} in row {row} is no amount with at most four decimals")
    return amounts(values * SCALE if pa.types.is_integer(column.type) else values, there)


def _wrong_value(facts: pa.Table, name: str) -> _Fault:
    """Where a column has a value that it cannot have, in any hand."""
    column = whole(facts[name])
    there = known(column)
    if name in _WORDS:
        allowed = _WORDS[name]
        is_word = pc.is_in(column, value_set=pa.array(allowed)).to_numpy(zero_copy_only=False)
        return _Fault(there & ~is_word, f"is none of {', '.join(allowed)}")
    if name in _NUMBERS:
        return _Fault(there & ~np.isin(ints(column), _NUMBERS[name]), f"is none of {_NUMBERS[name]}")
    if column.type == pa.int64() and name != "hand_id":
        return _Fault(there & (ints(column) < 0), "is negative")
    return _Fault(np.zeros(len(facts), dtype=bool), "")


def _left(facts: Facts) -> Flags:
    """The hands that somebody left, for which some rule set fines him."""
    left: Flags = facts.equals("outcome", "escaped") & ~facts.equals("replay_status", "faulty")
    return left


def _played(facts: Facts) -> Flags:
    """The hands that some rule set would score by what was played; the others need no more than what tells them apart."""
    complete = (
        ~facts.known("outcome") | facts.equals("outcome", "complete") | facts.equals("outcome", "redeal")
    )
    thrown_in = facts.flag("nobody_bid") & ~facts.known("landlord_seat")
    played: Flags = complete & ~facts.equals("replay_status", "faulty") & ~thrown_in
    return played


def _needed(facts: Facts) -> dict[str, _Fault]:
    """What a scored hand must say, because silence would be taken for a zero."""
    names = [name for name in REQUIRED if name != "hand_id"]
    needed = {name: _Fault(~facts.known(name), "is null in a hand that is to be scored") for name in names}
    needed["bid"] = _unsaid_bid(facts)
    for role in ROLES[1:]:
        for flag, cards in (("autoplay", "autoplay_cards"), ("autoplay_ever", "autoplay_most_cards")):
            silent = facts.flag(f"{role}_{flag}") & ~facts.known(f"{role}_{cards}")
            needed[f"{role}_{cards}"] = _Fault(silent, f"is null though {role}_{flag} is true")
    return needed


def _unsaid_bid(facts: Facts) -> _Fault:
    by_amount = facts.equals("auction_kind", "score") | (
        facts.equals("auction_kind", "room") & (facts.ints("robs") == 0)
    )
    won = by_amount & ~facts.flag("auction_silent") & ~facts.flag("nobody_bid")
    return _Fault(won & ~facts.known("bid"), "is null after an auction of bids that somebody won")


def _needed_of_escapes(facts: Facts) -> dict[str, _Fault]:
    """What a hand that somebody left must say, because a fine rests on it."""
    names = ("escaped_seat", "escape_stage")
    needed = {name: _Fault(~facts.known(name), "is null in a hand that somebody left") for name in names}
    in_play, unsaid = facts.equals("escape_stage", "play"), _unsaid_bid(facts)
    for name in ("bombs", "rockets"):
        needed[name] = _Fault(
            in_play & ~facts.known(name), "is null in a hand that somebody left during the play"
        )
    bid_so_far = ~facts.equals("escape_stage", "before_any_bid")
    return needed | {"bid": unsaid._replace(where=unsaid.where & bid_so_far)}


def _needed_of_wilds(facts: Facts) -> dict[str, _Fault]:
    """What a hand with wild cards must say of its bombs."""
    wild = facts.known("wild_rank")
    names = ("needs_wild", *_KINDS)
    return {name: _Fault(wild & ~facts.known(name), "is null in a hand with wild cards") for name in names}


def _impossible(facts: Facts) -> dict[str, _Fault]:
    """What no scored hand can say."""
    found = {name: _Fault(facts.ints(name) > most, f"is more than {most}") for name, most in _MOST.items()}
    wild, kinds = facts.known("wild_rank"), [facts.ints(name) for name in _KINDS]
    unlike = wild & (sum(kinds) != facts.ints("bombs"))
    found["bombs"] = _Fault(
        found["bombs"].where | unlike, f"is more than {_MOST['bombs']}, or not the sum of {', '.join(_KINDS)}"
    )
    for place, name in ((0, "soft_bombs"), (2, "pure_bombs")):
        found[name] = _Fault(~wild & (kinds[place] > 0), "are there, and no wild_rank")
    found["needs_wild"] = _Fault(
        (kinds[0] > 0) & ~facts.flag("needs_wild"), "is not true, and a soft bomb needs a wild card"
    )
    paid = ("bid", *(name for name in FACTS.names if name.startswith("room_")))
    return found | {name: _Fault(facts.amount(name) < 0, "is negative") for name in paid}


def _refuse(code: str, name: str, facts: pa.Table, fault: _Fault) -> None:
    """Raise the coded error of the first row where a column is wrong."""
    if fault.where.any():
        row = int(np.flatnonzero(fault.where)[0])
        value = facts[name][row].as_py()
        said = "" if value is None else f" {value}"
        raise UsageError(
            code, f"{name}{said} {fault.what}", where=f"row {row}, hand_id {facts['hand_id'][row].as_py()}"
        )
