"""A mapping as a parser: what ingest, replay and the projection ledger must know of the logs that it reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

import msgspec

from ddz_analytics.mapping.events import EventsReader
from ddz_analytics.mapping.load import version_of
from ddz_analytics.mapping.relational import RelationalReader
from ddz_analytics.mapping.spec import Mapping as Spec
from ddz_analytics.mapping.spec import Relational
from ddz_analytics.mapping.trace import Trace
from ddz_analytics.mapping.used import records_of
from ddz_analytics.parsers.base import Parsed, Source


class MappedParser:
    """Reads what a mapping maps; of tables it reads the bundles into which they were joined."""

    ids_are_global = True
    by_line = False
    switches: Mapping[str, bool] = {}
    reference_rules: str | None = None

    def __init__(self, mapping: Spec, trace: Trace | None = None) -> None:
        self.mapping = mapping
        self.content = msgspec.json.encode(mapping).decode()
        self._trace = trace
        self.name = mapping.name
        self.version = version_of(mapping)
        self.records = records_of(mapping)

    def sniff(self, head: bytes) -> float:
        """Certain: the mapping says which files are its own."""
        return 1.0

    def parse(self, stream: BinaryIO, source: Source) -> Iterator[Parsed]:
        """Every hand, rejection and count of skipped rows of one bundle or stream of events."""
        return self._reader().parse(stream, source)

    def _reader(self) -> RelationalReader | EventsReader:
        if isinstance(self.mapping, Relational):
            return RelationalReader(self.mapping, self._trace)
        return EventsReader(self.mapping, self._trace)
