"""The public functions on cards and doubles, and the package that offers them."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest

import ddz_analytics as ddz
from ddz_analytics.errors import UsageError

HEAVY = ("pyarrow", "pandas", "numpy", "msgspec", "duckdb", "click")


def in_a_new_process(code: str) -> str:
    """What a program prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def code_of(call: Any, *arguments: Any, **named: Any) -> str:
    """The code with which a call is refused."""
    with pytest.raises(UsageError) as caught:
        call(*arguments, **named)
    return caught.value.code


# --- the package -----------------------------------------------------------------------------------------


def test_importing_the_package_is_cheap() -> None:
    """`import ddz_analytics` loads none of the libraries that its functions stand on."""
    code = f"import sys, ddz_analytics; print([name for name in {HEAVY} if name in sys.modules])"
    assert in_a_new_process(code) == "[]"


def test_every_public_name_is_there() -> None:
    """Each name that the package lists can be used, and is listed by `dir`."""
    assert all(getattr(ddz, name) is not None for name in ddz.__all__)
    assert set(ddz.__all__) <= set(dir(ddz))


def test_unknown_name_is_an_attribute_error() -> None:
    """A name that is not public is refused as Python refuses it."""
    with pytest.raises(AttributeError, match="no attribute 'clasify'"):
        getattr(ddz, "cla" + "sify")


# --- classify --------------------------------------------------------------------------------------------


def test_J21_leading_reading_stands_first() -> None:
    """Four trios are a chain first, then a plane with the higher core, then one with the lower."""
    readings = ddz.classify("333444555666")
    assert [(r.category, r.length, r.main_text) for r in readings] == [
        ("trio_chain", 4, "6"),
        ("plane_single", 3, "6"),
        ("plane_single", 3, "5"),
    ]


def test_what_is_no_combination_has_no_reading() -> None:
    """An empty answer means that the cards cannot be played together."""
    assert ddz.classify("3345") == ()


@pytest.mark.parametrize("cards", ["TTT3", "3TTT", "10T103", "HT ST DT C3", "S10 H10 D10 S3"])
def test_every_notation_is_read(cards: str) -> None:
    """Order and suits do not matter, and a ten may be written with two digits."""
    assert ddz.classify(cards) == (ddz.Reading("trio_single", 1, 7),)


def test_one_card_with_a_suit() -> None:
    """A single card may have its suit, and BJ without a space is a small joker and a jack."""
    assert ddz.classify("S3") == (ddz.Reading("single", 1, 0),)
    assert ddz.classify("BJ") == ()


@pytest.mark.parametrize("cards", ["", "1", "33333", "BB", "S3 S3", "3 4", "X3"])
def test_cards_of_no_deck_are_refused(cards: str) -> None:
    """A text that names no set of cards out of one deck is an error and not a set without a reading."""
    assert code_of(ddz.classify, cards) == "bad_cards"


def test_switches_may_be_given_in_two_ways() -> None:
    """Those that differ from the defaults as a mapping, or all of them as `Switches`."""
    assert ddz.classify("3333445") == ()
    mixed = (ddz.Reading("four_two_mixed", 1, 0),)
    assert ddz.classify("3333445", switches={"four_two_mixed": True}) == mixed
    assert ddz.classify("3333445", switches=ddz.Switches(four_two_mixed=True)) == mixed


def test_unknown_switch_is_refused_with_the_nearest() -> None:
    """A switch that does not exist, or that is neither on nor off, is refused."""
    with pytest.raises(UsageError, match="nearest: four_two_mixed"):
        ddz.classify("33", switches={"four_two_mix": True})
    switches: Any = {"four_two_mixed": 1}
    assert code_of(ddz.classify, "33", switches=switches) == "switch"


# --- beats -----------------------------------------------------------------------------------------------


def test_answer_counts_as_whether_it_beats() -> None:
    """The answer is true when the play beats, and has the readings of both."""
    higher, lower = ddz.beats("44", "33"), ddz.beats("33", "44")
    assert (
        higher
        and higher.reading == ddz.Reading("pair", 1, 1)
        and higher.previous == ddz.Reading("pair", 1, 0)
    )
    assert not lower and lower.reading is None and lower.previous == ddz.Reading("pair", 1, 1)


def test_undeclared_play_to_beat_is_reread() -> None:
    """What follows shows how the play before was meant; a declared play is read in no other way."""
    meant = ddz.beats("777888999TJQ", "333444555666")
    assert meant and meant.reread and meant.previous == ddz.Reading("plane_single", 3, 3)
    assert not ddz.beats("777888999TJQ", "333444555666", previous_declared="trio_chain")
    assert not ddz.beats("444555666777", "333444555666").reread


@pytest.mark.parametrize(
    "declared", ["plane_single", "plane_single:3", "plane_single:3:7", ddz.Reading("plane_single", 3, 4)]
)
def test_declared_reading_in_every_form(declared: Any) -> None:
    """A category, with its length, with its main rank, or a reading."""
    answer = ddz.beats("444555666777", "333444555888", declared=declared)
    assert answer and answer.reading == ddz.Reading("plane_single", 3, 4)


def test_declared_category_leads_as_usual() -> None:
    """Of several readings of a declared category the play to beat has the leading one."""
    answer = ddz.beats("777888999TJQ", "333444555666", previous_declared="plane_single")
    assert answer.previous == ddz.Reading("plane_single", 3, 3) and not answer.reread


def test_play_that_cannot_be_read_does_not_beat() -> None:
    """No combination beats nothing, and a play does not beat by a reading that it cannot have."""
    assert not ddz.beats("45", "3")
    assert not ddz.beats("4444", "3", declared="trio_single")


def test_play_to_beat_must_be_a_play() -> None:
    """Asking what beats no combination, or a combination under a reading it cannot have, is an error."""
    assert code_of(ddz.beats, "3", "45") == "illegal_combination"
    assert code_of(ddz.beats, "4", "3", previous_declared="pair") == "declared_reading"


# --- doubles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("landlord", "balances", "reasons"),
    [
        (0, (2001, "2000.0001", Decimal("2000.5")), (None, None, None)),
        (0, (2600, 2600, 2000), ("someone", None, "own")),
        (1, (2600, 2000, 2600), ("landlord", "own", "landlord")),
        (2, (0, 2600, 2600), ("own", None, "someone")),
        (0, (0, 0, 0), ("own", "own", "own")),
        (2, (-5, "-0.5", 2600), ("own", "own", "someone")),
    ],
)
def test_H19_who_may_double(
    landlord: int, balances: tuple[Any, ...], reasons: tuple[str | None, ...]
) -> None:
    """A peasant needs his own and the landlord's balance above the threshold, the landlord all three; else it is said why."""
    found = ddz.may_double("happy", balances, 2000, landlord)
    assert tuple(seat.reason for seat in found) == reasons
    assert [seat.allowed for seat in found] == [reason is None for reason in reasons]


def test_nobody_doubles_where_it_is_not_offered() -> None:
    """A rule set without doubles refuses all."""
    assert {seat.reason for seat in ddz.may_double("qq-classic", (1, 1, 1), 0, 0)} == {"not_offered"}


def test_everybody_doubles_where_nothing_is_checked() -> None:
    """Without a check of balances all may."""
    assert all(seat.allowed for seat in ddz.may_double("happy[double.check=none]", (0, 0, 0), 2000, 0))


@pytest.mark.parametrize("amount", [1.5, True, "1.00001", "NaN", "1e400", "many", Decimal(10) ** 14])
def test_amounts_are_exact(amount: Any) -> None:
    """A float, a fifth decimal, or what is no amount at all is refused."""
    assert code_of(ddz.may_double, "happy", (amount, 1, 1), 0, 0) == "amount"


def test_three_seats() -> None:
    """Two balances, or a fourth seat, are refused."""
    assert code_of(ddz.may_double, "happy", (1, 1), 0, 0) == "seat"
    assert code_of(ddz.may_double, "happy", (1, 1, 1), 0, 3) == "seat"
