"""Where keys act: what is said to act elsewhere changes no score, what is said to act in a settlement changes some."""

from __future__ import annotations

import pytest

from ddz_analytics.distinct import settled_outcome
from ddz_analytics.errors import UsageError
from ddz_analytics.rules import KEYS, RuleSet, load_rules, shipped_rules, variants
from ddz_analytics.rules.acting import acts_at, settings_worth_trying, values_worth_trying
from ddz_analytics.rules.values import parse_text
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.sweep import differs
from ddz_analytics.synthetic import synthetic

LIABLE = "liability.when_losing=autoplaying_pays_all,liability.when_winning=others_take_all"
ELSEWHERE = [key for key in KEYS if acts_at(key) != "settlement"]
PAIRS, TRIPLES = Facts(synthetic(2)[0]), Facts(synthetic(3)[0])  # of features
BASES = [
    load_rules(spec)
    for spec in (
        *shipped_rules(),
        "jj-classic+minimised",
        "qq-coins+minimised",
        "jj-bomb+cap-4",
        f"casino-capped[{LIABLE}]",
    )
]


def changes(facts: Facts, base: RuleSet, key: str, value: str) -> bool:
    """Whether a setting changes a score of some facts, or whether there is one; False where it does not go with the base."""
    try:
        (variant,) = variants(base, [f"{key}={value}"])
    except UsageError:
        return False
    one, other = settled_outcome(facts, base), settled_outcome(facts, variant)
    return bool((differs(one, other) | (one.scored != other.scored)).any())


@pytest.mark.parametrize("key", ELSEWHERE)
def test_key_that_acts_elsewhere_changes_no_score(key: str) -> None:
    """A key of replay, standings, seating or entry leaves every score of every rule set as it is."""
    for base in BASES:
        assert not any(changes(PAIRS, base, key, value) for value in values_worth_trying(key)), base.id


@pytest.mark.parametrize(
    "key", [key for key in KEYS if acts_at(key) == "settlement" and len(values_worth_trying(key)) > 1]
)
def test_key_that_acts_in_a_settlement_changes_a_score(key: str) -> None:
    """Every key with more than one value changes a score of some rule set's, alone or beside what makes it act."""
    tried = [(base, value) for base in BASES for value in values_worth_trying(key)]
    assert any(changes(facts, base, key, value) for facts in (PAIRS, TRIPLES) for base, value in tried)


def test_values_worth_trying_are_values() -> None:
    """Each value that is tried is one that the key may have, and none is tried twice."""
    settings = list(settings_worth_trying())
    assert len(set(settings)) == len(settings) > 100
    for key, value in settings:
        parse_text(key, value)
    assert not [key for key, _ in settings if key in ELSEWHERE]
