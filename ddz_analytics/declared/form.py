"""Settlement rows as a format among the others: tables in place of logs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ddz_analytics.declared.mapped import FactsMapping
from ddz_analytics.parsers import parsers
from ddz_analytics.parsers.base import Format


@dataclass
class Facts:
    """The format of declared facts, which no parser of logs reads; a `mapping` gives the columns their names."""

    name = "facts"
    records = frozenset(
        ("auction", "open_hand", "doubles", "kicks", "autoplay", "balances", "room", "rules", "time")
    )
    ids_are_global = True
    reference_rules: str | None = None
    version: int = 1
    mapping: FactsMapping | None = None


def facts_by(mapping: FactsMapping | None) -> Facts:
    """The format as a mapping has it; with another content of the mapping files are read again."""
    return Facts() if mapping is None else Facts(version=mapping.version, mapping=mapping)


@cache
def formats() -> dict[str, Format]:
    """Every format by name: those of logs, and that of declared facts."""
    return {**parsers(), Facts.name: Facts()}
