"""Cards: text and packed masks, and what the packing must never hide."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz_analytics import cards
from ddz_analytics.errors import BadRecord

DECK = [rank for rank in range(13) for _ in range(4)] + [13, 14]
SUITED_DECK = [suit + rank for rank in cards.RANKS[:13] for suit in cards.SUITS] + ["B", "R"]

some_ranks = st.lists(st.sampled_from(range(54)), min_size=1, max_size=20, unique=True).map(
    lambda places: [DECK[place] for place in places]
)
some_cards = st.lists(st.sampled_from(SUITED_DECK), min_size=1, max_size=20, unique=True)


@given(some_ranks)
def test_text_of_a_set_comes_back(ranks: list[int]) -> None:
    """Packing a text and writing it again gives the same ranks in order."""
    text = "".join(cards.RANKS[rank] for rank in ranks)
    mask = cards.pack(text, suited=False)
    assert cards.text_of(mask) == "".join(cards.RANKS[rank] for rank in sorted(ranks))
    assert cards.counts_of(mask) == cards.pack_counts(ranks)
    assert cards.size(mask) == len(ranks)


@given(some_cards)
def test_suited_text_comes_back(chosen: list[str]) -> None:
    """With suits every card is a bit of its own."""
    mask = cards.pack(" ".join(chosen), suited=True)
    assert set(cards.text_of(mask, suited=True).split()) == set(chosen)


@settings(deadline=None)  # the first example builds the tables
@given(st.lists(some_ranks, min_size=1, max_size=8))
def test_column_packs_as_one_by_one(sets: list[list[int]]) -> None:
    """Packing a column gives the masks of packing each text."""
    texts = ["".join(cards.RANKS[rank] for rank in ranks) for ranks in sets]
    masks, left_over = cards.pack_unsuited_column(pa.array(texts))
    assert not left_over.any()
    assert masks.tolist() == [cards.pack(text, suited=False) for text in texts]


@pytest.mark.parametrize("text", ["", "33333", "BB", "3x", "1", "3" * 13, "3" * 16, "3" * 20, "RR4"])
def test_column_leaves_over_what_no_deck_has(text: str) -> None:
    """A column hands back what cannot be packed, however the counts would carry into each other; alone it is refused."""
    masks, left_over = cards.pack_unsuited_column(pa.array([text, "34"]))
    assert (left_over.tolist(), masks[0]) == ([True, False], 0)
    with pytest.raises(BadRecord):
        cards.pack(text, suited=False)


@pytest.mark.parametrize("text", ["S3 S3", "S3 X4", "", "B B", "S1"])
def test_suited_text_that_no_deck_has(text: str) -> None:
    """A card twice and a token that is no card are refused."""
    with pytest.raises(BadRecord):
        cards.pack(text, suited=True)


def test_ten_has_two_spellings() -> None:
    """`10` and `T` are the same card, with and without suits."""
    assert cards.pack("1010T", suited=False) == cards.pack("TTT", suited=False)
    assert cards.pack("S10 HT", suited=True) == cards.pack("ST H10", suited=True)


@given(some_ranks, some_ranks)
def test_minus_takes_what_is_there(held: list[int], gone: list[int]) -> None:
    """Taking one set of counts out of another leaves no rank below zero."""
    left = cards.minus(cards.pack_counts(held), cards.pack_counts(gone))
    expected = [max(held.count(rank) - gone.count(rank), 0) for rank in range(15)]
    assert cards.rank_counts(left) == expected


def test_full_deck() -> None:
    """The deck has 54 cards, four of each rank and one of each joker."""
    assert cards.size(cards.FULL_DECK) == 54
    assert int(cards.counts(np.array([cards.FULL_DECK]))[0]) == cards.FULL_COUNTS == cards.pack_counts(DECK)
