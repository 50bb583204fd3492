"""The tables that are stored: grain, type and unit of every column.

The views that people query stand on these tables and are described in `sql/`. Amounts are DECIMAL(18,4) in points or coins;
card sets are 64-bit masks (see `cards`); seats are 0, 1, 2 in order of play; roles are landlord, down (plays after him), up.
"""

from __future__ import annotations

import pyarrow as pa

from ddz_analytics.columns import AMOUNT

ROLES = ("landlord", "down", "up")
SEAT_NUMBERS = (0, 1, 2)

_INT, _SMALL, _TEXT, _FLAG = pa.int64(), pa.int8(), pa.string(), pa.bool_()
_TIME = pa.timestamp("us", tz="UTC")
Fields = list[tuple[str, pa.DataType]]


def _each(parts: tuple[object, ...], name: str, kind: pa.DataType) -> Fields:
    return [(name.format(part), kind) for part in parts]


ACTION = pa.struct(
    [
        ("seat", _SMALL),
        ("act", _SMALL),  # place in hands.ACTS
        ("value", _INT),  # as the log gives it, in 1/10,000
        ("cards", _INT),  # mask
        ("ms", _INT),
        ("actor", _SMALL),  # place in hands.ACTORS
        ("stage", _SMALL),  # place in hands.STAGES
        ("dealt", _SMALL),  # cards dealt so far when a hand was opened
        ("sent", _TEXT),  # what the seat sent where a judge replaced it
        ("declared", _TEXT),  # category, or category:length:main
        ("wilds_as", _TEXT),
    ]
)

# grain: one row per hand
HANDS = pa.schema(
    [
        ("hand_id", _INT),
        ("content_hash", _TEXT),
        ("deal_id", _INT),
        ("source_hand_id", _TEXT),
        ("source_format", _TEXT),
        ("source_path", _TEXT),
        ("source_line", _INT),
        ("evidence", _TEXT),
        ("table_id", _TEXT),
        ("match_id", _TEXT),
        ("hand_no", _INT),
        ("event", _TEXT),
        ("started_at", _TIME),
        ("ended_at", _TIME),
        ("recorded_rules", _TEXT),
        *((f"room_{key}", AMOUNT) for key in ("unit", "low", "high", "rate", "fee", "double_threshold")),
        ("landlord_seat", _SMALL),
        ("first_seat", _SMALL),
        ("bottom", _INT),
        ("wild_rank", _TEXT),
        ("suited", _FLAG),
        ("shuffle", _TEXT),
        ("outcome", _TEXT),
        ("recorded_bid", AMOUNT),
        ("recorded_multiplier", _INT),
        ("balance_kind", _TEXT),
        ("extra", _TEXT),
        *_each(SEAT_NUMBERS, "player_{}", _TEXT),
        *_each(SEAT_NUMBERS, "kind_{}", _TEXT),
        *_each(SEAT_NUMBERS, "registered_{}", _INT),
        *_each(SEAT_NUMBERS, "dealt_{}", _INT),
        *_each(SEAT_NUMBERS, "balance_{}", AMOUNT),
        *_each(SEAT_NUMBERS, "recorded_score_{}", AMOUNT),
        *_each(SEAT_NUMBERS, "recorded_fee_{}", AMOUNT),
        *_each(SEAT_NUMBERS, "recorded_balance_after_{}", AMOUNT),
        ("actions", pa.list_(ACTION)),
    ]
)

# grain: one row per hand: all that settling reads, and what the facts views show
FACTS = pa.schema(
    [
        ("hand_id", _INT),
        ("evidence", _TEXT),
        ("recorded_rules", _TEXT),
        ("replay_status", _TEXT),
        ("outcome", _TEXT),
        ("landlord_seat", _SMALL),
        ("winner_seat", _SMALL),
        ("winner_side", _TEXT),  # landlord or peasants, where it is stated; null: the seat says it
        ("auction_kind", _TEXT),
        (
            "auction_silent",
            _FLAG,
        ),  # the log shows no auction: its format cannot, or the system chose the landlord
        ("auction_forced", _TEXT),
        ("bid", AMOUNT),
        ("raises", _INT),
        ("robs", _INT),
        ("nobody_bid", _FLAG),  # thrown in, or played by somebody whom the auction did not choose
        ("first_seat", _SMALL),  # who spoke first in the auction, or would have
        ("first_opener_seat", _SMALL),  # who opened first before the auction
        ("first_rotates", _FLAG),  # the recorded rules move the first speaker on with each hand
        (
            "seating_scope",
            _TEXT,
        ),  # within what the recorded rules keep players apart: ever, match, day; null: not at all
        (
            "open_multiplier",
            _INT,
        ),  # under the recorded rules; what others make of it follows from the openings below
        ("open_offered", _FLAG),
        ("double_offered", _FLAG),
        ("kick_offered", _FLAG),
        ("autoplay_recorded", _FLAG),
        ("bombs", _INT),
        ("rockets", _INT),
        ("soft_bombs", _INT),
        ("hard_bombs", _INT),
        ("pure_bombs", _INT),
        ("spring", _TEXT),  # none, spring or anti_spring, where it is stated; null: the plays say it
        ("wild_rank", _TEXT),
        ("needs_wild", _FLAG),
        ("reread", _FLAG),
        ("combination_switches", _INT),
        ("autoplay_rules", _INT),
        ("escaped_seat", _SMALL),
        ("escape_stage", _TEXT),
        *((f"room_{key}", AMOUNT) for key in ("unit", "low", "high", "rate", "fee", "double_threshold")),
        *_each(ROLES, "{}_plays", _INT),
        *_each(ROLES, "{}_cards_left", _INT),
        *_each(ROLES, "{}_bombs", _INT),
        *_each(ROLES, "{}_autoplay", _FLAG),
        *_each(ROLES, "{}_autoplay_cards", _INT),
        *_each(ROLES, "{}_autoplay_cards_at_end", _INT),
        *_each(ROLES, "{}_autoplay_ever", _FLAG),
        *_each(ROLES, "{}_autoplay_most_cards", _INT),
        *_each(ROLES, "{}_doubled", _INT),  # the value asked for: 2 or 4; 1 = declined; null = silence
        *_each(ROLES, "{}_kicked", _FLAG),
        *_each(ROLES, "{}_could_kick", _FLAG),
        *_each(ROLES, "{}_balance", AMOUNT),
        *_each(ROLES, "{}_open_stage", _TEXT),  # start, deal or bottom; null: did not open
        *_each(ROLES, "{}_open_value", _INT),
        *_each(ROLES, "{}_open_dealt", _INT),
        *_each(ROLES, "{}_bid", _FLAG),
        *_each(ROLES, "{}_robbed", _FLAG),
        *_each(ROLES, "{}_auction_turn", _INT),
        *_each(ROLES, "{}_could_bid", _FLAG),
        *_each(ROLES, "{}_could_rob", _FLAG),
        *_each(ROLES, "{}_could_double", _FLAG),
    ]
)

# grain: one row per set of cards played (passes are no plays)
PLAYS = pa.schema(
    [
        ("hand_id", _INT),
        ("play_index", pa.int32()),
        ("action_index", pa.int32()),
        ("reread", _FLAG),
        ("seat", _SMALL),
        ("cards", _INT),
        ("category", _SMALL),  # place in combinations.CATEGORIES; null: no reading
        ("length", _SMALL),
        ("main_rank", _SMALL),
        ("is_lead", _FLAG),
        ("trick", pa.int32()),
        ("cards_left_after", _SMALL),
    ]
)

# grain: one row per hand and issue
ISSUES = pa.schema(
    [
        ("hand_id", _INT),
        ("issue_index", pa.int32()),
        ("code", _TEXT),
        ("severity", _TEXT),
        ("action_index", _INT),
        ("seat", _SMALL),
        ("detail", _TEXT),
    ]
)

# grain: one row per hand, seat and episode of autoplay
EPISODES = pa.schema(
    [
        ("hand_id", _INT),
        ("seat", _SMALL),
        ("episode", pa.int32()),
        ("start_index", _INT),
        ("end_index", _INT),
        ("cards_at_start", _INT),
        ("cards_at_end", _INT),
        ("reason", _TEXT),
    ]
)

_COMPONENTS = ("transfer", "liability", "balance_cut", "fee", "rake", "fine")

# grain: one row per scenario, rule set and hand
SETTLEMENTS = pa.schema(
    [
        ("scenario", _TEXT),  # where balances come from: recorded or chained
        ("rule_set", _TEXT),
        ("rule_hash", _TEXT),
        ("hand_id", _INT),
        ("score_status", _TEXT),
        ("reason", _TEXT),
        ("assumed", _INT),  # a bit per place in settlement.assumptions.CODES
        ("unit", AMOUNT),
        ("bid", AMOUNT),
        # of a fine: what multiplies it in event_multiplier and doublings, 1 in the other multipliers, no stake, no cut by a cap
        ("auction_multiplier", _INT),
        ("event_multiplier", _INT),
        ("doublings_uncapped", _INT),
        ("doublings", _INT),
        ("cap_bites", _FLAG),
        ("cap_amount", AMOUNT),
        ("pair_multiplier_down", _INT),
        ("pair_multiplier_up", _INT),
        ("stake_down", AMOUNT),
        ("stake_up", AMOUNT),
        *((f"{component}_{role}", AMOUNT) for component in _COMPONENTS for role in ROLES),
        *_each(ROLES, "net_{}", AMOUNT),
        *_each(ROLES, "balance_{}", AMOUNT),  # before the hand, in this scenario
        *_each(ROLES, "liable_{}", _FLAG),
        *_each(ROLES, "double_refused_{}", _TEXT),  # own, landlord or someone; null: not refused
        *_each(ROLES, "double_change_{}", AMOUNT),  # of the score, had that double alone been allowed
        *_each(ROLES, "fee_apart_{}", AMOUNT),  # paid beside the score, as the seat sees it
        *((f"house_{part}", AMOUNT) for part in ("rake", "fee", "forfeit", "fine", "net", "fee_apart")),
    ]
)

# grain: one row per record that could not become a hand
REJECTED = pa.schema(
    [("source_path", _TEXT), ("line", _INT), ("code", _TEXT), ("detail", _TEXT), ("raw", pa.binary())]
)

# grain: one row per file that was read
SOURCE_FILES = pa.schema(
    [
        ("path", _TEXT),
        ("sha256", _TEXT),
        ("format", _TEXT),
        *((count, _INT) for count in ("read", "stored", "duplicate", "rejected", "skipped")),
        ("ingested_at", _TIME),
    ]
)

# grain: one row per rule set that anything in the store is scored under
RULE_SETS = pa.schema(
    [
        ("rule_set", _TEXT),
        ("title_zh", _TEXT),
        ("title_en", _TEXT),
        ("source", _TEXT),
        ("rule_hash", _TEXT),
        ("assumed", _FLAG),
        ("parameters", _TEXT),  # JSON: dotted key to value
    ]
)
