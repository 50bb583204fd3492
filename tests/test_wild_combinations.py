"""Wild cards in a set: how it may be read, and in which order its readings lead."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement as choose_repeating
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ddz_analytics as ddz
from ddz_analytics.cards import RANKS, pack_counts
from ddz_analytics.combinations import (
    CATEGORIES,
    NO_FORM,
    FormTable,
    Reading,
    Switches,
    form_table,
    readings_of,
)
from ddz_analytics.wilds import NO_WILD, kinds_of_bombs, lookup_with_wilds, needs_wild, readings_with_wilds
from tests import wild_by_hand

WILD = RANKS.index("7")
DECK = [rank for rank in range(13) for _ in range(4)] + [13, 14]
some_cards = st.lists(st.sampled_from(DECK), min_size=1, max_size=20).filter(
    lambda ranks: all(ranks.count(rank) <= DECK.count(rank) for rank in ranks)
)
some_switches = st.sampled_from(
    [Switches(), Switches(*[False] * len(Switches._fields)), Switches(kicker_may_match_core=True)]
)


def ranks_of(text: str) -> list[int]:
    """The ranks of a card text."""
    return [RANKS.index(letter) for letter in text]


def counts(text: str) -> int:
    """The packed counts of a card text."""
    return pack_counts(ranks_of(text))


def readings(text: str, wild: str = "7") -> tuple[Reading, ...]:
    """The readings of a card text under the default switches."""
    return readings_with_wilds(counts(text), RANKS.index(wild))


def named(text: str, wild: str = "7") -> list[str]:
    """The readings of a card text as words: category, main rank, and the length of a chain."""
    return [
        f"{each.category} {each.main_text}" + (f" x{each.length}" if each.length > 1 else "")
        for each in readings(text, wild)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", ["single 7"]),
        ("77", ["pair 7"]),
        ("777", ["trio 7"]),
        ("7777", ["bomb_pure 7"]),
        ("3333", ["bomb_hard 3"]),
        ("3337", ["bomb_soft 3", "trio_single 3"]),
        ("3377", ["bomb_soft 3", "trio_single 3"]),
        ("47", ["pair 4"]),
        ("447", ["trio 4"]),
        ("477", ["trio 4"]),
        ("3477", ["trio_single 4", "trio_single 3"]),
        ("33377", ["trio_pair 3"]),
        ("33447", ["trio_pair 4", "trio_pair 3"]),
        ("34567", ["straight 7 x5"]),
        ("34577", ["straight 7 x5"]),
        ("45687", ["straight 8 x5"]),
        ("89TJ7", ["straight Q x5", "straight J x5"]),
        ("JQKA7", ["straight A x5"]),
        ("QKA27", []),
        ("445567", ["pair_chain 6 x3"]),
        ("334477", ["pair_chain 5 x3", "trio_chain 4 x2", "four_two_single 4", "four_two_single 3"]),
        ("22AA77", ["four_two_single 2", "four_two_single A"]),
        ("BR", ["rocket BR"]),
        ("B7", []),
        ("R77", []),
        ("BR7", []),
        ("BR77", []),
        ("BR777", []),
        ("B337", ["trio_single 3"]),
        ("BR3337", ["four_two_single 3"]),
        ("33337", []),
        ("BR33337", []),
    ],
)
def test_readings(text: str, expected: list[str]) -> None:
    """All readings of a set whose 7s are wild, in leading order (jj2 L2, L3, L14, L15; happy H32–H35)."""
    assert named(text) == expected


def test_three_and_four_wilds_with_another_card() -> None:
    """Three wilds are a trio of any rank to another card, four also make it a straight; the best reading leads."""
    assert named("3777")[0] == "bomb_soft 3"
    assert Counter(each.category for each in readings("3777")) == {"bomb_soft": 1, "trio_single": 13}
    assert named("77778")[:2] == ["straight Q x5", "straight J x5"]
    assert Counter(each.category for each in readings("77778")) == {"straight": 5, "trio_pair": 13}
    assert named("BR7777") == [f"four_two_single {rank}" for rank in "2AKQJT9876543"]


# How many sets of so many cards, so many of them wild 7s, are legal. With the twelve other ranks and the two jokers:
# xW 12; xxW 12, xWW 12; xxxW 12 and xxyW 12·13; xxWW 12, xyWW C(12,2), xBWW 2·12; xWWW 12 and a joker 2;
# xxxyW 12·11, xxyyW C(12,2), and four of the five ranks of a straight 17.
LEGAL_SETS = {
    (2, 1): 12, (3, 1): 12, (3, 2): 12, (4, 1): 168, (4, 2): 102, (4, 3): 14, (5, 1): 215,
}  # fmt: skip


@pytest.mark.parametrize(("size", "number"), LEGAL_SETS)
def test_number_of_legal_sets(size: int, number: int) -> None:
    """As many small sets with wild cards are legal as can be counted on paper."""
    others = choose_repeating([rank for rank in range(15) if rank != WILD], size - number)
    sets = [pack_counts([*some, *[WILD] * number]) for some in others if possible(some)]
    assert sum(bool(readings_with_wilds(each, WILD)) for each in sets) == LEGAL_SETS[size, number]


def possible(ranks: tuple[int, ...]) -> bool:
    """Whether one deck has these cards."""
    return all(ranks.count(rank) <= DECK.count(rank) for rank in ranks)


@pytest.mark.parametrize(("number", "step"), [(1, 3), (2, 40), (3, 200), (4, 400)])
def test_legal_sets_are_natural_sets_with_cards_taken_out(number: int, step: int) -> None:
    """Wild cards in the place of cards taken out of a natural set leave its readings, and bring those of other such sets."""
    expected: dict[int, set[Reading]] = {}
    steps = [pack_counts([*ranks]) for ranks in choose_repeating(range(13), number)]
    natural = form_table().readings
    wilds = number << 4 * WILD
    for others in {form - way for form in [*natural][::step] for way in steps if holds(form, way)}:
        if others and not others >> 4 * WILD & 15:
            expected[others + wilds] = {each for way in steps for each in natural.get(others + way, ())}
    assert len(expected) > 1000
    for count_set, found in expected.items():
        got = {_as_natural(each) for each in readings_with_wilds(count_set, WILD)}
        assert got == found


def holds(count_set: int, part: int) -> bool:
    """Whether a set has all cards of another."""
    return all(count_set >> place & 15 >= part >> place & 15 for place in range(0, 60, 4))


def _as_natural(reading: Reading) -> Reading:
    category = "bomb" if reading.category.startswith("bomb") else reading.category
    return reading._replace(category=category)


@pytest.mark.parametrize(("size", "step"), [(2, 1), (3, 1), (4, 7), (5, 60), (6, 300)])
def test_equal_to_the_definition_on_small_sets(size: int, step: int) -> None:
    """Small sets have exactly the readings that trying each wild card at each rank finds."""
    sets = [ranks for ranks in choose_repeating(range(15), size) if possible(ranks)]
    for ranks in sets[::step]:
        found = {tuple(each) for each in readings_with_wilds(pack_counts([*ranks]), WILD)}
        assert found == wild_by_hand.with_wilds(Counter(ranks), WILD), ranks


def test_equal_to_the_definition_on_large_sets() -> None:
    """Sets of up to twenty cards, most of them legal, have exactly the readings of the definition."""
    rng = Random(5)
    forms = rng.sample([*form_table().readings], 40)
    for form in forms:
        ranks = [rank for rank in range(15) for _ in range(form >> 4 * rank & 15)]
        wild, number = rng.randrange(13), rng.choice((1, 1, 2))
        others = [rank for rank in ranks if rank != wild]
        replaced = rng.sample(others, min(len(others), number))
        for rank in replaced:
            others.remove(rank)
        cards = Counter([*others, *[wild] * number])
        found = {tuple(each) for each in readings_with_wilds(pack_counts([*cards.elements()]), wild)}
        assert found == wild_by_hand.with_wilds(cards, wild), (cards, wild)


@given(some_cards, st.integers(0, 12), some_switches)
@settings(deadline=None)
def test_readings_at_face_value_stay(ranks: list[int], wild: int, switches: Switches) -> None:
    """Every natural reading of a set is one of its readings with wild cards, and none of these needs a wild card."""
    count_set = pack_counts(ranks)
    found = readings_with_wilds(count_set, wild, switches)
    natural = readings_of(count_set, switches)
    assert {each for each in found if not needs_wild(each, count_set, switches)} == {
        each for each in found if _as_natural(each) in natural
    }
    assert set(natural) <= {_as_natural(each) for each in found}


@given(some_cards, st.integers(0, 12), some_switches)
@settings(deadline=None)
def test_readings_are_those_of_what_the_wilds_stand_for(
    ranks: list[int], wild: int, switches: Switches
) -> None:
    """Declaring what the wild cards stand for gives the natural readings of that set; together these are all readings."""
    number = ranks.count(wild)
    others = [rank for rank in ranks if rank != wild]
    found: set[Reading] = set()
    for way in choose_repeating(range(13), number):
        declared = readings_with_wilds(pack_counts(ranks), wild, switches, pack_counts([*way]))
        if others or set(way) == {wild}:
            natural = readings_of(pack_counts([*others, *way]), switches)
            assert [_as_natural(each) for each in declared] == [*natural]
        else:
            assert not declared
        found |= set(declared)
    assert found == set(readings_with_wilds(pack_counts(ranks), wild, switches))


@given(st.lists(st.tuples(some_cards, st.sampled_from([*range(13), NO_WILD]))), some_switches)
@settings(deadline=None, max_examples=30)
def test_columns_say_the_same(sets: list[tuple[list[int], int]], switches: Switches) -> None:
    """Looking up a column of sets, each with its wild rank, gives the first and the last reading of each."""
    table = form_table(switches)
    packed = np.array([pack_counts(ranks) for ranks, _ in sets], dtype=np.int64)
    wild = np.array([rank for _, rank in sets], dtype=np.int64)
    found = lookup_with_wilds(table, packed, wild)
    for (ranks, rank), *numbers in zip(sets, *(column.tolist() for column in found), strict=True):
        count_set = pack_counts(ranks)
        every = (
            readings_of(count_set, switches)
            if rank == NO_WILD
            else readings_with_wilds(count_set, rank, switches)
        )
        expected = [every[0], every[-1]] if every else [None, None]
        assert [_reading(table, number, count_set, rank) for number in numbers] == expected


def _reading(table: FormTable, number: int, count_set: int, wild: int) -> Reading | None:
    """One reading of a column lookup, with the kind of a bomb."""
    if number == NO_FORM:
        return None
    sets, ranks = np.array([count_set]), np.array([wild])
    category = int(kinds_of_bombs(table.category[[number]], sets, ranks)[0])
    return Reading(CATEGORIES[category], int(table.length[number]), int(table.main[number]))


@given(some_cards, st.integers(0, 12), st.randoms())
@settings(deadline=None)
def test_order_and_suits_do_not_matter(ranks: list[int], wild: int, rng: Random) -> None:
    """The same cards in any order, with suits or without, have the same readings."""
    text = [RANKS[rank] for rank in ranks]
    suits = {letter: iter("SHCD") for letter in text}
    suited = [letter if letter in "BR" else next(suits[letter]) + letter for letter in text]
    expected = ddz.classify("".join(text), wild=RANKS[wild])
    rng.shuffle(text)
    rng.shuffle(suited)
    assert ddz.classify("".join(text), wild=RANKS[wild]) == expected
    assert ddz.classify(" ".join(suited) + (" " if len(suited) == 1 else ""), wild=RANKS[wild]) == expected
