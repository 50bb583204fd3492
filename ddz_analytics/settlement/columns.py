"""What settling computes on: the columns of the facts, and the marks it leaves on hands while it computes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Flags, Ints, from_amounts, ints, known, whole
from ddz_analytics.hands import SCALE
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.assumptions import BIT_OF

_EXACT = 2.0**62  # products below this fit into int64
LARGEST = 10**18 - 1  # of 1/10,000: what DECIMAL(18,4) holds
ROOM_UNSAID = {
    "unit": 1,
    "low": 1,
    "high": 2,
    "rate": 1,
    "fee": 0,
}  # points; each use is named as an assumption


class Facts:
    """The facts table as arrays, each converted once."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self._made: dict[tuple[str, str], Any] = {}

    def __len__(self) -> int:
        return len(self.table)

    def _once(self, kind: str, name: str, make: Any) -> Any:
        found = self._made.get((kind, name))
        if found is None:
            found = self._made[kind, name] = make(whole(self.table[name]))
        return found

    def ints(self, name: str, missing: int = 0) -> Ints:
        """A count, or a seat, `missing` where null."""
        found: Ints = self._once(f"ints {missing}", name, lambda column: ints(column, missing))
        return found

    def flag(self, name: str) -> Flags:
        """A yes or no; null is no."""
        found: Flags = self._once("flag", name, lambda column: ints(column) == 1)
        return found

    def amount(self, name: str) -> Ints:
        """An amount in 1/10,000, 0 where null."""
        found: Ints = self._once("amount", name, from_amounts)
        return found

    def known(self, name: str) -> Flags:
        """Where a column is not null."""
        found: Flags = self._once("known", name, known)
        return found

    def equals(self, name: str, text: str) -> Flags:
        """Where a text column has this text."""
        found: Flags = self._once(f"equals {text}", name, lambda column: _is_text(column, text))
        return found

    def by_role(self, name: str, missing: int = 0) -> Ints:
        """A count of landlord, down and up: shape (3, n)."""
        return np.stack([self.ints(f"{role}_{name}", missing) for role in ROLES])

    def amount_by_role(self, name: str) -> Ints:
        """An amount of landlord, down and up in 1/10,000, 0 where null: shape (3, n)."""
        return np.stack([self.amount(f"{role}_{name}") for role in ROLES])

    def flags_by_role(self, name: str) -> Flags:
        """A yes or no of landlord, down and up: shape (3, n)."""
        return np.stack([self.flag(f"{role}_{name}") for role in ROLES])

    def known_by_role(self, name: str) -> Flags:
        """Where a role's column is not null: shape (3, n)."""
        return np.stack([self.known(f"{role}_{name}") for role in ROLES])


class FactRows(Facts):
    """Some rows of facts whose columns are converted once for all of them, with balances of their own (3, n)."""

    def __init__(self, everything: Facts, rows: Ints, balance: Ints, known: Flags) -> None:
        super().__init__(everything.table)
        self._everything, self._rows = everything, rows
        for place, role in enumerate(ROLES):
            self._made["amount", f"{role}_balance"] = np.where(known[place], balance[place], 0)
            self._made["known", f"{role}_balance"] = known[place]

    def __len__(self) -> int:
        return len(self._rows)

    def _once(self, kind: str, name: str, make: Any) -> Any:
        own = self._made.get((kind, name))
        return self._everything._once(kind, name, make)[self._rows] if own is None else own


def _is_text(column: pa.Array, text: str) -> Flags:
    found: Flags = pc.fill_null(pc.equal(column, text), fill_value=False).to_numpy(zero_copy_only=False)
    return found


class Marks:
    """What is noticed about each hand while it is settled: assumptions made, amounts too large or not whole."""

    def __init__(self, number: int) -> None:
        self.assumed = np.zeros(number, dtype=np.int64)
        self.overflow = np.zeros(number, dtype=bool)
        self.broken = np.zeros(number, dtype=bool)  # an amount below 1/10,000 would be needed

    def assume(self, code: str, where: Flags) -> None:
        """Name an assumption at some hands."""
        self.assumed |= np.where(where, BIT_OF[code], 0)

    def rest_on(self, codes: Sequence[str], where: Flags) -> None:
        """Keep only these assumptions at some hands, because nothing else that was read counts there."""
        kept = sum(BIT_OF[code] for code in codes)
        self.assumed = np.where(where, self.assumed & kept, self.assumed)

    def times(self, value: Ints, factor: Ints | int) -> Ints:
        """`value` times a whole factor, neither negative; too large a product is marked and becomes 0."""
        factor = np.asarray(factor, dtype=np.int64)
        too_large = value > LARGEST // np.maximum(factor, 1)
        self.overflow |= too_large
        product: Ints = np.where(too_large, 0, value) * factor
        return product

    def power(self, factor: int, exponent: Ints) -> Ints:
        """`factor` to a power that is looked up; too large a result is marked and becomes 0."""
        return self.looked_up([factor**n for n in range(int(exponent.max(initial=0)) + 1)], exponent)

    def looked_up(self, exact: Sequence[int], place: Ints) -> Ints:
        """Python's integers by their place in a list; one that is too large is marked and becomes 0."""
        table = np.array([value if value <= LARGEST else 0 for value in exact], dtype=np.int64)
        self.overflow |= np.array([value > LARGEST for value in exact])[place]
        found: Ints = table[place]
        return found

    def product(self, amounts: Sequence[Ints], factors: Sequence[Ints], most: int = LARGEST) -> Ints:
        """Amounts in 1/10,000 times each other and times whole factors, none negative; what is too large or not whole is marked.

        Only the result counts: 2.25 times 0.0003 times 128 is an amount, although its first two factors make none.
        """
        scale = SCALE ** (len(amounts) - 1)
        columns = [*amounts, *factors]
        fits = np.prod([column.astype(np.float64) for column in columns], axis=0) < _EXACT
        raw = np.prod([np.where(fits, column, 0) for column in columns], axis=0, dtype=np.int64)
        result, rest = np.divmod(raw, scale)
        for place in np.flatnonzero(~fits).tolist():  # hardly ever: Python's integers have no end
            exact = math.prod(int(column[place]) for column in columns)
            result[place], rest[place] = min(exact // scale, most + 1), int(exact % scale != 0)
        self.broken |= rest != 0
        return self.within(result, most)

    def within(self, value: Ints, most: int = LARGEST) -> Ints:
        """The value; one that is too large is marked and becomes 0."""
        self.overflow |= value > most
        return np.where(value > most, 0, value)

    def halves(self, value: Ints) -> Ints:
        """Half of a value; exact, else marked."""
        self.broken |= value % 2 != 0
        return value // 2


def room(facts: Facts, key: str, marks: Marks, where: Flags | None = None) -> Ints:
    """A value of the room in 1/10,000; where it is read and the log does not say it, the neutral one, named."""
    said = facts.known(f"room_{key}")
    read = np.ones(len(facts), dtype=bool) if where is None else where
    marks.assume(f"room.{key}", read & ~said)
    return np.where(said, facts.amount(f"room_{key}"), ROOM_UNSAID[key] * SCALE)
