"""Minimised payments: nobody pays more than he has, nor more than the receiver has (jj J38–J40)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import LARGEST, Facts
from ddz_analytics.settlement.escape import Escapes
from ddz_analytics.settlement.parties import Parties
from ddz_analytics.settlement.sharing import divided


class Owed(NamedTuple):
    """What each party would have, who won it (whether the landlord did), and which peasants answer for both (2, n)."""

    change: Parties
    won: Flags
    liable: Flags


class _Purses(NamedTuple):
    """By role (3, n), never negative: what each seat has, and what of it payments may use."""

    have: Ints
    budget: Ints


def balance_cut_of(facts: Facts, rules: RuleSet, owed: Owed, fees: Ints, escapes: Escapes) -> Parties:
    """What minimising changes of what is owed: each payment is the least of the payer's balance, the receiver's and the debt.

    `fees`: what each role is to pay as a fee, which (`balance.fee` inside) is not there for payments.
    """
    if not rules.balance_minimised:
        return Parties.nothing(len(facts))
    have = np.maximum(facts.amount_by_role("balance"), 0)
    budget = budget_of(have, fees) if rules.balance_fee == "inside" else have
    paid = _paid(owed, _Purses(have, budget), rules)
    if escapes.some:
        fined = _fine_paid(owed.change, _Purses(have, budget), escapes, rules)
        paid = paid.where(~escapes.fined).plus(fined.where(escapes.fined))
    return paid.minus(owed.change)


def budget_of(have: Ints, fee: Ints | int) -> Ints:
    """What of a balance payments may use, when the fee comes out of it first."""
    budget: Ints = np.maximum(have - fee, 0)
    return budget


def payment(budget: Ints, receiver: Ints, owed: Ints) -> Ints:
    """One payment: the least of what the payer may use, of what the receiver has, and of what is owed."""
    return np.minimum(np.minimum(budget, receiver), owed)


def _paid(owed: Owed, purses: _Purses, rules: RuleSet) -> Parties:
    """What passes between the landlord and each peasant, and what of a forfeit the landlord can pay."""
    have, budget = purses
    debts, won = np.abs(np.stack(owed.change[1:3])), owed.won
    receiver = np.where(won, have[0], have[1:])
    paid = payment(np.where(won, budget[1:], budget[0]), receiver, debts)
    if rules.liability_shortfall == "partner_pays":
        # A peasant who answers for both and cannot: the other pays the rest, as far as he can.
        alone = won & owed.liable & ~owed.liable[::-1]
        missing = np.where(alone, np.minimum(receiver, debts) - paid, 0)[::-1]
        paid = paid + np.minimum(budget[1:], missing)
    receives = have[0] if rules.balance_winner_cap == "total" else np.full_like(have[0], 2 * LARGEST)
    down, up = divided(np.where(won, receives, budget[0]), paid[0], paid[1], rules.balance_rounding_unit)
    forfeit = np.minimum(budget[0], owed.change.house)
    down, up = np.where(won, -down, down), np.where(won, -up, up)
    return Parties(-down - up - forfeit, down, up, forfeit)


def _fine_paid(owed: Parties, purses: _Purses, escapes: Escapes, rules: RuleSet) -> Parties:
    """What of a fine the escaper can pay, to the house or to the others; of equal halves the seat after him has the larger."""
    places = (
        escapes.by.argmax(axis=0) + np.arange(3)[:, None]
    ) % 3  # the escaper, then the others as they sit

    def in_turn(by_role: Ints) -> Ints:
        return np.take_along_axis(by_role, places, axis=0)

    budget, have = in_turn(purses.budget)[0], in_turn(purses.have)[1:]
    halves = payment(budget, have, in_turn(np.stack(owed[:3]))[1:])
    first, second = divided(budget, halves[0], halves[1], rules.balance_rounding_unit)
    to_house = np.minimum(budget, owed.house)
    by_role = np.zeros_like(purses.have)
    np.put_along_axis(by_role, places, np.stack((-first - second - to_house, first, second)), axis=0)
    return Parties(by_role[0], by_role[1], by_role[2], to_house)
