"""Settlement rows as a format among the others: tables in place of logs."""

from __future__ import annotations

from functools import cache

from ddz_analytics.parsers import parsers
from ddz_analytics.parsers.base import Format


class Facts:
    """The format of declared facts, which no parser of logs reads."""

    name = "facts"
    version = 1
    records = frozenset(
        ("auction", "open_hand", "doubles", "kicks", "autoplay", "balances", "room", "rules", "time")
    )
    ids_are_global = True
    reference_rules: str | None = None


@cache
def formats() -> dict[str, Format]:
    """Every format by name: those of logs, and that of declared facts."""
    return {**parsers(), Facts.name: Facts()}
