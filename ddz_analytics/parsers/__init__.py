"""The known log formats, and how a file's format is told: by its content, never by its name."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from ddz_analytics.errors import UsageError
from ddz_analytics.parsers.base import Parser
from ddz_analytics.parsers.botzone_ftl1 import BotzoneFtl1
from ddz_analytics.parsers.botzone_ftl2 import BotzoneFtl2
from ddz_analytics.parsers.botzone_text import BotzoneText
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.parsers.ddz_text import DdzText
from ddz_analytics.parsers.douzero import Douzero
from ddz_analytics.parsers.icga import Icga
from ddz_analytics.parsers.open_spiel import OpenSpiel
from ddz_analytics.parsers.rlcard_showdown import RlcardShowdown
from ddz_analytics.parsers.rlcard_trace import RlcardTrace

PARSERS: tuple[type[Parser], ...] = (
    Ddz1,
    DdzText,
    BotzoneFtl1,
    BotzoneFtl2,
    BotzoneText,
    Douzero,
    Icga,
    OpenSpiel,
    RlcardShowdown,
    RlcardTrace,
)
GROUP = "ddz_analytics.parsers"
SURE_ENOUGH = 0.5


@cache
def parsers() -> dict[str, Parser]:
    """Every parser by name: those of the package, and those that other packages register in the entry-point group `GROUP`."""
    found: dict[str, Parser] = {parser.name: parser for parser in (each() for each in PARSERS)}
    for entry in entry_points(group=GROUP):
        parser: Parser = entry.load()()
        found[parser.name] = parser
    return found


def parser_named(name: str) -> Parser:
    """The parser of a format; raises `UsageError` for an unknown name."""
    if name not in parsers():
        raise UsageError(
            "unknown_format", f"no format is called {name!r}", mend="one of: " + ", ".join(sorted(parsers()))
        )
    return parsers()[name]


def sniff(head: bytes) -> Parser | None:
    """The parser that is surest of a file beginning with `head`, or None when none is sure enough."""
    best = max(parsers().values(), key=lambda parser: parser.sniff(head), default=None)
    return best if best is not None and best.sniff(head) >= SURE_ENOUGH else None
