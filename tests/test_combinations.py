"""Combinations: how many sets are legal, which can be read in several ways, and what beats what."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ddz_analytics.cards import RANKS, pack_counts
from ddz_analytics.combinations import (
    CATEGORIES,
    DEFAULT_SWITCHES,
    NO_FORM,
    Reading,
    Switches,
    beats,
    following,
    form_table,
    leading_order,
    readings_of,
)

NO_JOKER_PAIR_NO_QUAD_WINGS = Switches(
    both_jokers_as_two_singles=False,
    quad_as_single_wings=False,
    adjacent_triple_as_wings=False,
    same_rank_pairs=False,
)
# RULES of the pages, counted by category (and number of trios): all readings that lead
LEGAL_SETS = {
    "single": 15, "pair": 13, "trio": 13, "trio_single": 182, "trio_pair": 156, "straight": 36, "pair_chain": 52,
    "trio_chain": 45, "four_two_single": 1339, "four_two_pair": 936, "bomb": 13, "rocket": 1,
}  # fmt: skip
PLANES_WITH_SINGLES = {
    2: 979,
    3: 3391,
    4: 7750,
    5: 12211,
}  # the 9 sets that lead as chains of four are counted here too
PLANES_WITH_PAIRS = {2: 726, 3: 2100, 4: 3726}
AMBIGUOUS = {12: 9, 16: 80, 20: 301, 8: 78}  # by number of cards: four trios; 5 + 1; 6 + 2; two quads


def counts(text: str) -> int:
    """The packed counts of a card text."""
    return pack_counts([RANKS.index(letter) for letter in text])


def size(count_set: int) -> int:
    """How many cards a set of counts holds."""
    return sum(count_set >> 4 * rank & 15 for rank in range(15))


def test_number_of_legal_sets() -> None:
    """There are 33,675 legal sets of at most 20 cards."""
    assert len(form_table().counts) == 33_675


def test_number_of_legal_sets_by_category() -> None:
    """Each category has the number of sets that follows from its definition."""
    leading = Counter((r[0].category, r[0].length) for r in form_table().readings.values())
    for category, number in LEGAL_SETS.items():
        assert sum(n for (name, _), n in leading.items() if name == category) == number, category
    for length, number in PLANES_WITH_SINGLES.items():
        chains = 9 if length == 3 else 0
        assert leading["plane_single", length] + chains == number
    for length, number in PLANES_WITH_PAIRS.items():
        assert leading["plane_pair", length] == number


def test_number_of_ambiguous_sets() -> None:
    """468 sets can be read in several ways: four consecutive trios, five trios + 1, six + 2, two quads."""
    table = form_table()
    found = Counter(size(count_set) for count_set, readings in table.readings.items() if len(readings) > 1)
    assert int((table.first != table.last).sum()) == 468
    assert found == Counter(AMBIGUOUS)


@pytest.mark.parametrize(
    ("switches", "number"),
    [
        (Switches(kicker_may_match_core=True), 93_772),
        (NO_JOKER_PAIR_NO_QUAD_WINGS, 27_471),
        (Switches(four_two_mixed=True), 33_675 + 13 * 12 * 13),
    ],
)
def test_number_of_legal_sets_under_other_switches(switches: Switches, number: int) -> None:
    """Each switch admits or refuses exactly the sets that it names."""
    assert len(form_table(switches).counts) == number


def test_equal_to_another_implementation_set_by_set() -> None:
    """Without joker pairs, quad wings, adjacent trio wings and two quads, the legal sets are exactly RLCard 1.2.0's."""
    utils = pytest.importorskip("rlcard.games.doudizhu.utils", reason="RLCard is not installed")
    theirs = {counts(text) for text in utils.CARD_TYPE[0]}
    assert theirs == set(form_table(NO_JOKER_PAIR_NO_QUAD_WINGS).readings)


def test_leading_order() -> None:
    """The leading reading has the fewest kickers, then the highest main rank."""
    assert [r[:2] for r in readings_of(counts("333444555666"))] == [
        ("trio_chain", 4), ("plane_single", 3), ("plane_single", 3),
    ]  # fmt: skip
    assert [r.main_text for r in readings_of(counts("33335555"))] == ["5", "3"]


@pytest.mark.parametrize(
    "text", ["KA234", "QKA2", "AAA222", "334", "3344", "BBR", "33333", "333444556", "KKKAAA222"]
)
def test_sets_that_are_none(text: str) -> None:
    """No 2 stands in a chain, chains have their least length, wings their number."""
    assert readings_of(counts(text)) == ()


@pytest.mark.parametrize(
    ("play", "previous", "wins"),
    [
        ("BR", "2222", True),
        ("2222", "BR", False),
        ("4444", "3333", True),
        ("3333", "AAA222"[:3], True),
        ("3333", "444455", True),
        ("444455", "3333", False),
        ("777888999TJQ", "333444555666", False),
        ("44455566677789TJ", "33344455566689TJ", True),
        ("3444", "5333", True),
        ("44455", "3334", False),
    ],
)
def test_leading_readings_beat_each_other(play: str, previous: str, wins: bool) -> None:  # noqa: FBT001 - a table column
    """Rocket over bomb over the rest; the rest only within one form, by the core's highest rank."""
    assert beats(readings_of(counts(play))[0], readings_of(counts(previous))[0]) is wins


def test_following_keeps_the_form_of_the_lead() -> None:
    """Of several readings a follow uses that of the play to beat, with the highest winning main rank."""
    readings = readings_of(counts("777888999TTT"))
    assert following(readings, Reading("plane_single", 3, RANKS.index("5"))) == Reading(
        "plane_single", 3, RANKS.index("T")
    )
    assert following(readings, Reading("trio_chain", 4, RANKS.index("9"))) == Reading(
        "trio_chain", 4, RANKS.index("T")
    )
    assert following(readings, Reading("trio_chain", 4, RANKS.index("J"))) is None


def test_table_finds_what_the_readings_say() -> None:
    """Looking up a column of counts gives the first and last reading of each set, and -1 for none."""
    table = form_table(DEFAULT_SWITCHES)
    texts = ("BR", "3334", "33335555", "34")
    first, last = table.lookup(np.array([counts(text) for text in texts]))
    assert [number >= 0 for number in first.tolist()] == [True, True, True, False]
    for text, one, other in zip(texts, first.tolist(), last.tolist(), strict=True):
        if one != NO_FORM:
            readings = readings_of(counts(text))
            for reading, number in ((readings[0], one), (readings[-1], other)):
                found = CATEGORIES[table.category[number]], table.length[number], table.main[number]
                assert found == reading


def test_leading_order_has_no_ties() -> None:
    """No two readings that sets of one size can have stand at the same place in the leading order."""
    by_size: dict[int, set[Reading]] = {}
    for count_set, readings in form_table(Switches(four_two_mixed=True)).readings.items():
        by_size.setdefault(size(count_set), set()).update(readings)
    for readings_of_size in by_size.values():
        assert len({leading_order(reading) for reading in readings_of_size}) == len(readings_of_size)
