"""What each differing parameter contributes: worked out on paper, adding up, and the same as settling in every order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from ddz_analytics.attribution import attribution, parts_of
from ddz_analytics.columns import from_amounts
from ddz_analytics.distinct import Read
from ddz_analytics.rules import RuleSet, load_rules
from ddz_analytics.rules.ruleset import ATTRIBUTES, with_keys
from ddz_analytics.schema import FACTS
from ddz_analytics.settlement.settle import settle
from ddz_analytics.sweep import facts_of
from tests.random_rules import random_rules
from tests.small_store import facts, table
from tests.stores import played, take

JJ = load_rules("jj-classic")
NETS = ("net_landlord", "net_down", "net_up", "house_net")


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """The facts of some hands that were played out."""
    folder = tmp_path_factory.mktemp("attribution")
    (folder / "a.jsonl").write_bytes(played(120))
    take(folder / "store", folder / "a.jsonl")
    return facts_of(folder / "store")


def all_facts(read: Read) -> pa.Table:
    """Every column of the facts."""
    return pa.concat_tables(read(FACTS.names))


def one_hand(**more: Any) -> Read:
    """A hand in which seat 0 bids 1 and wins, with two bombs and a rocket."""
    hand = table(
        "facts", [facts(1, 0, 0, **{"bid": 1, "auction_kind": "score", "bombs": 2, "rockets": 1} | more)]
    )

    def reading(columns: Sequence[str]) -> Iterator[pa.Table]:
        yield hand.select(columns)

    return reading


def test_two_parameters_that_act_on_each_other_share_their_joint_effect() -> None:
    """Each gets the mean of what it changes alone and after the other."""
    # a pair plays for 1·2·2·2 = 8; without the bombs for 2, with two doublings at most for 4, with both for 2: the bombs' share is
    # the mean of 8-2 and 4-2, the cap's that of 8-4 and 2-2, and the landlord is paid by two pairs
    rules = "jj-classic[events.bomb=2,events.rocket=2,cap.doublings=none,events.spring=1]"
    baseline = load_rules(rules)
    other = with_keys(baseline, {"events.bomb": 1, "cap.doublings": 2})
    found = attribution(one_hand(), baseline, other)
    assert found is not None
    shares = dict(zip(found["part"].to_pylist(), found["landlord"].to_pylist(), strict=True))
    assert shares == {"events.bomb": Decimal(-8), "cap.doublings": Decimal(-4)}


def test_shares_are_settling_in_every_order(read: Read) -> None:
    """A share is the mean, over all orders of moving the parameters, of what moving this one changes."""
    other = load_rules("jj-classic[cap.doublings=1,events.bomb=3,liability.when_losing=none,events.spring=3]")
    found = attribution(read, JJ, other)
    assert found is not None
    facts, parts = all_facts(read), parts_of(JJ, other)
    total = {part.name: 0 for part in parts}
    orders = list(permutations(parts))
    for order in orders:
        rules, before = JJ, landlords(facts, JJ)
        for part in order:
            rules = with_keys(rules, {key: getattr(other, ATTRIBUTES[key]) for key in part.keys})
            after = landlords(facts, rules)
            total[part.name] += after - before
            before = after
    for row in found.to_pylist():
        assert abs(row["landlord"] - Decimal(total[row["part"]]) / len(orders) / 10_000) < Decimal("0.0001")


@pytest.mark.parametrize(
    "spec",
    ["jj-bomb", "happy", "casino-capped", "qq-coins", "laizi-jj", "jj-classic+cap-4", "qq-classic+minimised"],
)
def test_shares_add_up_to_the_difference(read: Read, spec: str) -> None:
    """Over the hands that every combination scores, the shares of each party are together what the party gains."""
    other = load_rules(spec)
    found = attribution(read, JJ, other)
    assert found is not None
    assert found["hands"][0].as_py() + found["left_out"][0].as_py() == len(all_facts(read))
    gained = [sum(found[name].to_pylist()) for name in ("landlord", "down", "up", "house")]
    assert sum(gained) == 0
    if not found["left_out"][0].as_py():
        assert gained == [
            Decimal(nets(all_facts(read), other)[place] - nets(all_facts(read), JJ)[place]) / 10_000
            for place in range(4)
        ]


def test_many_parameters_are_moved_by_what_they_concern() -> None:
    """More than eight differing parameters make at most eight parts, and each parameter is in one of them."""
    parts = parts_of(JJ, load_rules("casino-capped"))
    assert len(parts) <= 8
    keys = [key for part in parts for key in part.keys]
    assert len(keys) == len(set(keys)) > 8


def test_factors_that_are_added_and_factors_that_are_multiplied_move_together() -> None:
    """A factor of 0 means nothing in a product, so the factors of events move with how they combine."""
    other = with_keys(JJ, {"events.combine": "additive", "events.bomb": 3})
    assert [part.name for part in parts_of(JJ, other)] == ["events"]


@pytest.mark.parametrize("seed", range(30))
def test_no_other_parameter_moves_a_score(read: Read, seed: int) -> None:
    """Parameters that are in no part (switches, standings, entry, times, seating) leave every score as it is."""
    one, another = (random_rules(Random(2 * seed + place)) for place in (0, 1))
    left_out = [
        key for key in ATTRIBUTES if key not in {key for part in parts_of(one, another) for key in part.keys}
    ]
    moved = with_keys(one, {key: getattr(another, ATTRIBUTES[key]) for key in left_out})
    facts = all_facts(read)
    for name in (*NETS, "score_status"):
        assert settle(facts, one)[name].equals(settle(facts, moved)[name]), name


def landlords(facts: pa.Table, rules: RuleSet) -> int:
    """What all landlords have, in 1/10,000."""
    return nets(facts, rules)[0]


def nets(facts: pa.Table, rules: RuleSet) -> list[int]:
    """What each party has in all over the hands with a landlord, in 1/10,000."""
    settled = settle(facts, rules).filter(facts["landlord_seat"].is_valid())
    return [int(from_amounts(settled[name]).sum()) for name in NETS]


def test_too_many_rows_are_left_alone(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it would take too long there is no answer instead of a late one."""
    monkeypatch.setattr("ddz_analytics.attribution.MOST_SETTLED", 10)
    assert attribution(read, JJ, load_rules("jj-bomb")) is None


def test_nothing_differs(read: Read, tmp_path: Path) -> None:
    """Two rule sets that settle alike have no parts and no rows."""
    found = attribution(read, JJ, load_rules("jj-classic[entry.strict=true]"))
    assert found is not None
    assert found.num_rows == 0
