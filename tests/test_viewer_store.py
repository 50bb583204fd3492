"""Whole logs as frames: they end at the stored settlement, keep the counts of replay, and are worth on the way what replay makes of them."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ddz_analytics.explain.record import PARTS
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import load_rules
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.settle import settle_columns
from ddz_analytics.store.catalog import connect
from ddz_analytics.viewer.running import run_of
from tests.agreement import engine_replay
from tests.explained import ROOT
from tests.viewing import RULES, Seen, seen


@pytest.fixture(scope="module")
def hands(to_view: Path) -> dict[int, Seen]:
    """Its hands under both rule sets, of the many simulated ones every third."""
    with connect(to_view) as connection:
        found = connection.sql(
            "SELECT hand_id FROM hands WHERE table_id NOT LIKE 'synthetic%' OR table_id IS NULL OR hand_id % 3 = 0"
        ).fetchall()
        return seen(connection, [hand for (hand,) in found], RULES)


def test_last_frame_is_the_stored_settlement(to_view: Path, hands: dict[int, Seen]) -> None:
    """Status, reason, stakes and what each party has in the end are those of `settlements`, for every hand under both."""
    with connect(to_view) as connection:
        rows = connection.sql(
            "SELECT * FROM settlements WHERE scenario = 'recorded' ORDER BY hand_id, rule_set"
        )
        settled = {(row["hand_id"], row["rule_set"]): row for row in rows.to_arrow_table().to_pylist()}
    reasons = set()
    for hand, (_, _, runs) in hands.items():
        for run in runs:
            row, last = settled[hand, run.rule_set], run.so_far[-1]
            reasons.add(run.reason)
            assert (run.status, run.reason, run.assumptions) == (
                row["score_status"], row["reason"], row["assumptions"],
            )  # fmt: skip
            nets = [row[name] for name in ("net_landlord", "net_down", "net_up", "house_net")]
            assert [*map(Decimal, run.net.values())] == nets if run.net else nets == [None] * 4
            if last is not None:
                assert [*map(Decimal, last.stakes)] == [row["stake_down"], row["stake_up"]]
                assert last.capped == row["cap_bites"]
            assert (last is None) == (row["reason"] is not None)
    assert {None, "faulty", "unfinished", "thrown_in", "escaped", "needs_wild"} <= reasons


def test_hands_hold_what_replay_counts(hands: dict[int, Seen]) -> None:
    """After every play a seat holds as many cards as replay says, and what all hold and have played is one deck."""
    for _, course, _ in hands.values():
        for frame in course.frames:
            if frame.act is not None and frame.act.cards_left_after is not None:
                assert frame.left[frame.act.seat] == frame.act.cards_left_after
        assert sum(left or 0 for left in course.frames[0].left) in (51, 54)


def test_way_to_the_end_is_what_replay_makes_of_it(hands: dict[int, Seen]) -> None:
    """From the bottom cards on until somebody is out, what is played for is the stake of the hand as replayed until then."""
    lines = (ROOT / "docs" / "explained.ddz.jsonl").read_text("utf-8").splitlines()
    by_name = {hand.record.head["source_hand_id"]: hand for hand in hands.values()}
    for told in map(json.loads, lines):
        rules, (record, course, _) = load_rules(told["rules"]), by_name[told["id"]]
        frames, run = course.frames, run_of(record, course.frames, record.facts, rules)
        begun = next(place for place, frame in enumerate(frames) if frame.kind == "bottom")
        acts = {
            place: frame.act.action_index
            for place, frame in enumerate(frames)
            if place > begun and frame.act is not None and frame.act.cards_left_after != 0
        }
        settled = settle_columns(Facts(_replayed(told, [*acts.values()])), rules)
        for row, place in enumerate(acts):
            now = run.so_far[place]
            stakes = [int(stake[row]) for stake in settled.stakes[:2]]
            assert now is not None
            assert [int(Decimal(each) * SCALE) for each in now.stakes] == stakes, (told["id"], place)


def _replayed(told: dict[str, Any], indices: list[int]) -> pa.Table:
    """The facts of a hand whose log ends after one of its acts, a row for each."""
    kept = {name: value for name, value in told.items() if name != "recorded"}
    cut = [
        {**kept, "id": str(index), "outcome": "unfinished", "actions": told["actions"][: index + 1]}
        for index in indices
    ]
    return engine_replay(cut).facts


def test_questions_of_a_hand_are_complete() -> None:
    """Every statement about a hand in question is one that a record is made of, or its facts, or what it is called."""
    files = {path.stem for path in (ROOT / "ddz_analytics" / "sql" / "explain").iterdir()}
    assert files == {*PARTS, "facts", "named"}
