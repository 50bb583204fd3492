"""What each column of a log became, for those who want to see how a mapping reads it."""

from __future__ import annotations

from typing import NamedTuple


class Became(NamedTuple):
    """The column (or key of an event), the text that stood there, the field of `ddz/1`, and the value there (None: none)."""

    column: str
    text: str | None
    field: str
    value: str | None


Trace = list[Became]
