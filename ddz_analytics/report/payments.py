"""The charts of payments: the house and its days, who answers for autoplay, who pays whom, whom balances ruin."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from ddz_analytics.locale import text
from ddz_analytics.report.drawing import (
    Row,
    Values,
    axis_of,
    chart,
    label,
    lying,
    number,
    rows,
    ticks,
    titled,
)
from ddz_analytics.report.wording import exact

HOUSE_PARTS = {"rake": "--part-1", "fee": "--part-2", "forfeit": "--part-3", "fine": "--part-4"}
COUNTS = {"refused": "--part-1", "cut_hands": "--part-2", "ruins": "--part-3"}
PARTIES = ("landlord", "autoplay", "partner", "came_back", "peasant", "house")
_UPWARDS = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "reversed"}
Titles = dict[str, str]  # the names of rule sets by id, in order from the top


def house(found: Sequence[Row], titles: Titles, lang: str) -> Values:
    """What the house takes under each rule set, by kind."""
    by_id = {row["rule_set"]: row for row in found}
    order = [name for name in reversed(titles) if name in by_id]
    data = [
        _bar(
            [titles[name] for name in order],
            [by_id[name][part] for name in order],
            text(f"house.{part}", lang),
            colour,
        )
        for part, colour in HOUSE_PARTS.items()
        if any(by_id[name][part] for name in order)
    ]
    totals = [sum(by_id[name][part] for part in HOUSE_PARTS) for name in order]
    xaxis = titled(text("house.axis", lang), **ticks(totals, lang))
    return lying(data, 120 + 36 * len(order), barmode="stack", showlegend=True, xaxis=xaxis)


def days(found: Sequence[Row], lang: str) -> Values:
    """What winning seats win and what the house takes by local day, before and after; rows as `days.sql` gives them."""
    data, yaxes = [], []
    for place, what in enumerate(("moved", "house")):
        amounts = {side: [row[f"{what}_{side}"] for row in found] for side in ("baseline", "other")}
        for side, each in amounts.items():
            data.append({
                "type": "bar", "x": [str(row["local_day"]) for row in found], "y": [number(amount) for amount in each],
                "customdata": [exact(amount) for amount in each], "hovertemplate": "%{x}: %{customdata}<extra></extra>",
                "marker": {"color": f"var(--chart-{side})"}, "yaxis": axis_of(place),
            })  # fmt: skip
        every = [amount for each in amounts.values() for amount in each]
        yaxes.append(titled(text(f"days.{what}", lang), **ticks(every, lang)))
    return chart(data, 360, **rows(2, 0.12, {"type": "category", "nticks": 12}, yaxes))


def autoplay(found: Sequence[Row], titles: Titles, lang: str) -> Values:
    """What peasants on autoplay and their partners lose on average, with intervals; rows as `autoplay_losses.sql` gives them."""
    by_seat = {(row["rule_set"], row["status"]): row for row in found}
    order = [name for name in reversed(titles) if (name, "autoplay") in by_seat]
    data = []
    for status, colour in (("partner", "--part-2"), ("autoplay", "--part-3")):
        mine = [by_seat[name, status] for name in order if (name, status) in by_seat]
        bar = _bar(
            [titles[row["rule_set"]] for row in mine],
            [row["mean"] for row in mine],
            text(f"party.{status}", lang),
            colour,
        )
        bar["customdata"] = [[exact(row["mean"]), exact(row["seats"]), interval(row, lang)] for row in mine]
        bar["hovertemplate"] = text("liability.hover", lang) + "<extra></extra>"
        bar["error_x"] = {
            "type": "data", "symmetric": False, "color": "var(--soft)", "thickness": 1, "width": 3,
            "array": [0 if row["high"] is None else number(row["high"] - row["mean"]) for row in mine],
            "arrayminus": [0 if row["low"] is None else number(row["mean"] - row["low"]) for row in mine],
        }  # fmt: skip
        data.append(bar)
    ends = [row[end] for row in found for end in ("mean", "low", "high")]
    xaxis = titled(text("liability.axis", lang), **ticks(ends, lang))
    return lying(data, 130 + 46 * len(order), showlegend=True, legend=_UPWARDS, xaxis=xaxis)


def interval(row: Row, lang: str) -> str:
    """An interval in words; that there is too little to give one."""
    return (
        text("intervals.few", lang) if row["low"] is None else f"{exact(row['low'])} … {exact(row['high'])}"
    )


def flows(found: Sequence[Row], baseline: str, other: str, lang: str) -> Values:
    """Who pays whom under both rule sets, two matrices side by side; rows as `flows.sql` gives them."""
    present = {party for row in found for party in (row["payer"], row["receiver"])}
    receivers = [party for party in PARTIES if party in present]
    payers = [party for party in receivers if any(row["payer"] == party for row in found)]
    across = [text(f"party.{party}", lang).replace(" ", "<br>") for party in receivers]
    down = [text(f"party.{party}", lang) for party in payers]
    amounts = [_matrix(found, name, payers, receivers) for name in (baseline, other)]
    most = (
        number(max((cell for matrix in amounts for line in matrix for cell in line), default=Decimal())) or 1
    )
    data = [
        {
            "type": "heatmap", "x": across, "y": down, "xaxis": axis_of(place, "x"), "z": [[number(cell) or None for cell in line] for line in matrix],
            "text": [[exact(cell) if cell else "" for cell in line] for line in matrix], "texttemplate": "%{text}",
            "hovertemplate": "%{y} → %{x}: %{text}<extra></extra>", "textfont": {"color": "var(--ink)"},
            "zmin": 0, "zmax": most, "showscale": False, "xgap": 2, "ygap": 2,
            "colorscale": [[0, "var(--hover)"], [1, "var(--gain-soft)"]],
        }
        for place, matrix in enumerate(amounts)
    ]  # fmt: skip
    axes = [{"side": "top", "tickangle": 0, "domain": domain} for domain in ([0, 0.49], [0.51, 1])]
    yaxis = {"autorange": "reversed", "showgrid": False}
    return chart(data, 140 + 38 * len(payers), xaxis=axes[0], xaxis2=axes[1], yaxis=yaxis)


def _matrix(
    found: Sequence[Row], rule_set: str, payers: list[str], receivers: list[str]
) -> list[list[Decimal]]:
    """What each payer (a line) pays to each receiver (a column), whatever for."""
    amounts: dict[tuple[str | None, str | None], Decimal] = {}
    for row in found:
        if row["rule_set"] == rule_set:
            flow = (row["payer"], row["receiver"])
            amounts[flow] = amounts.get(flow, Decimal()) + row["amount"]
    return [[amounts.get((payer, receiver), Decimal()) for receiver in receivers] for payer in payers]


def balances(refused: Sequence[Row], kept: Sequence[Row], titles: Titles, lang: str) -> Values:
    """Refused doubles, hands that balances cut and ruined seats by rule set; rows as `refusals.sql` and `balances.sql` give them."""
    by_id = {row["rule_set"]: dict(row) for row in refused}
    for row in kept:
        by_id.setdefault(row["rule_set"], {}).update(row)
    order = [name for name in reversed(titles) if name in by_id]
    counts = {what: [by_id[name].get(what) for name in order] for what in COUNTS}
    data = [
        _bar([titles[name] for name in order], each, text(f"balances.{what}", lang), COUNTS[what])
        for what, each in counts.items()
        if any(each)
    ]
    xaxis = titled(
        text("balances.axis", lang), **ticks([each for found in counts.values() for each in found], lang)
    )
    return lying(data, 130 + 52 * len(order), showlegend=True, legend=_UPWARDS, xaxis=xaxis)


def _bar(names: Sequence[str], amounts: Sequence[Decimal | int | None], name: str, colour: str) -> Values:
    return {
        "type": "bar", "orientation": "h", "y": [label(each) for each in names], "x": [number(amount) for amount in amounts],
        "name": name, "customdata": [exact(amount) for amount in amounts],
        "hovertemplate": "%{fullData.name}: %{customdata}<extra></extra>", "marker": {"color": f"var({colour})"},
    }  # fmt: skip
