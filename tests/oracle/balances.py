"""Minimisation: nobody pays more than he has or receives more than he has (jj J38-J40)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .names import Rules
from .parties import PEASANTS, ROLES, Parties, others_after
from .rounding import scaled_to

ZERO = Fraction(0)


def payment(payer: Fraction, receiver: Fraction, owed: Fraction) -> Fraction:
    """One payment: what is owed, at most what either of the two has; below zero counts as nothing."""
    return max(ZERO, min(payer, receiver, owed))


class Minimised:
    """The balances of one hand; every method changes what its parties gain."""

    def __init__(self, parties: Parties, balances: Sequence[Fraction], fees: Mapping[str, Fraction]) -> None:
        self.parties = parties
        self.rules: Rules = parties.rules
        self.balances = dict(zip(ROLES, balances, strict=True))
        self.fees = fees  # what each role is to pay the room

    def has(self, role: str) -> Fraction:
        """What a seat can receive at most: its balance."""
        return max(ZERO, self.balances[role])

    def budget(self, role: str) -> Fraction:
        """What a seat can pay at most to others: with the fee inside, what the fee leaves."""
        fee = self.fees[role] if self.rules["balance.fee"] == "inside" else ZERO
        return max(ZERO, self.balances[role] - fee)

    def _scaled(self, shares: Sequence[Fraction], most: Fraction) -> list[Fraction]:
        return scaled_to(shares, most, Fraction(str(self.rules["balance.rounding_unit"])))

    def payments(self, liable: Sequence[bool], *, landlord_won: bool) -> None:
        """Cut what was settled, liability included, down to what can be paid."""
        parts = self.parties.parts
        sign = -1 if landlord_won else 1
        owed = [sign * (parts[role]["transfer"] + parts[role]["liability"]) for role in PEASANTS]
        paid = self._to_landlord(owed, liable) if landlord_won else self._from_landlord(owed)
        for role, before, after in zip(PEASANTS, owed, paid, strict=True):
            parts[role]["balance_cut"] += sign * (after - before)
            parts["landlord"]["balance_cut"] -= sign * (after - before)
        self._forfeit()
        self.parties.assert_zero()

    def _to_landlord(self, owed: list[Fraction], liable: Sequence[bool]) -> list[Fraction]:
        """What the peasants pay to the landlord."""
        most = self.has("landlord")
        paid = [payment(self.budget(role), most, debt) for role, debt in zip(PEASANTS, owed, strict=True)]
        if self.rules["balance.winner_cap"] == "total":
            paid = self._scaled(paid, most)
        one_pays_all = self.rules["liability.when_losing"] != "none" and sum(liable) == 1
        if one_pays_all and self.rules["liability.shortfall"] == "partner_pays":
            payer, partner = (0, 1) if liable[0] else (1, 0)
            missing = max(ZERO, min(owed[payer], most) - paid[payer])
            paid[partner] += min(self.budget(PEASANTS[partner]), missing)
        return paid

    def _from_landlord(self, owed: list[Fraction]) -> list[Fraction]:
        """What the landlord pays to the peasants."""
        budget = self.budget("landlord")
        paid = [payment(budget, self.has(role), debt) for role, debt in zip(PEASANTS, owed, strict=True)]
        return self._scaled(paid, budget)

    def _forfeit(self) -> None:
        """A forfeit to the house is at most what the landlord can pay."""
        house, landlord = self.parties.house, self.parties.parts["landlord"]
        missing = house["forfeit"] - min(self.budget("landlord"), house["forfeit"])
        house["forfeit"] -= missing
        landlord["balance_cut"] += missing

    def fine(self, escaper: str) -> None:
        """Cut a fine down to what can be paid; each half of one that the others get is a payment of its own."""
        budget, parts, house = self.budget(escaper), self.parties.parts, self.parties.house
        missing = house["fine"] - min(budget, house["fine"])
        house["fine"] -= missing
        others = others_after(escaper)
        owed = [parts[role]["fine"] for role in others]
        paid = [payment(budget, self.has(role), half) for role, half in zip(others, owed, strict=True)]
        for role, before, after in zip(others, owed, self._scaled(paid, budget), strict=True):
            parts[role]["balance_cut"] -= before - after
            missing += before - after
        parts[escaper]["balance_cut"] += missing
        self.parties.assert_zero()

    def fee_of(self, role: str) -> Fraction:
        """The fee that a seat can pay of what it has now."""
        now = self.balances[role] + sum(self.parties.parts[role].values())
        return max(ZERO, min(self.fees[role], now))
