"""What the house takes: a share of each winner's gain (casino C28) and a fee of every seat (qq Q23)."""

from __future__ import annotations

import numpy as np

from ddz_analytics.columns import Ints
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts, Marks, room
from ddz_analytics.settlement.parties import Parties


def rake_of(rules: RuleSet, marks: Marks, gained: Parties) -> Parties:
    """Each seat that gained pays its share; `floor` rounds each seat's rake down to whole points."""
    if rules.house_rake == 0:
        return Parties.nothing(len(gained.landlord))
    rakes = [_share(np.maximum(gain, 0), rules, marks) for gain in gained[:3]]
    return Parties(-rakes[0], -rakes[1], -rakes[2], rakes[0] + rakes[1] + rakes[2])


def _share(gain: Ints, rules: RuleSet, marks: Marks) -> Ints:
    """`house.rake` is a share in ten-thousandths, which happens to be the scale of amounts too."""
    quotient, rest = np.divmod(gain, SCALE)
    small = rest * rules.house_rake
    rake: Ints = quotient * rules.house_rake + small // SCALE
    if rules.house_rake_rounding == "floor":
        return rake // SCALE * SCALE
    marks.broken |= small % SCALE != 0
    return rake


def fee_of(facts: Facts, rules: RuleSet, marks: Marks) -> Parties:
    """Every seat pays the room's fee."""
    if rules.house_fee == "none" or not rules.house_fee_in_score:
        return Parties.nothing(len(facts))
    fee = room(facts, "fee", marks)
    return Parties(-fee, -fee, -fee, 3 * fee)
