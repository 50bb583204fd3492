"""A row of the benchmark: what was measured, beside what, and what it should come to; a table of rows for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from tests.bench.measuring import Cost

_FORM = "{:5} {:58} {:>9} {:>9}  {:46} {:>12}  {}"
HEAD = _FORM.format("row", "what", "value", "cpu", "beside", "target", "met?")


@dataclass(frozen=True)
class Row:
    """One figure: `value` in `unit`, which is x for a ratio of wall clocks (then `cpu` is that of processor time).

    `target` is the most it may be, with `at_least` the least, None where there is none; `processes` how many work at once; `how`
    says how often it was measured; `ours` and `theirs` are the costs that were measured.
    """

    key: str
    what: str
    value: float
    unit: str
    beside: str
    hands: int
    processes: int
    how: str
    cpu: float | None = None
    target: float | None = None
    at_least: bool = False
    ours: Cost | None = None
    theirs: Cost | None = None

    @property
    def met(self) -> str:
        """Whether the target is met, else by what factor it is missed; empty where there is none."""
        if self.target is None:
            return ""
        missed = self.target / self.value if self.at_least else self.value / self.target
        return "met" if missed <= 1 else f"missed, {missed:.2f} x the target"

    @property
    def aim(self) -> str:
        """The target in words."""
        if self.target is None:
            return ""
        return f"{'>=' if self.at_least else '<='} {shown(self.target, self.unit)}"

    def line(self) -> str:
        """The row for people."""
        cpu = "" if self.cpu is None else shown(self.cpu, "x")
        value = shown(self.value, self.unit)
        return _FORM.format(self.key, self.what, value, cpu, self.beside, self.aim, self.met).rstrip()

    def told(self) -> dict[str, Any]:
        """The row for programs."""
        return {**asdict(self), "met": self.met}


def ratio(ours: Cost, theirs: Cost) -> dict[str, Any]:
    """The fields of a row that is a ratio of two costs."""
    cpu = ours.cpu / max(theirs.cpu, 1e-9)
    return {"value": ours.wall / theirs.wall, "unit": "x", "cpu": cpu, "ours": ours, "theirs": theirs}


def best_of(rounds: int) -> str:
    """How a figure was measured that is the best of some rounds."""
    return "once" if rounds == 1 else f"best of {rounds} rounds in turn"


def shown(value: float, unit: str) -> str:
    """A figure with its unit, not more exact than it is."""
    digits = 0 if value >= 100 else 1 if value >= 20 else 2
    return f"{value:,.{digits}f} {unit}"


def row_of(told: dict[str, Any]) -> Row:
    """A row as `told` gave it."""
    fields = {name: value for name, value in told.items() if name != "met"}
    costs = {name: Cost(**fields[name]) for name in ("ours", "theirs") if fields[name] is not None}
    return Row(**{**fields, **costs})


def table(rows: Iterable[Row]) -> str:
    """All rows, a line each."""
    return "\n".join([HEAD, *(row.line() for row in rows)])
