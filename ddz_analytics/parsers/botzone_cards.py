"""Cards as Botzone numbers them, which other programs took over, and the combinations that its judges know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from ddz_analytics.cards import RANKS
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS

ONE_DECK = 54
Card = Annotated[int, Meta(ge=0, lt=ONE_DECK)]
_SUITS = "HDSC"

DIALECT: Mapping[str, bool] = {
    "quad_as_single_wings": False,
    "same_rank_pairs": False,
    "adjacent_triple_as_wings": False,
    "repeated_rank_singles": False,
    "space_shuttle": True,
}


def cards_text(cards: Iterable[int]) -> str:
    """Card ids as text: four ids a rank, in the order hearts, diamonds, spades, clubs; 52 and 53 are the jokers."""
    return " ".join(
        "BR"[card - 52] if card >= 52 else _SUITS[card % 4] + RANKS[card // 4] for card in sorted(cards)
    )


def refuse_other_modes(dealt: Any) -> None:
    """Raise `BadRecord` for hands that a game of three with one deck does not have: a fourth one, or cards of a second deck."""
    hands = [hand for hand in dealt if isinstance(hand, list)] if isinstance(dealt, list) else []
    number = sum(map(len, hands))
    if len(hands) > SEATS or number > ONE_DECK:
        detail = f"{len(hands)} hands of {number} cards: only games of three with one deck are known"
        raise BadRecord("unsupported_mode", detail)


def check_sizes(sizes: Iterable[int], *, landlord_has_bottom: bool = False) -> None:
    """Raise `BadRecord` unless three hands of 17 and 3 cards are dealt; the first hand may have the bottom cards already."""
    wanted = [20 if landlord_has_bottom else 17, 17, 17, 3]
    if (found := list(sizes)) != wanted:
        raise BadRecord(
            "deal_size", f"{found[:3]} cards dealt and {found[3]} left over, not {wanted[:3]} and 3"
        )


def card_ids(text: str, line: int) -> list[int]:
    """The card ids of a text such as `3,17,52`; raises `BadRecord` for anything but numbers. Of which deck is not asked."""
    ids = []
    for word in text.split(",") if text.strip() else []:
        number = word.strip()
        if not (number.isascii() and number.isdigit() and len(number) <= 3):
            raise BadRecord("bad_cards", f"{number[:20]!r} is no number of a card - at line {line}")
        ids.append(int(number))
    return ids


def check_ids(ids: Iterable[int], line: int) -> None:
    """Raise `BadRecord` for the id of a card that one deck does not have."""
    for card in ids:
        if card >= ONE_DECK:
            raise BadRecord("out_of_range", f"there is no card {card} - at line {line}")


def deal_text(hands: Sequence[list[int]], bottom: list[int], line: int) -> tuple[tuple[str, str, str], str]:
    """Three hands of 17 and the bottom cards as text; raises `BadRecord` for another number of hands or cards, or no card."""
    refuse_other_modes(list(hands))
    check_sizes([*map(len, hands), len(bottom)])
    for ids in (*hands, bottom):
        check_ids(ids, line)
    first, second, third = map(cards_text, hands)
    return (first, second, third), cards_text(bottom)
