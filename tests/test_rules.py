"""The shipped rule sets: which there are, and that each says what its rule page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics import rules as rules_package
from ddz_analytics.rules import (
    RuleSet,
    difference,
    find_rule_file,
    load_rules,
    parameters,
    shipped_overlays,
    shipped_rules,
)
from tests.rule_files import ALL_EVENTS, NEUTRAL

FOLDER = Path(rules_package.__file__).parent

EVENTS_DOUBLE = {"events.bomb": 2, "events.rocket": 2, "events.spring": 2, "events.anti_spring": 2}
JJ_CLASSIC: dict[str, object] = {
    "auction.kind": "score",  # J4
    "auction.nobody": "starter",  # J6
    "stake.unit": "room.unit",  # J30
    "stake.bid": "bid",  # J31
    **EVENTS_DOUBLE,  # J33, J35, J36, J37
    "liability.when_losing": "autoplaying_pays_all",  # J42
    "liability.when_winning": "others_take_all",  # J43
    "liability.both_losing": "equal_split",  # J42
    "liability.both_winning": "forfeit",
    "liability.exempt_cards": 1,  # J44
    "escape.kind": "autoplay",  # J26
    "autoplay.bid_seconds": 20,  # J8
    "autoplay.play_seconds": 15,  # J10
}
QQ_CLASSIC: dict[str, object] = {
    "auction.kind": "score",  # Q2
    "auction.rotates": True,  # Q3
    "stake.bid": "bid",  # Q18
    **EVENTS_DOUBLE,  # Q18, Q20
    "escape.kind": "fine",  # Q21, and its neutral factor 3; Q22 and its 3 points
    "standing.levels": "qq",  # Q27
}
HAPPY: dict[str, object] = {
    "auction.kind": "rob",  # H2, H6
    "auction.nobody": "first_opener_or_redeal",  # H2, H5
    "auction.rob_factor": 2,  # H8
    "stake.unit": "room.rate",  # H17
    "open_hand.start": 5,  # H11
    "open_hand.deal_early": 4,  # H12
    "open_hand.deal_late": 3,  # H12
    "open_hand.bottom": 2,  # H13
    "double.factor": 2,  # H17
    "double.check": "threshold",  # H18
}
BY_KIND = {
    "events.soft": 2, "events.hard": 4, "events.pure": 4, "events.rocket": 4, "events.spring": 2, "events.anti_spring": 2,
    "wild.enabled": True,
}  # fmt: skip
LAIZI: dict[str, object] = {
    "auction.kind": "score",  # L6
    "auction.nobody": "starter",  # L7
    "stake.unit": "room.unit",  # L34
    "stake.bid": "bid",  # L34
    "liability.when_losing": "autoplaying_pays_all",  # L38
    "liability.when_winning": "others_take_all",  # L39
    "liability.both_losing": "equal_split",  # L40
    "liability.exempt_cards": 1,  # L41
    "escape.kind": "autoplay",  # L31
}
# What each rule page says beyond the neutral values, derived from the page by hand.
GOLDEN: dict[str, dict[str, object]] = {
    "qq-classic": QQ_CLASSIC,
    "qq-coins": {**QQ_CLASSIC, "stake.unit": "room.rate", "house.fee": "room.fee"},  # Q23
    "jj-classic": JJ_CLASSIC,
    "jj-bomb": {**JJ_CLASSIC, "events.bomb_reading": "total"},  # J34
    "happy": {**HAPPY, **EVENTS_DOUBLE},
    "casino-capped": {
        "auction.kind": "room",  # C2
        "auction.rotates": True,  # C6
        "stake.bid": "bid",  # C23
        "kick.factor": 2,  # C37
        **EVENTS_DOUBLE,  # C25
        "cap.doublings": 4,  # C26
        "house.rake": "0.05",  # C28
        "escape.kind": "autoplay",  # C30
        "entry.factor": 64,  # C33
        "seating.scope": "ever",  # C40
    },
    "laizi-general": {**LAIZI, **BY_KIND},  # L35
    "laizi-jj": {
        **LAIZI,
        **BY_KIND,
        "events.combine": "additive",  # L36
        "events.bomb": 0,
        "events.soft": 1,
        "events.hard": 2,
        "events.pure": 2,
        "events.rocket": 2,
        "events.spring": 1,
        "events.anti_spring": 1,
        "standing.event": "championship",  # J48
    },
    "happy-laizi": {**HAPPY, **BY_KIND},  # H33-H35, L35
    "douzero-adp": {"events.bomb": 2, "events.rocket": 2},
}


def test_shipped_order() -> None:
    """Rule sets and overlays are listed in a fixed order, and every rule file of the folder is listed."""
    assert shipped_rules() == list(GOLDEN)
    assert shipped_overlays() == ["cap-4", "no-liability", "minimised"]
    files = {path.stem for path in FOLDER.glob("*.toml")} - {"clauses", "keys", "shipped"}
    assert files == {*shipped_rules(), *shipped_overlays()}


@pytest.mark.parametrize("name", shipped_rules() + shipped_overlays())
def test_file_is_named_by_its_id(name: str) -> None:
    """A shipped file's id is its name, and only overlays call themselves that."""
    file = find_rule_file(name)
    assert file.id == name
    assert file.overlay == (name in shipped_overlays())


def test_neutral_values() -> None:
    """A rule set that sets nothing has the neutral value of every key, in the order of the reference."""
    assert list(parameters(RuleSet(id="nothing")).items()) == list(NEUTRAL.items())


@pytest.mark.parametrize("name", GOLDEN)
def test_parameters_of_the_pages(name: str) -> None:
    """Each shipped rule set says what its rule page says, and is neutral in all else."""
    assert parameters(load_rules(name)) == {**NEUTRAL, **GOLDEN[name]}


def test_C28_rake_is_kept_in_ten_thousandths() -> None:
    """Five percent is the whole number 500 for the engine and the text 0.05 in a rule file."""
    assert load_rules("casino-capped").house_rake == 500


def test_no_cap_and_no_limit_are_none() -> None:
    """What a rule file calls "none" is None for the engine."""
    rules = load_rules("qq-classic")
    assert (rules.cap_doublings, rules.autoplay_bid_seconds, rules.autoplay_play_seconds) == (
        None,
        None,
        None,
    )


def test_C26_cap_overlay() -> None:
    """The cap overlay caps four doublings of bombs, rockets, springs and anti-springs, and nothing else."""
    assert find_rule_file("cap-4").settings == {"cap.doublings": 4, "cap.counts": ALL_EVENTS}


def test_J42_no_liability_overlay() -> None:
    """Without liability jj-classic has the neutral value of every liability key, and is otherwise the same."""
    without = {key: value for key, value in JJ_CLASSIC.items() if not key.startswith("liability.")}
    assert parameters(load_rules("jj-classic+no-liability")) == {**NEUTRAL, **without}


def test_J38_minimised_overlay() -> None:
    """The overlay changes one key, under which payments are minimised as the page's examples are."""
    added = difference(load_rules("jj-classic"), load_rules("jj-classic+minimised"))
    assert [(each.key, each.b) for each in added] == [("balance.minimised", True)]


def test_only_one_rule_set_is_assumed() -> None:
    """The page of one rule set names no multipliers; all others are stated, and none is marked as assumed."""
    assert [name for name in shipped_rules() if load_rules(name).assumed] == ["happy-laizi"]
