"""The text of a rule set: it loads as the same rule set and leaves out what is neutral."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ddz_analytics.rules import load_rules, shipped_rules, to_toml
from tests.rule_files import OVERLAY, write


@pytest.mark.parametrize(
    "spec",
    [
        *shipped_rules(),
        "jj-bomb+cap-4",
        "casino-capped+no-liability",
        "casino-capped[cap.counts=spring:bombs,house.rake=1]",
    ],
)
def test_round_trip(tmp_path: Path, spec: str) -> None:
    """The text of a rule set loads as an equal rule set, labels and citations included."""
    rules = load_rules(spec)
    assert load_rules(write(tmp_path, "copy.toml", to_toml(rules))) == rules


def test_round_trip_of_assumed_and_additive(tmp_path: Path) -> None:
    """The flag "assumed" and events that add up survive the text too."""
    text = OVERLAY.replace("overlay = true", "assumed = true").replace(
        "bomb = 3", 'combine = "additive"\nbomb = 1'
    )
    rules = load_rules(write(tmp_path, "additive.toml", text))
    copy = to_toml(rules)
    assert "bomb = 1" in copy and "rocket" not in copy
    assert load_rules(write(tmp_path, "copy.toml", copy)) == rules


def test_text_leaves_out_what_is_neutral() -> None:
    """The text states non-neutral keys only, each in its section with its citation."""
    document = tomllib.loads(to_toml(load_rules("casino-capped")))
    assert document["house"] == {"source": "casino C28-C29: 計分規則", "rake": "0.05"}
    assert "liability" not in document
