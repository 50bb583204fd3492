"""Rows of declared facts as rows of the `hands` and `facts` tables; a row that cannot be one is a rejection with its bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import Ints, ints, known
from ddz_analytics.declared import names
from ddz_analytics.declared.checks import faults_as_hands, faults_of
from ddz_analytics.declared.form import Facts
from ddz_analytics.declared.implied import completed
from ddz_analytics.declared.names import Layout
from ddz_analytics.declared.texts import Texts
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Rejected
from ddz_analytics.mapping.tables import CODE, DETAIL, LINE, RAW
from ddz_analytics.schema import FACTS, HANDS, ROLES, SEAT_NUMBERS
from ddz_analytics.tabulate import HASH_DIGITS

_MOST = {"hand_no": 2**53, "recorded_multiplier": 2**53, "registered": 2**31 - 1}
_SAID_BY_NO_ROW = ("hand_id", "content_hash", "source_format", "source_path", "source_line")
Columns = dict[str, pa.Array]


class Declared(NamedTuple):
    """Hands and their facts, row by row (`hand_id` still 0), and the rows that became none."""

    hands: pa.Table
    facts: pa.Table
    rejected: list[Rejected]

    def chosen(self, choose: Callable[[str, str | None, str | None], bool]) -> Declared:
        """The hands that are chosen by id, table and match, and all rows that became none."""
        named = (self.hands[name].to_pylist() for name in (names.ID, "table_id", "match_id"))
        wanted = pa.array([choose(*each) for each in zip(*named, strict=True)], pa.bool_())
        return Declared(self.hands.filter(wanted), self.facts.filter(wanted), self.rejected)


@dataclass(frozen=True)
class Reading:
    """How rows are read: the layout of their columns, the zone of times without offset, and the name of the source."""

    layout: Layout
    zone: ZoneInfo | None
    path: str


def declared(table: pa.Table, reading: Reading) -> Declared:
    """The rows of a table of texts, one a hand, in order; `table` also has the columns `mapping.tables.ABOUT_THE_ROW`."""
    texts = Texts(table, reading.zone)
    for row in np.flatnonzero(known(table[CODE])).tolist():
        texts.faults[row] = BadRecord(table[CODE][row].as_py(), table[DETAIL][row].as_py() or "")
    columns = _typed(texts, reading.layout)
    facts = pa.table([columns[name] for name in FACTS.names], schema=FACTS)
    for fault in (*faults_of(facts), *faults_as_hands(facts)):
        texts.blame(fault.where, fault.code, fault.name, fault.what)
    facts = completed(facts)
    columns |= {name: facts[name].combine_chunks() for name in FACTS.names}
    good = pa.array([row not in texts.faults for row in range(len(table))], pa.bool_())
    hands = _hands(columns, table, reading.path).filter(good)
    facts = facts.filter(good)
    return Declared(_with_hashes(hands, facts), facts, list(_rejected(table, texts)))


def _rejected(table: pa.Table, texts: Texts) -> Iterator[Rejected]:
    for row, fault in sorted(texts.faults.items()):
        yield Rejected(table[LINE][row].as_py(), fault.code, fault.detail, table[RAW][row].as_py())


def _typed(texts: Texts, layout: Layout) -> Columns:
    """Every column of both tables that the rows fill."""
    columns = {name: texts.column(name, FACTS.field(name).type) for name in names.OF_FACTS}
    columns |= {name: _of_the_hand(texts, name) for name in names.OF_THE_HAND}
    columns[names.ID] = texts.names(layout.id)
    texts.blame(~known(columns[names.ID]), "missing_field", layout.id, "is null")
    columns["recorded_rules"] = texts.names("recorded_rules")
    if layout.counted_from_landlord:
        nobody = pc.equal(columns["outcome"], "redeal").fill_null(fill_value=False)
        columns[names.LANDLORD] = pc.if_else(nobody, pa.scalar(None, pa.int8()), pa.scalar(0, pa.int8()))
    landlord = ints(columns[names.LANDLORD])
    for name in names.OF_A_SEAT:
        columns |= _of_the_seats(texts, layout, name, landlord)
    columns["hand_id"] = pa.array(np.zeros(len(texts), dtype=np.int64))
    columns["evidence"] = pa.repeat(pa.scalar("declared"), len(texts))
    columns["extra"] = _extra(texts.table)
    return columns


def _of_the_hand(texts: Texts, name: str) -> pa.Array:
    if name in names.WORDS_OF_THE_HAND:
        return texts.words(name, names.WORDS_OF_THE_HAND[name])
    if name in _MOST:
        return texts.counts(name, _MOST[name])
    kind = HANDS.field(name).type
    return texts.names(name) if pa.types.is_string(kind) else texts.column(name, kind)


def _of_the_seats(texts: Texts, layout: Layout, name: str, landlord: Ints) -> Columns:
    """What is said of the three seats, by seat, of balances by role too."""
    by_role = name in layout.by_role
    given = [f"{role}_{name}" for role in ROLES] if by_role else [f"{name}_{seat}" for seat in SEAT_NUMBERS]
    kind = HANDS.field(f"{name}_0").type
    said = [texts.counts(each, _MOST[name]) if name in _MOST else texts.column(each, kind) for each in given]
    turned = [
        pc.choose((place + (-landlord if by_role else landlord)) % len(ROLES), *said)
        for place in range(len(ROLES))
    ]
    seats, roles = (turned, said) if by_role else (said, turned)
    columns = {f"{name}_{seat}": seats[seat] for seat in SEAT_NUMBERS}
    if name == "balance":
        columns |= {f"{role}_{name}": roles[place] for place, role in enumerate(ROLES)}
    return columns


def _extra(table: pa.Table) -> pa.Array:
    """The columns whose names begin with an underscore, as JSON."""
    private = [name for name in table.column_names if name.startswith("_")]
    rows = table.select(private).to_pylist() if private else [{}] * len(table)
    said = [{name: text for name, text in row.items() if text is not None} for row in rows]
    return pa.array([msgspec.json.encode(row).decode() if row else None for row in said], pa.string())


def _hands(columns: Columns, table: pa.Table, path: str) -> pa.Table:
    """The rows of the `hands` table, without cards and acts; the hash of their content is still to come."""
    number = len(table)
    made = {
        **columns,
        "source_format": pa.repeat(pa.scalar(Facts.name), number),
        "source_path": pa.repeat(pa.scalar(path), number),
        "source_line": table[LINE],
        "actions": pa.array([[]] * number, HANDS.field("actions").type),
    }
    rows = [made[field.name] if field.name in made else pa.nulls(number, field.type) for field in HANDS]
    return pa.table(rows, schema=HANDS)


def _with_hashes(hands: pa.Table, facts: pa.Table) -> pa.Table:
    """The hands with a 128-bit hash of all that each row says, whatever columns it leaves out."""
    said = [name for name in HANDS.names if name not in (*_SAID_BY_NO_ROW, "actions")]
    columns = [(name, hands[name]) for name in said]
    columns += [(name, facts[name]) for name in FACTS.names if name not in HANDS.names]
    pieces = [_named(name, column) for name, column in columns if column.null_count < len(column)]
    rows = pc.binary_join_element_wise(*pieces, "\n", null_handling="skip").to_pylist() if len(hands) else []
    hashes = [sha256(row.encode()).hexdigest()[:HASH_DIGITS] for row in rows]
    place = HANDS.get_field_index("content_hash")
    return hands.set_column(place, HANDS.field(place), pa.array(hashes, pa.string()))


def _named(name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Name, length and text of each value; null where there is none."""
    texts = column.cast(pa.string())
    return pc.binary_join_element_wise(name, pc.binary_length(texts).cast(pa.string()), texts, " ")
