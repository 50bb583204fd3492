"""The acts of hands by number: of logs that say the same plays and passes again and again, each is read once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import UNSET

from ddz_analytics.acts import Acts
from ddz_analytics.columns import Ints
from ddz_analytics.hands import ACTS, Action

_NUMBER = np.dtype("<u4")


class Repertoire:
    """Plays and passes that say no more than seat and cards, numbered as they come."""

    def __init__(self) -> None:
        self.acts: list[Action] = []

    def number(self, act: Action) -> bytes:
        """The number of an act that is new."""
        self.acts.append(act)
        return (len(self.acts) - 1).to_bytes(_NUMBER.itemsize, "little")


class Numbered(NamedTuple):
    """The acts of a hand: one after the other the numbers that a repertoire gave them."""

    numbers: bytes
    repertoire: Repertoire

    def told(self) -> list[Action]:
        """The acts themselves."""
        return [self.repertoire.acts[number] for number in np.frombuffer(self.numbers, _NUMBER).tolist()]


def numbered_acts(hands: Sequence[Numbered]) -> Acts:
    """The acts of some hands whose numbers are those of one repertoire."""
    known = hands[0].repertoire.acts
    number = np.frombuffer(b"".join([hand.numbers for hand in hands]), _NUMBER).astype(np.int64)
    lengths = [len(hand.numbers) // _NUMBER.itemsize for hand in hands]
    act = np.array([ACTS.index(each.act) for each in known], dtype=np.int8)
    seat = np.array([each.seat for each in known], dtype=np.int8)
    cards = pa.array([None if each.cards is UNSET else each.cards for each in known], type=pa.string())
    with_cards = np.flatnonzero((act == ACTS.index("play"))[number])
    nothing: Ints = np.zeros(0, dtype=np.int64)
    return Acts(
        offsets=np.cumsum([0, *lengths]),
        act=act[number],
        seat=seat[number],
        ms=pa.nulls(len(number), pa.int64()),
        with_cards=with_cards,
        cards=cards.take(pa.array(number[with_cards])),
        few=nothing,
        kind=nothing,
        said=[],
    )
