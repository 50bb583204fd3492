"""What the tests of simulated hands share: rule sets that no page states, and hands checked and counted."""

from __future__ import annotations

from collections import Counter
from functools import cache

from ddz_analytics.hands import Hand
from ddz_analytics.parsers.ddz1 import read_line
from ddz_analytics.rules import RuleSet, load_rules
from ddz_analytics.simulate import simulate
from tests.hand_checker import Checker

SHIPPED = ("qq-classic", "jj-classic", "happy", "casino-capped")
WILD = ("laizi-general", "laizi-jj", "happy-laizi")
HANDS, MANY_HANDS, FEWER_HANDS, SEED, PLAYERS = 6_000, 20_000, 1_500, 11, 60

# Keys that no shipped rule set has: no auction; the other value of nearly every key; mixtures.
UNUSUAL = {
    rules.id: rules
    for rules in (
        RuleSet(id="without-auction"),
        RuleSet(
            id='the other way "[1]" 抢', auction_kind="rob", auction_nobody="starter", auction_rotates=True,
            auction_rob_back="never", double_factor=2, double_super=True, kick_factor=2, house_fee="room.fee",
            autoplay_bid_seconds=9, autoplay_play_seconds=12, autoplay_last_card_follow=False,
            autoplay_manual_act_ends=False, autoplay_reconnect_ends=True, combination_kicker_may_match_core=True,
            combination_both_jokers_as_two_singles=False, combination_quad_as_single_wings=False,
            combination_same_rank_pairs=False, combination_adjacent_triple_as_wings=False,
            combination_repeated_rank_singles=False, combination_four_two_mixed=True,
        ),
        RuleSet(
            id="late-openings", auction_kind="score", auction_nobody="first_opener_or_redeal", open_hand_deal_late=3,
            autoplay_play_seconds=30, autoplay_auto_act_starts=False,
        ),
        RuleSet(
            id="room-unspoken", auction_kind="room", auction_nobody="starter", kick_factor=2,
            kick_rob_eligibility="not_yet_spoken",
        ),
    )
}  # fmt: skip


def hands_of(rules: RuleSet, number: int) -> list[Hand]:
    """So many hands simulated under a rule set."""
    return [read_line(line) for line in simulate(rules, hands=number, seed=SEED, players=PLAYERS)]


def rules_named(name: str) -> RuleSet:
    """A shipped rule set, or one of the unusual ones."""
    return UNUSUAL[name] if name in UNUSUAL else load_rules(name)


def tally(name: str) -> Counter[object]:
    """What the hands of a rule set come to, which are fewer under the unusual ones."""
    return checked(name, HANDS if name in SHIPPED else FEWER_HANDS)


@cache
def checked(name: str, number: int) -> Counter[object]:
    """Checks so many hands of a rule set, and counts what the tests ask for."""
    found: Counter[object] = Counter()
    rules = rules_named(name)
    for hand in hands_of(rules, number):
        Checker(hand, rules, found).check()
    return found
