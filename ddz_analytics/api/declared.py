"""Facts that come from elsewhere: any table with columns of the facts, checked and brought to their schema.

Nothing is coerced: a count must be whole, an amount must have at most four decimals, a word must be one of the known ones,
and a hand that is to be scored must say what its score rests on.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import AMOUNT, amounts, ints, known, whole
from ddz_analytics.declared.checks import PLAYS, faults_of
from ddz_analytics.declared.fault import Fault
from ddz_analytics.declared.implied import completed
from ddz_analytics.errors import UsageError
from ddz_analytics.hands import LARGEST_AMOUNT, SCALE
from ddz_analytics.rules.values import nearest
from ddz_analytics.schema import FACTS

REQUIRED = ("hand_id", "landlord_seat", "bombs", "rockets")
ONE_OF = (
    ("winner_seat", "winner_side"),
    *((name, "spring") for name in PLAYS),
)  # of each the one or the other
_EXACT_FLOAT = 2**53
_LONGEST_FRACTION = 60  # digits after the point beyond which an amount is not even looked at


def as_facts(table: pa.Table) -> pa.Table:
    """The facts that a table gives: schema FACTS, row by row; a column that may be missing and is counts as null.

    Raises UsageError: `facts_missing`, `facts_column` (with the nearest name), `facts_type`, `facts_value`, `facts_null`.
    """
    _check_names(table.column_names)
    columns = [_column(table, field) for field in FACTS]
    facts = pa.table(columns, schema=FACTS)
    for fault in faults_of(facts):
        _refuse(facts, fault)
    return completed(facts)


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
    for either in (*((name,) for name in REQUIRED), *ONE_OF):
        if not set(either) & set(names):
            missing = " and ".join(either)
            needed = (
                f"needed: {', '.join(REQUIRED)}, winner_seat or winner_side, the plays of each role or spring"
            )
            raise UsageError("facts_missing", f"the column {missing} is missing", mend=needed)


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


def _refuse(facts: pa.Table, fault: Fault) -> None:
    """Raise the coded error of the first row where a column is wrong."""
    if fault.where.any():
        row = int(np.flatnonzero(fault.where)[0])
        value = facts[fault.name][row].as_py()
        said = "" if value is None else f" {value}"
        code = "facts_null" if fault.code == "missing_field" else "facts_value"
        where = f"row {row}, hand_id {facts['hand_id'][row].as_py()}"
        raise UsageError(code, f"{fault.name}{said} {fault.what}", where=where)
