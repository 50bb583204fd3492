"""Synthetic facts: one ordinary hand and what may be otherwise in it."""

from __future__ import annotations

from decimal import Decimal

from ddz_analytics.rules import load_rules, shipped_rules
from ddz_analytics.schema import FACTS
from ddz_analytics.settlement.settle import settle
from ddz_analytics.synthetic import probe, synthetic


def test_the_plainest_come_first() -> None:
    """The first row is the ordinary hand, then every single feature, then every pair."""
    _, singles = synthetic(1)
    facts, words = synthetic(2)
    assert words[0] == "an ordinary hand that the peasants win"
    assert words[: len(singles)] == singles and len(set(words)) == len(words) == len(facts)
    assert all(", " in said for said in words[len(singles) :])


def test_they_are_facts() -> None:
    """They have the schema of facts, and each single feature stands in the probe."""
    assert synthetic(2)[0].schema == FACTS
    assert len(probe()) == len(synthetic(1)[1])


def test_the_ordinary_hand_is_scored_exactly_everywhere() -> None:
    """The ordinary hand, a bid of 1 without events, brings each peasant one stake; nothing is assumed but where no bid was offered."""
    facts = synthetic(0)[0]
    expected = {"qq-classic": 1, "jj-classic": 10, "jj-bomb": 10, "casino-capped": Decimal("1.9")}
    for name, stake in expected.items():  # casino: a bid of 1 is low, which is 2, less 5 percent
        (row,) = settle(facts, load_rules(name)).to_pylist()
        assert row["net_down"] == stake, name


def test_every_rule_set_scores_some_of_them() -> None:
    """No shipped rule set leaves the single features without a score or gives all the same."""
    for name in shipped_rules():
        settled = settle(probe(), load_rules(name))
        assert len(set(settled["net_landlord"].to_pylist())) > 4, name
