"""Bombs, rockets, spring and anti-spring (jj J33–J37, jj2 L35–L36, qq Q18, Q20, casino C21–C22, C25)."""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts, Marks

KINDS = ("soft", "hard", "pure")
FACTORS = {
    "bombs": "bomb", "soft": "soft", "hard": "hard", "pure": "pure", "rockets": "rocket", "spring": "spring",
    "anti_spring": "anti_spring",
}  # fmt: skip


class Events(NamedTuple):
    """What events make, apart by whether the cap on doublings counts them.

    Where they multiply, the multipliers of both; where they add up, 1 plus the sum of the counted, and the sum of the others.
    `multiplier` is that of all within the cap.
    """

    counted: Ints
    uncounted: Ints
    multiplier: Ints
    additive: bool

    def together(self, counted: Ints, pair: Ints | None = None) -> list[Ints]:
        """The factors of all events, those that the cap counts at `counted`, which holds the factor of a pair if one is given."""
        if not self.additive:
            return [counted, self.uncounted]
        return [counted + (self.uncounted if pair is None else self.uncounted * pair)]


def somebody_won(facts: Facts) -> Flags:
    """Whether anybody went out: his seat is known, or at least his side."""
    return facts.known("winner_seat") | facts.known("winner_side")


def landlord_won(facts: Facts) -> Flags:
    """Whether the landlord went out first."""
    won: Flags = facts.ints("winner_seat", missing=-1) == facts.ints("landlord_seat", missing=-2)
    return won | facts.equals("winner_side", "landlord")


def springs(facts: Facts) -> tuple[Flags, Flags]:
    """Spring: the landlord is out and no peasant has played. Anti-spring: a peasant is out, the landlord played once.

    Where the plays were not counted, it is stated which of them it was, if any.
    """
    landlord, down, up = facts.by_role("plays")
    won, stated = landlord_won(facts), facts.known("spring")
    spring = np.where(stated, facts.equals("spring", "spring"), down + up == 0)
    anti_spring = np.where(stated, facts.equals("spring", "anti_spring"), landlord == 1)
    return won & spring, somebody_won(facts) & ~won & anti_spring


def bombs_by_kind(facts: Facts, marks: Marks) -> dict[str, Ints]:
    """Soft, hard and pure bombs; where there were no wild cards every bomb was hard."""
    natural, bombs = ~facts.known("wild_rank"), facts.ints("bombs")
    marks.assume("bombs_hard", natural & (bombs > 0))
    kinds = {kind: np.where(natural, 0, facts.ints(f"{kind}_bombs")) for kind in KINDS}
    return kinds | {"hard": np.where(natural, bombs, kinds["hard"])}


def numbers_of(facts: Facts, rules: RuleSet, marks: Marks) -> dict[str, Ints]:
    """How often each kind of event happened that this rule set tells apart; where wild cards count, bombs by their kind."""
    spring, anti_spring = springs(facts)
    sides = {"spring": spring.astype(np.int64), "anti_spring": anti_spring.astype(np.int64)}
    rockets = facts.ints("rockets")
    if rules.wild_enabled:
        return {**bombs_by_kind(facts, marks), "rockets": rockets, **sides}
    bombs = facts.ints("bombs")
    if rules.events_bomb_counts_rocket and rules.events_bomb_reading != "power":
        bombs, rockets = bombs + rockets, np.zeros_like(rockets)
    return {"bombs": bombs, "rockets": rockets, **sides}


def event_multipliers(facts: Facts, rules: RuleSet, marks: Marks) -> Events:
    """All events of each hand, multiplied (or, additive, 1 plus their sum), apart by whether the cap counts them."""
    additive = rules.events_combine == "additive"
    counted = one = np.ones(len(facts), dtype=np.int64)
    uncounted = np.zeros_like(one) if additive else one
    for event, number in numbers_of(facts, rules, marks).items():
        factor, counts = factor_of(event, rules), counted_as(event) in rules.cap_counts
        if additive:
            added = number * factor
            counted, uncounted = (counted + added, uncounted) if counts else (counted, uncounted + added)
        elif number.any():
            multiplier = _multiplier(event, number, rules, marks)
            if counts:
                counted = marks.times(counted, multiplier)
            else:
                uncounted = marks.times(uncounted, multiplier)
    limited = capped(counted, rules)
    if additive:
        return Events(counted, uncounted, limited + uncounted, additive)
    together = limited if uncounted is one else marks.times(limited, uncounted)
    return Events(counted, uncounted, together, additive)


def capped(multiplier: Ints, rules: RuleSet) -> Ints:
    """A multiplier of counted events under the cap on doublings."""
    return multiplier if rules.cap_doublings is None else np.minimum(multiplier, 2**rules.cap_doublings)


def factor_of(event: str, rules: RuleSet) -> int:
    """What one event of a kind multiplies by, or adds."""
    factor: int = getattr(rules, f"events_{FACTORS[event]}")
    return factor


def counted_as(event: str) -> str:
    """Under which name a cap counts an event: bombs of every kind are bombs."""
    return "bombs" if event in KINDS else event


def _multiplier(event: str, number: Ints, rules: RuleSet, marks: Marks) -> Ints:
    """factor^n, or the two readings of the JJ bomb rule: 1 + n in all, 2·3·… after each (J34)."""
    reading = rules.events_bomb_reading if event == "bombs" else "power"
    if reading == "total":
        return 1 + number
    if reading == "cumulative":
        return marks.looked_up([factorial(n + 1) for n in range(int(number.max()) + 1)], number)
    return marks.power(factor_of(event, rules), number)
