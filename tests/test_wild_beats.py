"""What beats what where there are wild cards, what needs one, and how a caller asks."""

from __future__ import annotations

import pytest

import ddz_analytics as ddz
from ddz_analytics.combinations import following
from ddz_analytics.wilds import needs_wild
from tests.test_wild_combinations import counts, named, readings


@pytest.mark.parametrize(
    ("play", "previous", "expected"),
    [
        ("47", "44", None),  # made 44 is as good as natural 44, no better (happy H37)
        ("57", "44", "pair 5"),
        ("3337", "4443", "bomb_soft 3"),  # no higher trio: then as a bomb
        ("4447", "3335", "trio_single 4"),  # as what it follows, before as a bomb
        ("8887", "3334", "trio_single 8"),
        ("3333", "AAA7", "bomb_hard 3"),  # hard over soft (jj2 L27)
        ("7777", "2222", "bomb_pure 7"),
        ("AAA7", "3333", None),
        ("2222", "7777", None),
        ("BR", "7777", "rocket BR"),
        ("7777", "BR", None),
        ("5557", "4447", "bomb_soft 5"),  # soft over soft by rank (jj2 L28)
        ("4477", "5557", None),
        ("4444", "5555", None),
        ("9TJQ7", "34567", "straight K"),
        ("34567", "45687", None),
        ("4477", "33344", "bomb_soft 4"),
    ],
)
def test_what_beats_what(play: str, previous: str, expected: str | None) -> None:
    """A set follows the leading reading of another under its best reading of that form, else as a bomb or rocket."""
    reading = following(readings(play), readings(previous)[0])
    assert (None if reading is None else f"{reading.category} {reading.main_text}") == expected


@pytest.mark.parametrize(
    ("text", "reading", "needed"),
    [
        ("3337", "bomb_soft 3", True),
        ("3337", "trio_single 3", False),
        ("3377", "trio_single 3", True),
        ("7777", "bomb_pure 7", False),
        ("3333", "bomb_hard 3", False),
        ("89TJ7", "straight Q x5", True),
        ("89TJ7", "straight J x5", False),
        ("77", "pair 7", False),
        ("447", "trio 4", True),
    ],
)
def test_what_needs_a_wild(text: str, reading: str, needed: bool) -> None:  # noqa: FBT001 - a table column
    """A reading needs a wild card when the cards at face value do not have it (RULES "Wild cards")."""
    chosen = readings(text)[named(text).index(reading)]
    assert needs_wild(chosen, counts(text)) is needed


def words(answer: ddz.Answer) -> tuple[bool, str | None, str, bool]:
    """An answer: whether it beats, the categories of both readings, and whether the play to beat was re-read."""
    used = None if answer.reading is None else answer.reading.category
    return answer.beats, used, answer.previous.category, answer.reread


def test_callers_name_the_wild_rank() -> None:
    """`classify` and `beats` take the wild rank as text, and say the readings that they used."""
    assert (
        ddz.classify("333T", wild="10")
        == ddz.classify("10 333".replace(" ", ""), "T")
        != ddz.classify("333T")
    )
    assert ddz.classify("S3 H3 C3 D7", wild="7")[0] == ddz.Reading("bomb_soft", 1, 0)
    assert words(ddz.beats("4447", "3335", wild="7")) == (True, "trio_single", "trio_single", False)
    assert words(ddz.beats("4444", "3337", wild="7")) == (True, "bomb_hard", "bomb_soft", False)
    assert words(ddz.beats("4445", "3337", wild="7")) == (True, "trio_single", "trio_single", True)


def test_declared_readings_are_kept() -> None:
    """A declared reading is not changed; a bomb may be declared without its kind."""
    assert words(ddz.beats("4445", "3337", wild="7", previous_declared="bomb")) == (
        False,
        None,
        "bomb_soft",
        False,
    )
    as_bomb = ddz.beats("4447", "3335", wild="7", declared="bomb_soft")
    assert words(as_bomb) == (True, "bomb_soft", "trio_single", False)
    assert not ddz.beats("4447", "3335", wild="7", declared="bomb_hard")


@pytest.mark.parametrize("wild", ["B", "R", "1", "", "77"])
def test_no_other_rank_is_wild(wild: str) -> None:
    """A joker, or what is no rank, cannot be wild (jj2 L10)."""
    with pytest.raises(ddz.DdzError, match="cannot be wild") as refused:
        ddz.classify("333", wild=wild)
    assert refused.value.code == "wild_rank"
