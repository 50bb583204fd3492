"""Laws of money, under every shipped rule set and under rule sets composed at random."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import prod
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import ddz_analytics as ddz
from ddz_analytics.columns import Flags, Ints, from_amounts, known
from ddz_analytics.rules import RuleSet, load_rules, shipped_overlays, shipped_rules, variants
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.columns import LARGEST, Facts
from ddz_analytics.settlement.settle import settle, settle_columns
from tests.random_facts import many_facts
from tests.random_rules import random_rules

SEED = 5
HANDS = 1500
SHIPPED = [
    name + overlay
    for name in shipped_rules()
    for overlay in ("", *(f"+{each}" for each in shipped_overlays()))
]
COMPONENTS = ("transfer", "liability", "balance_cut", "fee", "rake", "fine")
HOUSE = ("rake", "fee", "forfeit", "fine")


@cache
def some_facts() -> pa.Table:
    """Hands of all kinds, some with amounts that no product can hold."""
    return many_facts(Random(SEED), HANDS)


def amount(settled: pa.Table, name: str) -> Ints:
    """A column in 1/10,000, 0 where null."""
    return from_amounts(settled[name])


def scored(settled: pa.Table) -> Flags:
    """Where there is a score."""
    return known(settled["net_landlord"])


def check_conservation(rules: RuleSet) -> None:
    """After every step the four parties have what they had together, and the columns tell the same."""
    table = some_facts()
    computed = settle_columns(Facts(table), rules)
    fits = ~computed.marks.overflow & ~computed.marks.broken
    for step in computed.steps:
        assert not np.sum(step.change, axis=0)[fits].any(), step.concept
    settled = settle(table, rules)
    for role in ROLES:
        parts = [amount(settled, f"{component}_{role}") for component in COMPONENTS]
        assert np.array_equal(np.sum(parts, axis=0), amount(settled, f"net_{role}"))
    house = np.sum([amount(settled, f"house_{part}") for part in HOUSE], axis=0)
    assert np.array_equal(house, amount(settled, "house_net"))
    for name in ("net", "fee_apart"):
        parties = [amount(settled, f"{name}_{role}") for role in ROLES] + [amount(settled, f"house_{name}")]
        assert not np.sum(parties, axis=0).any()


def check_amounts(rules: RuleSet) -> None:
    """No amount has more digits than a column holds, and none is told of a hand without a score."""
    settled = settle(some_facts(), rules)
    undefined = ~scored(settled)
    for name in (name for name in settled.column_names if pa.types.is_decimal(settled[name].type)):
        if not name.startswith("balance_") or name.startswith("balance_cut"):
            assert (np.abs(amount(settled, name)) <= LARGEST).all()
            assert not known(settled[name])[undefined].any(), name


def check_nobody_below_zero(rules: RuleSet) -> None:
    """Nobody ends below zero, and who begins there does not sink."""
    settled = settle(some_facts(), rules)
    there = scored(settled) & ~settled["reason"].is_valid().to_numpy()
    assert there.any()
    for role in ROLES:
        before = amount(settled, f"balance_{role}")
        after = before + amount(settled, f"net_{role}") + amount(settled, f"fee_apart_{role}")
        assert (after >= np.minimum(before, 0))[there].all()


@pytest.mark.parametrize("spec", SHIPPED)
def test_shipped_rule_sets_conserve(spec: str) -> None:
    """Under every shipped rule set and overlay no step makes or loses money, and no amount is too large for its column."""
    check_conservation(load_rules(spec))
    check_amounts(load_rules(spec))


@pytest.mark.parametrize(
    "seed", [*range(60), *(pytest.param(n, marks=pytest.mark.long) for n in range(60, 1000))]
)
def test_composed_rule_sets_conserve(seed: int) -> None:
    """Under a rule set composed at random no step makes or loses money, and no amount is too large for its column."""
    rules = random_rules(Random(seed))
    check_conservation(rules)
    check_amounts(rules)


@pytest.mark.parametrize("name", shipped_rules())
def test_J38_nobody_ends_below_zero(name: str) -> None:
    """With minimised payments nobody pays what he does not have, fees included."""
    for setting in (
        "balance.fee=inside,on_top",
        "balance.winner_cap=total",
        "liability.shortfall=partner_pays",
        "house.fee=room.fee",
    ):
        for rules in variants(load_rules(f"{name}+minimised"), [setting]):
            check_nobody_below_zero(rules)


@pytest.mark.parametrize(
    "seed", [*range(60), *(pytest.param(n, marks=pytest.mark.long) for n in range(60, 1000))]
)
def test_J38_nobody_ends_below_zero_under_composed_rules(seed: int) -> None:
    """The same under any other keys."""
    check_nobody_below_zero(random_rules(Random(seed), balance_minimised=True, auction_kind="none"))


@pytest.mark.parametrize("seed", range(40))
def test_no_amount_is_a_wrapped_number(seed: int) -> None:
    """A stake that is told is what Python's integers make of its operands, however large these are."""
    uncapped = {
        "cap_multiplier": None,
        "cap_pair_amount": None,
        "cap_landlord_amount": None,
        "cap_after_pairs": False,
    }
    rules = random_rules(Random(seed), escape_kind="undefined", **uncapped)
    for row in settle(some_facts(), rules).to_pylist():
        if row["score_status"] == "undefined" or row["reason"] is not None:
            continue
        factors = [row["unit"], *[row["bid"]] * (2 if rules.stake_multiplier_starts_at == "bid" else 1)]
        factors += [row["auction_multiplier"], row["event_multiplier"]]
        together = prod((Fraction(factor) for factor in factors), start=Fraction(1))
        for role in ("down", "up"):
            share = Fraction(1) if rules.stake_identity_included else Fraction(1, 2)
            assert Fraction(row[f"stake_{role}"]) == together * row[f"pair_multiplier_{role}"] * share


def casino_hand(rng: Random, place: int) -> dict[str, Any]:
    """A hand in a room of 2 and 4 that is played for whatever may happen there."""
    plays = rng.choice([(5, 3, 3), (5, 0, 0), (1, 3, 3)])  # each, perhaps, a bomb, and one the rocket
    return {
        "hand_id": place, "landlord_seat": 0, "winner_seat": rng.choice([0, 1]) if plays[1] else 0, "auction_kind": "room",
        "bid": rng.choice([2, 4]), "robs": rng.choice([0, 1]), "bombs": rng.randint(0, min(10, sum(plays) - 1)), "rockets": rng.randint(0, 1),
        "room_low": 2, "room_high": 4, **dict(zip((f"{role}_plays" for role in ROLES), plays, strict=True)),
        **{f"{role}_{name}": rng.random() < 3 / 4 for role in ROLES for name in ("kicked", "could_kick")},
    }  # fmt: skip


def test_C33_nobody_who_was_let_in_loses_more_than_he_must_have() -> None:
    """The largest loss in a casino room is 64 times its high value (casino C33), and it is reached."""
    rng = Random(SEED)
    settled = ddz.settle(
        pa.Table.from_pylist([casino_hand(rng, place) for place in range(4000)]), "casino-capped"
    )
    assert min(min(settled[f"net_{role}"].to_pylist()) for role in ROLES) == -64 * 4


@pytest.mark.parametrize("overlay", ["", "+cap-4", "+minimised"])
def test_H18_what_a_refused_double_would_have_changed(overlay: str) -> None:
    """A double that is the only one refused would have changed what settling without the condition changes."""
    rules = load_rules(f"happy{overlay}")
    (allowed,) = variants(rules, ["double.check=none"])
    checked, free = (settle(some_facts(), each).to_pylist() for each in (rules, allowed))
    told = 0
    for one, other in zip(checked, free, strict=True):
        refused = [role for role in ROLES if one[f"double_refused_{role}"] is not None]
        if len(refused) == 1 and other["score_status"] != "undefined":
            told += 1
            (role,) = refused
            assert one[f"double_change_{role}"] == other[f"net_{role}"] - one[f"net_{role}"]
    assert told > 50
