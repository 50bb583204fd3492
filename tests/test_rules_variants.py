"""Variants of a rule set: how they are set, named and refused."""

from __future__ import annotations

import pytest

from ddz_analytics.errors import DdzError
from ddz_analytics.rules import changes_nothing, load_rules, variants


def test_variants_are_a_product() -> None:
    """Several settings give every combination, the last one moving fastest, each named by its values."""
    made = variants(load_rules("jj-classic"), ["cap.doublings=4,none", "events.bomb=2,3"])
    assert [(each.id, each.cap_doublings, each.events_bomb) for each in made] == [
        ("jj-classic[cap.doublings=4,events.bomb=2]", 4, 2),
        ("jj-classic[cap.doublings=4,events.bomb=3]", 4, 3),
        ("jj-classic[cap.doublings=none,events.bomb=2]", None, 2),
        ("jj-classic[cap.doublings=none,events.bomb=3]", None, 3),
    ]


@pytest.mark.parametrize(
    ("setting", "attribute", "value"),
    [
        ("auction.rotates=true", "auction_rotates", True),
        ("auction.nobody=redeal", "auction_nobody", "redeal"),
        ("stake.unit=1", "stake_unit", 1),
        ("stake.unit=room.rate", "stake_unit", "room.rate"),
        ("house.rake=0.0250", "house_rake", 250),
        ("house.rake=1", "house_rake", 10_000),
        ("house.fee=none", "house_fee", "none"),
        ("autoplay.play_seconds=none", "autoplay_play_seconds", None),
        ("cap.counts=spring:bombs", "cap_counts", ("bombs", "spring")),
    ],
)
def test_values_are_read_by_the_type_of_the_key(setting: str, attribute: str, value: object) -> None:
    """A value on the command line is read as its key's type."""
    (made,) = variants(load_rules("jj-classic"), [setting])
    assert getattr(made, attribute) == value and type(getattr(made, attribute)) is type(value)


def test_printed_name_is_a_spec() -> None:
    """The name of a variant, as printed, loads the same variant."""
    (made,) = variants(load_rules("jj-bomb+cap-4"), ["cap.counts=bombs:rockets"])
    assert load_rules(made.id) == made
    assert (
        load_rules("jj-bomb[cap.doublings=4][events.bomb=3]").id == "jj-bomb[cap.doublings=4,events.bomb=3]"
    )


def test_no_settings_no_variants() -> None:
    """Without settings there is the rule set itself."""
    base = load_rules("happy")
    assert variants(base, []) == [base]


@pytest.mark.parametrize(
    ("settings", "code", "hint"),
    [
        (["cap.doubling=4"], "rule_key", "nearest: cap.doublings"),
        (["doublings=4"], "rule_key", "nearest: cap.doublings"),
        (["cap.doublings"], "rule_set", "section.key=value"),
        (["cap.doublings=4,4"], "rule_set", "twice"),
        (["cap.doublings=4", "cap.doublings=5"], "rule_set", "twice"),
        (["cap.doublings=4,"], "rule_value", "none, 0 to 60"),
        (["cap.doublings=04"], "rule_value", "none, 0 to 60"),
        (["cap.doublings=four"], "rule_value", "none, 0 to 60"),
        (["auction.rotates=1"], "rule_value", "false, true"),
        (["house.rake=none"], "rule_value", "four decimals"),
        (["assumed=true"], "rule_key", "unknown key assumed"),
    ],
)
def test_faulty_settings(settings: list[str], code: str, hint: str) -> None:
    """A setting with an unknown key, no value, a wrong value or one given twice is refused."""
    with pytest.raises(DdzError) as caught:
        variants(load_rules("jj-classic"), settings)
    assert caught.value.code == code and hint in str(caught.value)


def test_variant_cites_the_setting() -> None:
    """A variant's section cites the setting after what its base cites."""
    (made,) = variants(load_rules("casino-capped"), ["cap.doublings=3"])
    assert made.sources["cap"] == "casino C26: 計分規則; --set cap.doublings=3"


def test_variant_may_change_nothing() -> None:
    """A variant that repeats its base is made all the same and can be told."""
    base = load_rules("casino-capped")
    same, other = variants(base, ["cap.doublings=4,3"])
    assert changes_nothing(base, same) and not changes_nothing(base, other)
