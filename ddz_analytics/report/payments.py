"""The charts of payments: the house and its days, who answers for autoplay, who pays whom, whom balances ruin."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ddz_analytics.locale import text
from ddz_analytics.report.drawing import Row, finished, label, legend, number, ticks
from ddz_analytics.report.wording import exact

HOUSE_PARTS = {"rake": "--part-1", "fee": "--part-2", "forfeit": "--part-3", "fine": "--part-4"}
PARTIES = ("landlord", "autoplay", "partner", "came_back", "peasant", "house")
Titles = dict[str, str]  # the names of rule sets by id, in order from the top


def house(rows: Sequence[Row], titles: Titles, lang: str) -> object:
    """What the house takes under each rule set, by kind."""
    by_id = {row["rule_set"]: row for row in rows}
    order = [name for name in reversed(titles) if name in by_id]
    figure = go.Figure()
    for part, colour in HOUSE_PARTS.items():
        amounts = [by_id[name][part] for name in order]
        if any(amounts):
            hover = text("house.hover", lang)
            figure.add_trace(
                _lying([titles[name] for name in order], amounts, text(f"house.{part}", lang), colour, hover)
            )
    figure.update_layout(barmode="stack")
    legend(figure)
    totals = [sum(by_id[name][part] for part in HOUSE_PARTS) for name in order]
    figure.update_xaxes(title_text=text("house.axis", lang), **ticks(totals, lang))
    return finished(figure, 120 + 36 * len(order))


def days(rows: Sequence[Row], lang: str) -> object:
    """What winning seats win and what the house takes by local day, before and after; `rows` as `days.sql` gives them."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.12)
    for place, what in enumerate(("moved", "house"), start=1):
        for side in ("baseline", "other"):
            amounts = [row[f"{what}_{side}"] for row in rows]
            bars = go.Bar(
                x=[str(row["local_day"]) for row in rows],
                y=[number(amount) for amount in amounts],
                customdata=[exact(amount) for amount in amounts],
                hovertemplate=text("days.hover", lang) + "<extra></extra>",
                marker_color=f"var(--chart-{side})",
            )
            figure.add_trace(bars, row=place, col=1)
        both = [row[f"{what}_{side}"] for row in rows for side in ("baseline", "other")]
        figure.update_yaxes(title_text=text(f"days.{what}", lang), row=place, col=1, **ticks(both, lang))
    figure.update_xaxes(type="category", nticks=12)
    return finished(figure, 360)


def autoplay(rows: Sequence[Row], titles: Titles, lang: str) -> object:
    """What peasants on autoplay and their partners lose on average, with intervals; `rows` as `autoplay_losses.sql` gives them."""
    by_seat = {(row["rule_set"], row["status"]): row for row in rows}
    order = [name for name in reversed(titles) if (name, "autoplay") in by_seat]
    figure = go.Figure()
    for status, colour in (("partner", "--part-2"), ("autoplay", "--part-3")):
        found = [by_seat[name, status] for name in order if (name, status) in by_seat]
        names, means = [titles[row["rule_set"]] for row in found], [row["mean"] for row in found]
        bar = _lying(names, means, text(f"party.{status}", lang), colour, text("liability.hover", lang))
        bar.customdata = [[exact(row["mean"]), exact(row["seats"]), interval(row, lang)] for row in found]
        bar.error_x = {
            "type": "data", "symmetric": False, "color": "var(--soft)", "thickness": 1, "width": 3,
            "array": [number((row["high"] or row["mean"]) - row["mean"]) for row in found],
            "arrayminus": [number(row["mean"] - (row["low"] or row["mean"])) for row in found],
        }  # fmt: skip
        figure.add_trace(bar)
    legend(figure, traceorder="reversed")
    ends = [row[end] for row in rows for end in ("mean", "low", "high")]
    figure.update_xaxes(title_text=text("liability.axis", lang), **ticks(ends, lang))
    return finished(figure, 130 + 46 * len(order))


def interval(row: Row, lang: str) -> str:
    """An interval in words; that there is too little to give one."""
    return (
        text("intervals.few", lang) if row["low"] is None else f"{exact(row['low'])} … {exact(row['high'])}"
    )


def flows(rows: Sequence[Row], baseline: str, other: str, lang: str) -> object:
    """Who pays whom under both rule sets, two matrices side by side; `rows` as `flows.sql` gives them."""
    present = {party for row in rows for party in (row["payer"], row["receiver"])}
    parties = [party for party in PARTIES if party in present]
    payers = [party for party in parties if any(row["payer"] == party for row in rows)]
    names, across = ([text(f"party.{party}", lang) for party in some] for some in (payers, parties))
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.03)
    amounts = [_matrix(rows, rule_set, payers, parties) for rule_set in (baseline, other)]
    most = max((cell for matrix in amounts for line in matrix for cell in line), default=Decimal())
    for place, matrix in enumerate(amounts, start=1):
        figure.add_trace(
            go.Heatmap(
                x=[name.replace(" ", "<br>") for name in across], y=names, z=[[number(cell) or None for cell in line] for line in matrix],
                text=[[exact(cell) if cell else "" for cell in line] for line in matrix],
                texttemplate="%{text}", hovertemplate=text("flows.hover", lang) + "<extra></extra>",
                zmin=0, zmax=number(most) or 1, showscale=False, xgap=2, ygap=2,
                colorscale=[[0, "var(--hover)"], [1, "var(--gain-soft)"]], textfont={"color": "var(--ink)"},
            ), row=1, col=place,
        )  # fmt: skip
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(side="top", tickangle=0)
    return finished(figure, 140 + 38 * len(payers))


def _matrix(
    rows: Sequence[Row], rule_set: str, payers: list[str], receivers: list[str]
) -> list[list[Decimal]]:
    """What each payer (a line) pays to each receiver (a column), whatever for."""
    found: dict[tuple[str | None, str | None], Decimal] = {}
    for row in rows:
        if row["rule_set"] == rule_set:
            flow = (row["payer"], row["receiver"])
            found[flow] = found.get(flow, Decimal()) + row["amount"]
    return [[found.get((payer, receiver), Decimal()) for receiver in receivers] for payer in payers]


def balances(refused: Sequence[Row], kept: Sequence[Row], titles: Titles, lang: str) -> object:
    """Refused doubles, hands that balances cut and ruined seats by rule set; rows as `refusals.sql` and `balances.sql` give them."""
    by_id = {row["rule_set"]: dict(row) for row in refused}
    for row in kept:
        by_id.setdefault(row["rule_set"], {}).update(row)
    order = [name for name in reversed(titles) if name in by_id]
    figure = go.Figure()
    counts = {"refused": "--part-1", "cut_hands": "--part-2", "ruins": "--part-3"}
    for what, colour in counts.items():
        found = [by_id[name].get(what) for name in order]
        if not any(found):
            continue
        hover = text("balances.hover", lang)
        figure.add_trace(
            _lying([titles[name] for name in order], found, text(f"balances.{what}", lang), colour, hover)
        )
    legend(figure, traceorder="reversed")
    every = [by_id[name].get(what) for name in order for what in counts]
    figure.update_xaxes(title_text=text("balances.axis", lang), **ticks(every, lang))
    return finished(figure, 130 + 52 * len(order))


def _lying(
    names: Sequence[str], amounts: Sequence[Decimal | int | None], name: str, colour: str, hover: str
) -> go.Bar:
    return go.Bar(
        y=[label(each) for each in names],
        x=[number(amount) for amount in amounts],
        name=name,
        customdata=[exact(amount) for amount in amounts],
        hovertemplate=hover + "<extra></extra>",
        marker_color=f"var({colour})",
        orientation="h",
    )
