"""The four parties of a settlement; together they never gain or lose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Flags, Ints


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

    @property
    def is_nothing(self) -> bool:
        """Whether this was made as nothing: all four share one column of zeros, and nobody need add it or look at it."""
        return self.landlord is self.house

    def plus(self, other: Parties) -> Parties:
        """Both together."""
        if other.is_nothing or self.is_nothing:
            return self if other.is_nothing else other
        return Parties(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: Parties) -> Parties:
        """What is to be added to the other to make this."""
        return Parties(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    def where(self, there: Flags) -> Parties:
        """This at some hands, nothing at the others."""
        return Parties(*(np.where(there, amount, 0) for amount in self))
