"""`RuleSet`: one flat, typed struct in which every key of a rule file has a neutral default.

A key `section.key` of a rule file is the attribute `section_key`. Values are the engine's: a share is an int in
ten-thousandths and "no limit" is None; `values` turns them into a rule file's notation and back.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json, structs

from ddz_analytics.combinations import Switches
from ddz_analytics.errors import UsageError

SECTIONS = (
    "auction", "stake", "open_hand", "double", "kick", "events", "cap", "liability", "balance", "house", "escape", "entry",
    "autoplay", "combination", "wild", "standing", "seating",
)  # fmt: skip

Factor = Annotated[int, Meta(ge=1, le=1000)]
EventFactor = Annotated[int, Meta(ge=0, le=1000)]
Seconds = Annotated[int, Meta(ge=1, le=3600)]
Points = Annotated[int, Meta(ge=1, le=10**12)]
Price = Annotated[int, Meta(ge=0, le=1_000_000)]
Share = Annotated[int, Meta(ge=0, le=10_000, description="a share in ten-thousandths")]
Counted = Literal["bombs", "rockets", "spring", "anti_spring"]


class RuleSet(Struct, frozen=True, kw_only=True):
    """What a hand is scored by: every parameter that acts, and the labels that say where it comes from.

    `sources` maps a section to its citation; `assumed` marks a rule set that its page does not state.
    `house_rake` is a share in ten-thousandths; None is "none" (no cap, no limit).
    """

    id: str
    title_zh: str = ""
    title_en: str = ""
    game: Literal["ddz"] = "ddz"

    auction_kind: Literal["none", "score", "room", "rob"] = "none"
    auction_nobody: Literal["redeal", "starter", "first_opener_or_redeal"] = "redeal"
    auction_rotates: bool = False
    auction_rob_factor: Factor = 1
    auction_rob_back: Literal["only_if_robbed", "never"] = "only_if_robbed"

    stake_unit: Literal[1, "room.unit", "room.rate"] = 1
    stake_bid: Literal[1, "bid"] = 1
    stake_identity_included: bool = True
    stake_multiplier_starts_at: Literal["one", "bid"] = "one"

    open_hand_start: Factor = 1
    open_hand_deal_early: Factor = 1
    open_hand_deal_late: Factor = 1
    open_hand_bottom: Factor = 1
    open_hand_early_max_dealt: Annotated[int, Meta(ge=0, le=17)] = 6
    open_hand_bottom_who: Literal["landlord_only"] = "landlord_only"

    double_factor: Factor = 1
    double_check: Literal["none", "threshold"] = "none"
    double_super: bool = False

    kick_factor: Factor = 1
    kick_eligibility: Literal["acts_after_winning_bid"] = "acts_after_winning_bid"
    kick_rob_eligibility: Literal["all_others", "not_yet_spoken"] = "all_others"

    events_combine: Literal["product", "additive"] = "product"
    events_bomb: EventFactor = 1
    events_soft: EventFactor = 1
    events_hard: EventFactor = 1
    events_pure: EventFactor = 1
    events_rocket: EventFactor = 1
    events_spring: EventFactor = 1
    events_anti_spring: EventFactor = 1
    events_bomb_reading: Literal["power", "total", "cumulative"] = "power"
    events_bomb_counts_rocket: bool = False

    cap_doublings: Annotated[int, Meta(ge=0, le=60)] | None = None
    cap_counts: tuple[Counted, ...] = ("bombs", "rockets", "spring", "anti_spring")
    cap_multiplier: Points | None = None
    cap_pair_amount: Points | None = None
    cap_landlord_amount: Points | None = None
    cap_after_pairs: bool = False

    liability_when_losing: Literal["none", "autoplaying_pays_all"] = "none"
    liability_when_winning: Literal["none", "others_take_all"] = "none"
    liability_both_losing: Literal["own_share", "equal_split"] = "own_share"
    liability_both_winning: Literal["normal", "forfeit", "landlord_keeps"] = "normal"
    liability_status: Literal["at_end", "any_time"] = "at_end"
    liability_exempt_cards: Annotated[int, Meta(ge=0, le=17)] = 0
    liability_exempt_measured: Literal["at_start", "at_end"] = "at_start"
    liability_shortfall: Literal["lost", "partner_pays"] = "lost"

    balance_minimised: bool = False
    balance_winner_cap: Literal["per_payer", "total"] = "per_payer"
    balance_overdraw: Literal["proportional_round_half_up"] = "proportional_round_half_up"
    balance_fee: Literal["inside", "on_top"] = "inside"
    balance_rounding_unit: Annotated[int, Meta(ge=1, le=1_000_000)] = 1

    house_rake: Share = 0
    house_rake_rounding: Literal["exact", "floor"] = "exact"
    house_fee: Literal["none", "room.fee"] = "none"
    house_fee_in_score: bool = True

    escape_kind: Literal["undefined", "fine", "autoplay", "void"] = "undefined"
    escape_factor: EventFactor = 3
    escape_before_bid: Price = 3
    escape_to: Literal["house", "others"] = "house"
    escape_fee: Literal["all", "escaper", "none"] = "all"

    entry_factor: Price = 0
    entry_strict: bool = False

    autoplay_bid_seconds: Seconds | None = None
    autoplay_play_seconds: Seconds | None = None
    autoplay_last_card_follow: bool = True
    autoplay_auto_act_starts: bool = True
    autoplay_manual_act_ends: bool = True
    autoplay_reconnect_ends: bool = False

    combination_kicker_may_match_core: bool = False
    combination_both_jokers_as_two_singles: bool = True
    combination_quad_as_single_wings: bool = True
    combination_same_rank_pairs: bool = True
    combination_adjacent_triple_as_wings: bool = True
    combination_repeated_rank_singles: bool = True
    combination_four_two_mixed: bool = False

    wild_enabled: bool = False

    standing_event: Literal["regular", "championship", "swiss"] = "regular"
    standing_tie_break_relation: Literal["last_hand_points", "last_hand_side"] = "last_hand_points"
    standing_levels: Literal["none", "qq"] = "none"

    seating_scope: Literal["none", "ever", "match", "day"] = "none"

    assumed: bool = False
    sources: dict[str, str] = {}

    @property
    def rule_hash(self) -> str:
        """The first 16 hex digits of the SHA-256 of every key that is not neutral, with its value (as JSON with sorted keys).

        Labels do not act. A key that a later version adds leaves the hash of every rule set that does not set it as it is.
        """
        said = {key: value_of(self, key) for key in ATTRIBUTES}
        content = {key: value for key, value in said.items() if value != neutral(key, self.events_combine)}
        return sha256(json.encode(content, order="sorted")).hexdigest()[:16]

    def __hash__(self) -> int:
        """Hash by what acts, because the mapping of citations cannot be hashed."""
        return hash(tuple(getattr(self, attribute) for attribute in ATTRIBUTES.values()))


def autoplay_bits(rules: RuleSet) -> int:
    """The keys by which autoplay begins and ends, as one number for a column."""
    keys = (rules.autoplay_auto_act_starts, rules.autoplay_manual_act_ends, rules.autoplay_reconnect_ends)
    return sum(on << place for place, on in enumerate(keys))


def switches_of(rules: RuleSet) -> Switches:
    """The switches by which a rule set reads sets of cards."""
    return Switches(*(getattr(rules, f"combination_{name}") for name in Switches._fields))


def _section_of(attribute: str) -> str | None:
    return next((section for section in SECTIONS if attribute.startswith(section + "_")), None)


def _keys() -> dict[str, structs.FieldInfo]:
    named = ((_section_of(field.name), field) for field in structs.fields(RuleSet))
    return {f"{section}.{field.name[len(section) + 1 :]}": field for section, field in named if section}


_FIELDS = _keys()
ATTRIBUTES: dict[str, str] = {key: field.name for key, field in _FIELDS.items()}
TYPES: dict[str, Any] = {key: field.type for key, field in _FIELDS.items()}
DEFAULTS: dict[str, object] = {key: field.default for key, field in _FIELDS.items()}
EVENT_FACTORS = tuple(
    f"events.{event}" for event in ("bomb", "soft", "hard", "pure", "rocket", "spring", "anti_spring")
)
_NEUTRAL_FACTOR = {"product": 1, "additive": 0}


def neutral(key: str, combine: str = "product") -> object:
    """The value of a dotted key that changes nothing, given how events combine."""
    return _NEUTRAL_FACTOR[combine] if key in EVENT_FACTORS else DEFAULTS[key]


def value_of(rules: RuleSet, key: str) -> object:
    """The engine's value of a dotted key."""
    value: object = getattr(rules, ATTRIBUTES[key])
    return value


def with_keys(base: RuleSet, settings: Mapping[str, object]) -> RuleSet:
    """`base` with the engine's values of the dotted keys in `settings`; its labels are kept.

    When `events.combine` changes, events that were neutral before stay neutral (1 in a product, 0 in a sum).
    """
    settings = {**_moved_neutrals(base, settings), **settings}
    rules = structs.replace(base, **{ATTRIBUTES[key]: value for key, value in settings.items()})
    zeros = [key for key in EVENT_FACTORS if value_of(rules, key) == 0]
    if rules.events_combine == "product" and zeros:
        what = f"{zeros[0]} = 0 would multiply a stake to nothing"
        raise UsageError("rule_value", what, mend="a factor is 1 or more")
    return rules


def _moved_neutrals(base: RuleSet, settings: Mapping[str, object]) -> dict[str, object]:
    before, after = base.events_combine, str(settings.get("events.combine", base.events_combine))
    if before == after:
        return {}
    return {key: neutral(key, after) for key in EVENT_FACTORS if value_of(base, key) == neutral(key, before)}
