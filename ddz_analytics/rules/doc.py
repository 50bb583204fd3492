"""Rule sets and their keys as text for people: a complete rule file, a new one with only its differences, the reference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec
from msgspec import Struct

from ddz_analytics.rules.clauses import clauses
from ddz_analytics.rules.compose import load_rules
from ddz_analytics.rules.difference import difference
from ddz_analytics.rules.keys import KEYS, Key
from ddz_analytics.rules.load import find_rule_file, shipped_overlays, shipped_rules
from ddz_analytics.rules.ruleset import EVENT_FACTORS, SECTIONS, RuleSet, neutral, value_of
from ddz_analytics.rules.values import parameters, written

_BY_DEFAULT = "by default: nothing is cited"
_SET = "--set "  # how a variant cites the command line
_WORDS = {
    "en": ("key", "values", "neutral", "meaning", "clauses", "set by"),
    "zh": ("键", "可取值", "中性值", "含义", "条款", "哪些规则设了它"),
}
_INTRO = {
    "en": (
        "# Keys of a rule file\n\nMade by `ddz rules doc`. A key that no file sets has its neutral value, which changes nothing. "
        "Clauses are those of the rule pages: `ddz rules show ID --clauses` tells them in words."
    ),
    "zh": (
        "# 规则文件的键\n\n由 `ddz rules doc --lang zh` 生成。没有设置的键取中性值，即不改变任何结果。"
        "条款是各规则页的条款，`ddz rules show ID --clauses` 说明其内容。"
    ),
}  # fmt: skip


class NewRules(Struct, frozen=True, kw_only=True):
    """A rule set to be written as a file: its labels, what it `extends` (as the file shall name it), what it cites."""

    id: str
    title_zh: str
    title_en: str
    extends: str
    source: str


def citation(key: Key) -> str:
    """The clauses of a key as one cites them, page by page: "jj J33; qq Q18"."""
    every = clauses()
    pages = groupby(key.clauses, lambda clause: every[clause].page)
    return "; ".join(f"{page} {', '.join(found)}" for page, found in pages)


def complete_toml(rules: RuleSet) -> str:
    """The rule file of a rule set with every key, what each means, its clauses and values; it loads with the same hash."""
    labels = {"id": rules.id, "title.zh": rules.title_zh, "title.en": rules.title_en, "game": rules.game}
    lines = [f"# {rules.id}, rule hash {rules.rule_hash}, every key"]
    lines += [f"{name} = {_literal(value)}" for name, value in labels.items()]
    lines += ["assumed = true"] if rules.assumed else []
    said = parameters(rules)
    for section in SECTIONS:
        lines += ["", f"[{section}]", f"source = {_literal(rules.sources.get(section, _BY_DEFAULT))}"]
        for name, value in said.items():
            if name.partition(".")[0] == section:
                lines += [f"# {_meaning(KEYS[name])}; {_values(KEYS[name])}", _line(name, value)]
    return "\n".join(lines) + "\n"


def new_toml(new: NewRules, base: RuleSet, rules: RuleSet) -> str:
    """A rule file that says only in what `rules` differ from `base`, with each key's clauses and allowed values."""
    lines = [
        f"# What {new.id} says beside {base.id}; every other key is as there.",
        f"id = {_literal(new.id)}",
        f"title.zh = {_literal(new.title_zh)}",
        f"title.en = {_literal(new.title_en)}",
        'game = "ddz"',
        f"extends = {_literal(new.extends)}",
    ]
    for section, found in groupby(difference(base, rules), lambda each: each.key.partition(".")[0]):
        lines += ["", f"[{section}]", f"source = {_literal(_source(new, base, rules, section))}"]
        for each in found:
            key = KEYS[each.key]
            lines += [
                f"# {_meaning(key)}",
                f"# {_values(key)}; {base.id}: {told(each.a)}",
                _line(each.key, each.b),
            ]
    return "\n".join(lines) + "\n"


def keys_markdown(lang: str = "en") -> str:
    """Every key as Markdown, section by section: values, neutral value, meaning, clauses, and which shipped files set it."""
    head = _WORDS[lang]
    lines = [_INTRO[lang]]
    setters = _setters()
    for section in SECTIONS:
        lines += ["", f"## {section}", "", "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        for key in (key for name, key in KEYS.items() if name.partition(".")[0] == section):
            nothing = f"`{told(key.neutral)}`" + (", added: `0`" if key.name in EVENT_FACTORS else "")
            meaning = key.zh if lang == "zh" else key.en
            cells = (f"`{key.name}`", key.allowed, nothing, meaning, citation(key), setters.get(key.name, ""))
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def told(value: object) -> str:
    """A value of a rule file as a person reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _setters() -> dict[str, str]:
    """Of each key, the shipped rule sets that differ from its neutral value and the overlays that set it, by value."""
    found: dict[str, dict[str, list[str]]] = {}
    for name in shipped_rules():
        rules = load_rules(name)
        for key, value in parameters(rules).items():
            if value_of(rules, key) != neutral(key, rules.events_combine):
                found.setdefault(key, {}).setdefault(told(value), []).append(name)
    for name in shipped_overlays():
        for key, value in find_rule_file(name).settings.items():
            found.setdefault(key, {}).setdefault(told(written(key, value)), []).append(f"+{name}")
    return {
        key: "; ".join(f"{value}: {', '.join(names)}" for value, names in by.items())
        for key, by in found.items()
    }


def _source(new: NewRules, base: RuleSet, rules: RuleSet, section: str) -> str:
    """What a section cites beside its base; a setting from the command line is cited as the new file's own."""
    before = base.sources.get(section, "").split("; ")
    added = [piece for piece in rules.sources.get(section, "").split("; ") if piece not in before]
    return (
        "; ".join(dict.fromkeys(new.source if piece.startswith(_SET) else piece for piece in added))
        or new.source
    )


def _meaning(key: Key) -> str:
    return f"{key.en} ({citation(key)})"


def _values(key: Key) -> str:
    return f"allowed: {key.allowed}; neutral: {told(key.neutral)}"


def _line(name: str, value: object) -> str:
    return f"{name.partition('.')[2]} = {_literal(value)}"


def _literal(value: object | Sequence[str]) -> str:
    """A TOML value; its texts, numbers, booleans and lists are written as in JSON."""
    return msgspec.json.encode(value).decode()
