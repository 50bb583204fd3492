"""Cards as people lay them down: hands from high to low, a play with what there is most of first."""

from __future__ import annotations

from ddz_analytics.cards import RANKS, SMALL_JOKER, SUITS, counts_of, minus, unsuited_of

_OF_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RED = "HD"


def without(held: int, cards: int, *, suited: bool) -> int:
    """What a hand is left with after a play, as far as it had the cards; both are masks."""
    return held & ~cards if suited else unsuited_of(minus(counts_of(held), counts_of(cards)))


def together(held: int, cards: int, *, suited: bool) -> int:
    """A hand with more cards taken up."""
    return held | cards if suited else unsuited_of(counts_of(held) + counts_of(cards))


def in_hand(mask: int, *, suited: bool) -> str:
    """A hand as card text from high to low; with suits, separated by spaces."""
    return _text(_cards(mask, suited=suited), suited=suited)


def on_table(mask: int, *, suited: bool) -> str:
    """A play as card text, the ranks that it has most of first; with suits, separated by spaces."""
    cards = _cards(mask, suited=suited)
    ranks = [card[-1] for card in cards]
    return _text(sorted(cards, key=lambda card: -ranks.count(card[-1])), suited=suited)


def cards_of(text: str) -> list[str]:
    """The cards of a card text, each its rank, after its suit if there is one."""
    return text.split(" ") if any(letter in SUITS for letter in text) or " " in text else list(text)


def grouped(text: str) -> list[tuple[str, str]]:
    """Card text as its ranks in their order, each with the signs of its suits or, without suits, itself again for each further card."""
    groups: list[tuple[str, str]] = []
    for card in cards_of(text):
        suit, rank = _OF_SUITS.get(card[0], "") if len(card) > 1 else "", card[-1]
        if groups and groups[-1][0] == rank:
            groups[-1] = (rank, groups[-1][1] + (suit or rank))
        else:
            groups.append((rank, suit))
    return groups


def _cards(mask: int, *, suited: bool) -> list[str]:
    if not suited:
        return [
            RANKS[rank] for rank in reversed(range(15)) for _ in range((mask >> 4 * rank & 15).bit_count())
        ]
    return [
        RANKS[rank] if rank >= SMALL_JOKER else SUITS[suit] + RANKS[rank]
        for rank in reversed(range(15))
        for suit in range(4)
        if mask >> 4 * rank + suit & 1
    ]


def _text(cards: list[str], *, suited: bool) -> str:
    return (" " if suited else "").join(cards)
