"""The four parties of a settlement; together they never gain or lose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Ints


class Parties(NamedTuple):
    """Amounts in 1/10,000 of landlord, down, up and the house, as each sees them; every hand's four sum to zero."""

    landlord: Ints
    down: Ints
    up: Ints
    house: Ints

    @staticmethod
    def nothing(number: int) -> Parties:
        """Nobody gets or pays anything."""
        zero = np.zeros(number, dtype=np.int64)
        return Parties(zero, zero, zero, zero)

    def plus(self, other: Parties) -> Parties:
        """Both together."""
        return Parties(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))
