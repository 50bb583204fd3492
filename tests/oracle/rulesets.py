"""The rule sets, as flat dictionaries with the keys of a rule file; each line with its clauses."""

from __future__ import annotations

from .names import Rules

DEFAULTS: Rules = {
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
    "cap.doublings": None,
    "cap.counts": ("bombs", "rockets", "spring", "anti_spring"),
    "cap.multiplier": None,
    "cap.pair_amount": None,
    "cap.landlord_amount": None,
    "cap.after_pairs": False,
    "cap.by_balance": "none",
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
    "autoplay.bid_seconds": None,
    "autoplay.play_seconds": None,
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
    "standing.levels": (),
    "seating.scope": "none",
    "assumed": False,
}

EVENT_KEYS = (
    "events.bomb", "events.soft", "events.hard", "events.pure", "events.rocket", "events.spring", "events.anti_spring",
)  # fmt: skip

LEVELS = (
    ("包身工", None), ("短工", 10), ("长工", 25), ("佃户", 40), ("贫农", 80), ("渔夫", 140), ("猎人", 230), ("中农", 365),
    ("富农", 500), ("掌柜", 700), ("商人", 1000), ("衙役", 1500), ("小财主", 2200), ("大财主", 3000), ("小地主", 4000),
    ("大地主", 5500), ("知县", 7700), ("通判", 10000), ("知府", 14000), ("总督", 20000), ("巡抚", 30000), ("丞相", 45000),
    ("帝王", 70000),
)  # fmt: skip

DOUBLING_EVENTS = {"events.bomb": 2, "events.rocket": 2, "events.spring": 2, "events.anti_spring": 2}

QQ_CLASSIC = {
    "auction.kind": "score",  # Q2
    "auction.nobody": "redeal",  # Q2
    "auction.rotates": True,  # Q3
    "stake.bid": "bid",  # Q18
    **DOUBLING_EVENTS,  # Q18, Q20
    "escape.kind": "fine",  # Q21
    "escape.factor": 3,  # Q21
    "escape.before_bid": 3,  # Q22
    "escape.to": "house",
    "standing.levels": tuple(threshold for _, threshold in LEVELS if threshold is not None),  # Q27
}

JJ_CLASSIC = {
    "auction.kind": "score",  # J4, J5
    "auction.nobody": "starter",  # J6
    "stake.unit": "room.unit",  # J29, J30
    "stake.bid": "bid",  # J31
    **DOUBLING_EVENTS,  # J33, J35, J36, J37
    "liability.when_losing": "autoplaying_pays_all",  # J42
    "liability.when_winning": "others_take_all",  # J43
    "liability.both_losing": "equal_split",  # J42: several split evenly
    "liability.both_winning": "forfeit",  # J43: nobody on autoplay scores
    "liability.exempt_cards": 1,  # J44
    "autoplay.bid_seconds": 20,  # J8
    "autoplay.play_seconds": 15,  # J10
}

JJ_BOMB = {**JJ_CLASSIC, "events.bomb_reading": "total"}  # J34

CASINO_CAPPED = {
    "auction.kind": "room",  # C2, C3, C4
    "auction.nobody": "redeal",  # C5
    "auction.rotates": True,  # C6
    "stake.bid": "bid",  # C23
    **DOUBLING_EVENTS,  # C25
    "cap.doublings": 4,  # C26
    "kick.factor": 2,  # C4, C37, C38
    "kick.eligibility": "acts_after_winning_bid",  # C35, C38
    "kick.rob_eligibility": "all_others",  # C4
    "house.rake": "0.05",  # C28
    "escape.kind": "autoplay",  # C30
    "entry.factor": 64,  # C32
    "seating.scope": "ever",  # C40
}

HAPPY = {
    "auction.kind": "rob",  # H2, H6, H7
    "auction.nobody": "first_opener_or_redeal",  # H2, H5
    "auction.rob_factor": 2,  # H8
    "stake.unit": "room.rate",  # H17
    "open_hand.start": 5,  # H11
    "open_hand.deal_early": 4,  # H12
    "open_hand.deal_late": 3,  # H12
    "open_hand.bottom": 2,  # H13
    "double.factor": 2,  # H17
    "double.check": "threshold",  # H18, H19
    **DOUBLING_EVENTS,  # the page is silent
}

QQ_COINS = {
    **QQ_CLASSIC,
    "stake.unit": "room.rate",  # Q23
    "house.fee": "room.fee",  # Q23, Q26
    "escape.fee": "all",
}

LAIZI_GENERAL = {
    **{
        key: value for key, value in JJ_CLASSIC.items() if not key.startswith(("events.", "autoplay."))
    },  # L4-L8, L34
    "events.soft": 2,  # L35
    "events.hard": 4,  # L35
    "events.pure": 4,  # L35
    "events.rocket": 4,  # L35
    "events.spring": 2,  # L35
    "events.anti_spring": 2,  # L35
    "liability.both_losing": "equal_split",  # L40
    "liability.both_winning": "normal",  # the page is silent
    "wild.enabled": True,  # L1, L2
}

LAIZI_JJ = {
    **LAIZI_GENERAL,
    "events.combine": "additive",  # L36
    "events.soft": 1,  # L36
    "events.hard": 2,  # L36
    "events.pure": 2,  # L36
    "events.rocket": 2,  # L36
    "events.spring": 1,  # L36
    "events.anti_spring": 1,  # L36
}

HAPPY_LAIZI = {
    **{key: value for key, value in HAPPY.items() if not key.startswith("events.")},
    **{key: value for key, value in LAIZI_GENERAL.items() if key.startswith("events.")},  # no page gives any
    "wild.enabled": True,  # H32
    "assumed": True,
}

DOUZERO_ADP = {"events.bomb": 2, "events.rocket": 2}  # no auction, no bid, no spring

OVERLAYS: dict[str, Rules] = {
    "cap-4": {"cap.doublings": 4},
    "minimised": {"balance.minimised": True},  # J38
    "no-liability": {"liability.when_losing": "none", "liability.when_winning": "none"},
}

COMPLETE: dict[str, Rules] = {
    "qq-classic": QQ_CLASSIC,
    "jj-classic": JJ_CLASSIC,
    "jj-bomb": JJ_BOMB,
    "casino-capped": CASINO_CAPPED,
    "happy": HAPPY,
    "qq-coins": QQ_COINS,
    "laizi-general": LAIZI_GENERAL,
    "laizi-jj": LAIZI_JJ,
    "happy-laizi": HAPPY_LAIZI,
    "douzero-adp": DOUZERO_ADP,
}


def complete(partial: Rules) -> Rules:
    """A rule set with every key: the neutral default where it says nothing."""
    unknown = set(partial) - set(DEFAULTS)
    if unknown:
        raise KeyError(f"unknown keys {sorted(unknown)}")
    rules = {**DEFAULTS, **partial}
    if rules["events.combine"] == "additive":  # nothing is added where nothing is said
        rules.update({key: partial.get(key, 0) for key in EVENT_KEYS})
    return rules


def load(name: str) -> Rules:
    """The rule set of a name such as "jj-bomb" or "jj-bomb+cap-4", with every key."""
    first, *overlays = name.split("+")
    rules = dict(COMPLETE[first])
    for overlay in overlays:
        rules.update(OVERLAYS[overlay])
    return complete(rules)
