"""From a rule spec to a rule set: `extends`, overlays from left to right, and variants by `section.key=value`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from msgspec import structs

from ddz_analytics.errors import UsageError
from ddz_analytics.rules.load import FOLDER, RuleFile, find_rule_file, shipped_overlays, shipped_rules
from ddz_analytics.rules.ruleset import RuleSet, with_keys
from ddz_analytics.rules.values import known_key, parse_text, shown

_PART = re.compile(r"[^+]*/.*?\.toml(?=\+|$)|[^+]+")  # a folder's name may hold a "+"
_VARIANT = re.compile(r"(?P<spec>.+?)\[(?P<settings>[^\[\]]+)\]")
_HINT = "write ID, FILE.toml, or either with +OVERLAY"


def load_rules(spec: str) -> RuleSet:
    """The rule set of a spec: a shipped id or the path of a `.toml` file, then `+overlay` any number of times.

    The printed name of a variant, `ID[section.key=value]`, is a spec too. A composed set's id is its parts' ids joined
    by "+". Raises UsageError: `rules_spec`, `rules_unknown`, `rules_missing`, `rules_overlay_alone`,
    `rules_not_overlay`, `rules_cycle`, `rules_id_taken`, or the `rule_…` codes of a faulty file or value.
    """
    parts, settings = spec_parts(spec)
    rules = _complete(find_rule_file(parts[0]))
    for part in parts[1:]:
        rules = _overlaid(rules, find_rule_file(part))
    return variants(rules, settings)[0]  # one value a key


def spec_parts(spec: str) -> tuple[list[str], list[str]]:
    """The rule set and the overlays that a spec names, and the settings of a variant; raises UsageError `rules_spec`."""
    variant = _VARIANT.fullmatch(spec)
    if variant:
        parts, settings = spec_parts(variant["spec"])
        return parts, settings + variant["settings"].split(",")
    parts = _PART.findall(spec)
    if not parts or "+".join(parts) != spec:
        raise UsageError("rules_spec", f"{spec!r} names no rule set", mend=_HINT)
    return parts, []


def variants(rules: RuleSet, settings: Sequence[str]) -> list[RuleSet]:
    """The product of settings such as `cap.doublings=3,4,none`, each named `ID[cap.doublings=4,events.bomb=3]`.

    Values are written as in a rule file, a list as `bombs:spring`. A variant may equal its base: see `changes_nothing`.
    Raises UsageError `rule_set` (no `key=value`, something twice), `rule_key`, `rule_value`.
    """
    axes = [_axis(setting) for setting in settings]
    _refuse_twice([axis[0][0] for axis in axes])
    return [_variant(rules, dict(choice)) for choice in product(*axes)] if axes else [rules]


def _complete(file: RuleFile, trail: tuple[Path, ...] = ()) -> RuleSet:
    """The rule set of one file on top of what it extends; `trail` are the files that led here."""
    if file.path in trail:
        chain = " → ".join(path.name for path in (*trail, file.path))
        raise UsageError("rules_cycle", f"extends goes round in a circle: {chain}", where=str(file.path))
    if file.overlay:
        what = f"{file.id} is an overlay and no rule set of its own"
        raise UsageError("rules_overlay_alone", what, where=str(file.path), mend=f"write ID+{file.id}")
    base = RuleSet(id=file.id)
    if file.extends is not None:
        base = _complete(find_rule_file(file.extends, file.path.parent), (*trail, file.path))
    rules = structs.replace(_applied(base, file), id=file.id, title_zh=file.title_zh, title_en=file.title_en)
    if _is_taken(file, rules):
        raise _id_taken(file)
    return rules


def _overlaid(base: RuleSet, file: RuleFile) -> RuleSet:
    if not file.overlay:
        what = f"{file.id} is a complete rule set and cannot be laid over another"
        raise UsageError("rules_not_overlay", what, where=str(file.path), mend="put it before the +")
    if _is_taken_overlay(file):
        raise _id_taken(file)
    return structs.replace(
        _applied(base, file),
        id=f"{base.id}+{file.id}",
        title_zh=f"{base.title_zh} + {file.title_zh}",
        title_en=f"{base.title_en} + {file.title_en}",
    )


def _applied(base: RuleSet, file: RuleFile) -> RuleSet:
    """The keys and citations of a file over a base; what rests on an assumed rule set stays assumed."""
    rules = with_keys(base, file.settings)
    assumed = base.assumed or file.assumed
    return structs.replace(rules, assumed=assumed, sources=_cited(base.sources, file.sources))


def _cited(before: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """Citations add up, because a file that sets one key of a section leaves the others as they were."""
    cited = dict(before)
    for section, source in added.items():
        pieces = cited[section].split("; ") if section in cited else []
        cited[section] = "; ".join(dict.fromkeys([*pieces, *source.split("; ")]))
    return cited


def _axis(setting: str) -> list[tuple[str, object]]:
    key, mark, values = setting.partition("=")
    if not mark:
        raise UsageError("rule_set", f"{setting!r} sets nothing", mend="write section.key=value[,value…]")
    known_key(key)
    parsed = [(key, parse_text(key, value)) for value in values.split(",")]
    _refuse_twice([f"{key}={shown(key, value)}" for key, value in parsed])
    return parsed


def _refuse_twice(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UsageError("rule_set", f"{name} is given twice", mend="give each key and value once")


def _variant(rules: RuleSet, choice: dict[str, object]) -> RuleSet:
    named = ",".join(f"{key}={shown(key, value)}" for key, value in choice.items())
    sources: dict[str, str] = {}
    for key, value in choice.items():
        section = key.partition(".")[0]
        sources = _cited(sources, {section: f"--set {key}={shown(key, value)}"})
    mark = f"{rules.id[:-1]},{named}]" if rules.id.endswith("]") else f"{rules.id}[{named}]"
    return structs.replace(with_keys(rules, choice), id=mark, sources=_cited(rules.sources, sources))


def _is_taken_overlay(file: RuleFile) -> bool:
    if file.id in shipped_overlays():
        return find_rule_file(file.id).settings != file.settings
    return file.id in shipped_rules()


def _is_taken(file: RuleFile, rules: RuleSet) -> bool:
    """Whether an id reads as a spec of shipped parts, so that people take it for that, and the content is another."""
    if file.path.parent == FOLDER:
        return False
    first, *rest = file.id.partition("[")[0].split("+")
    if first in shipped_overlays():
        return True
    shipped = first in shipped_rules() and all(part in shipped_overlays() for part in rest)
    return shipped and load_rules(file.id).rule_hash != rules.rule_hash


def _id_taken(file: RuleFile) -> UsageError:
    what = f"the id {file.id} belongs to a shipped rule set that says something else"
    return UsageError("rules_id_taken", what, where=str(file.path), mend="give it an id of its own")
