"""Checking rule files: every fault with its line, and what changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.rules import load_rules
from ddz_analytics.rules.checking import Idle, check_rule_file, idle_parts, idle_settings
from tests.rule_files import MINE, OVERLAY, write

FAULTY = """id = "mine"
title.zh = "我的"
title.en = ""
game = "chess"
extend = "jj-classic"

[capp]
source = "house rules: caps"

[cap]
doubling = 3
counts = ["bomb"]

[house]
source = "house rules: rake"
rake = 0.05
"""


def words(idle: Iterable[Idle]) -> list[str]:
    """What changes nothing, in words."""
    return [each.told("en") for each in idle]


def checked(folder: Path, text: str) -> list[tuple[str, int]]:
    """The faults of a rule file by code and line."""
    path = write(folder, "mine.toml", text)
    return [
        (fault.code, int(fault.where.removeprefix(f"{path}:")))
        for fault in check_rule_file(Path(path)).faults
    ]


def test_every_fault_with_its_line(tmp_path: Path) -> None:
    """A file with eight faults has all eight told, by line."""
    assert checked(tmp_path, FAULTY) == [
        ("rule_label", 3), ("rule_label", 4), ("rule_section", 5), ("rule_section", 7), ("rule_source", 10),
        ("rule_key", 11), ("rule_value", 12), ("rule_value", 16),
    ]  # fmt: skip


def test_what_only_shows_when_it_is_composed(tmp_path: Path) -> None:
    """A base that is not there, or a taken id, is a fault of a file that reads well."""
    missing = Path(write(tmp_path, "a.toml", MINE.replace("jj-classic", "jj-clasic")))
    taken = Path(write(tmp_path, "b.toml", MINE.replace('"mine"', '"happy"', 1)))
    assert [fault.code for fault in check_rule_file(missing).faults] == ["rules_unknown"]
    assert [fault.code for fault in check_rule_file(taken).faults] == ["rules_id_taken"]


def test_what_differs_from_its_base(tmp_path: Path) -> None:
    """A good file has a hash, the rule set that it extends, and the one key in which it differs."""
    found = check_rule_file(Path(write(tmp_path, "mine.toml", MINE)))
    assert found.rules is not None and found.base is not None
    assert (found.rules.rule_hash, found.base.id) == (
        load_rules("jj-classic[cap.doublings=3]").rule_hash,
        "jj-classic",
    )
    assert [(each.key, each.a, each.b) for each in found.differences] == [("cap.doublings", "none", 3)]
    assert (found.idle, found.faults) == ((), ())


def test_file_that_changes_nothing(tmp_path: Path) -> None:
    """A file that repeats its base says so, as a whole and key by key."""
    found = check_rule_file(
        Path(write(tmp_path, "mine.toml", MINE.replace("doublings = 3", 'doublings = "none"')))
    )
    assert words(found.idle) == ["it says the same as jj-classic", "cap.doublings is in jj-classic as it is"]


def test_overlay_that_changes_nothing(tmp_path: Path) -> None:
    """An overlay that changes no shipped rule set is told; one that changes some names the others."""
    idle = OVERLAY.replace('[events]\nsource = "house rules: events"\nbomb = 3\n', "")
    found = check_rule_file(Path(write(tmp_path, "idle.toml", idle))).idle
    assert words(found) == ["it changes no shipped rule set"]
    some = OVERLAY.replace("[events]", "[liability]").replace("bomb = 3", "exempt_cards = 1")
    (told,) = words(check_rule_file(Path(write(tmp_path, "some.toml", some))).idle)
    assert "jj-classic" in told and "qq-classic" not in told


def test_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file is no finding but an error."""
    with pytest.raises(UsageError) as error:
        check_rule_file(tmp_path / "none.toml")
    assert error.value.code == "rules_missing"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("jj-classic", []),
        ("jj-bomb+cap-4", []),
        ("qq-classic+no-liability", ["+no-liability changes nothing in qq-classic"]),
        ("casino-capped+cap-4+no-liability", ["+cap-4 changes nothing in casino-capped",
                                              "+no-liability changes nothing in casino-capped+cap-4"]),
        ("jj-classic[cap.doublings=none]", ["jj-classic[cap.doublings=none] is the same as jj-classic"]),
        ("jj-classic[cap.doublings=4]", []),
    ],
)  # fmt: skip
def test_parts_of_a_spec_that_change_nothing(spec: str, told: list[str]) -> None:
    """Each overlay and setting of a spec that leaves what is before it as it is gets a sentence."""
    assert words(idle_parts(spec)) == told


def test_file_of_ones_own_in_a_spec(tmp_path: Path) -> None:
    """A file that repeats what it extends is told where it is used."""
    path = write(tmp_path, "mine.toml", MINE.replace("doublings = 3", 'doublings = "none"'))
    assert words(idle_parts(path)) == ["mine says the same as jj-classic, which it extends"]


def test_grid_with_a_variant_like_its_base() -> None:
    """Of a grid only the variant that repeats its base is told."""
    told = words(idle_settings(load_rules("casino-capped"), ["cap.doublings=3,4,5"]))
    assert told == ["casino-capped[cap.doublings=4] is the same as casino-capped"]
