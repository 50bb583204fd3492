"""Sharing what is there between two who should have more."""

from __future__ import annotations

import numpy as np

from ddz_analytics.columns import Ints
from ddz_analytics.hands import SCALE

_EXACT = 2.0**61  # twice a product below this fits into int64


def divided(most: Ints, first: Ints, second: Ints, rounding_unit: int) -> tuple[Ints, Ints]:
    """Two amounts, scaled down in proportion where they are together more than `most`.

    All in 1/10,000, none negative. The smaller share is rounded half up to `rounding_unit` points (to 1/10,000 where the three
    amounts are not all multiples of that), the larger takes what is left; of equal amounts the first counts as the larger.
    """
    over = first + second > most
    if not over.any():
        return first, second
    rows = np.flatnonzero(over)
    shares = _divided(most[rows], first[rows], second[rows], rounding_unit * SCALE)
    first, second = first.copy(), second.copy()
    first[rows], second[rows] = shares
    return first, second


def _divided(most: Ints, first: Ints, second: Ints, unit: int) -> tuple[Ints, Ints]:
    whole = (most % unit == 0) & (first % unit == 0) & (second % unit == 0)
    step = np.where(whole, unit, 1)
    smaller, total, there = np.minimum(first, second) // step, (first + second) // step, most // step
    fits = (smaller.astype(np.float64) * there < _EXACT) & (total < _EXACT)
    share = (2 * np.where(fits, smaller * there, 0) + np.where(fits, total, 0)) // np.where(
        fits, 2 * total, 1
    )
    for place in np.flatnonzero(~fits).tolist():  # hardly ever: Python's integers have no end
        parts, all_parts = int(smaller[place]) * int(there[place]), int(total[place])
        share[place] = (2 * parts + all_parts) // (2 * all_parts)
    share *= step
    return np.where(first >= second, most - share, share), np.where(first >= second, share, most - share)
