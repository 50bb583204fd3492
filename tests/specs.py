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
_LIABLE = (
    "liability.when_losing=autoplaying_pays_all,liability.when_winning=others_take_all,"
    "liability.both_losing=equal_split,liability.both_winning={},liability.exempt_cards=1"
)
# Keys in company that no shipped rule set has: liability with pairs of unequal stakes, other factors, units and auctions.
UNUSUAL = [
    f"casino-capped[{_LIABLE.format('forfeit')}]",
    f"casino-capped[{_LIABLE.format('landlord_keeps')},cap.after_pairs=true]",
    f"happy[{_LIABLE.format('forfeit')},liability.status=any_time]",
    "happy[liability.when_losing=autoplaying_pays_all,liability.both_losing=own_share]",
    "jj-classic[liability.when_winning=none]",
    "jj-classic[liability.exempt_measured=at_end,liability.status=any_time,liability.exempt_cards=2]",
    "qq-classic[cap.doublings=1,cap.counts=bombs:rockets]",
    "qq-classic[cap.doublings=2,cap.counts=spring:anti_spring]",
    "qq-classic[events.bomb=3,events.rocket=5,events.spring=4,events.anti_spring=1]",
    "qq-classic[house.fee=room.fee]",
    "qq-classic[house.rake=0.1234,stake.unit=room.unit]",
    "qq-classic[auction.kind=none]",
    "qq-classic[auction.nobody=starter]",
    "qq-classic[auction.nobody=first_opener_or_redeal]",
    "qq-classic[double.factor=2,kick.factor=3]",
    "jj-classic[auction.nobody=redeal]",
    "jj-classic[stake.bid=1,stake.unit=room.rate]",
    "jj-bomb[auction.kind=room]",
    "happy[open_hand.early_max_dealt=16,open_hand.deal_late=2]",
    "happy[double.check=none,double.super=true]",
    "happy[auction.rob_factor=3,stake.bid=bid,auction.kind=score]",
    "casino-capped[auction.rob_factor=2,open_hand.start=5]",
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
