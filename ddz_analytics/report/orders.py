"""The charts of groups, of standings, and of a grid of rule sets."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.locale import term, text
from ddz_analytics.report.drawing import Row, finished, label, legend, number, ticks
from ddz_analytics.report.grid import Grid
from ddz_analytics.report.wording import exact, signed

_COLOURS = ("--part-3", "--part-1", "--part-2")


def groups(rows: Sequence[Row], lang: str) -> object:
    """What each role gains on average by group, `rows` as `groups_baseline.sql` gives them, without what is in no group."""
    values = list(dict.fromkeys(row["value"] for row in rows))
    figure = go.Figure()
    for role, colour in zip(ROLE_NAMES, _COLOURS, strict=True):
        found = [row for row in rows if row["role"] == role]
        figure.add_trace(
            go.Bar(
                x=[str(row["value"]) for row in found],
                y=[number(row["mean_difference"]) for row in found],
                name=text(f"role.{role}", lang),
                customdata=[[signed(row["mean_difference"]), exact(row["differing"]), exact(row["hands"])] for row in found],
                hovertemplate=text("groups.hover", lang) + "<extra></extra>",
                marker_color=f"var({colour})",
            )
        )  # fmt: skip
    legend(figure)
    figure.update_xaxes(
        type="category", categoryorder="array", categoryarray=[str(value) for value in values]
    )
    figure.update_yaxes(
        title_text=text("groups.axis", lang), **ticks([row["mean_difference"] for row in rows], lang)
    )
    return finished(figure, 300)


def standings(rows: Sequence[Row], lang: str) -> object:
    """The places of the players who move furthest, a line from one order to the other; `rows` as `moves.sql` gives them."""
    figure = go.Figure()
    for row in rows:
        rose = row["moved"] > 0
        figure.add_trace(
            go.Scatter(
                x=[0, 1], y=[row["rank_baseline"], row["rank_other"]], mode="lines+markers",
                line={"color": f"var(--{'gain' if rose else 'loss'})", "width": 1.5}, marker={"size": 7},
                name=label(row["player"]),
                customdata=[[label(row["player"]), label(row["match_id"]), row["rank_baseline"], row["rank_other"]]] * 2,
                hovertemplate=text("standings.hover", lang) + "<extra></extra>",
            )
        )  # fmt: skip
    sides = [text(f"report.{side}", lang) for side in ("baseline", "other")]
    figure.update_xaxes(tickvals=[0, 1], ticktext=sides, range=[-0.15, 1.15], zeroline=False)
    figure.update_yaxes(autorange="reversed", rangemode="tozero", title_text=text("standings.rank", lang))
    return finished(figure, 360)


def grid(found: Grid, lang: str) -> object:
    """What a grid of one parameter brings as lines, of two as maps."""
    return _lines(found, lang) if len(found.keys) == 1 else _maps(found, lang)


def _lines(found: Grid, lang: str) -> object:
    figure = make_subplots(rows=len(found.measures), cols=1, shared_xaxes=True, vertical_spacing=0.08)
    names = [value_text(value, lang) for value in found.axes[0]]
    for place, measure in enumerate(found.measures, start=1):
        numbers = [found.number((value,), measure) for value in found.axes[0]]
        line = go.Scatter(
            x=names, y=[number(each) for each in numbers], mode="lines+markers",
            line={"color": "var(--gain)", "width": 2}, marker={"size": 8},
            customdata=[exact(each) for each in numbers],
            hovertemplate=text("grid.hover_line", lang) + "<extra></extra>",
        )  # fmt: skip
        figure.add_trace(line, row=place, col=1)
        figure.update_yaxes(
            title_text=text(f"grid.{measure}", lang), row=place, col=1, **ticks(numbers, lang)
        )
    figure.update_xaxes(type="category", categoryorder="array", categoryarray=names)
    figure.update_xaxes(title_text=found.keys[0], row=len(found.measures), col=1)
    return finished(figure, 80 + 170 * len(found.measures))


def _maps(found: Grid, lang: str) -> object:
    across, down = ([value_text(value, lang) for value in axis] for axis in found.axes)
    figure = make_subplots(
        rows=1, cols=len(found.measures), shared_yaxes=True, horizontal_spacing=0.04,
        subplot_titles=[text(f"grid.{measure}", lang) for measure in found.measures],
    )  # fmt: skip
    for place, measure in enumerate(found.measures, start=1):
        cells = [[found.number((one, two), measure) for one in found.axes[0]] for two in found.axes[1]]
        known = [abs(cell) for line in cells for cell in line if cell is not None]
        most = number(max(known, default=1)) or 1
        figure.add_trace(
            go.Heatmap(
                x=across, y=down, z=[[number(cell) for cell in line] for line in cells],
                text=[[exact(cell) for cell in line] for line in cells], texttemplate="%{text}",
                hovertemplate=text("grid.hover_map", lang) + "<extra></extra>", textfont={"color": "var(--ink)"},
                zmin=-most, zmax=most, showscale=False, xgap=2, ygap=2,
                colorscale=[[0, "var(--loss-soft)"], [0.5, "var(--panel)"], [1, "var(--gain-soft)"]],
            ), row=1, col=place,
        )  # fmt: skip
        figure.update_xaxes(title_text=found.keys[0], type="category", row=1, col=place)
    figure.update_yaxes(type="category")
    figure.update_yaxes(title_text=found.keys[1], row=1, col=1)
    figure.update_annotations(font={"size": 12, "color": "var(--ink)"})
    return finished(figure, 140 + 34 * len(down))


def value_text(value: object, lang: str) -> str:
    """A parameter's value as the axis of a grid shows it."""
    if value is None or value == "none":
        return text("report.none", lang)
    if isinstance(value, bool):
        return text(f"report.{'yes' if value else 'no'}", lang)
    if isinstance(value, list | tuple):
        return ", ".join(term("event", str(item), lang) for item in value)
    return label(term("value", str(value), lang))
