"""One payment by itself: what passes between two balances when payments are minimised."""

from __future__ import annotations

from decimal import Decimal
from typing import overload

import numpy as np
import pyarrow as pa

from ddz_analytics.api.auction_result import Amount
from ddz_analytics.api.declared import as_amounts, exact_amount
from ddz_analytics.columns import Ints, amounts, from_amounts, known, whole
from ddz_analytics.errors import UsageError
from ddz_analytics.hands import SCALE
from ddz_analytics.settlement.balance import budget_of, payment


@overload
def minimise(
    payer_balance: Amount, receiver_balance: Amount, owed: Amount, *, fee: Amount = 0
) -> Decimal: ...


@overload
def minimise(
    payer_balance: pa.Array, receiver_balance: pa.Array, owed: pa.Array, *, fee: Amount = 0
) -> pa.Array: ...


def minimise(
    payer_balance: Amount | pa.Array,
    receiver_balance: Amount | pa.Array,
    owed: Amount | pa.Array,
    *,
    fee: Amount = 0,
) -> Decimal | pa.Array:
    """What the payer pays: the least of his balance, the receiver's balance and what he owes; points or coins, exact.

    Amounts, then the answer is a Decimal; or three Arrow columns of amounts, then it is a DECIMAL(18,4) column, null where one
    of the three is. A balance below zero counts as 0. `fee`: what the payer is to pay the house besides, which comes out of his
    balance first. Raises UsageError `amount` (not exact, a debt or fee below zero, columns of unequal length). Source: jj J38-J40.
    """
    columns = [whole(_column(value)) for value in (payer_balance, receiver_balance, owed)]
    if len({len(column) for column in columns}) > 1:
        raise UsageError("amount", "the three columns differ in length", mend="give one row for each payment")
    payer, receiver, debt = (from_amounts(column) for column in columns)
    charge = exact_amount(fee)
    if charge < 0 or (debt < 0).any():
        raise UsageError("amount", "a debt or a fee is below zero", mend="say who pays, and how much")
    paid: Ints = payment(budget_of(np.maximum(payer, 0), charge), np.maximum(receiver, 0), debt)
    if isinstance(owed, pa.Array | pa.ChunkedArray):
        return amounts(paid, np.all([known(column) for column in columns], axis=0))
    return Decimal(int(paid[0])) / SCALE


def _column(value: Amount | pa.Array) -> pa.Array:
    """A column of amounts; a single amount is one row."""
    if not isinstance(value, pa.Array | pa.ChunkedArray):
        return amounts(np.array([exact_amount(value)]))
    try:
        return as_amounts(whole(value))
    except (pa.ArrowException, ValueError) as wrong:
        raise UsageError(
            "amount", str(wrong).splitlines()[0], mend="give a column of exact amounts"
        ) from wrong
