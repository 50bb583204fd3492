"""`ddz-text`: hands as a person types them from a score sheet, with Chinese words or English ones.

A hand begins with a line `牌局 ID` or `hand ID`. Fields and dealt hands follow, a line each; then the auction and the play, an act
a line with its player's name, or in the play three a line in the columns of the players. Every fault names its line and what
was expected there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Hand, Rejected
from ddz_analytics.parsers.base import Parsed, Source, read_each
from ddz_analytics.parsers.ddz_text_sheet import read_sheet
from ddz_analytics.parsers.documents import records_from

_SPACE = "(?:[\\s:]|：|\u3000)"  # an East Asian keyboard has a colon and a space of its own
_BEGINS = re.compile(f"(?:\ufeff)?\\s*(?:牌局|hand){_SPACE}".encode(), re.IGNORECASE)
_PLAYERS = re.compile(f"\\s*(?:玩家|players){_SPACE}".encode(), re.IGNORECASE)
_NOTHING = re.compile("(?:\ufeff)?\\s*(?:#.*)?".encode())


class DdzText:
    """The parser of `ddz-text`."""

    name = "ddz-text"
    version = 1
    records = frozenset(
        ("auction", "open_hand", "doubles", "kicks", "autoplay", "balances", "room", "rules", "time")
    )
    ids_are_global = False
    switches: Mapping[str, bool] = {}
    reference_rules: str | None = None
    by_line = False

    def sniff(self, head: bytes) -> float:
        """Nearly certain when one line begins a hand and another one names the players."""
        lines = head.split(b"\n")
        found = any(map(_BEGINS.match, lines)) and any(map(_PLAYERS.match, lines))
        return 0.8 if found else 0.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """One hand or one rejection for each sheet."""
        records = records_from(stream, source, _BEGINS.match)
        return read_each((record for record in records if not _is_nothing(record)), _sheet)


def _is_nothing(record: tuple[int, bytes] | Rejected) -> bool:
    """Whether a record is only blank lines and remarks."""
    return not isinstance(record, Rejected) and all(map(_NOTHING.fullmatch, record[1].splitlines()))


def _sheet(line: int, raw: bytes) -> Hand:
    if not _BEGINS.match(raw):
        raise BadRecord("missing_field", f"line {line}: expected 牌局 ID or hand ID")
    return read_sheet(raw, line)
