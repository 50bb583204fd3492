"""What every chart shares: the figure as plain values for plotly.js, round numbers on its axes, both languages of it in one.

Only counts, amounts and names of rule sets come into charts; names are escaped, because plotly reads some HTML in its texts. What
all figures have in common stands once, in COMMON, and is put together with each by the page's script.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import count
from typing import Any

from ddz_analytics.answers.plain import inert
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.report.wording import MINUS, exact, on_axis

Row = Mapping[str, Any]
Values = dict[str, Any]
_FONT = 'system-ui, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'
_AXIS = {
    "gridcolor": "var(--line)", "zerolinecolor": "var(--line)", "linecolor": "var(--line)", "fixedrange": True, "automargin": True,
}  # fmt: skip
COMMON = {
    "layout": {
        "barmode": "group", "bargap": 0.25, "bargroupgap": 0.05, "showlegend": False,
        "margin": {"l": 54, "r": 12, "t": 12, "b": 48},
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": _FONT, "size": 12, "color": "var(--soft)"},
        "hoverlabel": {"bgcolor": "var(--panel)", "bordercolor": "var(--line)", "font": {"color": "var(--ink)"}},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    },
    "xaxis": {**_AXIS, "showgrid": False},
    "yaxis": {**_AXIS, "showgrid": True},
}  # fmt: skip


def chart(data: Sequence[Values], height: int, **layout: Any) -> Values:
    """A figure; `layout` has at least its axes (`xaxis`, `yaxis`), which are those of COMMON unless they say otherwise."""
    return {"data": list(data), "layout": {"xaxis": {}, "yaxis": {}, "height": height, **layout}}


def lying(data: Sequence[Values], height: int, **layout: Any) -> Values:
    """A figure of bars that lie on their side."""
    xaxis = {"showgrid": True, **layout.pop("xaxis", {})}
    yaxis = {"showgrid": False, **layout.pop("yaxis", {})}
    return chart(data, height, xaxis=xaxis, yaxis=yaxis, **layout)


def rows(numbers: int, gap: float, xaxis: Values, yaxes: Sequence[Values]) -> Values:
    """The axes of `numbers` charts one below the other over one x axis, whose marks stand under the lowest; traces name `y`, `y2`, …"""
    size = (1 - gap * (numbers - 1)) / numbers
    found: Values = {}
    for place, yaxis in enumerate(yaxes):
        top = 1 - place * (size + gap)
        found[f"yaxis{place + 1 if place else ''}"] = {
            **yaxis,
            "domain": [round(max(top - size, 0), 4), round(top, 4)],
        }
    return {"xaxis": {**xaxis, "anchor": f"y{numbers if numbers > 1 else ''}"}, **found}


def axis_of(place: int, letter: str = "y") -> str:
    """The name by which a trace calls an axis, counted from 0."""
    return letter if place == 0 else f"{letter}{place + 1}"


def titled(words: str, **more: Any) -> Values:
    """An axis with a title."""
    return {"title": {"text": words, "standoff": 10}, **more}


def in_both(found: Sequence[Any]) -> Any:
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


def number(value: Decimal | float | None) -> float | int | None:
    """A number to draw, with the digits that do not depend on the order in which it was added up."""
    if value is None:
        return None
    found = float(f"{float(value):.10g}")
    return int(found) if found.is_integer() else found


def marks(values: Sequence[Decimal | float | None]) -> list[Decimal]:
    """At most seven round numbers from zero or the smallest value to zero or the largest, or just beyond."""
    known = [Fraction(value) for value in values if value is not None]
    low, high = min([*known, Fraction()]), max([*known, Fraction()])
    if low == high:
        return [Decimal(0), Decimal(1)]
    least = (high - low) / 5
    power = math.floor(math.log10(least)) - 1
    steps = (factor * Fraction(10) ** place for place in count(power) for factor in (1, 2, 5))
    step = next(step for step in steps if step >= least)
    places = [place * step for place in range(math.floor(low / step), math.ceil(high / step) + 1)]
    return [Decimal(place.numerator) / Decimal(place.denominator) for place in places]


def mark_text(mark: Decimal, lang: str) -> str:
    """A number on an axis, in Chinese in 万 and 亿."""
    if mark != mark.to_integral_value():
        return exact(mark)
    return (MINUS if mark < 0 else "") + on_axis(abs(int(mark)), lang)


def ticks(values: Sequence[Decimal | float | None], lang: str) -> Values:
    """The marks of an axis on which these values stand."""
    places = marks(values)
    return {
        "tickvals": [number(mark) for mark in places],
        "ticktext": [mark_text(mark, lang) for mark in places],
    }
