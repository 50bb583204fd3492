"""Rule sets and their keys as text: complete, only the differences, and the reference of the keys."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from ddz_analytics.rules import KEYS, changes_nothing, load_rules, shipped_overlays, shipped_rules
from ddz_analytics.rules.doc import NewRules, citation, complete_toml, keys_markdown, new_toml
from ddz_analytics.rules.ruleset import SECTIONS
from tests.rule_files import OVERLAY, write

ROOT = Path(__file__).parents[1]
COMPOSED = [f"{name}+{overlay}" for name in shipped_rules() for overlay in shipped_overlays()]


@pytest.mark.parametrize(
    "spec", [*shipped_rules(), *COMPOSED, "casino-capped[cap.counts=spring:bombs,house.rake=1]"]
)
def test_complete_text_has_the_same_hash(tmp_path: Path, spec: str) -> None:
    """The complete text of a rule set names every key and loads with the same hash and citations of what is cited."""
    rules = load_rules(spec)
    text = complete_toml(rules)
    document = tomllib.loads(text)
    assert {
        f"{section}.{key}" for section in SECTIONS for key in document[section] if key != "source"
    } == set(KEYS)
    copy = load_rules(write(tmp_path, "copy.toml", text))
    assert (copy.rule_hash, copy.id, copy.title_zh, copy.assumed) == (
        rules.rule_hash,
        rules.id,
        rules.title_zh,
        rules.assumed,
    )
    assert {section: copy.sources[section] for section in rules.sources} == rules.sources


def test_complete_text_of_assumed_and_additive(tmp_path: Path) -> None:
    """The flag "assumed" and events that add up, where 0 is neutral, survive the text too."""
    text = OVERLAY.replace("overlay = true", "assumed = true").replace(
        "bomb = 3", 'combine = "additive"\nbomb = 1'
    )
    rules = load_rules(write(tmp_path, "additive.toml", text))
    copy = load_rules(write(tmp_path, "copy.toml", complete_toml(rules)))
    assert (copy.assumed, copy.events_rocket, copy.rule_hash) == (True, 0, rules.rule_hash)


def test_complete_text_cites_each_key() -> None:
    """Above each key stands what it means, its clauses by page and its values."""
    lines = complete_toml(load_rules("casino-capped")).splitlines()
    place = lines.index("doublings = 4")
    assert "casino C26" in lines[place - 1] and "allowed: none, 0 to 60; neutral: none" in lines[place - 1]


def test_citations_name_their_pages() -> None:
    """The clauses of a key are cited page by page."""
    assert citation(KEYS["events.spring"]) == "jj J36; qq Q20; casino C21, C25"


def test_new_file_says_only_what_differs(tmp_path: Path) -> None:
    """A new file has the two keys that differ, each with clauses and values, cites overlays as they do, and loads as meant."""
    base, rules = load_rules("jj-bomb"), load_rules("jj-bomb+cap-4[house.rake=0.05]")
    labels = NewRules(
        id="mine", title_en="Mine", title_zh="我的", extends="jj-bomb", source="house rule: Monday"
    )
    text = new_toml(labels, base, rules)
    document = tomllib.loads(text)
    assert document["cap"] == {"source": "casino C26: 計分規則", "doublings": 4}
    assert document["house"] == {"source": "house rule: Monday", "rake": "0.05"}
    assert set(document) == {"id", "title", "game", "extends", "cap", "house"}
    assert 'allowed: text from "0" to "1"' in text and "jj-bomb: none" in text
    assert changes_nothing(load_rules(write(tmp_path, "mine.toml", text)), rules)


def test_reference_has_every_key() -> None:
    """The reference has a row for every key, in both languages, with the rule sets that set it."""
    for lang in ("en", "zh"):
        text = keys_markdown(lang)
        assert re.findall(r"^\| `([a-z_.]+)` \|", text, re.MULTILINE) == list(KEYS)
    rows = {
        row.split(" | ")[0].strip("| `"): row.split(" | ")
        for row in keys_markdown().splitlines()
        if row.startswith("| `")
    }
    assert rows["house.rake"][5] == "0.05: casino-capped |"
    assert rows["cap.doublings"][1:3] == ["none, 0 to 60", "`none`"]
    assert rows["cap.doublings"][5] == "4: casino-capped, +cap-4 |"
    assert "2: " in rows["events.bomb"][5] and "0: " not in rows["events.bomb"][5]


def test_reference_in_the_documentation_is_current() -> None:
    """docs/rules.md is what `ddz rules doc` writes; make it anew with `ddz rules doc -o docs/rules.md`."""
    assert (ROOT / "docs" / "rules.md").read_text("utf-8") == keys_markdown()
