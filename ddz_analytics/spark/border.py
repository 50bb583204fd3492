"""The border between this package's tables and Spark, which knows fewer types than Arrow: a function for each way."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyarrow import types

_INSTEAD = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.large_string(): pa.string(),
    pa.large_binary(): pa.binary(),
}


def spark_type(kind: pa.DataType) -> pa.DataType:
    """The type as which Spark takes the values of a type: the same where it can, else the next that holds them all.

    Dictionaries become their values, unsigned integers wider signed ones, lists and texts of any layout the plain one, times
    microseconds, decimals those of 128 bits.
    """
    if types.is_dictionary(kind):
        return spark_type(kind.value_type)
    if types.is_decimal(kind):
        return pa.decimal128(kind.precision, kind.scale)
    if types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    if types.is_struct(kind):
        return pa.struct([field.with_type(spark_type(field.type)) for field in kind])
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return pa.list_(spark_type(kind.value_type))
    return _INSTEAD.get(kind, kind)


def spark_schema(schema: pa.Schema) -> pa.Schema:
    """The columns of a schema, each of the type as which Spark takes it."""
    return pa.schema([field.with_type(spark_type(field.type)) for field in schema])


def to_spark(table: pa.Table) -> Iterator[pa.RecordBatch]:
    """The rows of a table as Spark takes them; raises ArrowInvalid for a value that the type there does not hold."""
    yield from table.cast(spark_schema(table.schema)).to_batches()


def from_spark(batch: pa.RecordBatch, schema: pa.Schema) -> pa.Table:
    """Rows that come from Spark as a table of a schema, by the names of its columns; raises ArrowInvalid as `to_spark` does."""
    return pa.Table.from_batches([batch]).select(schema.names).cast(schema)
