"""What tells two rule sets apart: the smallest hands, else synthetic facts, else a plain no."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.distinguish import distinguish
from ddz_analytics.rules import load_rules
from ddz_analytics.settlement.settle import settle
from ddz_analytics.store import open_store
from tests.stores import lines, played, take


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a hundred hands that were played out."""
    folder = tmp_path_factory.mktemp("distinguish")
    (folder / "log.jsonl").write_bytes(played(100))
    take(folder / "store", folder / "log.jsonl")
    return folder / "store"


def test_smallest_hands_of_the_store(store: Path) -> None:
    """The hands with the fewest actions come first, each with both scores as settling gives them, and all are counted."""
    a, b = load_rules("jj-classic"), load_rules("jj-classic[events.bomb=3]")
    found = distinguish(a, b, store, count=5)
    facts = open_store(store).read("facts")
    nets = [settle(facts, rules)["net_landlord"].to_pylist() for rules in (a, b)]
    lengths = dict(
        zip(
            *(open_store(store).read("hands")[name].to_pylist() for name in ("hand_id", "actions")),
            strict=True,
        )
    )
    differing = [
        (len(lengths[hand]), hand, one, other)
        for hand, one, other in zip(facts["hand_id"].to_pylist(), *nets, strict=True)
        if one != other
    ]
    told = [
        (each.actions, each.hand_id, each.a[0], each.b[0]) for each in found.examples if each.a and each.b
    ]
    assert told == [
        (length, hand, one * 10_000, other * 10_000) for length, hand, one, other in sorted(differing)[:5]
    ]
    assert (found.hands, found.differing, found.one_scores, found.synthetic_facts) == (
        100,
        len(differing),
        0,
        0,
    )


def test_synthetic_facts_where_no_hand_differs(tmp_path: Path) -> None:
    """In a store of deals that were thrown in nothing differs, so the plainest synthetic facts are shown: two bombs, at 4 and 3."""
    (tmp_path / "log.jsonl").write_bytes(lines(0, 4))
    take(tmp_path / "store", tmp_path / "log.jsonl")
    found = distinguish(load_rules("jj-classic"), load_rules("jj-bomb"), tmp_path / "store", count=1)
    (example,) = found.examples
    assert (found.hands, found.differing) == (4, 0) and found.synthetic_facts > 50
    assert (example.hand_id, example.name) == (None, "2 bombs")
    # unit 10, bid 1: 2 · 2 and 1 + 2; the peasants win
    assert (example.a, example.b) == ((-800_000, 400_000, 400_000, 0), (-600_000, 300_000, 300_000, 0))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ("jj-classic[cap.doublings=2]", "3 bombs"),
        ("jj-classic[liability.exempt_cards=2]", "down on autoplay from two cards"),
        (
            "jj-classic[liability.both_winning=normal]",
            "both peasants on autoplay from nine cards",
        ),
        ("jj-classic[auction.nobody=redeal]", "nobody bids and the first speaker plays"),
        ("jj-classic+minimised", "the landlord has 3, which is less than the fee"),
    ],
)
def test_the_plainest_hand_that_shows_a_key(other: str, words: str) -> None:
    """Each setting shows in a synthetic hand with just the features that it needs."""
    found = distinguish(load_rules("jj-classic"), load_rules(other), None, count=1)
    assert [each.name for each in found.examples] == [words]


def test_hand_that_only_one_of_the_two_scores() -> None:
    """A hand that one rule set leaves undefined differs too, and is shown with the one score there is."""
    found = distinguish(
        load_rules("qq-classic"), load_rules("qq-classic[escape.kind=undefined]"), None, count=1
    )
    (example,) = found.examples
    assert example.a is not None and example.b is None


def test_keys_that_cannot_act(store: Path) -> None:
    """Rule sets that differ in keys that no score depends on have no hand to show, and it is said where those keys act."""
    names = "autoplay.bid_seconds=5,cap.counts=bombs,standing.event=swiss"
    found = distinguish(load_rules("qq-classic"), load_rules(f"qq-classic[{names}]"), store)
    assert (
        found.examples == []
        and found.differing == 0
        and found.hands == 100
        and found.synthetic_facts > 50_000
    )
    assert [(key.key, key.acts_at, key.acts) for key in found.keys] == [
        ("cap.counts", "settlement", False), ("autoplay.bid_seconds", "replay", False), ("standing.event", "standings", False),
    ]  # fmt: skip


def test_equal_rule_sets() -> None:
    """A rule set does not differ from itself."""
    rules = load_rules("happy")
    found = distinguish(rules, rules, None)
    assert (found.keys, found.examples) == ([], [])
