"""Ranks, card sets packed in one integer, and their text.

A set of cards is a signed 64-bit mask of 15 ranks × 4 bits: bit `4*rank + suit`. Without suits, `c` cards of a rank set the
lowest `c` bits; jokers use the lowest bit of their rank. `counts` turns a mask into 15 counts of 4 bits each, which is all
that rules look at. The packing would hide a card that is there twice, so everything is checked before it is packed.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ddz_analytics.errors import BadRecord

RANKS = "3456789TJQKA2BR"
SUITS = "SHCD"
ACE, TWO, SMALL_JOKER, BIG_JOKER = 11, 12, 13, 14
LARGEST_PLAY = 20  # cards the landlord holds

Mask = npt.NDArray[np.int64]

RANK_OF = {text: rank for rank, text in enumerate(RANKS)}
FULL_DECK = (1 << 52) - 1 | 1 << 52 | 1 << 56  # every bit of a suited deck
FULL_COUNTS = 0x114444444444444
_ONE_OF = [1 << 4 * rank for rank in range(15)]  # the counts of one card of each rank
HIGHEST_BITS = 0x888888888888888  # the highest bit of each count

_JOKERS = {"B": SMALL_JOKER, "BJ": SMALL_JOKER, "R": BIG_JOKER, "RJ": BIG_JOKER}
_SUITED = {
    suit + text: 1 << (4 * rank + suit_index)
    for suit_index, suit in enumerate(SUITS)
    for text, rank in {**{RANKS[r]: r for r in range(SMALL_JOKER)}, "10": RANK_OF["T"]}.items()
} | {text: 1 << 4 * rank for text, rank in _JOKERS.items()}


def _tables() -> tuple[Mask, Mask, npt.NDArray[np.int64]]:
    """For every 16 bits (four ranks): bits to counts, counts to lowest bits (-1 when a count exceeds 4), sum of counts."""
    chunk = np.arange(1 << 16, dtype=np.int64)
    counts, bits, total = np.zeros_like(chunk), np.zeros_like(chunk), np.zeros_like(chunk)
    possible = np.ones(chunk.shape, dtype=bool)
    for place in range(0, 16, 4):
        nibble = chunk >> place & 15
        ones = (nibble & 1) + (nibble >> 1 & 1) + (nibble >> 2 & 1) + (nibble >> 3)
        counts |= ones << place
        bits |= (1 << np.minimum(nibble, 4)) - 1 << place
        total += nibble
        possible &= nibble <= 4
    return counts, np.where(possible, bits, -1), total


_COUNTS, _BITS, _TOTAL = _tables()
_TEXTS = [  # for each eight bits (two ranks) of a mask, the text of each value
    [low * (byte & 15).bit_count() + high * (byte >> 4).bit_count() for byte in range(256)]
    for low, high in zip(RANKS[::2], [*RANKS[1::2], ""], strict=True)
]
_COUNTS_OF, _BITS_OF = _COUNTS.tolist(), _BITS.tolist()  # for one set at a time, which NumPy is slow at


def _gather(table: Mask, values: Mask) -> Mask:
    """`table` applied to each 16 bits of each value."""
    result: Mask = table[values & 0xFFFF]
    for place in (16, 32, 48):
        result = result | table[values >> place & 0xFFFF] << place
    return result


def _gather_one(table: list[int], value: int) -> int:
    found = table[value & 0xFFFF] | table[value >> 16 & 0xFFFF] << 16
    return found | table[value >> 32 & 0xFFFF] << 32 | table[value >> 48] << 48


def counts(masks: Mask) -> Mask:
    """The counts of each rank, 4 bits a rank, of card sets given as masks."""
    return _gather(_COUNTS, masks)


def unsuited(count_sets: Mask) -> Mask:
    """The masks of card sets given as counts of at most 4 a rank."""
    return _gather(_BITS, count_sets)


def sizes(count_sets: Mask) -> npt.NDArray[np.int64]:
    """How many cards each set of counts holds (right while every count is at most 15)."""
    total: Mask = _TOTAL[count_sets & 0xFFFF]
    for place in (16, 32, 48):
        total = total + _TOTAL[count_sets >> place & 0xFFFF]
    return total


def can_be_held(count_sets: Mask) -> npt.NDArray[np.bool_]:
    """Whether one deck has the cards of each set of counts: at most four of a rank, one of each joker."""
    possible: npt.NDArray[np.bool_] = count_sets >> 4 * SMALL_JOKER & 0xEE == 0
    for place in (0, 16, 32, 48):
        possible &= _BITS[count_sets >> place & 0xFFFF] >= 0
    return possible


def size(mask: int) -> int:
    """How many cards a mask holds."""
    return mask.bit_count()


def counts_of(mask: int) -> int:
    """The counts of one mask, as `counts` of many."""
    return _gather_one(_COUNTS_OF, mask)


def unsuited_of(count_set: int) -> int:
    """The mask of one set of counts, as `unsuited` of many."""
    return _gather_one(_BITS_OF, count_set)


def minus(count_set: int, taken: int) -> int:
    """What is left of one set of counts after taking another out of it, as far as it is there."""
    if ((count_set | HIGHEST_BITS) - taken) & HIGHEST_BITS == HIGHEST_BITS:  # no rank is short
        return count_set - taken
    pairs = zip(rank_counts(count_set), rank_counts(taken), strict=True)
    return sum(max(have - gone, 0) << 4 * rank for rank, (have, gone) in enumerate(pairs))


def rank_counts(count_set: int) -> list[int]:
    """The fifteen counts of one packed set of counts."""
    return [count_set >> 4 * rank & 15 for rank in range(15)]


def pack_counts(ranks: list[int]) -> int:
    """The packed counts of a list of ranks, each rank as often as it stands there."""
    return sum(map(_ONE_OF.__getitem__, ranks))


def is_suited(text: str) -> bool:
    """Whether a dealt hand's text is in the notation with suits: cards separated by spaces."""
    return " " in text


def pack(text: str, *, suited: bool) -> int:
    """The mask of a card text; raises `BadRecord` for a text that no set of cards out of one deck can have."""
    return _pack_suited(text) if suited else _pack_unsuited(text)


def _pack_suited(text: str) -> int:
    tokens = text.split()
    try:
        mask = sum(map(_SUITED.__getitem__, tokens))
        if mask.bit_count() == len(tokens) > 0:  # a card that is there twice would carry, which costs a bit
            return mask
    except KeyError:
        pass
    mask = 0
    for token in tokens:
        bit = _SUITED.get(token)
        if bit is None:
            raise BadRecord("bad_cards", f"{token[:20]!r} is no card")
        if mask & bit:
            raise BadRecord("bad_cards", f"the card {token} twice in one set")
        mask |= bit
    if not mask:
        raise BadRecord("bad_cards", "no card at all")
    return mask


def _pack_unsuited(text: str) -> int:
    ranks = []
    for letter in text.replace("10", "T"):
        if letter not in RANK_OF:
            raise BadRecord("bad_cards", f"{letter!r} in {text[:30]!r} is no rank")
        ranks.append(RANK_OF[letter])
    mask = 0
    for rank in sorted(set(ranks)):
        copies = ranks.count(rank)
        if copies > (1 if rank >= SMALL_JOKER else 4):
            raise BadRecord("bad_cards", f"{copies} cards of rank {RANKS[rank]} in one set")
        mask |= (1 << copies) - 1 << 4 * rank
    if not mask:
        raise BadRecord("bad_cards", "no card at all")
    return mask


def text_of(mask: int, *, suited: bool = False) -> str:
    """The canonical text of a mask: ranks from low to high, `BR` for the jokers; with suits, separated by spaces."""
    if not suited:
        return "".join([texts[byte] for texts, byte in zip(_TEXTS, mask.to_bytes(8, "little"), strict=True)])
    cards = []
    for bit in range(60):
        if mask >> bit & 1:
            rank, suit = divmod(bit, 4)
            cards.append(RANKS[rank] if rank >= SMALL_JOKER else SUITS[suit] + RANKS[rank])
    return " ".join(cards)


@cache
def _rank_steps() -> Mask:
    """For each byte of a card text, what it adds to the packed counts; 0 for a byte that is no rank."""
    steps = np.zeros(256, dtype=np.int64)
    for text, rank in RANK_OF.items():
        steps[ord(text)] = 1 << 4 * rank
    return steps


def pack_unsuited_column(texts: pa.StringArray) -> tuple[Mask, npt.NDArray[np.bool_]]:
    """Masks of a column of card texts without suits, and which of them could not be read this way (mask 0).

    Those left over (a `10`, a wrong letter, five of a rank, an empty text) are for `pack`, which says what is wrong.
    """
    if not len(texts):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
    _, offset_buffer, data = texts.buffers()
    offsets = np.frombuffer(offset_buffer, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters = np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8)
    sums = np.zeros(len(letters) + 1, dtype=np.int64)
    np.cumsum(_rank_steps()[letters], out=sums[1:])
    lengths = np.diff(offsets)
    # Twenty cards fit without a carry unless sixteen are of one rank; a carry or a wrong letter shows in the total.
    packed = sums[offsets[1:]] - sums[offsets[:-1]]
    left_over = (lengths == 0) | (lengths > LARGEST_PLAY) | (sizes(packed) != lengths)
    left_over |= ~can_be_held(packed)
    return np.where(left_over, 0, unsuited(np.where(left_over, 0, packed))), left_over
