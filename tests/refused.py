"""What was refused in some hands, as the view and as the oracle tell it, in one shape."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from ddz_analytics.hands import SCALE
from ddz_analytics.settlement.columns import LARGEST
from ddz_analytics.store.catalog import Connection
from tests.oracle.names import Row

_COLUMNS = "hand_id, seat, what, reason, threshold, balance, would_change"


class Refusal(NamedTuple):
    """A double or an entry that a seat was refused; amounts in points."""

    hand_id: int
    seat: int
    what: str
    reason: str
    threshold: Fraction | None
    balance: Fraction
    would_change: Fraction | None


def refusals_of_view(connection: Connection) -> set[Refusal]:
    """The rows of the view `refusals`, each once."""
    rows = connection.sql(f"SELECT {_COLUMNS} FROM refusals").fetchall()
    found = {Refusal(*row[:4], *map(_fraction, row[4:])) for row in rows}
    assert len(found) == len(rows)
    return found


def refusals_of_oracle(settled: Iterable[tuple[int, Row]]) -> set[Refusal]:
    """What the oracle says that some hands' settlements refused; a threshold that no amount can hold is not told."""
    rows = {Refusal(hand_id=number, **row) for number, said in settled for row in said["refusal_rows"]}
    return {row if _is_written(row.threshold) else row._replace(threshold=None) for row in rows}


def _is_written(threshold: Fraction | None) -> bool:
    return threshold is not None and threshold * SCALE <= LARGEST


def _fraction(value: Any) -> Fraction | None:
    return None if value is None else Fraction(value)
