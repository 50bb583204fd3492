"""Ranks and card texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from .names import Document, Ranks

RANKS = "3456789TJQKA2BR"
ACE = RANKS.index("A")
TWO = RANKS.index("2")
SMALL_JOKER = RANKS.index("B")
BIG_JOKER = RANKS.index("R")
SUITS = "SHDC"


def is_suited(doc: Document) -> bool:
    """Suited or not is decided once per hand, from the dealt cards: no rank has a suit's letter."""
    return any(letter in text for text in doc["dealt"] for letter in "SHDC")


@lru_cache(maxsize=100_000)
def parse_cards(text: str, *, suited: bool) -> tuple[str, ...]:
    """The cards of a text, as a tuple of names: "3", "T", "B" unsuited; "S3", "HT", "B" suited."""
    if suited:
        cards = []
        for token in text.split():
            token = token.replace("10", "T")
            if token in ("BJ", "RJ"):
                token = token[0]
            cards.append(token)
        return tuple(cards)
    return tuple(letter for letter in text.replace("10", "T") if not letter.isspace())


def rank_of(card: str) -> int:
    """The rank number (0 for a 3, 14 for the big joker) of a card name."""
    return RANKS.index(card[-1])


def ranks_of(cards: Iterable[str]) -> Ranks:
    """The sorted rank numbers of some cards."""
    return tuple(sorted(rank_of(card) for card in cards))


def rank_text(ranks: Iterable[int]) -> str:
    """Rank numbers as text, lowest first."""
    return "".join(RANKS[rank] for rank in sorted(ranks))


def held(cards: Iterable[str]) -> Counter[str]:
    """A multiset of card names."""
    return Counter(cards)
