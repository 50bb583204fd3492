"""A grid of rule sets in the report: its points, what is drawn, and what of a large one is shown hand by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.report.drawing import marks, ticks
from ddz_analytics.report.grid import Grid, corners, grid_of
from ddz_analytics.report.orders import grid as drawn
from ddz_analytics.rules import load_rules, variants
from ddz_analytics.sweep import facts_of, sweep

BASE = load_rules("jj-classic")


def grid_over(store: Path, *settings: str) -> Grid:
    """The grid of some settings of the baseline."""
    return grid_of(facts_of(store), BASE, variants(BASE, settings), settings)


def test_one_parameter_is_drawn_as_lines(samples: Path) -> None:
    """Each value of the parameter has its point, which is what a sweep says of it."""
    found = grid_over(samples, "cap.doublings=none,1,0")
    assert (found.keys, found.axes) == (("cap.doublings",), (("none", 1, 0),))
    swept = sweep(facts_of(samples), BASE, variants(BASE, ["cap.doublings=none,1,0"])).to_pylist()[1:]
    assert [row["landlord_change"] for row in found.rows] == [row["landlord_change"] for row in swept]
    figure = drawn(found, "zh")
    assert figure["data"][0]["x"] == ["无", "1", "0"]
    assert figure["data"][0]["y"] == [float(row["landlord_change"]) for row in swept]
    assert figure["layout"]["xaxis"]["title"]["text"] == "cap.doublings"


def test_two_parameters_are_drawn_as_maps(samples: Path) -> None:
    """Columns are the first parameter, lines the second; a parameter with one value is no axis."""
    found = grid_over(samples, "events.bomb=1,2", "cap.doublings=0,none", "events.spring=2")
    assert found.is_drawn
    assert found.keys == ("events.bomb", "cap.doublings")
    (first, *_) = drawn(found, "en")["data"]
    assert (first["x"], first["y"]) == (["1", "2"], ["0", "none"])
    assert first["z"][1][1] == 0  # the baseline itself
    assert first["z"][0][0] == float(found.rows[0]["landlord_change"])


def test_more_parameters_are_a_table_alone(samples: Path) -> None:
    """Three parameters that vary are listed and not drawn."""
    found = grid_over(samples, "events.bomb=1,2", "events.spring=1,2", "cap.doublings=0,none")
    assert (found.is_drawn, len(found.rows)) == (False, 8)


def test_corners_are_the_ends_of_every_parameter() -> None:
    """Of three values by four the four corners are shown in full."""
    settings = ["cap.doublings=1,2,3", "events.bomb=1,2,3,4"]
    found = corners(variants(BASE, settings), settings)
    assert [rules.id for rules in found] == [
        f"jj-classic[cap.doublings={cap},events.bomb={bomb}]" for cap in (1, 3) for bomb in (1, 4)
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.3, 1.9], [0, 0.5, 1, 1.5, 2]),
        ([-7, 12], [-10, -5, 0, 5, 10, 15]),
        ([], [0, 1]),
        ([None, 40_000], [0, 10_000, 20_000, 30_000, 40_000]),
    ],
)
def test_axes_have_round_marks(values: list[float | None], expected: list[float]) -> None:
    """Marks are at steps of 1, 2 or 5 times a power of ten, and reach over zero and every value."""
    assert [float(mark) for mark in marks(values)] == expected


def test_axes_count_in_ten_thousands_in_chinese() -> None:
    """Numbers on an axis are in 万 from 10,000 on, losses with their sign."""
    assert ticks([-20_000, 10_000], "zh")["ticktext"] == ["−2万", "−1万", "0", "1万"]
