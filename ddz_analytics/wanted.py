"""The rule sets that a question is about, as people name them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ddz_analytics.answers.plain import inert
from ddz_analytics.errors import UsageError
from ddz_analytics.locale import language, said
from ddz_analytics.rules import RuleSet, changes_nothing, load_rules, shipped_rules, variants
from ddz_analytics.rules.checking import idle_parts, idle_settings
from ddz_analytics.rules.values import nearest
from ddz_analytics.store.catalog import connect, sql_text

Tell = Callable[[str], None]
"""Where a note about the work goes."""
DEFAULT_BASELINE = "qq-classic"
LISTED = 10


def rules_named(specs: str, settings: Iterable[str] = ()) -> list[RuleSet]:
    """The rule sets of a comma-separated list (`all`: every complete shipped one), each varied by the `--set` grid."""
    names = shipped_rules() if specs == "all" else [spec.strip() for spec in split_specs(specs)]
    wanted = [load_rules(name) for name in names if name]
    if not wanted:
        raise UsageError("rules_unknown", "no rule set is named", mend="`ddz rules list` shows them")
    given = list(settings)
    return [variant for rules in wanted for variant in variants(rules, given)] if given else wanted


def split_specs(specs: str) -> list[str]:
    """The parts of a comma-separated list; commas within brackets belong to a name such as `ID[a=1,b=2]`."""
    parts, depth = [""], 0
    for letter in specs:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def recorded_baseline(store: Path, tell: Tell) -> str:
    """The one rule set that the store's hands were recorded under, where there is one and it is known, else the default.

    Several, or one that is not shipped, are told: a single hand that names another rule set is enough for that.
    """
    known = shipped_rules()
    with connect(store) as connection:
        rows: list[tuple[str, int]] = connection.sql(sql_text("recorded_rules")).fetchall()
    if [name in known for name, _ in rows] == [True]:
        return rows[0][0]
    if rows:
        listed = [_told_recorded(name, hands, known) for name, hands in rows[:LISTED]]
        more = [said("wanted.more", number=len(rows) - LISTED)] if len(rows) > LISTED else []
        recorded = said("common.list").join(listed + more)
        tell(inert(said("wanted.several", recorded=recorded, name=DEFAULT_BASELINE)))
    return DEFAULT_BASELINE


def _told_recorded(name: str, hands: int, known: list[str]) -> str:
    """A recorded rule set and its hands; one that is not shipped with the nearest that is."""
    if name in known:
        return said("wanted.recorded", name=name, hands=hands)
    return said("wanted.unknown", name=name, hands=hands, nearest=nearest(name, known))


def chosen_rules(
    store: Path, baseline: str | None, specs: str | None, settings: tuple[str, ...], tell: Tell
) -> list[RuleSet]:
    """The baseline and the others, in order, without the baseline among the others; settings vary the others.

    Without `specs` the others are all complete shipped rule sets, or with settings the baseline.
    """
    name = baseline or recorded_baseline(store, tell)
    if baseline is None:
        tell(said("compare.baseline", name=name))
    base, against = load_rules(name), specs or (name if settings else "all")
    named = rules_named(against)
    if specs not in (None, "all") and any(r.id == base.id and r.rule_hash != base.rule_hash for r in named):
        mend = "give one of them another id"
        raise UsageError("rule_set_twice", f"two rule sets are called {base.id}", mend=mend)
    tell_idle(name, tell=tell)
    if specs is not None:
        tell_idle(specs, tell=tell)
    others = [rules for rules in rules_named(against, settings) if rules.id != base.id]
    for rules in others:
        if changes_nothing(base, rules):
            tell(said("compare.no_difference", name=rules.id, base=base.id))
    return [base, *others]


def tell_idle(specs: str, settings: Sequence[str] = (), *, tell: Tell) -> None:
    """Say which rule files, overlays and settings change nothing in what they stand on."""
    named = [] if specs == "all" else [spec.strip() for spec in split_specs(specs)]
    found = [idle for spec in named for idle in idle_parts(spec)]
    for rules in rules_named(specs) if settings else ():
        found += idle_settings(rules, settings)
    for idle in found:
        tell(said("common.note", words=idle.told(language())))
