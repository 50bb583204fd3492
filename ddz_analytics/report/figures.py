"""The charts, as plotly figures for each language; colours are names of the page's own, which it fills in for its appearance.

Only counts, amounts and names of rule sets come in; names are escaped, because plotly reads some HTML in its texts.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import count
from typing import Any

import plotly.graph_objects as go
import plotly.io as pio
from plotly.subplots import make_subplots

from ddz_analytics.answers.plain import inert
from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.locale import text
from ddz_analytics.report.wording import MINUS, exact, on_axis, signed

Row = Mapping[str, Any]
HOUSE_PARTS = {"rake": "--part-1", "fee": "--part-2", "forfeit": "--part-3", "fine": "--part-4"}
_FONT = 'system-ui, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'
_GRID = {"gridcolor": "var(--line)", "zerolinecolor": "var(--line)", "linecolor": "var(--line)"}


def bounds(step: int) -> tuple[int, int]:
    """From which whole number of points a step above zero reaches to below which; step 1 is below one point."""
    return (0, 1) if step == 1 else (2 ** (step - 2), 2 ** (step - 1))


def step_text(step: int, lang: str) -> str:
    """The scores of one step in words."""
    if step == 0:
        return text("spread.zero", lang)
    low, high = bounds(abs(step))
    sign = MINUS if step < 0 else ""
    if abs(step) == 1:
        return sign + text("spread.below_one", lang)
    return text("spread.between", lang, low=f"{sign}{low:,}", high=f"{sign}{high:,}")


def spread(rows: Sequence[Row], lang: str) -> str:
    """Scores by role under both rule sets: a row of bars for each role, `rows` as `distribution.sql` gives them."""
    present = [row["step"] for row in rows]
    steps = list(range(min(present, default=0), max(present, default=0) + 1))
    figure = make_subplots(rows=len(ROLE_NAMES), cols=1, shared_xaxes=True, vertical_spacing=0.07)
    for number, role in enumerate(ROLE_NAMES, start=1):
        mine = {row["step"]: row for row in rows if row["role"] == role}
        for side in ("baseline", "other"):
            named = [(step_text(step, lang), mine[step][side] if step in mine else 0) for step in steps]
            bars = _bars(steps, named, _side_colours(side, steps), text("spread.hover", lang))
            figure.add_trace(bars, row=number, col=1)
    marks = [step for step in steps if step == 0 or abs(step) % 2 == 0]
    figure.update_xaxes(tickvals=marks, ticktext=[_mark(step, lang) for step in marks])
    figure.update_yaxes(ticksuffix="%", rangemode="tozero", nticks=4)
    figure.update_xaxes(title_text=text("spread.axis", lang), row=len(ROLE_NAMES), col=1)
    _name_rows(figure, lang)
    return _as_json(figure, 560)


def multipliers(rows: Sequence[Row], baseline: str, other: str, lang: str) -> str:
    """Hands by doubling of the multiplier under both rule sets, `rows` as `multipliers.sql` gives them."""
    sides = {"baseline": baseline, "other": other}
    counted = {side: _by_doubling(rows, rule_set) for side, rule_set in sides.items()}
    top = max((max(found, default=0) for found in counted.values()), default=0)
    doublings = list(range(top + 1))
    names = [f"×{2**n}" if n == 0 else f"×{2**n:,}–{2 ** (n + 1) - 1:,}" for n in doublings]
    figure = go.Figure()
    for side, found in counted.items():
        named = [(name, found.get(n, 0)) for n, name in enumerate(names)]
        figure.add_trace(_bars(doublings, named, f"var(--chart-{side})", text("multipliers.hover", lang)))
    figure.update_xaxes(
        zeroline=False, tickvals=doublings, ticktext=names, title_text=text("multipliers.multiplier", lang)
    )
    figure.update_yaxes(ticksuffix="%", rangemode="tozero", nticks=5, title_text=text("spread.share", lang))
    return _as_json(figure, 300)


def house(rows: Sequence[Row], titles: dict[str, str], lang: str) -> str:
    """What the house takes under each rule set, by kind; `titles` are the rule sets' names by id, in order from the top."""
    by_id = {row["rule_set"]: row for row in rows}
    order = [name for name in reversed(titles) if name in by_id]
    figure = go.Figure()
    for part, colour in HOUSE_PARTS.items():
        amounts = [by_id[name][part] for name in order]
        if any(amounts):
            figure.add_trace(
                go.Bar(
                    y=[html.escape(inert(titles[name]), quote=False) for name in order],
                    x=[float(amount) for amount in amounts],
                    name=text(f"house.{part}", lang),
                    customdata=[exact(amount) for amount in amounts],
                    hovertemplate=text("house.hover", lang) + "<extra></extra>",
                    marker_color=f"var({colour})",
                    orientation="h",
                )
            )
    marks = _marks(max((sum(by_id[name][part] for part in HOUSE_PARTS) for name in order), default=Decimal()))
    figure.update_layout(barmode="stack", showlegend=True, legend={"orientation": "h", "y": 1.15, "x": 0})
    figure.update_xaxes(
        tickvals=marks, ticktext=[on_axis(mark, lang) for mark in marks], title_text=text("house.axis", lang)
    )
    figure.update_yaxes(automargin=True)
    return _as_json(figure, 120 + 36 * len(order))


def autoplay(rows: Sequence[Row], titles: dict[str, str], lang: str) -> str:
    """What peasants on autoplay and their partners get on average, `rows` as `autoplay_seats.sql` gives them; titles as in `house`."""
    by_seat = {(row["rule_set"], row["status"]): row for row in rows}
    order = [name for name in reversed(titles) if (name, "autoplay") in by_seat]
    figure = go.Figure()
    for status, colour in (("partner", "--part-2"), ("autoplay", "--part-3")):
        found = [by_seat[name, status] for name in order if (name, status) in by_seat]
        figure.add_trace(
            go.Bar(
                y=[html.escape(inert(titles[row["rule_set"]]), quote=False) for row in found],
                x=[float(row["mean"]) for row in found],
                name=text(f"party.{status}", lang),
                customdata=[[exact(row["mean"]), exact(row["seats"])] for row in found],
                hovertemplate=text("liability.hover", lang) + "<extra></extra>",
                marker_color=f"var({colour})",
                orientation="h",
            )
        )
    legend = {"orientation": "h", "y": 1.15, "x": 0, "traceorder": "reversed"}
    figure.update_layout(showlegend=True, legend=legend)
    figure.update_xaxes(title_text=text("liability.axis", lang), nticks=6)
    figure.update_yaxes(automargin=True)
    return _as_json(figure, 130 + 46 * len(order))


def contributions(rows: Sequence[Row], lang: str) -> str:
    """From the landlord's mean under the baseline to that under the other, a step for each part, `rows` of schema ATTRIBUTED."""
    names = [part_text(row["part"], lang) for row in rows]
    steps = [float(row["landlord"] / row["hands"]) if row["hands"] else 0.0 for row in rows]
    bar = go.Bar(
        y=names,
        x=steps,
        base=[sum(steps[:place]) for place in range(len(steps))],
        customdata=[
            [signed(round(row["landlord"] / (row["hands"] or 1), 4)), signed(row["landlord"])] for row in rows
        ],
        hovertemplate=text("contributions.hover", lang) + "<extra></extra>",
        marker_color=[f"var(--{'gain' if step > 0 else 'loss'})" for step in steps],
        orientation="h",
    )
    figure = go.Figure(bar)
    figure.update_xaxes(title_text=text("contributions.axis", lang), nticks=6)
    figure.update_yaxes(automargin=True, autorange="reversed")
    return _as_json(figure, 110 + 34 * len(rows))


def part_text(part: str, lang: str) -> str:
    """A part of the difference: a parameter by its key, or what several of them concern."""
    return part if "." in part else text(f"concern.{part}", lang)


def _bars(places: list[int], named: Sequence[tuple[str, int]], colour: str | list[str], hover: str) -> go.Bar:
    """Shares of hands in per cent, at each place what is counted there and how many hands; both to point at."""
    total = sum(number for _, number in named) or 1
    return go.Bar(
        x=places,
        y=[round(100 * number / total, 4) for _, number in named],
        customdata=[[name, f"{number:,}"] for name, number in named],
        hovertemplate=f"{hover}<extra></extra>",
        marker_color=colour,
    )


def _side_colours(side: str, steps: list[int]) -> str | list[str]:
    if side == "baseline":
        return "var(--chart-baseline)"
    return [f"var(--{'gain' if step > 0 else 'loss' if step < 0 else 'chart-other'})" for step in steps]


def _mark(step: int, lang: str) -> str:
    sign = MINUS if step < 0 else ""
    return sign + on_axis(bounds(abs(step))[0], lang) if step else "0"


def _name_rows(figure: go.Figure, lang: str) -> None:
    for number, role in enumerate(ROLE_NAMES):
        figure.add_annotation(
            text=text(f"role.{role}", lang), showarrow=False, xref="paper", yref="y domain" if number == 0 else f"y{number + 1} domain",
            x=0.006, y=0.98, xanchor="left", yanchor="top", font={"size": 13, "color": "var(--ink)"},
        )  # fmt: skip


def _by_doubling(rows: Sequence[Row], rule_set: str) -> dict[int, int]:
    """Hands by how often two goes into their multiplier; hands that were not played have none."""
    found: dict[int, int] = {}
    for row in rows:
        if row["rule_set"] == rule_set and row["multiplier"]:
            place = row["multiplier"].bit_length() - 1
            found[place] = found.get(place, 0) + row["hands"]
    return found


def _marks(largest: Decimal) -> list[int]:
    """At most six round numbers from zero up to the largest or just beyond."""
    steps = (factor * 10**power for power in count() for factor in (1, 2, 5))
    step = next(step for step in steps if 5 * step >= largest)
    return [step * number for number in range(math.ceil(largest / step) + 1)]


def _as_json(figure: go.Figure, height: int) -> str:
    figure.update_layout(
        template="none",
        height=height,
        barmode=figure.layout.barmode or "group",
        bargap=0.25,
        bargroupgap=0.05,
        showlegend=bool(figure.layout.showlegend),
        margin={"l": 54, "r": 12, "t": 12, "b": 48},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": _FONT, "size": 12, "color": "var(--soft)"},
        hoverlabel={"bgcolor": "var(--panel)", "bordercolor": "var(--line)", "font": {"color": "var(--ink)"}},
    )
    lying = any(trace.orientation == "h" for trace in figure.data)
    figure.update_xaxes(**_GRID, fixedrange=True, showgrid=lying, title_standoff=10, automargin=True)
    figure.update_yaxes(**_GRID, fixedrange=True, showgrid=not lying)
    written: str = pio.to_json(figure, validate=False)
    return written
