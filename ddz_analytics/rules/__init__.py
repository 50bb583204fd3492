"""Rule sets: one flat typed struct, TOML files with citations, overlays, variants, clauses."""

from ddz_analytics.rules.clauses import Clause, cited_clauses, clauses
from ddz_analytics.rules.compose import load_rules, variants
from ddz_analytics.rules.difference import Difference, changes_nothing, difference
from ddz_analytics.rules.keys import KEYS, Key
from ddz_analytics.rules.load import RuleFile, find_rule_file, shipped_overlays, shipped_rules
from ddz_analytics.rules.ruleset import RuleSet, autoplay_bits, switches_of
from ddz_analytics.rules.values import parameters

__all__ = [
    "KEYS",
    "Clause",
    "Difference",
    "Key",
    "RuleFile",
    "RuleSet",
    "autoplay_bits",
    "changes_nothing",
    "cited_clauses",
    "clauses",
    "difference",
    "find_rule_file",
    "load_rules",
    "parameters",
    "shipped_overlays",
    "shipped_rules",
    "switches_of",
    "variants",
]
