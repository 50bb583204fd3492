"""What every chart shares: how a figure is finished, round numbers on its axes, and both languages of it in one.

Only counts, amounts and names of rule sets come into charts; names are escaped, because plotly reads some HTML in its texts.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import count
from typing import Any

import msgspec
import plotly.graph_objects as go
import plotly.io as pio

from ddz_analytics.locale import LANGUAGES
from ddz_analytics.query import inert
from ddz_analytics.report.wording import MINUS, exact, on_axis

Row = Mapping[str, Any]
_FONT = 'system-ui, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'
_GRID = {"gridcolor": "var(--line)", "zerolinecolor": "var(--line)", "linecolor": "var(--line)"}


def finished(figure: go.Figure, height: int) -> object:
    """The figure as plain values, with what all charts have in common."""
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
    mapped = any(trace.type == "heatmap" for trace in figure.data)
    lying = any(trace.orientation == "h" for trace in figure.data if not mapped)
    figure.update_xaxes(**_GRID, fixedrange=True, showgrid=lying, title_standoff=10, automargin=True)
    figure.update_yaxes(**_GRID, fixedrange=True, showgrid=not (lying or mapped), automargin=True)
    return msgspec.json.decode(pio.to_json(figure, validate=False))


def legend(figure: go.Figure, **more: object) -> None:
    """Show what is what above the chart."""
    figure.update_layout(
        showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, **more}
    )


def in_both(found: Sequence[Any]) -> object:
    """Figures that differ in nothing but texts as one: a text that differs is an object with one text for each language."""
    first = found[0]
    if isinstance(first, dict) and all(
        isinstance(each, dict) and each.keys() == first.keys() for each in found
    ):
        return {key: in_both([each[key] for each in found]) for key in first}
    if isinstance(first, list) and all(isinstance(each, list) and len(each) == len(first) for each in found):
        return [in_both(list(each)) for each in zip(*found, strict=True)]
    return first if all(each == first for each in found) else dict(zip(LANGUAGES, found, strict=True))


def label(name: str) -> str:
    """The name of a rule set as a text in a chart."""
    return html.escape(inert(name), quote=False)


def number(value: Decimal | float | None) -> float | None:
    """A number to draw, with the digits that do not depend on the order in which it was added up."""
    return None if value is None else float(f"{float(value):.10g}")


def marks(values: Sequence[Decimal | float | None]) -> list[Decimal]:
    """At most seven round numbers from zero or the smallest value to zero or the largest, or just beyond."""
    known = [Fraction(value) for value in values if value is not None]
    low, high = min([*known, Fraction()]), max([*known, Fraction()])
    if low == high:
        return [Decimal(0), Decimal(1)]
    least = Fraction(high - low, 5)
    power = math.floor(math.log10(least)) - 1
    steps = (factor * Fraction(10) ** place for place in count(power) for factor in (1, 2, 5))
    step = next(step for step in steps if step >= least)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [
        Decimal((place * step).numerator) / Decimal((place * step).denominator)
        for place in range(first, last + 1)
    ]


def mark_text(mark: Decimal, lang: str) -> str:
    """A number on an axis, in Chinese in 万 and 亿."""
    if mark != mark.to_integral_value():
        return exact(mark)
    return (MINUS if mark < 0 else "") + on_axis(abs(int(mark)), lang)


def ticks(values: Sequence[Decimal | float | None], lang: str) -> dict[str, list[Any]]:
    """The marks of an axis on which these values stand."""
    places = marks(values)
    return {
        "tickvals": [number(mark) for mark in places],
        "ticktext": [mark_text(mark, lang) for mark in places],
    }
