"""What the keys of a mapping must agree on among themselves, and what no mapping may say."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from ddz_analytics.mapping.alphabet import Alphabet
from ddz_analytics.mapping.checking_events import check_events
from ddz_analytics.mapping.checking_tables import check_tables
from ddz_analytics.mapping.sections import refused
from ddz_analytics.mapping.spec import Mapping, Relational
from ddz_analytics.parsers import parsers


def check(mapping: Mapping) -> None:
    """Raise UsageError `mapping_value` for the first thing that does not fit."""
    if mapping.name in parsers():
        raise refused(f"{mapping.name!r} is a format of its own", "name")
    if mapping.zone:
        try:
            ZoneInfo(mapping.zone)
        except (ValueError, OSError, KeyError):
            raise refused(f"no time zone is called {mapping.zone!r}", "zone") from None
    Alphabet(mapping.cards)
    if isinstance(mapping, Relational):
        check_tables(mapping)
    else:
        check_events(mapping)
