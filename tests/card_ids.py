"""One deal by card ids, for logs made by hand: 0-16 are the threes to sixes and a seven, 17-33 go on to two jacks, 34-50 to three twos."""

from __future__ import annotations

from collections.abc import Sequence

FIRST, SECOND, THIRD, BOTTOM = range(17), range(17, 34), range(34, 51), range(51, 54)
# The four suits of 3, 4, 5, 6 and the seven of hearts; the other sevens, 8, 9, T and two jacks; the rest; a two and the jokers.
DEALT = (
    "H3 D3 S3 C3 H4 D4 S4 C4 H5 D5 S5 C5 H6 D6 S6 C6 H7",
    "D7 S7 C7 H8 D8 S8 C8 H9 D9 S9 C9 HT DT ST CT HJ DJ",
    "SJ CJ HQ DQ SQ CQ HK DK SK CK HA DA SA CA H2 D2 S2",
)
LEFT_OVER = "C2 B R"
# What the first seat, as landlord with the bottom cards, plays until it is out: the rocket, four bombs, a seven, a two.
OUT = ([52, 53], [0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16], [51])


def listed(ids: Sequence[int]) -> str:
    """Card ids with commas between them."""
    return ",".join(map(str, ids))
