"""`ddz/1` as Parquet: the rows of the `hands` table turned into hands again, as strictly as lines are read.

The columns and their types must be those of `schema.HANDS`, in any order. What a store makes itself (numbers, hashes, where a
hand was read) is not read; amounts, times and cards come out as the lines of an export have them, so that both have the same
content hash.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ddz_analytics.cards import FULL_DECK, counts_of, text_of, unsuited_of
from ddz_analytics.columns import plain_amount
from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import ACTORS, ACTS, SCALE, STAGES, Hand, Located, Rejected, Room
from ddz_analytics.parsers.base import load_json, shaped
from ddz_analytics.parsers.ddz1 import PARQUET, known_format, write_line
from ddz_analytics.schema import HANDS, SEAT_NUMBERS

ROWS_PER_BATCH = 1000
_HEAD = {
    "id": "source_hand_id", "table": "table_id", "match": "match_id", "event": "event", "rules": "recorded_rules",
    "wild": "wild_rank", "shuffle": "shuffle", "outcome": "outcome", "balance_kind": "balance_kind", "no": "hand_no",
    "started_at": "started_at", "ended_at": "ended_at", "first": "first_seat",
}  # fmt: skip
_CODED = {"act": ACTS, "actor": ACTORS, "stage": STAGES}
_UNUSED_BITS = ~((1 << 60) - 1)


def hands_of_parquet(stream: BinaryIO) -> Iterator[Located | Rejected]:
    """Each row as a hand or a rejection, its number for the line; one rejection where the file is none of this format.

    The file is copied first, because its index stands at its end; a thousand rows at a time are in memory.
    """
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(stream, copy)
        number = 1
        try:
            file = pq.ParquetFile(copy)
            _check_columns(file.schema_arrow)
            for batch in file.iter_batches(ROWS_PER_BATCH, columns=HANDS.names):
                for row in _rows(batch):
                    yield _located(row, number)
                    number += 1
        except BadRecord as fault:
            yield Rejected(number, fault.code, fault.detail, PARQUET)
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            yield Rejected(number, "truncated", f"not a whole Parquet file: {str(error)[:200]}", PARQUET)


def hand_of_row(row: Mapping[str, Any]) -> Hand:
    """The hand of a row of the `hands` table as Python has it; raises `BadRecord`."""
    if row["evidence"] not in (None, "replayed"):
        raise BadRecord("unsupported_mode", f"a row of {row['evidence']!r} facts, which has no cards")
    if row["suited"] is None:
        raise BadRecord("missing_field", "`suited` says whether the cards have suits")
    document = {key: row[column] for key, column in _HEAD.items() if row[column] is not None}
    document |= {
        "format": "ddz/1",
        "landlord": row["landlord_seat"],
        "players": [row[f"player_{seat}"] for seat in SEAT_NUMBERS],
        "dealt": [_cards(row[f"dealt_{seat}"], suited=row["suited"]) for seat in SEAT_NUMBERS],
        "bottom": _cards(row["bottom"], suited=row["suited"]),
        "actions": [_action(action, suited=row["suited"]) for action in row["actions"] or ()],
        "room": {
            key: plain_amount(row[f"room_{key}"])
            for key in Room.__struct_fields__
            if row[f"room_{key}"] is not None
        },
        "recorded": _recorded(row),
    }
    for name, columns in (("kinds", "kind"), ("registered", "registered"), ("balances", "balance")):
        document[name] = _by_seat(row, columns)
    hand = shaped(
        {key: value for key, value in document.items() if value not in ({}, ()) or key == "actions"}, Hand
    )
    if row["extra"] is not None:
        hand.extra = _extra(row["extra"])
    return hand


def _check_columns(schema: pa.Schema) -> None:
    """Raise `BadRecord` unless the columns are those of the `hands` table, each once and of its type."""
    for name in schema.names:
        if name not in HANDS.names:
            raise BadRecord("unknown_field", f"the column `{name}` is none of the hands table")
        if schema.names.count(name) > 1:
            raise BadRecord("duplicate_key", f"the column `{name}` stands there twice")
    for field in HANDS:
        if field.name not in schema.names:
            raise BadRecord("missing_field", f"the column `{field.name}` is not there")
        if (kind := schema.field(field.name).type) != field.type:
            raise BadRecord("wrong_type", f"the column `{field.name}` is {kind}, not {field.type}")


def _rows(batch: pa.RecordBatch) -> Iterator[Mapping[str, Any] | BadRecord]:
    """The rows as Python has them; where a value is none that Python has, only its row is lost."""
    try:
        yield from batch.to_pylist()
    except (ValueError, OverflowError) as error:
        if batch.num_rows == 1:
            code = "bad_encoding" if isinstance(error, UnicodeDecodeError) else "out_of_range"
            yield BadRecord(code, f"a value that cannot be read: {str(error)[:100]}")
            return
        for place in range(batch.num_rows):
            yield from _rows(batch.slice(place, 1))


def _located(row: Mapping[str, Any] | BadRecord, number: int) -> Located | Rejected:
    if isinstance(row, BadRecord):
        return Rejected(number, row.code, row.detail, b"")
    try:
        hand, origin = hand_of_row(row), known_format(row["source_format"] or "", "source_format")
    except BadRecord as fault:
        raw = json.dumps(row, default=str, ensure_ascii=False).encode("utf-8", "backslashreplace")
        return Rejected(number, fault.code, fault.detail, raw)
    return Located(hand, number, write_line(hand), origin)


def _action(row: Mapping[str, Any] | None, *, suited: bool) -> dict[str, Any]:
    if row is None:
        raise BadRecord("wrong_type", "an action that is null - at `actions`")
    found = {name: row[name] for name in ("seat", "ms", "dealt", "sent") if row[name] is not None}
    found |= {name: _named(row[name], names) for name, names in _CODED.items() if row[name] is not None}
    if row["value"] is not None:
        found["value"] = plain_amount(Decimal(row["value"]) / SCALE)
    if row["cards"] is not None:
        found["cards"] = _cards(row["cards"], suited=suited)
    if row["declared"] is not None:
        found["as"] = _declared(row["declared"])
    if row["wilds_as"] is not None:
        found["wilds_as"] = list(row["wilds_as"])
    return found


def _named(code: int, names: tuple[str, ...]) -> str:
    if not 0 <= code < len(names):
        raise BadRecord("out_of_range", f"the code {code} is none of {'/'.join(names)}")
    return names[code]


def _declared(text: str) -> str | dict[str, Any]:
    """A category, or what stands between colons."""
    category, *more = text.split(":", 2)
    if not more:
        return category
    length, main = [*more, ""][:2]
    if length and not (length.isascii() and length.isdecimal() and len(length) <= 2):
        raise BadRecord("out_of_range", f"{text[:40]!r} declares no reading")
    return {
        "category": category,
        **({"length": int(length)} if length else {}),
        **({"main": main} if main else {}),
    }


@lru_cache(1 << 16)  # few sets are played, and often
def _cards(mask: int | None, *, suited: bool) -> str:
    """The text of a mask; raises `BadRecord` for one that a set of cards does not have."""
    if mask is None or mask & _UNUSED_BITS or not mask:
        raise BadRecord("bad_cards", f"{mask} is no set of cards")
    if mask & ~FULL_DECK if suited else unsuited_of(counts_of(mask)) != mask:
        raise BadRecord("bad_cards", f"{mask} is no set of cards {'with' if suited else 'without'} suits")
    return text_of(mask, suited=suited)


def _by_seat(row: Mapping[str, Any], column: str) -> tuple[Any, ...]:
    """The values of three columns, none where none says anything."""
    values = [row[f"{column}_{seat}"] for seat in SEAT_NUMBERS]
    if values == [None] * len(values):
        return ()
    return tuple(plain_amount(value) if isinstance(value, Decimal) else value for value in values)


def _recorded(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, column in (("scores", "score"), ("fees", "fee"), ("balances_after", "balance_after")):
        if values := _by_seat(row, f"recorded_{column}"):
            found[name] = values
    if row["recorded_bid"] is not None:
        found["bid"] = plain_amount(row["recorded_bid"])
    if row["recorded_multiplier"] is not None:
        found["multiplier"] = row["recorded_multiplier"]
    return found


def _extra(text: str) -> dict[str, Any]:
    found = load_json(text.encode("utf-8"))
    if not isinstance(found, dict) or not all(key.startswith("_") for key in found):
        raise BadRecord("unknown_field", "`extra` has something that does not begin with `_`")
    return found
