"""What each pair plays for, and the caps on it: on doublings, on the multiplier, on amounts (casino C26).

Each cap acts before what multiplies one pair alone, or (`cap.after_pairs`) after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Ints
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Marks
from ddz_analytics.settlement.events import Events, capped
from ddz_analytics.settlement.pairs import Pairs
from ddz_analytics.settlement.sharing import divided

NOT_A_POWER = -1
_MOST = (
    4 * 10**18
)  # of 1/10,000: beyond this what a cap takes off is too large for a column, whatever it leaves


class Stakes(NamedTuple):
    """What the landlord and each peasant play for after the caps, and what these take off both pairs together."""

    down: Ints
    up: Ints
    cut: Ints


class Cap(NamedTuple):
    """The rule set whose caps limit the stakes, and where amounts that do not fit are marked."""

    rules: RuleSet
    marks: Marks


def stakes_of(amounts: Sequence[Ints], auction: Ints, events: Events, pairs: Pairs, cap: Cap) -> Stakes:
    """unit · bid · auction · events · pair for each peasant, within the caps."""
    rules, marks = cap
    factors = [auction, *events.together(events.counted)]
    if not is_capped(rules):
        down = marks.product(amounts, [*factors, pairs.down])
        up = down if pairs.up is pairs.down else marks.product(amounts, [*factors, pairs.up])
        return Stakes(down, up, np.zeros_like(down))
    whole = [marks.product(amounts, [*factors, pair], _MOST) for pair in pairs[:2]]
    down, up = (_limited(amounts, auction, events, pair, cap) for pair in pairs[:2])
    if rules.cap_landlord_amount is not None and rules.cap_after_pairs:
        most = np.full_like(down, rules.cap_landlord_amount * SCALE)
        down, up = divided(most, down, up, rules.balance_rounding_unit)
    return Stakes(marks.within(down), marks.within(up), marks.within(whole[0] - down + whole[1] - up))


def is_capped(rules: RuleSet) -> bool:
    """Whether a rule set has any cap."""
    caps = (rules.cap_doublings, rules.cap_multiplier, rules.cap_pair_amount, rules.cap_landlord_amount)
    return any(most is not None for most in caps)


def limited_factors(factor: Ints, events: Events, cap: Cap, pair: Ints | None = None) -> list[Ints]:
    """A factor and the events within the caps on doublings and on the multiplier; `pair`: what these cover of a pair too."""
    rules, marks = cap
    counted = capped(events.counted if pair is None else marks.times(events.counted, pair), rules)
    factors = [factor, *events.together(counted, pair)]
    if rules.cap_multiplier is None:
        return factors
    multiplier = factors[0]
    for other in factors[1:]:
        multiplier = marks.times(multiplier, other)
    return [np.minimum(multiplier, rules.cap_multiplier)]


def most_of_a_pair(rules: RuleSet) -> int | None:
    """The most that one pair may play for by itself, in 1/10,000; before pair multipliers half of the landlord's amount."""
    limits = [] if rules.cap_pair_amount is None else [rules.cap_pair_amount * SCALE]
    if rules.cap_landlord_amount is not None and not rules.cap_after_pairs:
        limits.append(rules.cap_landlord_amount * SCALE // 2)
    return min(limits, default=None)


def _limited(amounts: Sequence[Ints], auction: Ints, events: Events, pair: Ints, cap: Cap) -> Ints:
    """What one pair plays for within the caps on doublings, on the multiplier and on its own amount."""
    rules, marks = cap
    inside, outside = (pair, np.ones_like(pair)) if rules.cap_after_pairs else (None, pair)
    stake = marks.product(amounts, [*limited_factors(auction, events, cap, inside), outside], _MOST)
    most = most_of_a_pair(rules)
    return stake if most is None else np.minimum(stake, np.minimum(outside, _MOST // most) * most)


def doublings(multiplier: Ints) -> Ints:
    """The exponent of a power of two, `NOT_A_POWER` for any other number."""
    exponent = np.round(np.log2(np.maximum(multiplier, 1).astype(np.float64))).astype(np.int64)
    is_power = (multiplier > 0) & (multiplier & (multiplier - 1) == 0)
    return np.where(is_power, exponent, NOT_A_POWER)
