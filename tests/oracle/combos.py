"""The combinations: what a set of cards can be read as, with or without a wild rank, and what beats what.

A reading is a tuple (category, length, main): length is the number of core units in the chain (1 outside
chains), main the rank number of the highest core card (the rocket's is 14, the big joker).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .cards import RANKS
from .names import Reading, Rules
from .natural import SHAPES, SWITCHES, leading_order, natural_readings
from .wild import wild_readings

__all__ = [
    "SHAPES", "SWITCHES", "beats", "follow_reading", "lead_reading", "leading_order", "readings", "switches_of",
]  # fmt: skip

BOMB_ORDER = {"bomb": 0, "bomb_soft": 0, "bomb_hard": 1, "bomb_pure": 2}  # jj2 L27, happy H36


def switches_of(rules: Rules) -> dict[str, bool]:
    """The seven switches of a flat rule set, as a plain dictionary."""
    return {name: rules.get("combination." + name, default) for name, default in SWITCHES.items()}


def readings(
    ranks: str | Iterable[int], switches: dict[str, bool] | None = None, wild: int | None = None
) -> list[Reading]:
    """All readings of a set of cards (rank numbers or rank text), in leading order.

    With a wild rank the bombs are called bomb_soft, bomb_hard and bomb_pure.
    """
    if isinstance(ranks, str):
        ranks = [RANKS.index(letter) for letter in ranks.replace("10", "T")]
    chosen = dict(SWITCHES)
    chosen.update(switches or {})
    values = tuple(chosen[name] for name in SWITCHES)
    if wild is None:
        return list(natural_readings(tuple(sorted(ranks)), values))
    return list(wild_readings(tuple(sorted(ranks)), wild, values))


def beats(reading: Reading, previous: Reading) -> bool:
    """Whether a play read so beats the previous play read so."""
    category, length, main = reading
    previous_category, previous_length, previous_main = previous
    if previous_category == "rocket":
        return False
    if category == "rocket":
        return True
    if category in BOMB_ORDER:
        if previous_category not in BOMB_ORDER:
            return True
        return (BOMB_ORDER[category], main) > (BOMB_ORDER[previous_category], previous_main)
    return category == previous_category and length == previous_length and main > previous_main


def lead_reading(candidates: Sequence[Reading]) -> Reading | None:
    """The reading used for a lead, of those possible; None if there is none."""
    return min(candidates, key=leading_order, default=None)


def follow_reading(candidates: Sequence[Reading], previous: Reading) -> Reading | None:
    """The reading used to beat a play: its category and length, highest main; else bomb or rocket."""
    winning = [reading for reading in candidates if beats(reading, previous)]
    alike = [reading for reading in winning if reading[:2] == tuple(previous[:2])]
    if alike:
        return max(alike, key=lambda reading: reading[2])
    return lead_reading(winning)
