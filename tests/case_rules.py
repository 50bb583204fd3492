"""From the rule set and the options that a case names to a rule set, as `--set` would make it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ddz_analytics as ddz
from ddz_analytics.rules import variants
from tests.case_facts import UnknownWord, Words

# The case files' older ids; any other name is a spec as `load_rules` takes it.
RULE_SETS = {
    "qq_classic": "qq-classic",
    "qq_coins": "qq-coins",
    "jj_classic": "jj-classic",
    "jj_bomb_rule": "jj-bomb",
    "jj_minimise": "jj-classic+minimised",
    "casino": "casino-capped",
    "happy": "happy",
    "happy_laizi": "happy-laizi",
    "laizi_general": "laizi-general",
    "laizi_jj": "laizi-jj",
}
_EVENTS = ("events.bomb", "events.rocket", "events.spring", "events.anti_spring")
# Options whose value is a key's value.
_KEYS = {
    "jj_bomb_rule_reading": "events.bomb_reading",
    "jj_bomb_rule_counts_rocket": "events.bomb_counts_rocket",
    "minimise_winner_cap": "balance.winner_cap",
    "minimise_overdraw": "balance.overdraw",
    "minimise_fee": "balance.fee",
    "autoplay_status": "liability.status",
    "both_autoplay_win": "liability.both_winning",
    "qq_fee_in_net": "house.fee_in_score",
    "qq_x_includes_identity": "stake.identity_included",
    "escape_points_to": "escape.to",
    "escape_fee": "escape.fee",
    "casino_cap_doublings": "cap.doublings",
    "casino_cap_includes_kick": "cap.after_pairs",
    "rake_rounding": "house.rake_rounding",
    "entry_strict": "entry.strict",
    "seating_scope": "seating.scope",
    "kick_eligibility": "kick.eligibility",
    "rob_double_eligibility": "kick.rob_eligibility",
    "happy_open_after_bottom": "open_hand.bottom_who",
    "happy_caller_rob_back": "auction.rob_back",
    "happy_deal_open_x4_max_dealt": "open_hand.early_max_dealt",
    "tie_break_relation": "standing.tie_break_relation",
    "autoplay_last_card_follow": "autoplay.last_card_follow",
    "auto_act_starts_autoplay": "autoplay.auto_act_starts",
    "manual_act_ends_autoplay": "autoplay.manual_act_ends",
    "reconnect_ends_autoplay": "autoplay.reconnect_ends",
}
# Options that say something else than a key's value.
_TRANSLATED: dict[str, Callable[[Any], list[tuple[str, Any]]]] = {
    "casino_multiplier": lambda value: [
        ("stake.multiplier_starts_at", "one" if value in ("power_of_doublings", "one") else "bid")
    ],
    "autoplay_last_card_measured": lambda value: (
        [("liability.exempt_cards", 0)] if value == "none" else [("liability.exempt_measured", value)]
    ),
    "happy_bombs_and_spring": lambda value: [(key, 2 if value else 1) for key in _EVENTS],
    "qq_coin_rocket_doubles": lambda value: [("events.rocket", 2 if value else 1)],
    "happy_settlement_cap": lambda value: [] if value == "none" else [("cap.by_balance", value)],
}


def rules_of(case: Words) -> ddz.RuleSet:
    """The rule set of a case, with its options as a variant."""
    settings = [f"{key}={_typed(value)}" for key, value in _settings(case.get("options", {}))]
    name = str(case["ruleset"])
    rules = ddz.load_rules(RULE_SETS.get(name, name))
    if "A" in case["facts"] and rules.house_fee == "none":
        settings.append("house.fee=room.fee")  # a fact that there is a fee would otherwise say nothing
    return variants(rules, settings)[0]


def _settings(options: Words) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in options.items():
        if name in _TRANSLATED:
            found += _TRANSLATED[name](value)
        elif name in ddz.Switches._fields:
            found.append((f"combination.{name}", value))
        elif name in _KEYS:
            found.append((_KEYS[name], value))
        else:
            raise UnknownWord(f"option {name}")
    return found


def _typed(value: Any) -> str:
    """A value as it is typed after `--set`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)
