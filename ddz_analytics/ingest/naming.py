"""What becomes of players' names on their way into a store: names for those whom a log does not name, then pseudonyms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import structs

from ddz_analytics.hands import Located, Rejected
from ddz_analytics.ingest.agents import name_players
from ddz_analytics.pseudonyms import Pseudonyms


@dataclass(frozen=True)
class Naming:
    """`agents` names by role the players that a log does not name; with `pseudonyms` no id of a player is written."""

    agents: Mapping[str, str] = field(default_factory=dict)
    pseudonyms: Pseudonyms | None = None

    def of(self, located: Located) -> Located:
        """A hand with the names that are stored."""
        name_players(located.hand, self.agents)
        if self.pseudonyms is None:
            return located
        return structs.replace(located, hand=self.pseudonyms.mask(located.hand))

    def of_rejected(self, record: Rejected) -> Rejected:
        """A rejected record as it is stored."""
        return record if self.pseudonyms is None else self.pseudonyms.mask_rejected(record)

    def raw(self, raw: bytes) -> bytes:
        """The bytes of a record as they are stored."""
        return b"" if self.pseudonyms else raw


AS_THEY_ARE = Naming()
