"""How rule files stand on others and overlays are laid over them."""

from __future__ import annotations

from pathlib import Path

from ddz_analytics.rules import difference, load_rules, parameters, variants
from tests.rule_files import MINE, OVERLAY, write


def test_overlay_composition() -> None:
    """A composed rule set is named by its parts and differs from its base in what the overlay sets only."""
    base, composed = load_rules("jj-bomb"), load_rules("jj-bomb+cap-4")
    assert composed.id == "jj-bomb+cap-4"
    assert composed.title_en == f"{base.title_en} + at most four doublings"
    assert composed.title_zh == f"{base.title_zh} + 翻倍最多四次"
    assert [(each.key, each.a, each.b) for each in difference(base, composed)] == [
        ("cap.doublings", "none", 4)
    ]


def test_overlays_apply_from_left_to_right(tmp_path: Path) -> None:
    """Where two overlays set the same key, the one further right decides."""
    three = write(tmp_path, "three.toml", OVERLAY.replace("[events]", "[cap]").replace("bomb", "doublings"))
    assert load_rules(f"jj-bomb+cap-4+{three}").cap_doublings == 3
    assert load_rules(f"jj-bomb+{three}+cap-4").cap_doublings == 4


def test_rule_file_by_path(tmp_path: Path) -> None:
    """A path that ends in .toml is a rule file, which may stand on a shipped one and under overlays."""
    mine = write(tmp_path, "mine.toml", MINE)
    rules = load_rules(f"{mine}+no-liability")
    assert rules.id == "mine+no-liability"
    assert (rules.cap_doublings, rules.stake_unit, rules.liability_when_losing) == (3, "room.unit", "none")


def test_path_may_hold_a_plus(tmp_path: Path) -> None:
    """A plus sign in a folder's name does not split the spec."""
    (tmp_path / "a+b").mkdir()
    mine = write(tmp_path / "a+b", "mine.toml", MINE)
    assert load_rules(f"{mine}+cap-4").id == "mine+cap-4"


def test_extends_a_relative_path(tmp_path: Path) -> None:
    """A rule file may extend another by a path relative to itself."""
    write(tmp_path, "mine.toml", MINE)
    child = write(
        tmp_path,
        "child.toml",
        MINE.replace('"jj-classic"', '"mine.toml"').replace('"mine"\n', '"child"\n', 1),
    )
    assert parameters(load_rules(child)) == parameters(load_rules(str(tmp_path / "mine.toml")))


def test_citations_add_up() -> None:
    """A section that two files set cites both, the base first, and says nothing twice."""
    base, bomb = load_rules("jj-classic"), load_rules("jj-bomb")
    assert bomb.sources["events"] == f"{base.sources['events']}; jj J34: 积分规则"
    assert load_rules("casino-capped+cap-4").sources == load_rules("casino-capped").sources


def test_assumed_stays_assumed(tmp_path: Path) -> None:
    """What is laid over or stands on an assumed rule set is assumed too."""
    mine = write(tmp_path, "mine.toml", MINE.replace("extends", "assumed = true\nextends"))
    assert load_rules(f"{mine}+cap-4").assumed


def test_neutral_events_stay_neutral_when_they_add(tmp_path: Path) -> None:
    """When events add up instead of multiplying, those that nobody set count nothing (L36)."""
    text = OVERLAY.replace("bomb = 3", 'combine = "additive"\nbomb = 1')
    additive = text.replace("overlay = true", "")
    rules = load_rules(write(tmp_path, "additive.toml", additive))
    assert (rules.events_bomb, rules.events_rocket, rules.events_spring, rules.events_anti_spring) == (
        1,
        0,
        0,
        0,
    )
    (back,) = variants(rules, ["events.combine=product"])
    assert (back.events_bomb, back.events_rocket) == (1, 1)
