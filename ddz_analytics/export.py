"""What is in a store, written for others: hands as `ddz/1` or as Parquet, any view as Parquet, CSV or a workbook.

Hands come back with what they were judged by, so that reading them into another store gives the same facts and scores. Under
pseudonyms no column has the id of a player: fields of the log's own, bytes and details of rejected records, and content hashes
(which would confirm who guesses an id) are left out or made anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ddz_analytics.answers import Encoding
from ddz_analytics.answers.delimited import as_csv
from ddz_analytics.answers.workbook import write_workbook
from ddz_analytics.columns import whole
from ddz_analytics.errors import UsageError
from ddz_analytics.names import replacing
from ddz_analytics.parsers.ddz1 import write_line
from ddz_analytics.pseudonyms import SHORTEST_NAME, Pseudonyms
from ddz_analytics.records import hands_of
from ddz_analytics.schema import HANDS
from ddz_analytics.store import Store
from ddz_analytics.store.catalog import VIEWS, connect
from ddz_analytics.store.parts import read_part
from ddz_analytics.streams import Packed, packed_as, packing
from ddz_analytics.texts import NAMING_TEXTS, PLAYERS, SENT, with_hashes, with_sent, with_texts

Kind = Literal["jsonl", "parquet", "csv", "xlsx"]
_RENAMED = {*NAMING_TEXTS, "kind", "sent"}  # columns of views
_LEFT_OUT = ("extra", "raw", "detail", "content_hash")
_ROWS = 20_000


@dataclass(frozen=True)
class Target:
    """What a file's name asks for: a kind of content and how it is packed; CSV has an encoding, too."""

    kind: Kind
    packed: Packed = ""
    encoding: Encoding = "utf-8"


def target_of(path: Path | None, what: str, kind: Kind | None) -> Target:
    """What is to be written: as named, else as the file's name ends, else `ddz/1` for hands and CSV for views.

    Raises UsageError `export_format` for what no content is written as.
    """
    name = "" if path is None else path.name.lower()
    packed = packed_as(name)
    ending = name.removesuffix(f".{packed}").rpartition(".")[2]
    kinds: dict[str, Kind] = {"jsonl": "jsonl", "parquet": "parquet", "csv": "csv", "xlsx": "xlsx"}
    told = kind or kinds.get(ending) or ("jsonl" if what == "hands" else "csv" if path is None else None)
    if told is None or (told == "jsonl" and what != "hands") or (packed and told in ("parquet", "xlsx")):
        mend = "hands as .jsonl or .parquet, views as .parquet, .csv or .xlsx; .gz and .zst after .jsonl and .csv"
        raise UsageError("export_format", f"{what} cannot be written like this", where=name, mend=mend)
    return Target(told, packed)


class Written(NamedTuple):
    """How many hands have no plays and were left out of `ddz/1`, and how many numbers a workbook holds as text."""

    left_out: int = 0
    as_text: int = 0


def export(
    store: Store, what: str, target: Target, file: BinaryIO, pseudonyms: Pseudonyms | None = None
) -> Written:
    """Write `hands` or a view into an open file.

    Raises UsageError `view_unknown`, and what `read_part`, `connect` and `write_workbook` raise.
    """
    masked = None if pseudonyms is None else _Masked(store, pseudonyms)
    with packing(file, target.packed) as packed:
        if what == "hands" and target.kind in ("jsonl", "parquet"):
            return Written(left_out=_write_hands(store, target.kind, packed, masked))
        if what not in VIEWS:
            mend = "`ddz sql` alone lists the views"
            raise UsageError("view_unknown", f"no view is called {what}", mend=mend)
        with connect(store.path) as connection:
            reader = connection.sql(f"SELECT * FROM {what}").to_arrow_reader(_ROWS)
            batches = (pa.Table.from_batches([batch]) for batch in reader)
            told = batches if masked is None else map(masked.view, batches)
            return Written(as_text=_write_view(target, reader.schema, told, packed))


def _write_hands(store: Store, kind: Kind, file: BinaryIO, masked: _Masked | None) -> int:
    left_out = 0
    parquet = pq.ParquetWriter(file, HANDS, compression="zstd") if kind == "parquet" else None
    for part in store.manifest.hands:
        rows = read_part(store.path / part.path)
        rows = rows if masked is None else masked.hands(rows)
        if parquet is not None:
            parquet.write_table(rows)
            continue
        replayed = rows.filter(pc.equal(rows["evidence"], "replayed"))
        left_out += rows.num_rows - replayed.num_rows
        for hand in hands_of(replayed):
            file.write(write_line(hand) + b"\n")
    if parquet is not None:
        parquet.close()
    return left_out


def _write_view(target: Target, schema: pa.Schema, batches: Iterator[pa.Table], file: BinaryIO) -> int:
    """Write the rows of a view; how many numbers stand as text."""
    if target.kind == "xlsx":
        return write_workbook(schema, batches, file)
    if target.kind == "parquet":
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for batch in batches:
                writer.write_table(batch)
        return 0
    head = as_csv(schema.empty_table())
    file.write(head.encode(target.encoding))
    following = "utf-8" if target.encoding == "utf-8-sig" else target.encoding  # the mark stands once
    for batch in batches:
        file.write(as_csv(batch).removeprefix(head).encode(following))
    return 0


class _Masked:
    """The rows of a store under pseudonyms; a text that names a player of any of its hands is the same everywhere."""

    def __init__(self, store: Store, pseudonyms: Pseudonyms) -> None:
        self._of = pseudonyms.of
        named: dict[str, set[str]] = {}
        for part in store.manifest.hands:
            for text, player in _named(read_part(store.path / part.path, [*PLAYERS, *NAMING_TEXTS, SENT])):
                named.setdefault(text, set()).add(player)
        self._renamed = {
            text: replacing({player: self._of(player) for player in players})(text)
            for text, players in named.items()
        }

    def _rename(self, text: str) -> str:
        return self._renamed.get(text, text)

    def hands(self, rows: pa.Table) -> pa.Table:
        """Rows of the `hands` table."""
        for name in PLAYERS:
            rows = with_texts(rows, name, self._of)
        for name in NAMING_TEXTS:
            rows = with_texts(rows, name, self._rename)
        rows = _emptied(with_sent(rows, self._rename), "extra")
        return with_hashes(rows, np.ones(rows.num_rows, dtype=bool))

    def view(self, rows: pa.Table) -> pa.Table:
        """Rows of a view; where it is of declared facts a hand's id has a part of a fingerprint in it, and gets a pseudonym too."""
        persons = {"player", *PLAYERS} | ({"source_hand_id"} if PLAYERS[0] in rows.column_names else set())
        for name in rows.column_names:
            if name in persons:
                rows = with_texts(rows, name, self._of)
            elif name in _RENAMED:
                rows = with_texts(rows, name, self._rename)
            elif name in _LEFT_OUT:
                rows = _emptied(rows, name)
        return rows


def _named(rows: pa.Table) -> Iterator[tuple[str, str]]:
    """Texts of hands, each with a player of the hand whom it could name."""
    players = list(zip(*(rows[name].to_pylist() for name in PLAYERS), strict=True))
    long = [[each for each in seated if len(each.encode()) >= SHORTEST_NAME] for seated in players]
    acts = whole(rows["actions"])
    sent = acts.flatten().field("sent")
    said = pc.list_parent_indices(acts).filter(sent.is_valid()).to_pylist()
    texts = [
        *((place, text) for name in NAMING_TEXTS for place, text in enumerate(rows[name].to_pylist())),
        *zip(said, sent.drop_null().to_pylist(), strict=True),
    ]
    for place, text in texts:
        yield from ((text, player) for player in long[place] if text is not None and player in text)


def _emptied(rows: pa.Table, name: str) -> pa.Table:
    place = rows.schema.get_field_index(name)
    field = rows.schema.field(place)
    return rows.set_column(place, field, pa.nulls(rows.num_rows, field.type))
