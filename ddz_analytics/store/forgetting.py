"""Taking rows out of a store: the parts that hold them are written anew without them, and so is all that was made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import structs

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.store import Writer
from ddz_analytics.store.manifest import HandsPart, Manifest, RejectedPart, ReplayedPart, SettledPart, Stretch
from ddz_analytics.store.parts import REPLAYED, read_part, write_part
from ddz_analytics.store.stretches import generations, without

Doomed = Callable[[pa.Table, Ints], Flags]
"""Which rows of a part go, by the columns asked for and by the publish (`generation`) that each came with."""

Part = TypeVar("Part", HandsPart, ReplayedPart, SettledPart)


def without_hands(writer: Writer, manifest: Manifest, columns: Sequence[str], doomed: Doomed) -> Manifest:
    """The manifest without the hands that `doomed` picks; the parts that it newly names are written."""
    cut = _Cut(writer)
    for part in manifest.hands:
        table = read_part(writer.path / part.path, ["hand_id", *columns])
        gone = doomed(table, generations(part.stretches))
        if gone.any():
            cut.staying[part.path] = table["hand_id"].filter(pa.array(~gone))
            cut.stretches[part.path] = without(part.stretches, gone)
    return structs.replace(
        manifest,
        hands=cut.down("hands", manifest.hands, "path"),
        **{table: cut.down(table, getattr(manifest, table), "hands") for table in REPLAYED},
        settlements=cut.down("settlements", manifest.settlements, "facts"),
    )


def without_rejected(writer: Writer, manifest: Manifest, columns: Sequence[str], doomed: Doomed) -> Manifest:
    """The manifest without the rejected records that `doomed` picks; the parts that it newly names are written."""
    rejected = []
    for part in manifest.rejected:
        gone = doomed(read_part(writer.path / part.path, columns), generations(part.stretches))
        if not gone.any():
            rejected.append(part)
        elif not gone.all():
            kept = read_part(writer.path / part.path).filter(pa.array(~gone))
            path = writer.new_part("rejected")
            rows = write_part(writer.path / path, "rejected", [kept])
            rejected.append(RejectedPart(path, rows, without(part.stretches, gone)))
    return structs.replace(manifest, rejected=rejected)


class _Cut:
    """Parts cut down to the hands that stay; `staying` has their ids for each part of which some hand goes."""

    def __init__(self, writer: Writer) -> None:
        self.staying: dict[str, pa.ChunkedArray] = {}
        self.stretches: dict[str, list[Stretch]] = {}
        self._writer = writer
        self._renamed: dict[str, str] = {}

    def down(
        self, table: str, parts: Sequence[Part], parent: Literal["path", "hands", "facts"]
    ) -> list[Part]:
        """The parts of a table, each cut down like the part that its field `parent` names; one without hands is left out."""
        result = []
        for part in parts:
            above = getattr(part, parent)
            if above not in self.staying:
                result.append(part)
                continue
            self.staying[part.path] = self.staying[above]
            if len(self.staying[above]):
                result.append(self._smaller(table, part, parent))
        return result

    def _smaller(self, table: str, part: Part, parent: str) -> Part:
        rows = read_part(self._writer.path / part.path)
        kept = rows.filter(pc.is_in(rows["hand_id"], value_set=self.staying[part.path]))
        path = self._writer.new_part(table)
        self._renamed[part.path] = path
        count = write_part(self._writer.path / path, table, [kept])
        changes: dict[str, object] = {
            parent: self._renamed[getattr(part, parent)],
            "path": path,
            "rows": count,
        }
        if table == "hands":
            changes["stretches"] = self.stretches[part.path]
        return structs.replace(part, **changes)
