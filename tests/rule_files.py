"""What the rule tests share: the neutral value of every key, two rule files to vary, and what a spec is refused with."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.rules import load_rules

ALL_EVENTS = ("bombs", "rockets", "spring", "anti_spring")

# Every key with the value that changes nothing, in the order of the reference, written down by hand.
NEUTRAL: dict[str, object] = {
    "auction.kind": "none",
    "auction.nobody": "redeal",
    "auction.rotates": False,
    "auction.rob_factor": 1,
    "auction.rob_back": "only_if_robbed",
    "stake.unit": 1,
    "stake.bid": 1,
    "stake.identity_included": True,
    "stake.multiplier_starts_at": "one",
    "open_hand.start": 1,
    "open_hand.deal_early": 1,
    "open_hand.deal_late": 1,
    "open_hand.bottom": 1,
    "open_hand.early_max_dealt": 6,
    "open_hand.bottom_who": "landlord_only",
    "double.factor": 1,
    "double.check": "none",
    "double.super": False,
    "kick.factor": 1,
    "kick.eligibility": "acts_after_winning_bid",
    "kick.rob_eligibility": "all_others",
    "events.combine": "product",
    "events.bomb": 1,
    "events.soft": 1,
    "events.hard": 1,
    "events.pure": 1,
    "events.rocket": 1,
    "events.spring": 1,
    "events.anti_spring": 1,
    "events.bomb_reading": "power",
    "events.bomb_counts_rocket": False,
    "cap.doublings": "none",
    "cap.counts": ALL_EVENTS,
    "cap.multiplier": "none",
    "cap.pair_amount": "none",
    "cap.landlord_amount": "none",
    "cap.after_pairs": False,
    "liability.when_losing": "none",
    "liability.when_winning": "none",
    "liability.both_losing": "own_share",
    "liability.both_winning": "normal",
    "liability.status": "at_end",
    "liability.exempt_cards": 0,
    "liability.exempt_measured": "at_start",
    "liability.shortfall": "lost",
    "balance.minimised": False,
    "balance.winner_cap": "per_payer",
    "balance.overdraw": "proportional_round_half_up",
    "balance.fee": "inside",
    "balance.rounding_unit": 1,
    "house.rake": "0",
    "house.rake_rounding": "exact",
    "house.fee": "none",
    "house.fee_in_score": True,
    "escape.kind": "undefined",
    "escape.factor": 3,
    "escape.before_bid": 3,
    "escape.to": "house",
    "escape.fee": "all",
    "entry.factor": 0,
    "entry.strict": False,
    "autoplay.bid_seconds": "none",
    "autoplay.play_seconds": "none",
    "autoplay.last_card_follow": True,
    "autoplay.auto_act_starts": True,
    "autoplay.manual_act_ends": True,
    "autoplay.reconnect_ends": False,
    "combination.kicker_may_match_core": False,
    "combination.both_jokers_as_two_singles": True,
    "combination.quad_as_single_wings": True,
    "combination.same_rank_pairs": True,
    "combination.adjacent_triple_as_wings": True,
    "combination.repeated_rank_singles": True,
    "combination.four_two_mixed": False,
    "wild.enabled": False,
    "standing.event": "regular",
    "standing.tie_break_relation": "last_hand_points",
    "standing.levels": "none",
    "seating.scope": "none",
}

MINE = """
id = "mine"
title.zh = "我的"
title.en = "mine"
extends = "jj-classic"

[cap]
source = "house rules: caps"
doublings = 3
"""
OVERLAY = """
id = "loud"
title.zh = "响"
title.en = "loud"
overlay = true

[events]
source = "house rules: events"
bomb = 3
"""


def write(folder: Path, name: str, text: str) -> str:
    """Write a rule file; its path, as a spec names it."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def refusal(spec: str) -> UsageError:
    """The error with which a spec is refused."""
    with pytest.raises(UsageError) as caught:
        load_rules(spec)
    return caught.value
