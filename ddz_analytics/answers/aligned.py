"""An answer as aligned columns for people."""

from __future__ import annotations

import pyarrow as pa

from ddz_analytics.answers.plain import inert, is_number, shown
from ddz_analytics.widths import padded, text_width


def as_table(answer: pa.Table) -> str:
    """Aligned columns for people; NULL is written out, numbers stand right, no cell can command the terminal."""
    columns = [
        [inert(name), *("NULL" if cell is None else inert(cell) for cell in map(shown, column.to_pylist()))]
        for name, column in zip(answer.column_names, answer.columns, strict=True)
    ]
    right = [is_number(column.type) for column in answer.columns]
    widths = [max(map(text_width, column)) for column in columns]
    columns = [
        [padded(cell, width, to_the_right=side) for cell in column]
        for column, width, side in zip(columns, widths, right, strict=True)
    ]
    head, *rows = ("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([head, rule, *rows]) + "\n"
