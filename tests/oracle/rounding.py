"""Sharing an amount out in proportion: rounded half up, the residue to the larger share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

FINEST = Fraction(1, 10_000)


def half_up(value: Fraction, unit: Fraction) -> Fraction:
    """A value that is not negative, rounded half up to a whole number of units."""
    return int(value / unit + Fraction(1, 2)) * unit


def unit_of(amounts: Sequence[Fraction], rounding_unit: Fraction) -> Fraction:
    """The rounding unit if every amount is a multiple of it, else the ten-thousandth."""
    return rounding_unit if all(amount % rounding_unit == 0 for amount in amounts) else FINEST


def scaled_to(shares: Sequence[Fraction], most: Fraction, rounding_unit: Fraction) -> list[Fraction]:
    """Two shares, cut in proportion so that they sum to `most`; as they are if they sum to no more.

    The smaller one is rounded half up and the larger one (of equal ones the first) takes the rest.
    """
    together = shares[0] + shares[1]
    if together <= most:
        return list(shares)
    smaller = 1 if shares[1] <= shares[0] else 0
    unit = unit_of([*shares, most], rounding_unit)
    part = half_up(shares[smaller] * most / together, unit)
    result = [most - part, most - part]
    result[smaller] = part
    return result
