"""A fault of a column of declared facts."""

from __future__ import annotations

from typing import Literal, NamedTuple

from ddz_analytics.columns import Flags


class Fault(NamedTuple):
    """What is wrong with a column, in which rows, and the code of that."""

    code: Literal["out_of_range", "missing_field", "contradiction"]
    name: str
    where: Flags
    what: str
