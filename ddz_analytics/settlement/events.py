"""Bombs, rockets, spring and anti-spring, and the cap on their doublings (jj J33–J37, qq Q18, Q20, casino C25, C26)."""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import LARGEST, Facts, Marks

NOT_A_POWER = -1


class Events(NamedTuple):
    """The multiplier of the events that a cap on doublings counts, and of those that it does not."""

    counted: Ints
    uncounted: Ints


def landlord_won(facts: Facts) -> Flags:
    """Whether the landlord went out first."""
    won: Flags = facts.ints("winner_seat", missing=-1) == facts.ints("landlord_seat", missing=-2)
    return won


def springs(facts: Facts) -> tuple[Flags, Flags]:
    """Spring: the landlord is out and no peasant has played. Anti-spring: a peasant is out, the landlord played once."""
    landlord, down, up = facts.by_role("plays")
    won = landlord_won(facts)
    return won & (down + up == 0), ~won & (landlord == 1)


def event_multipliers(facts: Facts, rules: RuleSet, marks: Marks) -> Events:
    """All events of each hand, multiplied (or, additive, 1 plus their sum), apart by whether the cap counts them."""
    bombs, rockets = facts.ints("bombs"), facts.ints("rockets")
    if rules.events_bomb_counts_rocket and rules.events_bomb_reading != "power":
        bombs, rockets = bombs + rockets, np.zeros_like(rockets)
    spring, anti_spring = springs(facts)
    numbers = {
        "bombs": bombs,
        "rockets": rockets,
        "spring": spring.astype(np.int64),
        "anti_spring": anti_spring.astype(np.int64),
    }
    factors = {
        "bombs": rules.events_bomb,
        "rockets": rules.events_rocket,
        "spring": rules.events_spring,
        "anti_spring": rules.events_anti_spring,
    }
    counted = uncounted = np.ones(len(facts), dtype=np.int64)
    for event, number in numbers.items():
        one = np.ones_like(number)
        if rules.events_combine == "additive":
            added = number * factors[event]
            counted, uncounted = (
                (counted + added, uncounted) if event in rules.cap_counts else (counted, uncounted + added)
            )
            continue
        reading = rules.events_bomb_reading if event == "bombs" else "power"
        factor = _looked_up(number, reading, factors[event], marks) if number.any() else one
        if event in rules.cap_counts:
            counted = marks.times(counted, factor)
        else:
            uncounted = marks.times(uncounted, factor)
    return Events(counted, uncounted)


def _looked_up(number: Ints, reading: str, factor: int, marks: Marks) -> Ints:
    """factor^n, or the two readings of the JJ bomb rule: 1 + n in all, 2·3·… after each (J34)."""
    most = range(int(number.max()) + 1)
    exact = {
        "power": [factor**n for n in most],
        "total": [1 + n for n in most],
        "cumulative": [factorial(n + 1) for n in most],
    }[reading]
    marks.overflow |= np.array([value > LARGEST for value in exact])[number]
    table = np.array([min(value, LARGEST) for value in exact], dtype=np.int64)
    return table[number]


def capped(multiplier: Ints, rules: RuleSet) -> Ints:
    """A multiplier of counted events under the cap on doublings."""
    return multiplier if rules.cap_doublings is None else np.minimum(multiplier, 2**rules.cap_doublings)


def doublings(multiplier: Ints) -> Ints:
    """The exponent of a power of two, `NOT_A_POWER` for any other number."""
    exponent = np.round(np.log2(np.maximum(multiplier, 1).astype(np.float64))).astype(np.int64)
    is_power = (multiplier > 0) & (multiplier & (multiplier - 1) == 0)
    return np.where(is_power, exponent, NOT_A_POWER)
