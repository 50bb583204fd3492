"""Recorded scores against recomputed ones: what is exact, what a cause explains, what stays unexplained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.parsers import parsers
from ddz_analytics.store.catalog import connect
from tests.small_store import Row, act, ask, each, facts, hand, play, settlement, write_store

JJ = {"recorded_rules": "jj-classic"}
FOUR_FOURS = [act(1, "pass", sent="H4 D4 S4 C4", actor="judge")]


@pytest.mark.parametrize(
    ("recorded", "recomputed", "changes", "verdict"),
    [
        ((4, -2, -2), (4, -2, -2), JJ, "exact"),
        ((4, -2, -2), (8, -4, -4), {**JJ, "down_plays": 0, "up_plays": 0}, "explained spring_not_recorded"),
        ((4, -2, -2), (8, -4, -4), JJ, "unexplained power_of_two"),
        ((16, -8, -8), (4, -2, -2), JJ, "unexplained power_of_two"),
        ((16, -8, -8), (4, -2, -4), JJ, "unexplained amount_differs"),
        ((5, -2, -3), (4, -2, -2), JJ, "unexplained amount_differs"),
        ((15, -8, -7), ("15.2", "-7.6", "-7.6"), JJ, "explained rounding"),
        ((8, -4, -4), (4, -2, -2), {**JJ, "actions": FOUR_FOURS}, "explained illegal_play_counted"),
        ((16, -8, -8), (4, -2, -2), {**JJ, "actions": FOUR_FOURS}, "unexplained power_of_two"),
        (
            (12, -6, -6),
            None,
            {**JJ, "reason": "faulty", "bid": 3, "plays": "5555"},
            "explained illegal_play_counted",
        ),
        ((6, -3, -3), None, {**JJ, "reason": "faulty", "bid": 3, "plays": "5555"}, "unexplained faulty"),
        ((6, -3, -3), None, {**JJ, "reason": "faulty", "bid": 3}, "explained illegal_play_counted"),
        (
            (4, -2, -2),
            (0, 0, 0),
            {**JJ, "auction_forced": "starter", "bid": None, "bombs": 1},
            "explained forced_landlord",
        ),
        (
            (8, -4, -4),
            (0, 0, 0),
            {**JJ, "auction_forced": "starter", "bid": None, "bombs": 1},
            "unexplained amount_differs",
        ),
        ((4, -2, -2), None, {**JJ, "reason": "unfinished"}, "unexplained unfinished"),
        ((4, -2, -2), (4, -2, -2), {"recorded_rules": "unheard-of"}, "unexplained not_scored"),
        ((4, -2, -2), (4, -2, -2), {}, "unexplained rules_unknown"),
        ((1, 0, 0), (4, -2, -2), {"source_format": "rlcard-trace"}, "explained other_scale"),
        ((0, 1, 1), (4, -2, -2), {"source_format": "rlcard-trace"}, "unexplained scale_differs"),
        ((1, 0, 1), (4, -2, -2), {"source_format": "rlcard-trace"}, "unexplained scale_differs"),
    ],
)
def test_reconciliation_names_a_cause_only_where_the_numbers_agree(
    tmp_path: Path, recorded: tuple[int, ...], recomputed: tuple[Any, ...] | None, changes: Row, verdict: str
) -> None:
    """The landlord's recorded score against the recomputed one, with the cause that all three seats agree with."""
    known = {"bid": 2, **changes}
    tables = {
        "hands": [[hand(1, 0, **each("recorded_score_{}", recorded), **changes)]],
        "facts": [[facts(1, 0, 0, **known)]],
        "plays": [[play(1, 0, changes["plays"])]] if "plays" in changes else [],
        "settlements": [[settlement(1, "jj-classic", recomputed, reason=changes.get("reason"))]],
    }
    with connect(write_store(tmp_path / "store", tables)) as connection:
        rows = ask(
            connection,
            "SELECT recorded, verdict || ' ' || coalesce(cause, 'None') FROM reconciliation WHERE seat = 0",
        )
    assert rows == [(recorded[0], verdict.replace("exact", "exact None"))]


def test_formats_that_name_no_rules_count_by_their_reference(tmp_path: Path) -> None:
    """A hand of a format with a reference rule set is reconciled under that one."""
    name, rules = next(
        (p.name, p.reference_rules) for p in parsers().values() if p.reference_rules is not None
    )
    tables = {
        "hands": [[hand(1, 0, source_format=name, **each("recorded_score_{}", (4, -2, -2)))]],
        "facts": [[facts(1, 0, 0)]],
        "settlements": [[settlement(1, str(rules), (4, -2, -2))], [settlement(1, "another", (8, -4, -4))]],
    }
    with connect(write_store(tmp_path / "store", tables)) as connection:
        assert ask(connection, "SELECT DISTINCT verdict FROM reconciliation") == [("exact",)]
