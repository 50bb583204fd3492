"""A rule set as the text of one complete rule file."""

from __future__ import annotations

import msgspec

from ddz_analytics.rules.ruleset import ATTRIBUTES, SECTIONS, RuleSet, neutral, value_of
from ddz_analytics.rules.values import written

_UNCITED = "not cited"  # a rule set built in code may cite nothing; a file must say so


def to_toml(rules: RuleSet) -> str:
    """The complete rule file of a rule set, non-neutral keys only; loading it gives an equal rule set.

    A section that sets keys and cites nothing (possible only for a rule set built in code) says "not cited".
    """
    head = {"id": rules.id, "title.zh": rules.title_zh, "title.en": rules.title_en, "game": rules.game}
    lines = [f"{name} = {_literal(value)}" for name, value in head.items()]
    if rules.assumed:
        lines.append("assumed = true")
    for section in SECTIONS:
        lines += _section(rules, section)
    return "\n".join(lines) + "\n"


def _section(rules: RuleSet, section: str) -> list[str]:
    keys = {
        key.partition(".")[2]: written(key, value_of(rules, key))
        for key in ATTRIBUTES
        if key.partition(".")[0] == section and value_of(rules, key) != neutral(key, rules.events_combine)
    }
    if not keys and section not in rules.sources:
        return []
    source = rules.sources.get(section, _UNCITED)
    return [
        "",
        f"[{section}]",
        f"source = {_literal(source)}",
        *(f"{key} = {_literal(value)}" for key, value in keys.items()),
    ]


def _literal(value: object) -> str:
    """A TOML value; its texts, numbers, booleans and lists are written as in JSON."""
    return msgspec.json.encode(value).decode()
