"""The assumptions that a projected score may rest on, in the order of their bits."""

from __future__ import annotations

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
