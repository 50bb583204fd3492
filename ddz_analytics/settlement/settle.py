"""Settling: the score of every hand under one rule set, a line for each concept, in the order in which they act.

Arrays over hands, amounts as int64 in 1/10,000. A step that moves money gives what it changes for four parties (landlord, down,
up, house), and each such change sums to zero. A hand that this rule set cannot score is `undefined`, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.combinations import DEFAULT_SWITCHES, Switches
from ddz_analytics.rules import RuleSet, autoplay_bits
from ddz_analytics.settlement.auction import auction_multiplier
from ddz_analytics.settlement.columns import LARGEST, Facts, Marks
from ddz_analytics.settlement.events import Events, capped, event_multipliers, landlord_won
from ddz_analytics.settlement.house import fee_of, rake_of
from ddz_analytics.settlement.liability import liability_of
from ddz_analytics.settlement.pairs import Pairs, pair_multipliers
from ddz_analytics.settlement.parties import Parties
from ddz_analytics.settlement.stake import bid_of, unit_of
from ddz_analytics.settlement.table import settlement_rows
from ddz_analytics.settlement.verdict import verdicts

SETTLE_VERSION = 1
CHUNK = 65_536  # rows that stay in the processor's cache


class Stakes(NamedTuple):
    """What the landlord and each peasant play for after the cap, and what the cap takes off both pairs together."""

    down: Ints
    up: Ints
    cut: Ints


class Cap(NamedTuple):
    """The rule set whose cap limits the stakes, and where amounts that do not fit are marked."""

    rules: RuleSet
    marks: Marks


class Step(NamedTuple):
    """One concept of a settlement: its operands, and what it changes for the four parties (None: it moves no money)."""

    concept: str
    operands: dict[str, Ints | Flags]
    change: Parties | None


@dataclass
class Settled:
    """Some hands under one rule set: the operands by name, each step, and what was marked."""

    reasons: dict[str, Flags]
    marks: Marks
    won: Flags
    unit: Ints
    bid: Ints
    auction: Ints
    events: Events
    pairs: Pairs
    stakes: Stakes
    liable: Flags
    steps: list[Step] = field(default_factory=list)

    def change(self, concept: str) -> Parties:
        """What one concept changes for the four parties; nothing where this rule set has no such step."""
        changes = [step.change for step in self.steps if step.concept == concept and step.change is not None]
        return changes[0] if changes else Parties.nothing(len(self.won))

    def net(self) -> Parties:
        """What each party has after all steps."""
        total = Parties.nothing(len(self.won))
        for step in self.steps:
            total = total if step.change is None else total.plus(step.change)
        return total


def settle(facts: pa.Table, rules: RuleSet) -> pa.Table:
    """The settlements of a table of facts, row by row: a table of schema SETTLEMENTS (scenario `recorded`)."""
    pieces = [facts.slice(begin, CHUNK) for begin in range(0, max(len(facts), 1), CHUNK)]
    return pa.concat_tables(
        settlement_rows(piece, settle_columns(Facts(piece), rules), rules) for piece in pieces
    )


def settle_columns(facts: Facts, rules: RuleSet) -> Settled:
    """The main path: unit → stake of each pair → liability → fee → rake; then who pays whom is known."""
    marks = Marks(len(facts))
    reasons = verdicts(facts, rules)
    won = landlord_won(facts)

    unit = unit_of(facts, rules, marks)
    bid = bid_of(facts, rules, marks)
    auction = auction_multiplier(facts, rules, marks)
    events = event_multipliers(facts, rules, marks)
    pairs = pair_multipliers(facts, rules, marks)
    # The multiplier may itself start at the bid (casino C24, which the page's own figures contradict).
    amounts = (unit, bid, bid) if rules.stake_multiplier_starts_at == "bid" else (unit, bid)
    stakes = stakes_of(amounts, auction, events, pairs, Cap(rules, marks))

    transfer = transfer_of(stakes, won)
    liability, liable = liability_of(facts, rules, marks, transfer, won)
    gained = transfer.plus(liability)
    rake = rake_of(rules, marks, gained)
    fee = fee_of(facts, rules, marks)

    name_replay_rules(facts, rules, marks)
    settled = Settled(reasons, marks, won, unit, bid, auction, events, pairs, stakes, liable)
    settled.steps = [
        Step("unit", {"unit": unit}, None),
        Step("bid", {"bid": bid}, None),
        Step("auction", {"multiplier": auction}, None),
        Step("events", {"counted": events.counted, "uncounted": events.uncounted}, None),
        Step("cap", {"counted": capped(events.counted, rules)}, None),
        Step("pairs", {"down": pairs.down, "up": pairs.up}, None),
        Step("stake", {"down": stakes.down, "up": stakes.up}, None),
        Step("transfer", {"won": won}, transfer),
        Step("liability", {"down": liable[0], "up": liable[1]}, liability),
        Step("rake", {"share": np.full(len(facts), rules.house_rake)}, rake),
        Step("fee", {"fee": -fee.landlord}, fee),
    ]
    too_large = [np.abs(amount) > LARGEST for amount in (*settled.net(), stakes.cut)]
    marks.overflow |= np.any(too_large, axis=0)
    return settled


def stakes_of(amounts: Sequence[Ints], auction: Ints, events: Events, pairs: Pairs, cap: Cap) -> Stakes:
    """unit · bid · auction · events · pair for each peasant; the cap counts pair multipliers only under `cap.after_pairs`."""
    rules, marks = cap
    stakes, cuts = [], []
    for pair in pairs[:2]:
        counted = marks.times(events.counted, pair) if rules.cap_after_pairs else events.counted
        limited = capped(counted, rules)
        others = [auction, events.uncounted] if rules.cap_after_pairs else [auction, events.uncounted, pair]
        stakes.append(marks.product(amounts, [*others, limited]))
        cuts.append(marks.product(amounts, [*others, counted - limited]))
    return Stakes(stakes[0], stakes[1], cuts[0] + cuts[1])


def transfer_of(stakes: Stakes, won: Flags) -> Parties:
    """Each peasant pays his stake to the landlord, or gets it from him."""
    sign = np.where(won, 1, -1)
    return Parties(
        sign * (stakes.down + stakes.up), -sign * stakes.down, -sign * stakes.up, np.zeros_like(stakes.down)
    )


def name_replay_rules(facts: Facts, rules: RuleSet, marks: Marks) -> None:
    """Keys that act at replay are not judged again: name it where this rule set would have judged by others."""
    switches = Switches(*(getattr(rules, f"combination_{name}") for name in Switches._fields))
    marks.assume(
        "combinations", facts.ints("combination_switches", missing=DEFAULT_SWITCHES.bits()) != switches.bits()
    )
    if (rules.liability_when_losing, rules.liability_when_winning) != ("none", "none"):
        usual = autoplay_bits(RuleSet(id=""))
        marks.assume("autoplay_rules", facts.ints("autoplay_rules", missing=usual) != autoplay_bits(rules))
