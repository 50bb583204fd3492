"""`ddz.minimise`: one payment between two balances, by amounts and by columns."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import ddz_analytics as ddz
from ddz_analytics.columns import AMOUNT
from ddz_analytics.errors import UsageError


@pytest.mark.parametrize(
    ("payer", "receiver", "owed", "fee", "paid"),
    [
        (1000, 30, 200, 0, 30),  # the page's first example
        (120, 1000, 140, 0, 120),  # its second
        (120, 1000, 140, 2, 118),  # with the platform's fee in it
        (1000, 1000, 140, 2, 140),
        (1, 1000, 140, 2, 0),
        (-5, 1000, 140, 0, 0),
        (1000, -5, 140, 0, 0),
        ("0.3", 1000, Decimal("0.25"), 0, Decimal("0.25")),
    ],
)
def test_J38_least_of_three(payer: Any, receiver: Any, owed: Any, fee: Any, paid: Any) -> None:
    """A payment is the least of what the payer has after the fee, what the receiver has, and what is owed."""
    found = ddz.minimise(payer, receiver, owed, fee=fee)
    assert found == paid and isinstance(found, Decimal)


def test_J38_columns_give_a_column() -> None:
    """Columns are paid row by row; where one of the three is not known the payment is not either."""
    paid = ddz.minimise(pa.array([1000, 120, None]), pa.array([30, 1000, 5]), pa.array([200, 140, 5]))
    assert paid.type == AMOUNT and paid.to_pylist() == [30, 120, None]


@pytest.mark.parametrize(
    "arguments",
    [
        (1.5, 1, 1),
        (1, 1, -1),
        ("x", 1, 1),
        (pa.array(["x"]), pa.array([1]), pa.array([1])),
        (pa.array([1]), pa.array([1, 2]), pa.array([1])),
        (pa.array([0.12345]), pa.array([1]), pa.array([1])),
        (pa.array([1]), pa.array([1]), pa.array([-1])),
    ],
)
def test_amounts_are_exact(arguments: Any) -> None:
    """What is no exact amount, a debt below zero, or columns of different length are refused."""
    with pytest.raises(UsageError) as caught:
        ddz.minimise(*arguments)
    assert caught.value.code == "amount"


def test_a_fee_is_none_below_zero() -> None:
    """A fee below zero is refused."""
    with pytest.raises(UsageError):
        ddz.minimise(1, 1, 1, fee=-1)
