"""The border to Spark: a value of each type that a stored column has, and of those that Spark refuses, comes back what it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import Any

import pyarrow as pa
import pytest

from ddz_analytics.columns import AMOUNT
from ddz_analytics.schema import ACTION
from ddz_analytics.spark.border import from_spark, spark_schema, spark_type, to_spark
from ddz_analytics.store.parts import SCHEMAS

MOMENT = datetime(2026, 1, 1, 20, 0, 0, 123_456, tzinfo=UTC)
ACT = {name: None for name in ACTION.names} | {"seat": 2, "value": -(1 << 63), "sent": "H4 D4 大王"}
# a type, values of it beside null, and the type as which Spark takes it where that is another one
TYPES: dict[str, tuple[pa.DataType, list[Any], pa.DataType | None]] = {
    "int8": (pa.int8(), [-128, 127], None),
    "int32": (pa.int32(), [-(1 << 31), (1 << 31) - 1], None),
    "int64": (pa.int64(), [-(1 << 63), (1 << 63) - 1], None),
    "string": (pa.string(), ["", "王炸 🃏", "a\x00b"], None),
    "bool": (pa.bool_(), [False, True], None),
    "binary": (pa.binary(), [b"", b"\xff\x00{"], None),
    "amount": (AMOUNT, [Decimal("-99999999999999.9999"), Decimal("0.0001")], None),
    "timestamp": (pa.timestamp("us", tz="UTC"), [MOMENT, datetime(1, 1, 1, tzinfo=UTC)], None),
    "actions": (pa.list_(ACTION), [[], [ACT, ACT]], None),
    "uint8": (pa.uint8(), [0, 255], pa.int16()),
    "uint16": (pa.uint16(), [0, 65_535], pa.int32()),
    "uint32": (pa.uint32(), [0, (1 << 32) - 1], pa.int64()),
    "uint64": (pa.uint64(), [0, (1 << 64) - 1], pa.decimal128(20, 0)),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), ["own", "someone", "own"], pa.string()),
    "fixed-size list": (pa.list_(pa.uint8(), 3), [[1, 2, 3], [4, None, 255]], pa.list_(pa.int16())),
    "decimal64": (pa.decimal64(18, 4), [Decimal("-1.5000")], pa.decimal128(18, 4)),
    "milliseconds": (pa.timestamp("ms", tz="UTC"), [MOMENT.replace(microsecond=5000)], pa.timestamp("us", tz="UTC")),
    "large string": (pa.large_string(), ["", "王"], pa.string()),
}  # fmt: skip


def column(name: str) -> pa.Table:
    """The values of a type, null among them, as a table of one column."""
    kind, values, _ = TYPES[name]
    return pa.table({"x": pa.array([*values, None], kind)})


def through(name: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs in a worker: what comes is taken over the border and back."""
    schema = column(name).schema
    for batch in batches:
        yield from to_spark(from_spark(batch, schema))


def test_every_stored_type_is_tried() -> None:
    """No column of a stored table has a type that no test takes across."""
    tried = {kind for kind, _, _ in TYPES.values()}
    assert {field.type for schema in SCHEMAS.values() for field in schema} <= tried


@pytest.mark.parametrize("name", TYPES)
def test_column_crosses(name: str, spark: Any) -> None:
    """Values go to Spark, from it into a worker and out of it, and come back equal and of the same type."""
    table = column(name)
    kind, _, there = TYPES[name]
    assert spark_type(kind) == (there or kind)
    frame = spark.createDataFrame(pa.Table.from_batches(to_spark(table)))
    back = frame.coalesce(1).mapInArrow(partial(through, name), frame.schema).toArrow()
    (batch,) = back.combine_chunks().to_batches()
    assert from_spark(batch, table.schema).equals(table)


@pytest.mark.parametrize("name", [name for name, (_, _, there) in TYPES.items() if there])
def test_column_that_spark_would_refuse_or_change(name: str) -> None:
    """A type that Spark has not is replaced before it gets there."""
    assert spark_schema(column(name).schema).field("x").type == TYPES[name][2]
