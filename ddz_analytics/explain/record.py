"""One hand as the store has it: what it is called, who sat where, and what was done."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa

from ddz_analytics.errors import UsageError
from ddz_analytics.schema import FACTS
from ddz_analytics.store.catalog import Connection, sql_text

_LISTED = 10


@dataclass(frozen=True)
class Act:
    """One act of the log; a play has its reading and what is left after it."""

    action_index: int
    seat: int
    act: str
    value: Decimal | None
    cards: str | None
    stage: str | None
    dealt_so_far: int | None
    actor: str | None
    category: str | None
    length: int | None
    main_rank: str | None
    is_lead: bool
    cards_left_after: int | None


@dataclass(frozen=True)
class Episode:
    """One stretch of autoplay of a seat."""

    seat: int
    start_index: int
    end_index: int
    cards_at_start: int
    reason: str


@dataclass(frozen=True)
class Record:
    """A hand as it is headed, its seats, its acts in order, episodes of autoplay, faults, and its facts (one row)."""

    head: dict[str, Any]
    seats: list[dict[str, Any]]
    acts: list[Act]
    episodes: list[Episode]
    errors: list[dict[str, Any]]
    facts: pa.Table

    @property
    def fact(self) -> dict[str, Any]:
        """The facts as one row."""
        (row,) = self.facts.to_pylist()
        return dict(row)

    def seat_of(self, role: str) -> int:
        """The seat of landlord, down or up; without a landlord they are the seats 0, 1 and 2."""
        return ((self.head["landlord_seat"] or 0) + ("landlord", "down", "up").index(role)) % 3


def find_hand(connection: Connection, name: str) -> tuple[int, list[dict[str, Any]]]:
    """The hand_id that a name means, and other hands that it is the name of too.

    A hand_id goes before an id that a source gave. Raises UsageError `hand_unknown`, and `hand_ambiguous` with the candidates.
    """
    found = _rows(connection, "named", name=name)
    if not found:
        mend = '`ddz sql "SELECT hand_id, source_hand_id, table_id FROM hands"` lists them'
        raise UsageError("hand_unknown", f"no hand is called {name!r}", mend=mend)
    chosen = [row for row in found if row["by_number"]] or found
    if len(chosen) > 1:
        listed = "; ".join(_candidate(row) for row in chosen[:_LISTED])
        more = "; …" if len(chosen) > _LISTED else ""
        what = f"{len(chosen)} hands are called {name!r}"
        raise UsageError("hand_ambiguous", what, mend=f"say which hand_id: {listed}{more}")
    return chosen[0]["hand_id"], [row for row in found if row is not chosen[0]]


def read_hand(connection: Connection, hand_id: int) -> Record:
    """All that is told of a hand of the store; raises ValueError where there is no such hand."""
    (head,) = _rows(connection, "hand", hand=hand_id)
    facts = connection.sql(sql_text("explain/facts"), params={"hand": hand_id}).to_arrow_table()
    return Record(
        head=head,
        seats=_rows(connection, "seats", hand=hand_id),
        acts=[Act(**row) for row in _rows(connection, "acts", hand=hand_id)],
        episodes=[Episode(**row) for row in _rows(connection, "episodes", hand=hand_id)],
        errors=_rows(connection, "errors", hand=hand_id),
        facts=facts.select(FACTS.names).cast(FACTS),
    )


def _candidate(row: dict[str, Any]) -> str:
    table = "" if row["table_id"] is None else f"table {row['table_id']}, "
    return f"{row['hand_id']} ({table}{row['source_path']}:{row['source_line']})"


def _rows(connection: Connection, question: str, **values: object) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (
        connection.sql(sql_text(f"explain/{question}"), params=values).to_arrow_table().to_pylist()
    )
    return rows
