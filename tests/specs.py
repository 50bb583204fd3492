"""The rule sets under which engine and oracle are held against each other, as they are named on the command line."""

from __future__ import annotations

from tests.oracle.rulesets import COMPLETE

OVERLAID = [
    name + overlays
    for name in COMPLETE
    for overlays in ("", "+cap-4", "+no-liability", "+cap-4+no-liability")
]
VARIANTS = [
    "jj-bomb[events.bomb_reading=cumulative]",
    "jj-bomb[events.bomb_counts_rocket=true]",
    "jj-bomb[events.bomb_reading=cumulative,events.bomb_counts_rocket=true]",
    "jj-classic[liability.both_winning=normal]",
    "jj-classic[liability.both_winning=landlord_keeps]",
    "jj-classic[liability.status=any_time]",
    "jj-classic[liability.exempt_measured=at_end]",
    "jj-classic[liability.exempt_cards=0]",
    "jj-classic[liability.exempt_cards=3,liability.status=any_time]",
    "casino-capped[cap.after_pairs=true]",
    "happy[cap.after_pairs=true,cap.doublings=3]",
    "casino-capped[house.rake_rounding=floor]",
    "casino-capped[kick.rob_eligibility=not_yet_spoken]",
    "happy[double.super=true]",
    "casino-capped[stake.multiplier_starts_at=bid]",
    "qq-classic[stake.multiplier_starts_at=bid]",
    *(f"{name}[cap.doublings={most}]" for most, name in enumerate((*COMPLETE, "qq-classic", "happy"))),
]
# Keys that act at replay: hands recorded under a variant of a shipped rule set.
REPLAYED_BY = [
    "casino-capped[kick.rob_eligibility=not_yet_spoken]",
    "happy[double.super=true]",
    "happy[auction.rob_back=never]",
    "jj-classic[autoplay.manual_act_ends=false]",
    "jj-classic[autoplay.auto_act_starts=false]",
    "jj-classic[autoplay.reconnect_ends=true]",
    "jj-classic[autoplay.last_card_follow=false]",
    "qq-classic[combination.kicker_may_match_core=true]",
    "qq-classic[combination.both_jokers_as_two_singles=false]",
    "qq-classic[combination.quad_as_single_wings=false]",
    "qq-classic[combination.same_rank_pairs=false]",
    "qq-classic[combination.adjacent_triple_as_wings=false]",
    "qq-classic[combination.repeated_rank_singles=false]",
    "qq-classic[combination.four_two_mixed=true]",
]
