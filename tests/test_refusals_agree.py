"""Refused doubles and entries: the view lists those that the oracle finds, with the balances that fell short."""

from __future__ import annotations

from collections import Counter

import pytest

from ddz_analytics.rules import load_rules
from ddz_analytics.settlement.settle import settle
from tests.agreement import engine_replay, hands_of, oracle_replayed, oracle_rules
from tests.generated import hands
from tests.in_memory import views_over
from tests.oracle.settle import settle as oracle_settle
from tests.pools import rule_set_row
from tests.refused import refusals_of_oracle, refusals_of_view

HANDS, MANY = 200, 2000
# Hands of each kind of recorded rules, the rule sets that they are put to, and what must be refused in how many of a thousand.
ASKED = [
    ("happy", ["happy", "happy[double.super=true]", "happy+minimised"], {"own": 30, "landlord": 10, "someone": 10}),
    ("unknown", ["happy-laizi", "casino-capped"], {"own": 30, "landlord": 10, "someone": 5, "entry": 200}),
    (
        "casino-capped", ["casino-capped", "casino-capped[entry.factor=1000,entry.strict=true]"],
        {"entry": 200, "at the threshold": 3, "too dear to be written": 3},
    ),
    ("qq-coins", ["qq-coins[entry.factor=1000]", "casino-capped[double.factor=2,double.check=threshold]"], {"entry": 200}),
]  # fmt: skip


def check(recorded: str, specs: list[str], number: int, seed: int) -> Counter[str]:
    """The view agrees with the oracle under every rule set; returns what was refused how often under all together."""
    documents = hands(recorded, number, seed)
    table, facts = hands_of(documents), engine_replay(documents).facts
    replayed, found = [oracle_replayed(document) for document in documents], Counter[str]()
    for spec in specs:
        settled = [oracle_settle(*each, oracle_rules(spec)) for each in zip(documents, replayed, strict=True)]
        stored = {"hands": table, "facts": facts, "settlements": settle(facts, load_rules(spec))}
        with views_over({**stored, "rule_sets": [rule_set_row(spec)]}) as connection:
            rows = refusals_of_view(connection)
        assert sorted(rows ^ refusals_of_oracle(enumerate(settled)), key=repr) == [], spec
        for row in rows:
            found["entry" if row.what == "entry" else row.reason] += 1
            found["at the threshold"] += row.what == "entry" and row.balance == row.threshold
            found["too dear to be written"] += row.threshold is None
    return found


@pytest.mark.parametrize(("recorded", "specs", "often"), ASKED)
def test_refusals_are_the_oracles(recorded: str, specs: list[str], often: dict[str, int]) -> None:
    """Seat, reason, threshold, balance and what it would have changed, of every double and of every entry."""
    found = check(recorded, specs, HANDS, 1)
    assert {name: found[name] for name, least in often.items() if 1000 * found[name] < least * HANDS} == {}


@pytest.mark.long
@pytest.mark.parametrize(("recorded", "specs", "often"), ASKED)
def test_refusals_of_many_hands_are_the_oracles(
    recorded: str, specs: list[str], often: dict[str, int]
) -> None:
    """The same of ten times as many hands."""
    found = check(recorded, specs, MANY, 2)
    assert {name: found[name] for name, least in often.items() if 1000 * found[name] < least * MANY} == {}
