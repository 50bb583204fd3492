"""How rule sets are told apart: by the keys that differ and by their hash."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from ddz_analytics.rules import RuleSet, difference, load_rules, parameters, shipped_rules
from tests.rule_files import NEUTRAL


def test_difference_names_citations() -> None:
    """A difference is one key with both values and both citations, in the order of the reference."""
    found = difference(load_rules("jj-classic"), load_rules("jj-bomb"))
    assert [(each.key, each.a, each.b) for each in found] == [("events.bomb_reading", "power", "total")]
    assert found[0].source_a == "jj J32-J33, J35-J37: 积分规则"
    assert found[0].source_b == "jj J32-J33, J35-J37: 积分规则; jj J34: 积分规则"


def test_difference_where_one_cites_nothing() -> None:
    """A section that one rule set leaves neutral is cited by the other alone."""
    found = {each.key: each for each in difference(load_rules("qq-classic"), load_rules("casino-capped"))}
    assert set(found) == {
        "auction.kind", "kick.factor", "cap.doublings", "house.rake", "escape.kind", "entry.factor", "standing.levels",
        "seating.scope",
    }  # fmt: skip
    assert (found["house.rake"].a, found["house.rake"].source_a) == ("0", "")
    assert (found["house.rake"].b, found["house.rake"].source_b) == ("0.05", "casino C28-C29: 計分規則")


def other_value(key: str) -> object:
    """A value of the key other than its neutral one, as the engine keeps it."""
    value = NEUTRAL[key]
    if isinstance(value, bool):
        return not value
    if key == "cap.counts":
        return ("bombs",)
    if key == "events.combine":
        return "additive"
    if key in ("cap.doublings", "autoplay.bid_seconds", "autoplay.play_seconds", "house.rake"):
        return 9
    return value + 1 if isinstance(value, int) and key not in ("stake.unit", "stake.bid") else "another"


@pytest.mark.parametrize("key", NEUTRAL)
def test_hash_changes_with_every_key(key: str) -> None:
    """Each key that acts changes the hash."""
    base = RuleSet(id="base")
    changed = msgspec.structs.replace(base, **{key.replace(".", "_", 1): other_value(key)})
    assert parameters(changed) != parameters(base)
    assert changed.rule_hash != base.rule_hash


def test_hash_ignores_labels() -> None:
    """Id, titles, citations and the flag "assumed" do not change the hash, because they change no score."""
    base = load_rules("happy")
    renamed = msgspec.structs.replace(
        base, id="x", title_zh="x", title_en="x", assumed=True, sources={"cap": "x"}
    )
    assert renamed.rule_hash == base.rule_hash
    assert len(base.rule_hash) == 16 and int(base.rule_hash, 16) >= 0


def test_hashes_of_shipped_rule_sets_differ() -> None:
    """No two shipped rule sets are the same under two names."""
    assert len({load_rules(name).rule_hash for name in shipped_rules()}) == len(shipped_rules())


def test_rule_sets_travel() -> None:
    """A rule set can be a dictionary key and go to another process."""
    rules = load_rules("jj-bomb+cap-4")
    assert {rules: 1}[pickle.loads(pickle.dumps(rules))] == 1
