"""Rule sets: what the shipped ones say, how files compose, what is refused, and how they are told apart."""

from __future__ import annotations

import pickle
import tomllib
from pathlib import Path

import msgspec
import pytest

from ddz_analytics import rules as rules_package
from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.rules import (
    KEYS,
    RuleSet,
    changes_nothing,
    cited_clauses,
    clauses,
    difference,
    find_rule_file,
    load_rules,
    parameters,
    shipped_overlays,
    shipped_rules,
    to_toml,
    variants,
)

FOLDER = Path(rules_package.__file__).parent
ALL_EVENTS = ("bombs", "rockets", "spring", "anti_spring")

# Every key with the value that changes nothing, in the order of the reference, written down by hand.
NEUTRAL: dict[str, object] = {
    "auction.kind": "none",
    "auction.nobody": "redeal",
    "auction.rotates": False,
    "auction.rob_factor": 1,
    "auction.rob_back": "only_if_robbed",
    "stake.unit": 1,
    "stake.bid": 1,
    "stake.identity_included": True,
    "stake.multiplier_starts_at": "one",
    "open_hand.start": 1,
    "open_hand.deal_early": 1,
    "open_hand.deal_late": 1,
    "open_hand.bottom": 1,
    "open_hand.early_max_dealt": 6,
    "open_hand.bottom_who": "landlord_only",
    "double.factor": 1,
    "double.check": "none",
    "double.super": False,
    "kick.factor": 1,
    "kick.eligibility": "acts_after_winning_bid",
    "kick.rob_eligibility": "all_others",
    "events.combine": "product",
    "events.bomb": 1,
    "events.rocket": 1,
    "events.spring": 1,
    "events.anti_spring": 1,
    "events.bomb_reading": "power",
    "events.bomb_counts_rocket": False,
    "cap.doublings": "none",
    "cap.counts": ALL_EVENTS,
    "cap.after_pairs": False,
    "liability.when_losing": "none",
    "liability.when_winning": "none",
    "liability.both_losing": "own_share",
    "liability.both_winning": "normal",
    "liability.status": "at_end",
    "liability.exempt_cards": 0,
    "liability.exempt_measured": "at_start",
    "house.rake": "0",
    "house.rake_rounding": "exact",
    "house.fee": "none",
    "house.fee_in_score": True,
    "autoplay.bid_seconds": "none",
    "autoplay.play_seconds": "none",
    "autoplay.last_card_follow": True,
    "autoplay.auto_act_starts": True,
    "autoplay.manual_act_ends": True,
    "autoplay.reconnect_ends": False,
    "combination.kicker_may_match_core": False,
    "combination.both_jokers_as_two_singles": True,
    "combination.quad_as_single_wings": True,
    "combination.same_rank_pairs": True,
    "combination.adjacent_triple_as_wings": True,
    "combination.repeated_rank_singles": True,
    "combination.four_two_mixed": False,
}

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
    "autoplay.bid_seconds": 20,  # J8
    "autoplay.play_seconds": 15,  # J10
}
# What each rule page says beyond the neutral values, derived from the page by hand.
GOLDEN: dict[str, dict[str, object]] = {
    "qq-classic": {
        "auction.kind": "score",  # Q2
        "auction.rotates": True,  # Q3
        "stake.bid": "bid",  # Q18
        **EVENTS_DOUBLE,  # Q18, Q20
    },
    "jj-classic": JJ_CLASSIC,
    "jj-bomb": {**JJ_CLASSIC, "events.bomb_reading": "total"},  # J34
    "happy": {
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
        **EVENTS_DOUBLE,
    },
    "casino-capped": {
        "auction.kind": "room",  # C2
        "auction.rotates": True,  # C6
        "stake.bid": "bid",  # C23
        "kick.factor": 2,  # C37
        **EVENTS_DOUBLE,  # C25
        "cap.doublings": 4,  # C26
        "house.rake": "0.05",  # C28
    },
}

MINE = """
id = "mine"
title.zh = "我的"
title.en = "mine"
extends = "jj-classic"

[cap]
source = "house rules: caps"
doublings = 3
"""
OVERLAY = """
id = "loud"
title.zh = "响"
title.en = "loud"
overlay = true

[events]
source = "house rules: events"
bomb = 3
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def refusal(spec: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        load_rules(spec)
    return caught.value


# --- the shipped rule sets -------------------------------------------------------------------------------


def test_shipped_order() -> None:
    """Rule sets and overlays are listed in a fixed order, and every rule file of the folder is listed."""
    assert shipped_rules() == ["qq-classic", "jj-classic", "jj-bomb", "happy", "casino-capped"]
    assert shipped_overlays() == ["cap-4", "no-liability"]
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


def test_only_stated_rule_sets() -> None:
    """Every shipped rule set is stated by a page, so none is marked as assumed."""
    assert not any(load_rules(name).assumed for name in shipped_rules())


# --- citations and clauses -------------------------------------------------------------------------------


def test_clauses_are_complete() -> None:
    """The clauses are J1–J58, L1–L41, C1–C40, Q1–Q27, H1–H38, each on its own page and said in both languages."""
    pages = {"J": ("jj", 58), "L": ("jj2", 41), "C": ("casino", 40), "Q": ("qq", 27), "H": ("happy", 38)}
    expected = [(f"{letter}{n}", page) for letter, (page, last) in pages.items() for n in range(1, last + 1)]
    assert [(name, clause.page) for name, clause in clauses().items()] == expected
    assert all(
        clause.heading and clause.zh.endswith("。") and clause.en.endswith(".")
        for clause in clauses().values()
    )


def test_scoring_clauses() -> None:
    """The scoring clauses are those that move points, set the stake or order players."""
    scoring = [name for name, clause in clauses().items() if clause.scoring]
    expected = cited_clauses(
        "jj J6, J29-J49; jj2 L27-L28, L34-L41; casino C21-C29, C35-C39; qq Q18-Q27; happy H5-H19"
    )
    assert scoring == expected


def test_citation_is_written_out() -> None:
    """A citation names single clauses and ranges of several pages; other text names none."""
    assert cited_clauses("jj J8, J29-J31: 积分规则; qq Q20: 積分") == ["J8", "J29", "J30", "J31", "Q20"]
    assert cited_clauses("house rules: caps") == []


@pytest.mark.parametrize("name", shipped_rules() + shipped_overlays())
def test_every_cited_clause_exists(name: str) -> None:
    """Each section of a shipped file cites at least one clause that exists, on the page and under a heading it has."""
    file = find_rule_file(name)
    assert {key.partition(".")[0] for key in file.settings} == set(file.sources)
    for source in file.sources.values():
        for piece in source.split("; "):
            cited = cited_clauses(piece)
            assert cited and set(cited) <= set(clauses())
            assert {clauses()[clause].page for clause in cited} == {piece.partition(" ")[0]}
            assert {clauses()[clause].heading for clause in cited} == {piece.partition(": ")[2]}


def test_keys_are_documented() -> None:
    """Every key is explained in both languages, with its neutral value, what is allowed, and clauses that exist."""
    assert {name: key.neutral for name, key in KEYS.items()} == NEUTRAL
    assert list(KEYS) == list(NEUTRAL)
    assert list(tomllib.loads((FOLDER / "keys.toml").read_text("utf-8"))) == list(NEUTRAL)
    for key in KEYS.values():
        assert key.en and key.zh and key.clauses and set(key.clauses) <= set(clauses())


def test_allowed_values_are_worded() -> None:
    """Allowed values read as a person would say them, the neutral one first where values are named."""
    assert KEYS["auction.nobody"].allowed == "redeal, starter, first_opener_or_redeal"
    assert KEYS["stake.unit"].allowed == "1, room.unit, room.rate"
    assert KEYS["cap.doublings"].allowed == "none, 0 to 60"
    assert KEYS["cap.counts"].allowed == "one or more of bombs, rockets, spring, anti_spring"
    assert KEYS["double.super"].allowed == "false, true"


# --- composition -----------------------------------------------------------------------------------------


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


# --- what is refused -------------------------------------------------------------------------------------


def test_unknown_id_names_the_nearest() -> None:
    """An unknown rule set is refused with the nearest shipped name."""
    error = refusal("jj-clasic")
    assert error.code == "rules_unknown" and "nearest: jj-classic" in error.mend


@pytest.mark.parametrize("spec", ["", "+", "jj-bomb+", "+cap-4", "jj-bomb++cap-4"])
def test_spec_with_empty_parts(spec: str) -> None:
    """A spec with an empty part is refused."""
    assert refusal(spec).code == "rules_spec"


def test_overlay_alone() -> None:
    """An overlay is no rule set of its own."""
    assert refusal("cap-4").code == "rules_overlay_alone"


def test_complete_set_as_overlay() -> None:
    """A complete rule set cannot be laid over another."""
    assert refusal("jj-bomb+happy").code == "rules_not_overlay"


def test_missing_file(tmp_path: Path) -> None:
    """A path without a file is refused in one line that names it."""
    error = refusal(str(tmp_path / "none.toml"))
    assert error.code == "rules_missing" and "none.toml" in str(error) and "\n" not in str(error)


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "hint"),
    [
        ("doublings = 3", "doubling = 3", "rule_key", 9, "cap.doublings"),
        ("[cap]", "[capp]", "rule_section", 7, "cap"),
        ("extends", "extend", "rule_section", 5, "extends"),
        ("doublings = 3", "doublings = true", "rule_value", 9, "none, 0 to 60"),
        ("doublings = 3", 'doublings = "3"', "rule_value", 9, "none, 0 to 60"),
        ("doublings = 3", "doublings = 3.0", "rule_value", 9, "none, 0 to 60"),
        ("doublings = 3", "doublings = -1", "rule_value", 9, "none, 0 to 60"),
        ("doublings = 3", "counts = []", "rule_value", 9, "one or more of bombs"),
        ("doublings = 3", 'counts = ["bombs", "bombs"]', "rule_value", 9, "one or more of bombs"),
        ("doublings = 3", 'after_pairs = "true"', "rule_value", 9, "false, true"),
        ('source = "house rules: caps"', "", "rule_source", 7, "source"),
        ('source = "house rules: caps"', 'source = " "', "rule_source", 7, "source"),
        ("doublings = 3", "doublings = ", "rule_syntax", 9, "not TOML"),
        ("doublings = 3", "doublings = 3\ndoublings = 4", "rule_syntax", 10, "not TOML"),
    ],
)
def test_faulty_file(tmp_path: Path, old: str, new: str, code: str, line: int, hint: str) -> None:
    """A faulty rule file is refused with a code, file and line, and the nearest name or the allowed values."""
    path = write(tmp_path, "mine.toml", MINE.replace(old, new, 1))
    error = refusal(path)
    assert (error.code, error.where) == (code, f"{path}:{line}")
    assert hint in str(error)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('id = "mine"', ""),
        ('id = "mine"', 'id = "my own"'),
        ('title.zh = "我的"', ""),
        ('title.en = "mine"', 'title.en = "two\\nlines"'),
        ("extends", 'game = "chess"\nextends'),
        ("extends", "overlay = true\nextends"),
    ],
)
def test_faulty_labels(tmp_path: Path, old: str, new: str) -> None:
    """An id, both titles and a known game are needed, and an overlay extends nothing."""
    assert refusal(write(tmp_path, "mine.toml", MINE.replace(old, new, 1))).code == "rule_label"


@pytest.mark.parametrize("raw", ["0.05", '"5%"', '".05"', '"0.00001"', '"1.1"', '"-0.1"', "0"])
def test_rake_is_text(tmp_path: Path, raw: str) -> None:
    """A share is text from 0 to 1 with at most four decimals, because 0.05 is no exact binary number."""
    text = MINE.replace("[cap]", "[house]").replace("doublings = 3", f"rake = {raw}")
    assert refusal(write(tmp_path, "mine.toml", text)).code == "rule_value"


def test_factor_of_nothing() -> None:
    """A factor of 0 is refused where events multiply."""
    assert refusal("jj-classic[events.spring=0]").code == "rule_value"


def test_cycle_of_extends(tmp_path: Path) -> None:
    """Rule files that extend each other in a circle are refused."""
    write(tmp_path, "a.toml", MINE.replace('"jj-classic"', '"b.toml"'))
    write(tmp_path, "b.toml", MINE.replace('"jj-classic"', '"a.toml"'))
    error = refusal(str(tmp_path / "a.toml"))
    assert error.code == "rules_cycle" and "a.toml → b.toml → a.toml" in error.what


def test_extends_an_overlay(tmp_path: Path) -> None:
    """An overlay is nothing to stand on."""
    assert (
        refusal(write(tmp_path, "mine.toml", MINE.replace("jj-classic", "cap-4"))).code
        == "rules_overlay_alone"
    )


@pytest.mark.parametrize("taken", ["jj-classic", "jj-classic+cap-4", "jj-classic[cap.doublings=4]", "cap-4"])
def test_shipped_id_with_other_content(tmp_path: Path, taken: str) -> None:
    """A file may not go by a name that people know if it says something else."""
    text = MINE.replace('id = "mine"', f'id = "{taken}"')
    assert refusal(write(tmp_path, "mine.toml", text)).code == "rules_id_taken"


@pytest.mark.parametrize("taken", ["cap-4", "happy"])
def test_shipped_overlay_id_with_other_content(tmp_path: Path, taken: str) -> None:
    """An overlay may not go by a name that people know if it says something else."""
    overlay = write(tmp_path, "loud.toml", OVERLAY.replace('"loud"', f'"{taken}"', 1))
    assert refusal(f"jj-classic+{overlay}").code == "rules_id_taken"


def test_enumerations_are_typed() -> None:
    """The struct itself refuses a value that its enumeration does not have."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"id": "x", "auction_kind": "auction"}, RuleSet)


# --- the text of a rule set ------------------------------------------------------------------------------


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


# --- variants --------------------------------------------------------------------------------------------


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


# --- telling rule sets apart -----------------------------------------------------------------------------


def test_difference_names_citations() -> None:
    """A difference is one key with both values and both citations, in the order of the reference."""
    found = difference(load_rules("jj-classic"), load_rules("jj-bomb"))
    assert [(each.key, each.a, each.b) for each in found] == [("events.bomb_reading", "power", "total")]
    assert found[0].source_a == "jj J32-J33, J35-J37: 积分规则"
    assert found[0].source_b == "jj J32-J33, J35-J37: 积分规则; jj J34: 积分规则"


def test_difference_where_one_cites_nothing() -> None:
    """A section that one rule set leaves neutral is cited by the other alone."""
    found = {each.key: each for each in difference(load_rules("qq-classic"), load_rules("casino-capped"))}
    assert set(found) == {"auction.kind", "kick.factor", "cap.doublings", "house.rake"}
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
