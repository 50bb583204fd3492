"""Facts that were exported and declared again: every score, settlement, standing and refusal is what it was.

What only acts can say is left out: causes of recorded scores that rest on plays, and scales of their own that count plays.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ddz_analytics.answers.delimited import as_csv
from ddz_analytics.query import run_query
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules, shipped_rules
from ddz_analytics.store.catalog import connect
from tests.corruptions import CORRUPTIONS, corrupted
from tests.facts_rows import ask, declare
from tests.generated import RECORDED, hands
from tests.legal import legal_hands
from tests.reports import SAMPLES
from tests.stores import take

EACH = 60  # generated hands under every rule set, and under none
MORE = ("jj-classic+minimised", "qq-coins+minimised", "jj-bomb+cap-4")
VIEWS = {
    "settlements": "SELECT * FROM settlements",
    "scores": "SELECT * EXCLUDE (source_format, recorded_rules) FROM scores",
    "flows": "SELECT * FROM flows",
    "refusals": "SELECT * FROM refusals",
    "standings": "SELECT * FROM standings",
    "ruins": "SELECT * EXCLUDE (source_format, recorded_rules) FROM ruins",
    "hand_facts": "SELECT * FROM hand_facts",
    "settle_facts": "SELECT * EXCLUDE (evidence, recorded_rules) FROM settle_facts",
    "declared_facts": "SELECT * EXCLUDE (source_hand_id) FROM declared_facts",
    "hands": "SELECT hand_id, table_id, match_id, hand_no, event, started_at, ended_at, local_day, landlord_seat, wild_rank, shuffle, "
    "outcome, recorded_bid, recorded_multiplier, COLUMNS('room_.*') FROM hands",
    "hand_seats": "SELECT * EXCLUDE (source_format, recorded_rules, dealt, dealt_mask) FROM hand_seats",
    # a scale of its own and what a judge counted are known by the plays alone
    "reconciliation": "SELECT * FROM reconciliation WHERE coalesce(cause, '') NOT IN ('illegal_play_counted', 'other_scale', "
    "'scale_differs', 'rules_unknown')",
}
Write = Callable[[pa.Table, Path], None]


@cache
def documents() -> bytes:
    """Hands of every rule set and of none, legal and with every kind of fault, as lines of `ddz/1`."""
    found = [
        (f"{name}-{place}", each) for name in RECORDED for place, each in enumerate(hands(name, EACH, seed=8))
    ]
    legal = legal_hands(60, seed=3)
    for corruption in CORRUPTIONS:
        faulty = corrupted(corruption, legal, 4)
        found += [(f"{corruption.__name__}-{place}", each) for place, (each, _) in enumerate(faulty)]
    return b"".join(json.dumps({**document, "id": name}).encode() + b"\n" for name, document in found)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the sample logs and of generated hands, scored under every shipped rule set."""
    folder = tmp_path_factory.mktemp("law")
    (folder / "generated.ddz.jsonl").write_bytes(documents())
    take(folder / "store", SAMPLES, folder / "generated.ddz.jsonl")
    return scored(folder / "store")


def scored(store: Path) -> Path:
    """The store, scored with recorded and with chained balances."""
    rules = [load_rules(name) for name in (*shipped_rules(), *MORE)]
    rescore(store, rules)
    rescore(store, rules, balances="chained")
    return store


def to_parquet(table: pa.Table, path: Path) -> None:
    """Types as they are."""
    pq.write_table(table, path)


def to_csv(table: pa.Table, path: Path) -> None:
    """Text, as `ddz sql --format csv` writes it."""
    path.write_text(as_csv(table), "utf-8")


@pytest.mark.parametrize("write", [to_parquet, to_csv])
def test_facts_declared_again_are_scored_alike(original: Path, tmp_path: Path, write: Write) -> None:
    """Through Parquet and through CSV every row is stored, and every view that rests on facts is the same, scenario by scenario."""
    table = run_query(original, "SELECT * FROM declared_facts")
    write(table, tmp_path / "facts.table")
    counts = declare(tmp_path / "store", tmp_path / "facts.table")
    assert (counts.read, counts.stored) == (len(table), len(table)) and len(table) > 3000
    again = scored(tmp_path / "store")
    with connect(original) as one, connect(again) as other:
        for view, query in VIEWS.items():
            expected, found = (
                each.sql(f"FROM ({query}) ORDER BY ALL").to_arrow_table() for each in (one, other)
            )
            if view == "reconciliation":  # a hand that needed its plays has another cause now
                wanted = set(expected["hand_id"].to_pylist())
                found = found.filter(pa.array([hand in wanted for hand in found["hand_id"].to_pylist()]))
            assert len(expected) and found.equals(expected), view
    scenarios = ask(again, "SELECT DISTINCT scenario FROM settlements ORDER BY ALL")
    assert scenarios == [("chained",), ("recorded",)]


def test_what_is_exported_of_declared_facts_is_the_same_again(original: Path, tmp_path: Path) -> None:
    """Exported once more, the rows are those that came in, so that a second store takes them for duplicates."""
    to_parquet(run_query(original, "SELECT * FROM declared_facts"), tmp_path / "a.parquet")
    declare(tmp_path / "store", tmp_path / "a.parquet")
    to_csv(run_query(tmp_path / "store", "SELECT * FROM declared_facts"), tmp_path / "b.csv")
    counts = declare(tmp_path / "store", tmp_path / "b.csv")
    assert (counts.read, counts.duplicate) == (counts.duplicate, counts.read) and counts.read > 3000
