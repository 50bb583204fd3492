"""`python -m tests.bench.page [FILE…]`: keeps what was measured in docs/benchmarks/, and writes the two pages that tell of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tests.bench.row import row_of, shown

DOCS = Path(__file__).parents[2] / "docs"
KEPT = DOCS / "benchmarks"
MACHINES = (("laptop", 2), ("laptop", 8), ("server", 64))
SAID = {
    "json.loads": "Python's `json.loads` of the log, for comparison",
    "parse": "read and check `ddz/1`",
    "write hands": "write hands",
    "replay": "replay",
    "settle": "settle, one rule set, not written",
    "ingest": "the command `ingest`",
    "rescore": "the command `rescore`, one rule set",
    "compare": "the command `compare`, eight rule sets",
    "report": "the command `report`, eight rule sets",
}


def documents() -> dict[str, str]:
    """The pages by their names in the project, of the runs that are kept."""
    files = sorted(KEPT.glob("*.json"), key=lambda file: int(file.stem))
    runs = [json.loads(file.read_text("utf-8")) for file in files]
    pages = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined,
        keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    pages.filters |= {"size": size, "count": count, "seconds": seconds, "shown": shown}
    told = [run | {"rows": [row_of(row) for row in run["rows"]]} for run in runs]
    return {
        "docs/benchmarks.md": pages.get_template("benchmarks.md.j2").render(runs=told),
        "docs/capacity.md": pages.get_template("capacity.md.j2").render(_capacity(runs[-1])),
    }


def _capacity(run: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of capacity tells."""
    known = run["capacity"]
    rates, rule_sets, whole = known["rates"], known["rule_sets"], ("catalog", "report")
    speed = Speed(rates, known["serial"], rule_sets)
    return {
        **known,
        "run": run,
        "said": SAID,
        "machines": MACHINES,
        "a_hand": {name: size for name, size in known["bytes"].items() if name not in whole},
        "asked": {name: cost["wall"] for name, cost in known["answers"].items()},
        "per_hand": 1 / rates["replay"] + rule_sets / rates["rescore"],
        "hour": speed.hour,
        "both": speed.both,
    }


@dataclass(frozen=True)
class Speed:
    """How many hands an hour is enough for: of each one so much is left to one process, and the rest is divided by the cores."""

    rates: Mapping[str, float]
    serial: Mapping[str, float]
    rule_sets: int

    def hour(self, stage: str, cores: int) -> float:
        """Hands in an hour of one stage."""
        return 3600 / self._seconds(stage, cores)

    def both(self, cores: int) -> float:
        """Hands in an hour that are ingested, and scored under all rule sets."""
        return 3600 / (self._seconds("ingest", cores) + self.rule_sets * self._seconds("rescore", cores))

    def _seconds(self, stage: str, cores: int) -> float:
        return self.serial[stage] + (1 / self.rates[stage] - self.serial[stage]) / cores


def size(value: float) -> str:
    """Bytes for people."""
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return shown(value, unit)
        value /= 1000
    return shown(value, "TB")


def count(value: float) -> str:
    """A number for people."""
    for unit, of_these in (("billion", 1e9), ("million", 1e6)):
        if value >= of_these:
            return shown(value / of_these, unit)
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def seconds(value: float) -> str:
    """Seconds for people."""
    return shown(value, "s")


def main(files: Sequence[str]) -> None:
    """Keep some files, but not those that have only some of the rows; then write the pages."""
    KEPT.mkdir(exist_ok=True)
    for told in (json.loads(Path(file).read_text("utf-8")) for file in files):
        if told["whole"]:
            (KEPT / f"{told['hands']}.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    for name, text in documents().items():
        (DOCS.parent / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
