"""Hands as the store has them: what each is called, who sat where, and what was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, TypeVar

import pyarrow as pa

from ddz_analytics.errors import UsageError
from ddz_analytics.schema import FACTS
from ddz_analytics.store.catalog import Connection, sql_text

_LISTED = 10
PARTS = ("heads", "seats", "acts", "episodes", "issues")  # the questions of `sql/explain` that make a record
Rows = list[dict[str, Any]]
Known = TypeVar("Known", "Act", "Episode")


@dataclass(frozen=True)
class Act:
    """One act of the log; a play has its reading, its trick (counted from 0) and how many cards are left after it.

    `ms` is the thinking time; a play that was not judged, such as one after the end, has no trick.
    """

    action_index: int
    seat: int
    act: str
    value: Decimal | None
    cards: str | None
    cards_mask: int | None
    stage: str | None
    dealt_so_far: int | None
    ms: int | None
    actor: str | None
    category: str | None
    length: int | None
    main_rank: str | None
    is_lead: bool
    trick: int | None
    cards_left_after: int | None


@dataclass(frozen=True)
class Episode:
    """One stretch of autoplay of a seat."""

    seat: int
    start_index: int
    end_index: int
    cards_at_start: int
    cards_at_end: int
    reason: str


@dataclass(frozen=True)
class Record:
    """A hand as it is headed, its seats, its acts in order, episodes of autoplay, faults and notes, and its facts (one row)."""

    head: dict[str, Any]
    seats: Rows
    acts: list[Act]
    episodes: list[Episode]
    issues: Rows
    facts: pa.Table

    @property
    def errors(self) -> Rows:
        """The faults, for which the hand is not scored."""
        return [issue for issue in self.issues if issue["severity"] == "error"]

    @property
    def fact(self) -> dict[str, Any]:
        """The facts as one row."""
        (row,) = self.facts.to_pylist()
        return dict(row)

    def seat_of(self, role: str) -> int:
        """The seat of landlord, down or up; without a landlord they are the seats 0, 1 and 2."""
        return ((self.head["landlord_seat"] or 0) + ("landlord", "down", "up").index(role)) % 3


def find_hand(connection: Connection, name: str) -> tuple[int, Rows]:
    """The hand_id that a name means, and other hands that it is the name of too.

    A hand_id goes before an id that a source gave. Raises UsageError `hand_unknown`, and `hand_ambiguous` with the candidates.
    """
    found: Rows = (
        connection.sql(sql_text("explain/named"), params={"name": name}).to_arrow_table().to_pylist()
    )
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
    """All that is told of a hand of the store; raises KeyError where there is no such hand."""

    def ask(question: str) -> pa.Table:
        return connection.sql(sql_text(f"explain/{question}"), params={"hands": [hand_id]}).to_arrow_table()

    facts = ask("facts").select(FACTS.names).cast(FACTS)
    return records(ask, {hand_id: facts})[hand_id]


def records(ask: Callable[[str], pa.Table], facts: Mapping[int, pa.Table]) -> dict[int, Record]:
    """The hands of `facts` (each one row of schema FACTS) by their ids.

    `ask`: the answer to one of `sql/explain` for these hands, by its name in `PARTS`.
    """
    found = {part: _by_hand(ask(part)) for part in PARTS}
    return {
        hand_id: Record(
            head=found["heads"][hand_id][0],
            seats=found["seats"][hand_id],
            acts=[_known(Act, row) for row in found["acts"].get(hand_id, ())],
            episodes=[_known(Episode, row) for row in found["episodes"].get(hand_id, ())],
            issues=found["issues"].get(hand_id, []),
            facts=row,
        )
        for hand_id, row in facts.items()
    }


def _candidate(row: dict[str, Any]) -> str:
    table = "" if row["table_id"] is None else f"table {row['table_id']}, "
    return f"{row['hand_id']} ({table}{row['source_path']}:{row['source_line']})"


def _by_hand(table: pa.Table) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for row in table.to_pylist():
        found.setdefault(row["hand_id"], []).append(row)
    return found


def _known(kind: type[Known], row: Mapping[str, Any]) -> Known:
    """The columns of a row that a kind of record has."""
    return kind(**{field.name: row[field.name] for field in fields(kind)})
