"""Laws that hold whatever was played: of settling, of notation, of seats and suits, of what beats what."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import count
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz_analytics.combinations import Reading, beats, form_table
from ddz_analytics.replay import Replayed
from ddz_analytics.rules import load_rules, variants
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.settle import settle
from tests.agreement import engine_replay
from tests.generated import RECORDED, hand, is_plain, with_suits
from tests.oracle.names import Document
from tests.random_facts import fact_tables
from tests.settling import COMPONENTS
from tests.specs import OVERLAID, UNUSUAL, VARIANTS

SPECS = st.sampled_from(OVERLAID + VARIANTS)
READINGS = sorted({reading for readings in form_table().readings.values() for reading in readings})
HOUSE = {"fee": "fee", "rake": "rake", "fine": "fine", "liability": "forfeit"}
# What a balance cuts of a forfeit or a fine the house does not have.
TOGETHER = (("transfer",), ("fee",), ("rake",), ("liability", "balance_cut", "fine"))
SOME = settings(max_examples=60, deadline=None)
FEW = settings(max_examples=25, deadline=None)


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    """The rows that have a score."""
    return [row for row in table.to_pylist() if row["score_status"] != "undefined"]


@pytest.mark.parametrize("spec", OVERLAID + VARIANTS)
@settings(max_examples=8, deadline=None)
@given(facts=fact_tables())
def test_four_parties_sum_to_zero(spec: str, facts: pa.Table) -> None:
    """What the seats gain or lose is what the house loses or gains, in all and component by component."""
    for row in rows_of(settle(facts, load_rules(spec))):
        assert sum(row[f"net_{role}"] for role in ROLES) + row["house_net"] == 0
        for components in TOGETHER:
            house = sum((row[f"house_{HOUSE[each]}"] for each in components if each in HOUSE), Decimal(0))
            assert sum(row[f"{each}_{role}"] for each in components for role in ROLES) + house == 0


@SOME
@given(fact_tables(), SPECS)
def test_components_add_up_to_the_score(facts: pa.Table, spec: str) -> None:
    """A score is the sum of its components, and the house's of what it receives."""
    for row in rows_of(settle(facts, load_rules(spec))):
        for role in ROLES:
            assert sum(row[f"{component}_{role}"] for component in COMPONENTS) == row[f"net_{role}"]
        assert sum(row[f"house_{part}"] for part in HOUSE.values()) == row["house_net"]


@SOME
@given(fact_tables(), SPECS)
def test_a_hand_without_a_score_has_no_amount(facts: pa.Table, spec: str) -> None:
    """Undefined means that no amount is there, and that the reason is."""
    for row in settle(facts, load_rules(spec)).to_pylist():
        amounts = [
            value for name, value in row.items() if name.startswith(("net_", "house_", "stake_", "transfer_"))
        ]
        undefined = row["score_status"] == "undefined"
        assert all((amount is None) == undefined for amount in amounts)
        assert row["reason"] is not None or not undefined
        assert (row["score_status"] == "projected") == (row["assumed"] > 0)


@SOME
@given(fact_tables(), SPECS, st.randoms(use_true_random=False))
def test_rows_do_not_know_of_each_other(facts: pa.Table, spec: str, random: Random) -> None:
    """A table in another order, or in pieces, gives the rows in that order, or in pieces."""
    rules = load_rules(spec)
    settled = settle(facts, rules)
    order = random.sample(range(len(facts)), len(facts))
    assert settle(facts.take(order), rules).equals(settled.take(order))
    cut = random.randrange(len(facts) + 1)
    pieces = [settle(facts.slice(0, cut), rules), settle(facts.slice(cut), rules)]
    assert pa.concat_tables(pieces).equals(settled)


@SOME
@given(fact_tables(), st.sampled_from(OVERLAID), st.booleans())
def test_a_cap_never_raises_a_stake(facts: pa.Table, spec: str, after_pairs: Any) -> None:
    """With every doubling that a cap allows more, no stake falls, and without a cap it is the highest."""
    base = variants(load_rules(spec), [f"cap.after_pairs={str(after_pairs).lower()}"])[0]
    caps = variants(base, ["cap.doublings=0,1,2,3,4,5,6,none"])
    tables = [settle(facts, rules).to_pylist() for rules in caps]
    for rows in zip(*tables, strict=True):
        for stake in ("stake_down", "stake_up"):
            stakes = [row[stake] for row in rows if row[stake] is not None]
            assert stakes == sorted(stakes)


MINIMISED = st.sampled_from([spec for spec in OVERLAID + VARIANTS + UNUSUAL if "+minimised" in spec])


@SOME
@given(fact_tables(), MINIMISED)
def test_minimised_payments_stay_within_balances(facts: pa.Table, spec: str) -> None:
    """Nobody ends below zero or sinks further, and nobody wins more of another than he had himself."""
    settled = settle(facts, load_rules(spec)).to_pylist()
    for row, fact in zip(settled, facts.to_pylist(), strict=True):
        if row["score_status"] == "undefined" or row["reason"] is not None:
            continue
        for role in ROLES:
            balance = fact[f"{role}_balance"]
            assert balance + row[f"net_{role}"] + row[f"fee_apart_{role}"] >= min(balance, 0)
            won = sum(row[f"{part}_{role}"] for part in ("transfer", "liability", "fine", "balance_cut"))
            assert won <= max(balance, 0) * (2 if role == "landlord" else 1)


@SOME
@given(fact_tables(), SPECS, st.sampled_from(["all", "escaper", "none"]))
def test_a_fee_told_apart_is_the_fee(facts: pa.Table, spec: str, escape_fee: str) -> None:
    """Every seat pays the same fee whether it is part of the score or not, and all else stays."""
    base = variants(load_rules(spec), ["house.fee=room.fee", f"escape.fee={escape_fee}"])[0]
    within, apart = variants(base, ["house.fee_in_score=true,false"])
    both = zip(settle(facts, within).to_pylist(), settle(facts, apart).to_pylist(), strict=True)
    for one, other in both:
        assert (one["score_status"], one["reason"]) == (other["score_status"], other["reason"])
        for role in () if one["score_status"] == "undefined" else ROLES:
            assert other[f"fee_apart_{role}"] == one[f"fee_{role}"]
            assert other[f"net_{role}"] == one[f"net_{role}"] - one[f"fee_{role}"]


@given(st.sampled_from(READINGS), st.sampled_from(READINGS), st.sampled_from(READINGS))
def test_beating_is_an_order(one: Reading, two: Reading, three: Reading) -> None:
    """Nothing beats itself or what beats it, and what beats the winner beats the loser."""
    assert not beats(one, one)
    assert not (beats(one, two) and beats(two, one))
    assert not (beats(one, two) and beats(two, three)) or beats(one, three)


@given(st.data())
def test_one_form_is_ordered_by_its_main_rank(data: st.DataObject) -> None:
    """Within a category and length exactly the higher main rank beats."""
    one = data.draw(st.sampled_from(READINGS))
    other = data.draw(st.sampled_from([reading for reading in READINGS if reading[:2] == one[:2]]))
    assert beats(one, other) == (one.main > other.main)


def a_hand(seed: int, recorded: str) -> Document:
    """A legal hand in the plainest notation."""
    rng = Random(f"{recorded} {seed}")
    return next(filter(is_plain, (hand(rng, place, recorded) for place in count(seed))))


HANDS = st.builds(a_hand, st.integers(0, 10**6), st.sampled_from(RECORDED))


def without(replayed: Replayed, *columns: str) -> list[pa.Table]:
    """The tables of a replay without some columns."""
    return [table.select([name for name in table.column_names if name not in columns]) for table in replayed]


def in_any_order(text: str, random: Random) -> str:
    """The same cards in another order."""
    return "".join(random.sample(text, len(text)))


@FEW
@given(HANDS, st.randoms(use_true_random=False))
def test_the_order_of_cards_in_a_text_does_not_matter(document: Document, random: Random) -> None:
    """Cards of a hand, the bottom or a play may stand in any order."""
    other = json.loads(json.dumps(document))
    other["dealt"] = [in_any_order(text, random) for text in other["dealt"]]
    other["bottom"] = in_any_order(other["bottom"], random)
    for act in other["actions"]:
        if "cards" in act:
            act["cards"] = in_any_order(act["cards"], random)
    assert engine_replay([other]) == engine_replay([document])


@FEW
@given(HANDS, st.randoms(use_true_random=False))
def test_suits_do_not_matter(document: Document, random: Random) -> None:
    """A hand told with suits has the same facts, plays, issues and episodes; only its cards are other bits."""
    suited = with_suits(json.loads(json.dumps(document)), random)
    replays = [without(engine_replay([told]), "cards") for told in (suited, document)]
    assert replays[0] == replays[1]


def turned(document: Document, by: int) -> Document:
    """The same hand with everybody some seats further on."""
    other: Document = json.loads(json.dumps(document))
    for key in ("landlord", "first"):
        if other.get(key) is not None:
            other[key] = (other[key] + by) % 3
    for key in ("players", "dealt", "balances"):
        if key in other:
            other[key] = other[key][-by:] + other[key][:-by]
    for act in other["actions"]:
        act["seat"] = (act["seat"] + by) % 3
    return other


@FEW
@given(HANDS.filter(lambda document: document["landlord"] is not None), st.sampled_from([1, 2]), SPECS)
def test_seats_have_no_favourite(document: Document, by: int, spec: str) -> None:
    """With everybody some seats further on, each role has the same facts and the same score."""
    facts, other = engine_replay([document]).facts, engine_replay([turned(document, by)]).facts
    seats = [name for name in facts.column_names if name.endswith("_seat")]
    assert facts.drop_columns(seats).equals(other.drop_columns(seats))
    for name in seats:
        moved = [None if seat is None else (seat + by) % 3 for seat in facts[name].to_pylist()]
        assert other[name].to_pylist() == moved
    assert settle(facts, load_rules(spec)).equals(settle(other, load_rules(spec)))


@pytest.mark.parametrize(
    "reading", [reading for reading in READINGS if reading.category in ("bomb", "rocket")], ids=str
)
def test_bombs_and_the_rocket_beat_every_other_form(reading: Reading) -> None:
    """A bomb beats all but bombs and the rocket, and the rocket beats all."""
    others = [other for other in READINGS if other.category not in ("bomb", "rocket")]
    assert all(beats(reading, other) and not beats(other, reading) for other in others)
