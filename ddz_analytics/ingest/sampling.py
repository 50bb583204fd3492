"""A sample of whole clusters: all hands of some tables, matches, or single hands, chosen by a hash, the same in every run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from msgspec import UNSET

from ddz_analytics.errors import UsageError
from ddz_analytics.hands import Hand

_SPEC = re.compile(r"(?P<key>table|match|hand):(?P<part>[1-9][0-9]{0,5})/(?P<of>[1-9][0-9]{0,5})")


@dataclass(frozen=True)
class Sample:
    """The hands of which the `key` hashes to the share `part` of `of` shares."""

    key: str
    part: int
    of: int

    def has(self, hand: Hand) -> bool:
        """Whether a hand is in the sample; one that does not name its table (or match) is a cluster of its own."""
        table, match = (None if name is UNSET else name for name in (hand.table, hand.match))
        return self.has_named(hand.id, table, match)

    def has_named(self, source_id: str, table: str | None, match: str | None) -> bool:
        """Whether the hand of an id, a table and a match is in the sample."""
        name = {"hand": source_id, "table": table, "match": match}[self.key]
        if name is None:
            name = source_id
        elif self.key == "hand" and table is not None:  # ids may count from 1 at every table
            name = f"{table}\0{name}"
        digest = sha256(name.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.part - 1

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.key}:{self.part}/{self.of}"


def sample_of(text: str) -> Sample | None:
    """The sample that a text such as `table:1/50` names, None for an empty one; raises UsageError `sample`."""
    if not text:
        return None
    match = _SPEC.fullmatch(text)
    if match is None or int(match["part"]) > int(match["of"]):
        what = f"{text!r} is no sample"
        raise UsageError(
            "sample", what, mend="write KEY:K/N, KEY one of table, match, hand, such as table:1/50"
        )
    return Sample(match["key"], int(match["part"]), int(match["of"]))
