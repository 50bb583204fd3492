"""Pseudonyms at ingest: the key stays outside of the store, and a store has all players under one key or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ddz_analytics.errors import UsageError
from ddz_analytics.ingest.sources import Found
from ddz_analytics.pseudonyms import Pseudonyms, read_key
from ddz_analytics.store import Writer
from ddz_analytics.store.manifest import Manifest


def key_for(file: Path, store: Path, found: Sequence[Found]) -> Pseudonyms:
    """The pseudonyms under a key file; raises UsageError where the key would get into the store, and as `read_key` does."""
    pseudonyms, place = read_key(file), file.resolve()
    if place.is_relative_to(store.resolve()):
        mend = "keep it apart from the store, and safe"
        raise UsageError("key_in_store", "the key file is in the store", where=str(file), mend=mend)
    if any(each.path.resolve() == place for each in found):
        mend = "move it out of the folder of the logs"
        raise UsageError("key_among_logs", "the key file is one of the logs", where=str(file), mend=mend)
    return pseudonyms


@dataclass(frozen=True)
class Masking:
    """What an ingest does about the ids of players: `pseudonyms`, or None to keep them."""

    pseudonyms: Pseudonyms | None

    def check_value(self, manifest: Manifest) -> str:
        """What the manifest says of the key; raises UsageError where plain ids and pseudonyms, or two keys, would be mixed."""
        if self.pseudonyms is None:
            if manifest.pseudonyms:
                mend = "give the same --pseudonyms, or use another store"
                raise UsageError(
                    "pseudonyms_needed", "all players of the store are under pseudonyms", mend=mend
                )
            return ""
        if not manifest.pseudonyms:
            if manifest.ledger:
                mend = "use a new store"
                raise UsageError("pseudonyms_mixed", "the store holds plain ids already", mend=mend)
            return self.pseudonyms.check_value()
        if not self.pseudonyms.is_checked_by(manifest.pseudonyms):
            mend = "give the key that the store was begun with"
            raise UsageError("pseudonyms_key", "the players of the store are under another key", mend=mend)
        return manifest.pseudonyms

    @contextmanager
    def spool(self, writer: Writer) -> Iterator[Path]:
        """A folder for copies of pipes, which are not to be in the store where they hold ids that it must not."""
        if self.pseudonyms is None:
            yield writer.scratch
            return
        with TemporaryDirectory(prefix="ddz-") as folder:
            yield Path(folder)
