"""What tells two rule sets apart: the parameters that differ, each with its citations."""

from __future__ import annotations

from msgspec import Struct

from ddz_analytics.rules.ruleset import RuleSet
from ddz_analytics.rules.values import parameters


class Difference(Struct, frozen=True, kw_only=True):
    """One parameter in which two rule sets differ; values as a rule file writes them, "" where nothing is cited."""

    key: str
    a: object
    b: object
    source_a: str
    source_b: str


def difference(a: RuleSet, b: RuleSet) -> list[Difference]:
    """Only the parameters that differ, in the order of the reference."""
    values_a, values_b = parameters(a), parameters(b)
    return [
        Difference(key=key, a=value, b=values_b[key], source_a=_source(a, key), source_b=_source(b, key))
        for key, value in values_a.items()
        if value != values_b[key]
    ]


def changes_nothing(a: RuleSet, b: RuleSet) -> bool:
    """Whether two rule sets say the same under different names, such as a variant that repeats its base."""
    return not difference(a, b)


def _source(rules: RuleSet, key: str) -> str:
    return rules.sources.get(key.partition(".")[0], "")
