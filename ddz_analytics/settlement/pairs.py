"""What multiplies one peasant's pair alone: doubles (happy H15–H19) and kicks (casino C4, C35–C39)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts, Marks

REFUSED = (None, "own", "landlord", "someone")  # why a double was not allowed; the place is the code


class Pairs(NamedTuple):
    """The factor of the landlord's pair with each peasant, and the refused doubles by role (3, n)."""

    down: Ints
    up: Ints
    refused: Ints


def pair_multipliers(facts: Facts, rules: RuleSet, marks: Marks, granted: int | None = None) -> Pairs:
    """A peasant's double or kick and the landlord's double act on that peasant's pair.

    `granted`: the role, by its place, whose double is taken as allowed although it was refused.
    """
    own, refused = _doubles(facts, rules, marks, granted)
    if rules.double_factor == 1 and rules.kick_factor == 1:
        return Pairs(own[0], own[0], refused)  # one column for both, to be settled once
    kicks = _kicks(facts, rules, marks)
    return Pairs(own[0] * own[1] * kicks[1], own[0] * own[2] * kicks[2], refused)


def _doubles(facts: Facts, rules: RuleSet, marks: Marks, granted: int | None) -> tuple[Ints, Ints]:
    ones, none = np.ones((3, len(facts)), dtype=np.int64), np.zeros((3, len(facts)), dtype=np.int64)
    if rules.double_factor == 1:
        return ones, none
    marks.assume("doubles", ~facts.flag("double_offered"))
    asked = facts.by_role("doubled")
    refused = np.where(asked > 1, _refusals(facts, rules, marks, asked > 1), 0)
    if granted is not None:
        refused[granted] = 0
    factor = np.where((asked == 4) & rules.double_super, 4, rules.double_factor)
    return np.where((asked > 1) & (refused == 0), factor, 1), refused


def _refusals(facts: Facts, rules: RuleSet, marks: Marks, asked: Flags) -> Ints:
    """A double needs balances strictly above the room's threshold: the peasant's and the landlord's, or all three (H18, H19).

    What is known refuses it; where nothing known does and a balance or the threshold is not known, it is taken as allowed.
    """
    if rules.double_check == "none":
        return np.zeros(asked.shape, dtype=np.int64)
    known = facts.known_by_role("balance") & facts.known("room_double_threshold")
    short = known & (facts.amount_by_role("balance") <= facts.amount("room_double_threshold"))
    landlord = np.where(short[0], 1, np.where(short[1] | short[2], 3, 0))
    peasants = np.where(short[1:], 1, np.where(short[0], 2, 0))
    refused = np.concatenate((landlord[None], peasants))
    down, up = known[1] & known[0], known[2] & known[0]
    needed = np.stack((down & up, down, up))
    marks.assume("doubles_allowed", (asked & (refused == 0) & ~needed).any(axis=0))
    return refused


def _kicks(facts: Facts, rules: RuleSet, marks: Marks) -> Ints:
    if rules.kick_factor == 1:
        return np.ones((3, len(facts)), dtype=np.int64)
    marks.assume("kicks", ~facts.flag("kick_offered"))
    return np.where(facts.flags_by_role("kicked") & facts.flags_by_role("could_kick"), rules.kick_factor, 1)
