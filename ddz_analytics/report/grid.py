"""A grid of rule sets: what one or two parameters bring, value by value, counted on distinct facts without storing a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ddz_analytics.compared import FEW, Wanted, refuse_in_a_sweep
from ddz_analytics.distinct import Read
from ddz_analytics.rules import RuleSet, parameters
from ddz_analytics.sweep import sweep

if TYPE_CHECKING:
    from ddz_analytics.rescore import Scenario

MEASURES = ("landlord_change", "changed_share", "house", "liability_moved", "autoplay_mean", "partner_mean")
DRAWN = 2  # parameters
SHOWN = 8  # variants of a large grid that are shown in full


@dataclass(frozen=True)
class Grid:
    """The parameters that vary (`keys`), the values of each (`axes`), and a row of `sweep` for each variant with its `values`."""

    keys: tuple[str, ...]
    axes: tuple[tuple[object, ...], ...]
    rows: list[dict[str, Any]]

    @property
    def measures(self) -> list[str]:
        """What is worth drawing: the first two, and what is not the same everywhere."""
        varied = {name for name in MEASURES if len({row[name] for row in self.rows}) > 1}
        return [name for name in MEASURES if name in varied or name in MEASURES[:2]][:4]

    @property
    def is_drawn(self) -> bool:
        """Whether it has one or two parameters, and each point once."""
        return 0 < len(self.keys) <= DRAWN and len({_key(row["values"]) for row in self.rows}) == len(
            self.rows
        )

    def number(self, values: Sequence[object], measure: str) -> Decimal | None:
        """A measure at a point of the grid."""
        found = (row[measure] for row in self.rows if _key(row["values"]) == _key(values))
        return next(found, None)


def shown_in_full(others: list[RuleSet], settings: Sequence[str], balances: Scenario) -> list[RuleSet]:
    """The rule sets that the report scores and shows hand by hand: of a large grid those at its corners.

    Raises UsageError `too_many_variants`.
    """
    if not settings or len(others) < FEW:
        return others
    refuse_in_a_sweep(len(others), Wanted(balances))
    return corners(others, settings)


def grid_of(read: Read, baseline: RuleSet, variants: Sequence[RuleSet], settings: Sequence[str]) -> Grid:
    """What a grid brings; parameters with a single value are no axis of it."""
    named = [setting.partition("=")[0].strip() for setting in settings]
    values = {rules.id: parameters(rules) for rules in variants}
    keys = [key for key in named if len({str(found[key]) for found in values.values()}) > 1]
    axes = tuple(tuple(dict.fromkeys(_plain(found[key]) for found in values.values())) for key in keys)
    rows = []
    for row in sweep(read, baseline, variants).to_pylist()[1:]:
        hands = row["exact"] + row["projected"]
        share = round(Decimal(100 * row["changed_hands"]) / hands, 2) if hands else None
        rows.append(
            {**row, "changed_share": share, "values": [_plain(values[row["rule_set"]][key]) for key in keys]}
        )
    return Grid(tuple(keys), axes, rows)


def corners(variants: Sequence[RuleSet], settings: Sequence[str]) -> list[RuleSet]:
    """The variants at the ends of every parameter, which are shown in full where a grid is too large to show all."""
    named = [setting.partition("=")[0].strip() for setting in settings]
    values = [[_plain(parameters(rules)[key]) for key in named] for rules in variants]
    ends = [{axis[0], axis[-1]} for axis in zip(*values, strict=True)]
    found = [
        rules
        for rules, mine in zip(variants, values, strict=True)
        if all(value in end for value, end in zip(mine, ends, strict=True))
    ]
    return found[:SHOWN]


def _plain(value: object) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else value


def _key(values: Sequence[object]) -> str:
    """A point as a text, which tells 1 from true."""
    return repr(list(values))
