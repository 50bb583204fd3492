"""The charts of scores: how they spread, multipliers, what a doubling is worth, what each rule contributes.

Colours are names of the page's own, which it fills in for its appearance.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddz_analytics.hands import ROLE_NAMES
from ddz_analytics.locale import text
from ddz_analytics.report.drawing import Row, Values, axis_of, chart, lying, number, rows, ticks, titled
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


def spread(found: Sequence[Row], lang: str) -> Values:
    """Scores by role under both rule sets: a row of bars for each role, rows as `distribution.sql` gives them."""
    steps = _steps(found)
    data = []
    for place, role in enumerate(ROLE_NAMES):
        mine = {row["step"]: row for row in found if row["role"] == role}
        for side in SIDES:
            named = [(_span(step), mine[step][side] if step in mine else 0) for step in steps]
            bars = _bars(named, _side_colours(side, steps), text("spread.hover", lang), steps[0])
            data.append({**bars, "yaxis": axis_of(place)})
    return _by_role(data, steps, lang)


def cumulated(found: Sequence[Row], lang: str) -> Values:
    """The share of hands that score at most so much, by role under both rule sets, rows as `distribution.sql` gives them."""
    steps = _steps(found)
    data = []
    for place, role in enumerate(ROLE_NAMES):
        mine = {row["step"]: row for row in found if row["role"] == role}
        for side in SIDES:
            counts = [mine[step][side] if step in mine else 0 for step in steps]
            total = sum(counts) or 1
            shares = [round(100 * sum(counts[: last + 1]) / total, 2) for last in range(len(steps))]
            line = {"shape": "hv", "color": f"var(--chart-{side})", "width": 3 if side == "baseline" else 1.5}
            data.append({
                "type": "scatter", "mode": "lines", "x0": steps[0],
                    "dx": 1, "y": shares, "line": line, "yaxis": axis_of(place),
                "hovertemplate": "%{y:.1f}%<extra></extra>",
            })  # fmt: skip
    return _by_role(data, steps, lang)


def multipliers(found: Sequence[Row], baseline: str, other: str, lang: str) -> Values:
    """Hands by doubling of the multiplier under both rule sets, rows as `multipliers.sql` gives them."""
    counted = {side: _by_doubling(found, name) for side, name in zip(SIDES, (baseline, other), strict=True)}
    places = list(range(max((max(each, default=0) for each in counted.values()), default=0) + 1))
    names = [f"×{2**n}" if n == 0 else f"×{2**n:,}–{2 ** (n + 1) - 1:,}" for n in places]
    data = [
        _bars([(name, each.get(n, 0)) for n, name in enumerate(names)], f"var(--chart-{side})", text("multipliers.hover", lang))
        for side, each in counted.items()
    ]  # fmt: skip
    xaxis = titled(text("multipliers.multiplier", lang), zeroline=False, tickvals=places, ticktext=names)
    yaxis = titled(text("spread.share", lang), ticksuffix="%", rangemode="tozero", nticks=5)
    return chart(data, 300, xaxis=xaxis, yaxis=yaxis)


def doublings(found: Sequence[Row], baseline: str, other: str, lang: str) -> Values:
    """What the last doubling was worth on average, by how many there were, rows as `caps.sql` gives them."""
    data, worth = [], []
    for side, name in zip(SIDES, (baseline, other), strict=True):
        mine = [row for row in found if row["rule_set"] == name and row["last_doubling"] is not None]
        worth += [row["last_doubling"] for row in mine]
        data.append({
            "type": "bar", "x": [row["doublings"] for row in mine], "y": [number(row["last_doubling"]) for row in mine],
            "customdata": [[exact(row["last_doubling"]), exact(row["hands"])] for row in mine],
            "hovertemplate": text("caps.hover", lang) + "<extra></extra>", "marker": {"color": f"var(--chart-{side})"},
        })  # fmt: skip
    xaxis = titled(text("caps.doublings", lang), zeroline=False, dtick=1)
    return chart(data, 300, xaxis=xaxis, yaxis=titled(text("caps.axis", lang), **ticks(worth, lang)))


def contributions(found: Sequence[Row], lang: str) -> Values:
    """From the landlord's mean under the baseline, a step for each part, to that under the other; rows of schema ATTRIBUTED."""
    hands = found[0]["hands"] or 1
    steps = [row["landlord"] / hands for row in found]
    before = found[0]["landlord_baseline"] / hands
    reached = [sum(steps[:place], before) for place in range(len(steps) + 1)]
    ends = [text(f"contributions.{end}", lang) for end in ("before", "after")]
    hover = [
        exact(round(before, 4)),
        *(_step_hover(row, lang) for row in found),
        exact(round(reached[-1], 4)),
    ]
    colours = [f"var(--{'gain' if step > 0 else 'loss'})" for step in steps]
    bar = {
        "type": "bar", "orientation": "h", "y": [ends[0], *(part_text(row["part"], lang) for row in found), ends[1]],
        "x": [number(part) for part in (before, *steps, reached[-1])], "base": [0, *(number(place) for place in reached[:-1]), 0],
        "customdata": hover, "hovertemplate": "%{y}<br>%{customdata}<extra></extra>",
        "marker": {"color": ["var(--chart-baseline)", *colours, "var(--chart-other)"]},
    }  # fmt: skip
    xaxis = titled(text("contributions.axis", lang), **ticks(reached, lang))
    return lying([bar], 110 + 30 * len(bar["y"]), xaxis=xaxis, yaxis={"autorange": "reversed"})


def part_text(part: str, lang: str) -> str:
    """A part of the difference: a parameter by its key, or what several of them concern."""
    return part if "." in part else text(f"concern.{part}", lang)


def _step_hover(row: Row, lang: str) -> str:
    each = signed(round(row["landlord"] / (row["hands"] or 1), 4))
    return text("contributions.hover", lang, each=each, all=signed(row["landlord"]))


def _steps(found: Sequence[Row]) -> list[int]:
    present = [row["step"] for row in found]
    return list(range(min(present, default=0), max(present, default=0) + 1))


def _by_role(data: list[Values], steps: list[int], lang: str) -> Values:
    """A chart with a row for each role over the steps of the score."""
    marked = [step for step in steps if step == 0 or abs(step) % 2 == 0]
    xaxis = titled(
        text("spread.axis", lang), tickvals=marked, ticktext=[_mark(step, lang) for step in marked]
    )
    yaxes = [{"ticksuffix": "%", "rangemode": "tozero", "nticks": 4}] * len(ROLE_NAMES)
    names = [
        {
            "text": text(f"role.{role}", lang), "showarrow": False, "xref": "paper", "yref": f"{axis_of(place)} domain",
            "x": 0.006, "y": 0.98, "xanchor": "left", "yanchor": "top", "font": {"size": 13, "color": "var(--ink)"},
        }
        for place, role in enumerate(ROLE_NAMES)
    ]  # fmt: skip
    return chart(data, 560, annotations=names, **rows(len(ROLE_NAMES), 0.07, xaxis, yaxes))


def _bars(named: Sequence[tuple[str, int]], colour: str | list[str], hover: str, first: int = 0) -> Values:
    """Shares of hands in per cent at `first` and on, what is counted in each and how many hands to point at."""
    total = sum(hands for _, hands in named) or 1
    return {
        "type": "bar", "x0": first, "dx": 1, "y": [number(round(100 * hands / total, 4)) for _, hands in named],
        "text": [name for name, _ in named], "textposition": "none", "customdata": [f"{hands:,}" for _, hands in named],
        "hovertemplate": f"{hover}<extra></extra>", "marker": {"color": colour},
    }  # fmt: skip


def _span(step: int) -> str:
    """The scores of one step in signs."""
    if step == 0:
        return "0"
    low, high = bounds(abs(step))
    return f"[{low:,}, {high:,})" if step > 0 else f"({MINUS}{high:,}, {MINUS}{low:,}]"


def _side_colours(side: str, steps: list[int]) -> str | list[str]:
    if side == "baseline":
        return "var(--chart-baseline)"
    return [f"var(--{'gain' if step > 0 else 'loss' if step < 0 else 'chart-other'})" for step in steps]


def _mark(step: int, lang: str) -> str:
    sign = MINUS if step < 0 else ""
    return sign + on_axis(bounds(abs(step))[0], lang) if step else "0"


def _by_doubling(found: Sequence[Row], rule_set: str) -> dict[int, int]:
    """Hands by how often two goes into their multiplier; hands that were not played have none."""
    counted: dict[int, int] = {}
    for row in found:
        if row["rule_set"] == rule_set and row["multiplier"]:
            place = row["multiplier"].bit_length() - 1
            counted[place] = counted.get(place, 0) + row["hands"]
    return counted
