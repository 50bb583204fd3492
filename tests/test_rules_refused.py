"""Which specs and rule files are refused, and with what words."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from ddz_analytics.rules import RuleSet
from tests.rule_files import MINE, OVERLAY, refusal, write


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
