"""Distinct facts: settled once, they give what settling every hand gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz_analytics.columns import from_amounts
from ddz_analytics.distinct import (
    Distinct,
    MissingColumn,
    columns_read,
    distinct,
    reads_balances,
    settled_outcome,
)
from ddz_analytics.rules import RuleSet, load_rules, shipped_rules, variants
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.settle import settle
from ddz_analytics.synthetic import synthetic
from tests.agreement import engine_replay
from tests.generated import RECORDED, hand
from tests.random_facts import fact_tables
from tests.specs import UNUSUAL, VARIANTS

SPECS = [
    *shipped_rules(),
    *VARIANTS,
    *UNUSUAL,
    "jj-classic+minimised",
    "qq-coins+minimised",
    "casino-capped+no-liability",
]
Scores = Counter[tuple[Any, ...]]


def of(table: pa.Table, rule_sets: Sequence[RuleSet], parts: int = 1) -> Distinct:
    """The distinct facts of a table, read in some parts."""
    size = -(-len(table) // parts)
    return distinct(
        lambda columns: (table.slice(begin, size).select(columns) for begin in range(0, len(table), size)),
        rule_sets,
    )


def counted(facts: Distinct, rules: RuleSet) -> Scores:
    """How many hands have each score, status, cap and liability on distinct facts."""
    found = facts.outcome(rules)
    columns = (*found.net, found.scored, found.projected, found.capped, found.liability)
    scores: Scores = Counter()
    for row, number in zip(
        zip(*(column.tolist() for column in columns), strict=True), facts.hands.tolist(), strict=True
    ):
        scores[row] += number
    return scores


def settled(table: pa.Table, rules: RuleSet) -> Scores:
    """The same from the settlement of every hand."""
    rows = settle(table, rules)
    statuses = rows["score_status"].to_pylist()
    net = [from_amounts(rows[f"net_{role}"]).tolist() for role in ("landlord", "down", "up")]
    house = (-np.sum(net, axis=0)).tolist()
    moved = sum(
        np.maximum(-from_amounts(rows[name]), 0)
        for name in ("liability_landlord", "liability_down", "liability_up")
    )
    scored = [status != "undefined" for status in statuses]
    projected = [status == "projected" for status in statuses]
    capped = [bool(bites) for bites in rows["cap_bites"].to_pylist()]
    return Counter(zip(*net, house, scored, projected, capped, np.asarray(moved).tolist(), strict=True))


@pytest.fixture(scope="module")
def hands() -> pa.Table:
    """The facts of generated hands of every recorded rule set and of none."""
    rng = Random(7)
    return engine_replay([hand(rng, place, name) for name in RECORDED for place in range(120)]).facts


@pytest.mark.parametrize("spec", SPECS)
def test_distinct_facts_score_as_the_hands_do(spec: str, hands: pa.Table) -> None:
    """Under one rule set, as many hands have each score on distinct facts as when every hand is settled."""
    rules = load_rules(spec)
    assert counted(of(hands, [rules]), rules) == settled(hands, rules)


def test_synthetic_facts_too() -> None:
    """Each pair of features together is scored on distinct facts as by itself, under every rule set."""
    table = synthetic(2)[0]
    for spec in SPECS:
        rules = load_rules(spec)
        assert counted(of(table, [rules]), rules) == settled(table, rules), spec


def test_many_rule_sets_share_distinct_facts(hands: pa.Table) -> None:
    """Facts made for several rule sets, in several parts, serve each of them."""
    rule_sets = [load_rules(spec) for spec in SPECS if not reads_balances(load_rules(spec))]
    facts = of(hands, rule_sets, parts=7)
    assert facts.hands.sum() == len(hands)
    for rules in rule_sets:
        assert counted(facts, rules) == settled(hands, rules), rules.id


@given(fact_tables(), st.sampled_from(SPECS))
def test_any_facts_at_all(table: pa.Table, spec: str) -> None:
    """Facts that no hand could have led to are told apart as well."""
    rules = load_rules(spec)
    assert counted(of(table, [rules]), rules) == settled(table, rules)


def test_hands_that_are_alike_stand_together() -> None:
    """Two hands that differ only in seats, in who went out and in how much was played are one row, and a third with a bomb is another."""
    facts, words = synthetic(1)
    rows = [words.index("an ordinary hand that the peasants win"), words.index("a bomb")]
    plain, bomb = facts.slice(rows[0], 1).to_pylist()[0], facts.slice(rows[1], 1).to_pylist()[0]
    moved = plain | {"hand_id": 900, "landlord_seat": 2, "winner_seat": 1, "first_seat": 2, "down_plays": 3}
    table = pa.Table.from_pylist([plain, moved, bomb], facts.schema)
    found = of(table, [load_rules("qq-classic")])
    assert found.hands.tolist() == [2, 1]
    assert found.table["hand_id"].to_pylist() == [plain["hand_id"], bomb["hand_id"]]


def test_balances_are_told_apart_only_where_they_count(hands: pa.Table) -> None:
    """A threshold for doubling asks only which balances are above it; payments limited by balances ask how much there is."""
    happy, minimised = load_rules("happy"), load_rules("jj-classic+minimised")
    assert (reads_balances(happy), reads_balances(minimised)) == (False, True)
    assert set(of(hands, [happy]).table["landlord_balance"].to_pylist()) <= {0, 1, None}
    assert len(set(of(hands, [minimised]).table["landlord_balance"].to_pylist())) > 3


@pytest.mark.parametrize(
    "setting",
    ["liability.exempt_cards=5", "kick.factor=2", "balance.minimised=true"],
    ids=["cards", "columns", "amounts"],
)
def test_what_was_not_kept_is_refused(setting: str, hands: pa.Table) -> None:
    """A rule set that tells more hands apart than those the facts were made for is refused, not answered wrongly."""
    base = load_rules("jj-classic")
    (more,) = variants(base, [setting])
    facts = of(hands, [base])
    with pytest.raises(MissingColumn):
        facts.outcome(more)


def test_how_large_a_factor_is_decides_nothing_about_what_is_read() -> None:
    """A factor of 2 and one of 7 read the same columns, a factor of 1 fewer."""
    one, two, seven = variants(load_rules("qq-classic"), ["kick.factor=1,2,7"])
    assert columns_read(two) == columns_read(seven) > columns_read(one)


def test_overflow_is_undefined_here_too() -> None:
    """An amount that no column holds leaves the hand without a score on distinct facts as anywhere."""
    facts, words = synthetic(1)
    row = facts.slice(words.index("7 bombs"), 1)
    (rules,) = variants(load_rules("qq-classic"), ["events.bomb=1000"])
    assert settled_outcome(Facts(row), rules).scored.tolist() == [False]
