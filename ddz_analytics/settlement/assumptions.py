"""The assumptions that a projected score may rest on, in the order of their bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_analytics.combinations import DEFAULT_SWITCHES
from ddz_analytics.rules import RuleSet, autoplay_bits, switches_of

if TYPE_CHECKING:
    from ddz_analytics.settlement.columns import Facts, Marks

CODES: tuple[str, ...] = (
    "bid",
    "robs",
    "room_bid",
    "open_hand",
    "open_value",
    "doubles",
    "doubles_allowed",
    "kicks",
    "bombs_hard",
    "combinations",
    "autoplay",
    "autoplay_rules",
    "room.unit",
    "room.low",
    "room.high",
    "room.rate",
    "room.fee",
)
BIT_OF = {code: 1 << place for place, code in enumerate(CODES)}

# What the score of a hand that somebody left rests on at most: a fine reads no robs or openings, no doubles or kicks and no autoplay.
OF_A_FINE = (
    "bid", "room_bid", "bombs_hard", "combinations", "room.unit", "room.low", "room.high", "room.rate", "room.fee",
)  # fmt: skip
OF_A_FINE_WITHOUT_PLAY = tuple(code for code in OF_A_FINE if code not in ("bombs_hard", "combinations"))
OF_A_FINE_WITHOUT_BID = ("room.unit", "room.rate", "room.fee")


def name_replay_rules(facts: Facts, rules: RuleSet, marks: Marks) -> None:
    """Keys that act at replay are not judged again: name it where this rule set would have judged by others."""
    switches = switches_of(rules)
    marks.assume(
        "combinations", facts.ints("combination_switches", missing=DEFAULT_SWITCHES.bits()) != switches.bits()
    )
    if (rules.liability_when_losing, rules.liability_when_winning) != ("none", "none"):
        usual = autoplay_bits(RuleSet(id=""))
        marks.assume("autoplay_rules", facts.ints("autoplay_rules", missing=usual) != autoplay_bits(rules))
