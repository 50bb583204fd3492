"""The rows of one bundle as columns of Python texts, and the rows of one hand among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Ints

_TAIL = 40  # characters of a value in a message


@dataclass(frozen=True)
class Rows:
    """Rows of one table: `columns` by name, and for every row its file, line and bytes; `hand` is the place of its hand."""

    table: str
    columns: Mapping[str, Sequence[str | None]]
    file: Sequence[str]
    line: Sequence[int]
    raw: Sequence[bytes]
    hand: Ints

    def of_hand(self, place: int) -> range:
        """The rows of a hand."""
        first, end = np.searchsorted(self.hand, (place, place + 1)).tolist()
        return range(first, end)

    def where(self, row: int, column: str = "") -> str:
        """A place in words: the table, its column and the value there, the file and the line."""
        value = self.columns[column][row] if column else None
        shown = f".{column} = {value[:_TAIL]!r}" if value is not None else f".{column}" if column else ""
        return f"`{self.table}{shown}`, {self.file[row]}:{self.line[row]}"


class Bundle:
    """The streams of a bundle, one after the other."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def read(self) -> pa.Table:
        """The next stream as a table."""
        return pa.ipc.open_stream(self._stream).read_all()

    def rows(self, name: str, columns: Sequence[str], table: pa.Table) -> Rows:
        """The rows of a stream whose columns are those of a table."""
        texts = {column: table[f"c{number}"].to_pylist() for number, column in enumerate(columns)}
        about = {name: table[name].to_pylist() for name in ("file", "line", "raw")}
        hand = table["hand" if "hand" in table.column_names else "place"].to_numpy()
        return Rows(name, texts, about["file"], about["line"], about["raw"], hand)
