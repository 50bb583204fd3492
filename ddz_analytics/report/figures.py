"""The charts of scores: how they spread, multipliers, what a doubling is worth, what each rule contributes.

Colours are names of the page's own, which it fills in for its appearance.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.locale import text
from ddz_analytics.report.drawing import Row, finished, number, ticks
from ddz_analytics.report.wording import MINUS, exact, on_axis, signed

SIDES = ("baseline", "other")


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


def spread(rows: Sequence[Row], lang: str) -> object:
    """Scores by role under both rule sets: a row of bars for each role, `rows` as `distribution.sql` gives them."""
    steps = _steps(rows)
    figure = _by_role(steps, lang)
    for place, role in enumerate(ROLE_NAMES, start=1):
        mine = {row["step"]: row for row in rows if row["role"] == role}
        for side in SIDES:
            named = [(step_text(step, lang), mine[step][side] if step in mine else 0) for step in steps]
            bars = _bars(steps, named, _side_colours(side, steps), text("spread.hover", lang))
            figure.add_trace(bars, row=place, col=1)
    figure.update_yaxes(ticksuffix="%", rangemode="tozero", nticks=4)
    return finished(figure, 560)


def cumulated(rows: Sequence[Row], lang: str) -> object:
    """The share of hands that score at most so much, by role under both rule sets, `rows` as `distribution.sql` gives them."""
    steps = _steps(rows)
    figure = _by_role(steps, lang)
    for place, role in enumerate(ROLE_NAMES, start=1):
        mine = {row["step"]: row for row in rows if row["role"] == role}
        for side in SIDES:
            counts = [mine[step][side] if step in mine else 0 for step in steps]
            total = sum(counts) or 1
            shares = [round(100 * sum(counts[: step + 1]) / total, 2) for step in range(len(steps))]
            line = go.Scatter(
                x=steps, y=shares, mode="lines", hovertemplate="%{y:.1f}%<extra></extra>",
                line={"shape": "hv", "color": f"var(--chart-{side})", "width": 3 if side == "baseline" else 1.5},
            )  # fmt: skip
            figure.add_trace(line, row=place, col=1)
    figure.update_yaxes(ticksuffix="%", rangemode="tozero", nticks=4)
    return finished(figure, 560)


def multipliers(rows: Sequence[Row], baseline: str, other: str, lang: str) -> object:
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
    return finished(figure, 300)


def doublings(rows: Sequence[Row], baseline: str, other: str, lang: str) -> object:
    """What the last doubling was worth on average, by how many there were, `rows` as `caps.sql` gives them."""
    figure = go.Figure()
    for side, rule_set in (("baseline", baseline), ("other", other)):
        found = [row for row in rows if row["rule_set"] == rule_set and row["last_doubling"] is not None]
        figure.add_trace(
            go.Bar(
                x=[row["doublings"] for row in found],
                y=[number(row["last_doubling"]) for row in found],
                customdata=[[exact(row["last_doubling"]), exact(row["hands"])] for row in found],
                hovertemplate=text("caps.hover", lang) + "<extra></extra>",
                marker_color=f"var(--chart-{side})",
            )
        )
    worth = [row["last_doubling"] for row in rows if row["rule_set"] in (baseline, other)]
    figure.update_xaxes(zeroline=False, dtick=1, title_text=text("caps.doublings", lang))
    figure.update_yaxes(title_text=text("caps.axis", lang), **ticks(worth, lang))
    return finished(figure, 300)


def contributions(rows: Sequence[Row], lang: str) -> object:
    """From the landlord's mean under the baseline, a step for each part, to that under the other; `rows` of schema ATTRIBUTED."""
    hands = rows[0]["hands"] or 1
    steps = [row["landlord"] / hands for row in rows]
    before = rows[0]["landlord_baseline"] / hands
    reached = [sum(steps[:place], before) for place in range(len(steps) + 1)]
    names = [
        text("contributions.before", lang),
        *(part_text(row["part"], lang) for row in rows),
        text("contributions.after", lang),
    ]
    hover = [exact(round(before, 4)), *(_step_text(row, lang) for row in rows), exact(round(reached[-1], 4))]
    colours = [f"var(--{'gain' if step > 0 else 'loss'})" for step in steps]
    bar = go.Bar(
        y=names,
        x=[number(part) for part in (before, *steps, reached[-1])],
        base=[0, *(number(place) for place in reached[:-1]), 0],
        customdata=hover,
        hovertemplate="%{y}<br>%{customdata}<extra></extra>",
        marker_color=["var(--chart-baseline)", *colours, "var(--chart-other)"],
        orientation="h",
    )
    figure = go.Figure(bar)
    figure.update_xaxes(title_text=text("contributions.axis", lang), **ticks(reached, lang))
    figure.update_yaxes(autorange="reversed")
    return finished(figure, 110 + 30 * len(names))


def part_text(part: str, lang: str) -> str:
    """A part of the difference: a parameter by its key, or what several of them concern."""
    return part if "." in part else text(f"concern.{part}", lang)


def _step_text(row: Row, lang: str) -> str:
    each = signed(round(row["landlord"] / (row["hands"] or 1), 4))
    return text("contributions.hover", lang, each=each, all=signed(row["landlord"]))


def _steps(rows: Sequence[Row]) -> list[int]:
    present = [row["step"] for row in rows]
    return list(range(min(present, default=0), max(present, default=0) + 1))


def _by_role(steps: list[int], lang: str) -> go.Figure:
    """A chart with a row for each role over the steps of the score."""
    figure = make_subplots(rows=len(ROLE_NAMES), cols=1, shared_xaxes=True, vertical_spacing=0.07)
    found = [step for step in steps if step == 0 or abs(step) % 2 == 0]
    figure.update_xaxes(tickvals=found, ticktext=[_mark(step, lang) for step in found])
    figure.update_xaxes(title_text=text("spread.axis", lang), row=len(ROLE_NAMES), col=1)
    for place, role in enumerate(ROLE_NAMES):
        figure.add_annotation(
            text=text(f"role.{role}", lang), showarrow=False, xref="paper", yref="y domain" if place == 0 else f"y{place + 1} domain",
            x=0.006, y=0.98, xanchor="left", yanchor="top", font={"size": 13, "color": "var(--ink)"},
        )  # fmt: skip
    return figure


def _bars(places: list[int], named: Sequence[tuple[str, int]], colour: str | list[str], hover: str) -> go.Bar:
    """Shares of hands in per cent, at each place what is counted there and how many hands; both to point at."""
    total = sum(hands for _, hands in named) or 1
    return go.Bar(
        x=places,
        y=[round(100 * hands / total, 4) for _, hands in named],
        customdata=[[name, f"{hands:,}"] for name, hands in named],
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


def _by_doubling(rows: Sequence[Row], rule_set: str) -> dict[int, int]:
    """Hands by how often two goes into their multiplier; hands that were not played have none."""
    found: dict[int, int] = {}
    for row in rows:
        if row["rule_set"] == rule_set and row["multiplier"]:
            place = row["multiplier"].bit_length() - 1
            found[place] = found.get(place, 0) + row["hands"]
    return found
