"""Which parsed hands are new, which are stored already, and which contradict one that is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Dedupe = Literal["content", "id", "none"]
Codes = npt.NDArray[np.int32]
Verdicts = npt.NDArray[np.int8]

NEW, DUPLICATE, CONFLICT = 0, 1, 2
COLUMNS = ("content_hash", "source_format", "table_id", "source_hand_id")


def judge(hands: pa.Table, stored: pa.Table, dedupe: Dedupe, global_ids: Collection[str]) -> Verdicts:
    """A verdict on each of `hands`, in order; both tables have `COLUMNS`.

    A hand is known by its format, table and source id where the format's ids are global (`global_ids` names these formats), else
    by its content. The first with a key is new, a later one is a duplicate: of the same content for "content", where other
    content is a conflict, and whatever its content for "id".
    """
    verdicts = np.zeros(hands.num_rows, dtype=np.int8)
    if dedupe == "none" or not hands.num_rows:
        return verdicts
    keys, formats = keys_of(hands, global_ids), pa.array(list(global_ids), type=pa.string())
    first = _first_with_same(_codes(keys))
    repeated = first != np.arange(len(first))
    if dedupe == "id":
        verdicts[repeated | _flags(pc.is_in(keys, value_set=keys_of(stored, global_ids)))] = DUPLICATE
        return verdicts
    contents = _codes(hands["content_hash"])
    verdicts[repeated] = np.where(contents == contents[first], DUPLICATE, CONFLICT)[repeated]
    new = np.flatnonzero(~repeated)  # of these, two formats may tell the same hand
    verdicts[new[_first_with_same(contents[new]) != np.arange(len(new))]] = DUPLICATE
    if stored.num_rows:
        rivals = stored.filter(pc.is_in(stored["source_format"], value_set=formats))
        verdicts[_flags(pc.is_in(keys, value_set=keys_of(rivals, global_ids)))] = CONFLICT
        verdicts[_flags(pc.is_in(hands["content_hash"], value_set=stored["content_hash"]))] = DUPLICATE
    return verdicts


def keys_of(hands: pa.Table, global_ids: Collection[str]) -> pa.ChunkedArray:
    """A text per hand; the length of the table's name stands before it, so that no two pairs of table and id look the same."""
    length = pc.binary_length(hands["table_id"]).cast(pa.string())
    parts = (hands["source_format"], length, hands["table_id"], hands["source_hand_id"])
    by_id = pc.binary_join_element_wise(*parts, "/", null_handling="replace", null_replacement="")
    is_global = pc.is_in(hands["source_format"], value_set=pa.array(list(global_ids), type=pa.string()))
    return pc.if_else(is_global, by_id, hands["content_hash"])


def _codes(column: pa.ChunkedArray) -> Codes:
    """A number per value, in the order of first appearance."""
    return np.concatenate([chunk.indices.to_numpy() for chunk in column.dictionary_encode().chunks])


def _first_with_same(codes: Codes) -> npt.NDArray[np.int64]:
    """For each row the first row that has the same code."""
    first = np.zeros(codes.max() + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the last to be assigned is the first in the column
    return first[codes]


def _flags(column: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    flags: npt.NDArray[np.bool_] = column.to_numpy()
    return flags
