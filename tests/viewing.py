"""What the tests of the viewer share: a store with the documented hands and sample logs, and its hands as frames."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from ddz_analytics.explain.record import Record, find_hand, records
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.schema import FACTS
from ddz_analytics.store.catalog import Connection, connect, sql_text
from ddz_analytics.viewer.course import Course, course_of
from ddz_analytics.viewer.running import Run, run_of
from tests.explained import ROOT
from tests.reports import SAMPLES
from tests.stores import take

# suited, wild, faulty, unfinished, thrown-in hands, hands that begin with twenty cards, and all of those that are documented
LOGS = (
    ROOT / "docs" / "explained.ddz.jsonl", SAMPLES / "botzone-ftl2", SAMPLES / "rlcard-showdown", SAMPLES / "ddz-text",
    SAMPLES / "icga", SAMPLES / "simulated" / "happy-laizi.ddz.jsonl.gz",
)  # fmt: skip
RULES = ("happy", "jj-classic")


class Seen(NamedTuple):
    """A hand with its frames, and what it is played for under some rule sets."""

    record: Record
    course: Course
    runs: list[Run]


def viewed_store(folder: Path) -> Path:
    """The logs in a store, scored under two rule sets."""
    take(folder / "store", *LOGS)
    rescore(folder / "store", [load_rules(name) for name in RULES])
    return folder / "store"


def seen(connection: Connection, hands: Sequence[int], specs: Sequence[str]) -> dict[int, Seen]:
    """Some hands of a store under some rule sets."""

    def ask(question: str) -> pa.Table:
        values = {"hands": list(hands)}
        return connection.sql(sql_text(f"explain/{question}"), params=values).to_arrow_table()

    facts = ask("facts")
    rows = facts.select(FACTS.names).cast(FACTS)
    by_hand = {hand: rows.slice(place, 1) for place, hand in enumerate(facts["hand_id"].to_pylist())}
    rule_sets = [load_rules(spec) for spec in specs]
    found = {}
    for hand, record in records(ask, by_hand).items():
        course = course_of(record)
        runs = [run_of(record, course.frames, record.facts, rules) for rules in rule_sets]
        found[hand] = Seen(record, course, runs)
    return found


def named(store: Path, name: str, *specs: str) -> Seen:
    """One hand by its name."""
    with connect(store) as connection:
        hand, _ = find_hand(connection, name)
        return seen(connection, [hand], specs)[hand]


def first(store: Path, where: str, *specs: str) -> Seen:
    """The first hand that a condition over `hands` fits."""
    with connect(store) as connection:
        ((hand,),) = connection.sql(f"SELECT min(hand_id) FROM hands WHERE {where}").fetchall()
        return seen(connection, [hand], specs)[hand]
