"""Checking a rule file, and noticing rule sets, overlays and variants that change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ddz_analytics.errors import UsageError
from ddz_analytics.locale import command_text
from ddz_analytics.rules.compose import load_rules, spec_parts, variants
from ddz_analytics.rules.difference import Difference, changes_nothing, difference
from ddz_analytics.rules.load import RuleFile, examined, find_rule_file, shipped_rules
from ddz_analytics.rules.ruleset import RuleSet

_LINE = re.compile(r":([0-9]+)\Z")


class Idle(Struct, frozen=True):
    """Something that changes nothing: what it is (a key of `idle` in the texts of commands), its name, and in what."""

    kind: str
    name: str = ""
    base: str = ""

    def told(self, lang: str) -> str:
        """The same in words."""
        return command_text(f"idle.{self.kind}", lang, name=self.name, base=self.base)


class Checked(Struct, frozen=True, kw_only=True):
    """What a rule file comes to.

    `faults`: every one, by line; `idle`: what in it changes nothing; `rules`: the rule set, None for an overlay and
    where there are faults; `base`: what it extends (without: all neutral); `differences` from that, of an overlay from the
    first shipped rule set that it changes, which is then the base.
    """

    file: RuleFile | None
    faults: tuple[UsageError, ...] = ()
    idle: tuple[Idle, ...] = ()
    rules: RuleSet | None = None
    base: RuleSet | None = None
    differences: tuple[Difference, ...] = ()


def check_rule_file(path: Path) -> Checked:
    """Read, compose and compare one rule file; raises UsageError `rules_missing` if there is none."""
    file, faults = examined(path)
    if faults and faults[0].code == "rules_missing":
        raise faults[0]
    if file is None or faults:
        return Checked(file=file, faults=tuple(sorted(faults, key=_line_of)))
    try:
        return _checked_overlay(file) if file.overlay else _checked_rules(file)
    except UsageError as fault:
        return Checked(file=file, faults=(fault,))


def idle_parts(spec: str) -> Iterator[Idle]:
    """Each part of a spec (the file itself, an overlay, a setting) that changes nothing in what stands before it."""
    before, settings = spec_parts(spec)
    first = before[0]
    file = find_rule_file(first)
    if file.extends is not None:
        base = _base(file)
        if changes_nothing(base, load_rules(first)):
            yield Idle("extends", file.id, base.id)
    for count in range(1, len(before)):
        base, rules = load_rules("+".join(before[:count])), load_rules("+".join(before[: count + 1]))
        if changes_nothing(base, rules):
            yield Idle("overlay", find_rule_file(before[count]).id, base.id)
    yield from idle_settings(load_rules("+".join(before)), settings)


def idle_settings(rules: RuleSet, settings: Sequence[str]) -> Iterator[Idle]:
    """Each variant of a grid that is the same as its base."""
    for variant in variants(rules, settings) if settings else ():
        if changes_nothing(rules, variant):
            yield Idle("setting", variant.id, rules.id)


def _checked_rules(file: RuleFile) -> Checked:
    rules, base = load_rules(str(file.path)), _base(file)
    same = Idle("file" if base.id else "file_of_nothing", base=base.id)
    idle = [same] if changes_nothing(base, rules) else []
    idle += [Idle("key" if base.id else "neutral_key", key, base.id) for key in _repeated(file, base)]
    return Checked(
        file=file, rules=rules, base=base, idle=tuple(idle), differences=tuple(difference(base, rules))
    )


def _checked_overlay(file: RuleFile) -> Checked:
    found = [(load_rules(name), load_rules(f"{name}+{file.path}")) for name in shipped_rules()]
    changed = [(base, rules) for base, rules in found if not changes_nothing(base, rules)]
    if not changed:
        return Checked(file=file, idle=(Idle("everywhere"),))
    unchanged = [base.id for base, rules in found if changes_nothing(base, rules)]
    idle = (Idle("somewhere", base=", ".join(unchanged)),) if unchanged else ()
    base, rules = changed[0]
    return Checked(file=file, base=base, idle=idle, differences=tuple(difference(base, rules)))


def _base(file: RuleFile) -> RuleSet:
    if file.extends is None:
        return RuleSet(id="")
    return load_rules(str(find_rule_file(file.extends, file.path.parent).path))


def _repeated(file: RuleFile, base: RuleSet) -> list[str]:
    """The keys that a file sets and that its base says already."""
    if file.extends is None:
        return []
    changed = {each.key for each in difference(base, load_rules(str(file.path)))}
    return [key for key in file.settings if key not in changed]


def _line_of(fault: UsageError) -> int:
    line = _LINE.search(fault.where)
    return int(line[1]) if line else 0
