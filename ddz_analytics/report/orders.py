"""The charts of groups, of standings, and of a grid of rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.locale import term, text
from ddz_analytics.report.drawing import Row, Values, axis_of, chart, label, number, rows, ticks, titled
from ddz_analytics.report.grid import Grid
from ddz_analytics.report.wording import exact, signed

_COLOURS = ("--part-3", "--part-1", "--part-2")


def groups(found: Sequence[Row], lang: str) -> Values:
    """What each role gains on average by group, rows as `groups_baseline.sql` gives them, without what is in no group."""
    data = []
    for role, colour in zip(ROLE_NAMES, _COLOURS, strict=True):
        mine = [row for row in found if row["role"] == role]
        data.append({
            "type": "bar", "x": [row["value"] for row in mine], "y": [number(row["mean_difference"]) for row in mine],
            "name": text(f"role.{role}", lang),
            "customdata": [[signed(row["mean_difference"]), exact(row["differing"]), exact(row["hands"])] for row in mine],
            "hovertemplate": text("groups.hover", lang) + "<extra></extra>", "marker": {"color": f"var({colour})"},
        })  # fmt: skip
    order = list(dict.fromkeys(row["value"] for row in found))
    xaxis = {"type": "category", "categoryorder": "array", "categoryarray": order}
    yaxis = titled(text("groups.axis", lang), **ticks([row["mean_difference"] for row in found], lang))
    return chart(data, 300, showlegend=True, xaxis=xaxis, yaxis=yaxis)


def standings(found: Sequence[Row], lang: str) -> Values:
    """The places of the players who move furthest, a line from one order to the other; rows as `moves.sql` gives them."""
    data = []
    for rose, colour in ((True, "gain"), (False, "loss")):
        mine = [row for row in found if (row["moved"] > 0) is rose]
        data.append({
            "type": "scatter", "mode": "lines+markers", "x": [0, 1, None] * len(mine),
            "y": [place for row in mine for place in (row["rank_baseline"], row["rank_other"], None)],
            "text": [name for row in mine for name in (_of_player(row), _of_player(row), "")],
            "line": {"color": f"var(--{colour})", "width": 1.5}, "marker": {"size": 7}, "hovertemplate": "%{text}<extra></extra>",
        })  # fmt: skip
    sides = [text(f"report.{side}", lang) for side in ("baseline", "other")]
    xaxis = {"tickvals": [0, 1], "ticktext": sides, "range": [-0.15, 1.15], "zeroline": False}
    yaxis = titled(text("standings.rank", lang), autorange="reversed", rangemode="tozero")
    return chart(data, 360, xaxis=xaxis, yaxis=yaxis)


def _of_player(row: Row) -> str:
    return f"{label(row['player'])}: {row['rank_baseline']} → {row['rank_other']}"


def grid(found: Grid, lang: str) -> Values:
    """What a grid of one parameter brings as lines, of two as maps."""
    return _lines(found, lang) if len(found.keys) == 1 else _maps(found, lang)


def _lines(found: Grid, lang: str) -> Values:
    names = [value_text(value, lang) for value in found.axes[0]]
    data, yaxes = [], []
    for place, measure in enumerate(found.measures):
        numbers = [found.number((value,), measure) for value in found.axes[0]]
        data.append({
            "type": "scatter", "mode": "lines+markers", "x": names, "y": [number(each) for each in numbers],
            "line": {"color": "var(--gain)", "width": 2}, "marker": {"size": 8}, "yaxis": axis_of(place),
            "customdata": [exact(each) for each in numbers], "hovertemplate": "%{x}: %{customdata}<extra></extra>",
        })  # fmt: skip
        yaxes.append(titled(text(f"grid.{measure}", lang), **ticks(numbers, lang)))
    xaxis = titled(found.keys[0], type="category", categoryorder="array", categoryarray=names)
    return chart(data, 80 + 170 * len(data), **rows(len(data), 0.08, xaxis, yaxes))


def _maps(found: Grid, lang: str) -> Values:
    across, down = ([value_text(value, lang) for value in axis] for axis in found.axes)
    width = 1 / len(found.measures)
    data: list[Values] = []
    layout: dict[str, Any] = {}
    names: list[Values] = []
    for place, measure in enumerate(found.measures):
        cells = [[found.number((one, two), measure) for one in found.axes[0]] for two in found.axes[1]]
        most = number(max((abs(cell) for line in cells for cell in line if cell is not None), default=1)) or 1
        data.append({
            "type": "heatmap", "x": across, "y": down, "xaxis": axis_of(place, "x"), "z": [[number(cell) for cell in line] for line in cells],
            "text": [[exact(cell) for cell in line] for line in cells], "texttemplate": "%{text}",
            "hovertemplate": "%{x}, %{y}: %{text}<extra></extra>", "textfont": {"color": "var(--ink)"},
            "zmin": -most, "zmax": most, "showscale": False, "xgap": 2, "ygap": 2,
            "colorscale": [[0, "var(--loss-soft)"], [0.5, "var(--panel)"], [1, "var(--gain-soft)"]],
        })  # fmt: skip
        domain = [round(place * width, 4), round((place + 1) * width - 0.02, 4)]
        layout[f"xaxis{place + 1 if place else ''}"] = titled(found.keys[0], type="category", domain=domain)
        names.append({
            "text": text(f"grid.{measure}", lang), "showarrow": False, "xref": "paper", "yref": "paper", "x": domain[0], "y": 1.02,
            "xanchor": "left", "yanchor": "bottom", "font": {"size": 12, "color": "var(--ink)"},
        })  # fmt: skip
    yaxis = titled(found.keys[1], type="category", showgrid=False)
    margin = {"l": 54, "r": 12, "t": 32, "b": 48}
    return chart(data, 140 + 34 * len(down), annotations=names, margin=margin, yaxis=yaxis, **layout)


def value_text(value: object, lang: str) -> str:
    """A parameter's value as the axis of a grid shows it."""
    if value is None or value == "none":
        return text("report.none", lang)
    if isinstance(value, bool):
        return text(f"report.{'yes' if value else 'no'}", lang)
    if isinstance(value, list | tuple):
        return ", ".join(term("event", str(item), lang) for item in value)
    return label(term("value", str(value), lang))
