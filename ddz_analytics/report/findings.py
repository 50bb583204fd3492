"""The titles of charts: what each shows, as a sentence in plain words with its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from ddz_analytics.locale import LANGUAGES
from ddz_analytics.report.against import Against, Page
from ddz_analytics.report.drawing import Row
from ddz_analytics.report.figures import part_text
from ddz_analytics.report.grid import Grid
from ddz_analytics.report.orders import value_text
from ddz_analytics.report.wording import Both, exact, prose, say, share, signed


def spread(part: Against) -> Both:
    """What landlords get on average, and how many hands change."""
    for row in part.roles:
        if row["role"] == "landlord":
            found = part.changed
            return say(
                "finding.spread",
                before=exact(row["mean_baseline"]),
                after=exact(row["mean_other"]),
                share=share(found["changed"], found["hands"]),
            )
    return say("finding.nothing")


def cumulated(part: Against) -> Both:
    """How many landlords lose."""
    rows = [row for row in part.content.rows("distribution", part.rules.id) if row["role"] == "landlord"]
    before, after = (
        share(sum(row[side] for row in rows if row["step"] < 0), sum(row[side] for row in rows))
        for side in ("baseline", "other")
    )
    return say("finding.cumulated", before=before, after=after, **part.names)


def multipliers(part: Against) -> Both:
    """How far the multiplier goes."""
    before, after = (
        exact(max((row["multiplier"] or 0 for row in part.content.rows("multipliers", name)), default=0))
        for name in part.ids
    )
    return say("finding.multipliers", before=before, after=after, **part.names)


def doublings(part: Against) -> Both:
    """What the last doubling is worth where both rule sets have most of them."""
    worth = [
        {
            row["doublings"]: row["last_doubling"]
            for row in part.content.rows("caps", name)
            if row["doublings"]
        }
        for name in part.ids
    ]
    both = set(worth[0]) & set(worth[1])
    if not both:
        return say("finding.doublings_one")
    most = max(both)
    return say(
        "finding.doublings",
        number=most,
        before=exact(worth[0][most]),
        after=exact(worth[1][most]),
        **part.names,
    )


def contributions(part: Against) -> Both:
    """Which part moves the landlord's mean most."""
    row = max(part.contributions, key=lambda row: abs(row["landlord"]))
    name = Both(*(part_text(row["part"], lang) for lang in LANGUAGES))
    return say(
        "finding.contributions", part=name, amount=signed(round(row["landlord"] / (row["hands"] or 1), 4))
    )


def days(part: Against) -> Both:
    """What winners win and the house takes in all."""
    found = part.changed
    return say(
        "finding.days",
        **{
            name: prose(found[name])
            for name in ("won_baseline", "won_other", "house_baseline", "house_other")
        },
    )


def house(page: Page) -> Both:
    """Where the house takes most."""
    row = max(page.content.rows("house"), key=lambda row: row["net"])
    return say("finding.house", rules=page.name(row["rule_set"]), amount=prose(row["net"]))


def liability(page: Page) -> Both:
    """Where a peasant on autoplay loses most."""
    rows = [row for row in page.content.rows("autoplay_losses") if row["status"] == "autoplay"]
    if not rows:
        return say("liability.caption")
    row = min(rows, key=lambda row: row["mean"])
    return say("finding.liability", rules=page.name(row["rule_set"]), amount=exact(-row["mean"]))


def flows(part: Against) -> Both:
    """What answering for autoplay moves."""
    before, after = (
        prose(sum((row["moved"] for row in part.content.rows("liability", name)), Decimal()))
        for name in part.ids
    )
    return say("finding.flows", before=before, after=after, **part.names)


def balances(page: Page) -> Both:
    """Where most seats are left with nothing."""
    rows = page.content.rows("balances")
    if not rows:
        return say("finding.refused")
    row = max(rows, key=lambda row: row["ruins"])
    return say("finding.balances", rules=page.name(row["rule_set"]), number=exact(row["ruins"]))


def groups(part: Against, by: str) -> Both:
    """Which group's landlords are moved most."""
    rows = [row for row in part.groups(by) if row["role"] == "landlord" and row["mean_difference"]]
    if not rows:
        return say("finding.groups_same")
    row = max(rows, key=lambda row: abs(row["mean_difference"]))
    return say(f"finding.{by}", value=row["value"], amount=signed(row["mean_difference"]))


def standings(rows: Iterable[Row]) -> Both:
    """How many places change, and how many players cross the cut."""
    found = list(rows)
    counts = {name: exact(sum(row[name] for row in found)) for name in ("moved", "players", "only_other")}
    return say("finding.standings", matches=exact(len(found)), **counts)


def grid(found: Grid) -> Both:
    """Between which ends the landlord's mean moves, and where."""
    rows = [row for row in found.rows if row["landlord_change"] is not None]
    if not rows:
        return say("finding.nothing")
    low, high = (choose(rows, key=lambda row: row["landlord_change"]) for choose in (min, max))
    values = {"low_at": _point(found, low), "high_at": _point(found, high)}
    return say(
        "finding.grid", low=signed(low["landlord_change"]), high=signed(high["landlord_change"]), **values
    )


def _point(found: Grid, row: Row) -> Both:
    """The values of a point of a grid, each with its parameter."""
    return Both(
        *(
            ", ".join(
                f"{key} = {value_text(value, lang)}"
                for key, value in zip(found.keys, row["values"], strict=True)
            )
            for lang in LANGUAGES
        )
    )


FINDINGS = {
    "spread": spread, "cumulated": cumulated, "multipliers": multipliers, "doublings": doublings, "contributions": contributions,
    "days": days, "house": house, "liability": liability, "flows": flows, "balances": balances, "groups": groups,
    "standings": standings, "grid": grid,
}  # fmt: skip
