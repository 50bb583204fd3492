"""Who pays for a peasant on autoplay (托管): jj J41–J44, jj2 L37–L41."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ddz_analytics.columns import Flags
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts, Marks
from ddz_analytics.settlement.events import somebody_won
from ddz_analytics.settlement.parties import Parties


class Liability(NamedTuple):
    """The change that the policy makes to each party, and which peasants it held liable (2, n)."""

    change: Parties
    liable: Flags


def liability_of(facts: Facts, rules: RuleSet, marks: Marks, transfer: Parties, won: Flags) -> Liability:
    """Move the peasants' shares between them, to the landlord or to the house, as the policy of the losing or winning side says.

    `transfer`: what each party got so far; `won`: the landlord won.
    """
    nothing = Liability(Parties.nothing(len(facts)), np.zeros((2, len(facts)), dtype=bool))
    if rules.liability_when_losing == "none" and rules.liability_when_winning == "none":
        return nothing
    marks.assume("autoplay", ~facts.flag("autoplay_recorded"))
    acts = np.where(won, rules.liability_when_losing != "none", rules.liability_when_winning != "none")
    liable = counts_as_autoplay(facts, rules)[1:] & acts & somebody_won(facts)
    both, one = liable[0] & liable[1], liable[0] ^ liable[1]
    down, up = transfer.down, transfer.up
    together = down + up
    # One of two: when they lose he pays both shares, when they win the other takes both.
    takes_both = np.where(won, liable, ~liable)
    new_down = np.where(one, np.where(takes_both[0], together, 0), down)
    new_up = np.where(one, np.where(takes_both[1], together, 0), up)
    if rules.liability_both_losing == "equal_split":
        half = np.where(both & won, marks.halves(np.where(both & won, together, 0)), 0)
        new_down, new_up = np.where(both & won, half, new_down), np.where(both & won, half, new_up)
    forfeit = both & ~won & (rules.liability_both_winning != "normal")
    new_down, new_up = np.where(forfeit, 0, new_down), np.where(forfeit, 0, new_up)
    lost = np.where(forfeit, together, 0)
    keeps = rules.liability_both_winning == "landlord_keeps"
    zero = np.zeros_like(lost)
    change = Parties(lost if keeps else zero, new_down - down, new_up - up, zero if keeps else lost)
    return Liability(change, liable)


def counts_as_autoplay(facts: Facts, rules: RuleSet) -> Flags:
    """Which roles count as on autoplay (3, n): at the end or at any time, unless it began (or is) at the last card (J44)."""
    if rules.liability_status == "any_time":
        on, at_start = facts.flags_by_role("autoplay_ever"), facts.by_role("autoplay_most_cards")
    else:
        on, at_start = facts.flags_by_role("autoplay"), facts.by_role("autoplay_cards")
    left = facts.by_role("cards_left")
    exempt_cards = rules.liability_exempt_cards
    if rules.liability_exempt_measured == "at_end":
        exempt = (left >= 1) & (left <= exempt_cards)
    else:
        exempt = at_start <= exempt_cards
    return on & ~exempt
