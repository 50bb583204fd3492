"""`python -m tests.bench [--hands N] [--rows a,b] [--json FILE]`: measures, prints a table, and writes it as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from compileall import compile_dir
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ddz_analytics
from tests.bench import commands, engine, questions
from tests.bench.capacity import capacity
from tests.bench.machine import machine, versions
from tests.bench.row import HEAD, Row
from tests.bench.world import FEW, MANY, World

ROWS: Mapping[str, Callable[[World], Iterator[Row]]] = {
    "a": commands.ingest_ddz1,
    "b": commands.ingest_traces,
    "c": engine.replay_traces,
    "d": engine.settled,
    "e": commands.asked,
    "f": questions.asked,
    "f2": engine.settings,
    "g": commands.memory,
    "h": commands.start,
    "s": engine.simulated,
    "i": commands.increment,
    "v": commands.verified,
}
CAPACITY = "capacity"
LAST = ("i", "v")  # the one adds hands to the store, the other looks at what became of it


def rounds_for(hands: int) -> int:
    """How often what reads all hands is measured: the more there are, the less often, and the less it matters."""
    return 3 if hands <= FEW else 2 if hands <= MANY else 1


def measured(world: World, wanted: Sequence[str]) -> dict[str, Any]:
    """The rows that are wanted, printed as they come, with what they were measured on."""
    told: dict[str, Any] = {
        "when": datetime.now(UTC).date().isoformat(),
        "hands": world.hands,
        "machine": machine(),
        "versions": versions(),
        "rows": [],
    }
    print(HEAD)
    for key in wanted:
        if key == CAPACITY:
            told[CAPACITY] = capacity(world)
            continue
        for row in ROWS[key](world):
            print(row.line(), flush=True)
            told["rows"].append(row.told())
    return told


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--hands", type=int, default=FEW, help="how many hands the logs have")
    parser.add_argument(
        "--rows", default="", help=f"some of {','.join([*ROWS, CAPACITY])}; all of them otherwise"
    )
    parser.add_argument(
        "--rounds", type=int, help="how often each is measured; otherwise the more often, the fewer hands"
    )
    parser.add_argument("--json", type=Path, help="the file to write")
    asked = parser.parse_args(arguments)
    every = [*(key for key in ROWS if key not in LAST), CAPACITY, *LAST]
    wanted = [key for key in every if not asked.rows or key in asked.rows.split(",")]
    if unknown := set(filter(None, asked.rows.split(","))) - set(every):
        parser.error(f"no row is called {', '.join(sorted(unknown))}")
    compile_dir(Path(ddz_analytics.__file__).parent, quiet=1)  # as everything is that was installed
    with TemporaryDirectory(prefix="ddz-bench-") as folder:
        world = World(Path(folder), asked.hands, asked.rounds or rounds_for(asked.hands))
        told = {"whole": not asked.rows, **measured(world, wanted)}
    if asked.json is not None:
        asked.json.write_text(json.dumps(told, indent=1) + "\n")
        print(f"\nwritten to {asked.json}", file=sys.stderr)


if __name__ == "__main__":
    main()
