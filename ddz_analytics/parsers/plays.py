"""What several formats of programs without an auction share: the size of a deal, and whether anybody went out."""

from __future__ import annotations

from collections.abc import Sequence

from ddz_analytics.cards import is_suited
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import SEATS, Action, Outcome

TWO_DECKS = 108
HELD = 17
WITH_BOTTOM = 20


def check_deal(sizes: Sequence[int], landlord: int) -> None:
    """Raise `BadRecord` unless these are the hands of three players, of 17 cards, the landlord's of 20."""
    if len(sizes) != SEATS or sum(sizes) >= TWO_DECKS:
        raise BadRecord(
            "unsupported_mode", f"{len(sizes)} hands of {sum(sizes)} cards: not three players, one deck"
        )
    if list(sizes) != [WITH_BOTTOM if seat == landlord else HELD for seat in range(SEATS)]:
        raise BadRecord("deal_size", f"{sizes} cards dealt, not 17 each and 3 more for the landlord")


def outcome_of(actions: Sequence[Action], landlord: int) -> Outcome:
    """Complete when some seat played as many cards as it held, for logs that do not state how a hand ended."""
    left = [WITH_BOTTOM if seat == landlord else HELD for seat in range(SEATS)]
    for action in actions:
        if isinstance(action.cards, str):
            left[action.seat] -= number_of_cards(action.cards)
    return "complete" if min(left) <= 0 else "unfinished"


def number_of_cards(text: str) -> int:
    """How many cards a card text names, with suits or without."""
    return len(text.split()) if is_suited(text) else len(text.replace("10", "T"))
