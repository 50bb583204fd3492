"""What capacity is worked out from: bytes a hand at each stage, and hands a second of one core at each stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ddz_analytics.ingest.parsing import ParseTask, parse_pieces
from ddz_analytics.ingest.planning import Planner
from ddz_analytics.ingest.sources import Found
from ddz_analytics.parsers import parsers
from ddz_analytics.replay import replay
from ddz_analytics.rules import load_rules, shipped_rules
from ddz_analytics.settlement.settle import settle
from ddz_analytics.store import CATALOG, open_store
from ddz_analytics.store.parts import read_part, write_part
from tests.bench.engine import some_facts
from tests.bench.measuring import here, in_turn
from tests.bench.world import COMPARED, World

ROUNDS = 3
STORED = ("hands", "facts", "plays", "issues", "episodes")


def sizes(world: World) -> dict[str, float]:
    """Bytes a hand: of the log, of the working files of an ingest, of each stored table, of the settlements of one rule set.

    `catalog` and `report` are bytes in all, however many hands there are.
    """
    store, ingested = open_store(world.store), world.ingested[1][0]
    hands = sum(part.rows for part in store.manifest.hands)
    settlements = {part.path: part.rows for part in store.manifest.settlements}
    assert world.answers
    return {
        "log": _bytes(world.logs) / world.hands,
        "working files of an ingest": ingested.most_files / world.hands,
        **{table: _bytes(store.paths(table)) / hands for table in STORED},
        "settlements, each rule set": _bytes(store.path / path for path in settlements)
        / sum(settlements.values()),
        "catalog": _bytes([store.path / CATALOG]),
        "report": _bytes([world.folder / "report.html"]),
    }


def rates(world: World) -> dict[str, float]:
    """Hands a second of processor time: of each stage in itself, and of the commands with all that they do.

    `settle` counts a hand once for each rule set; `compare` and `report` are of eight rule sets together.
    """
    hands = world.hands
    (two, _, known), scored = world.ingested[1], world.scored[1]
    return {
        "json.loads": hands / known.cpu,
        **_alone(world),
        "ingest": hands / two.cpu,
        "rescore": hands * len(shipped_rules()) / scored.cpu,
        **{name: hands / cost.cpu for name, cost in world.answers.items()},
    }


def serial(world: World) -> dict[str, float]:
    """Seconds of processor time a hand of the one process that the others work for; they do not get fewer with more cores."""
    hands = world.hands
    return {
        "ingest": world.ingested[1][0].root_cpu / hands,
        "rescore": world.scored[1].root_cpu / (hands * len(shipped_rules())),
    }


def _alone(world: World) -> dict[str, float]:
    """The stages in themselves, in this process: hands a second of processor time."""
    with world.room() as folder:
        parsed, parse = _parsing(world.logs[0], folder)
        part = read_part(open_store(world.store).paths("hands")[0])
        facts = some_facts(world.store)
        rule_sets = [load_rules(name) for name in shipped_rules()]

        def write() -> None:
            write_part(folder / "hands.parquet", "hands", [part])

        works = {
            "parse": (parsed, parse),
            "write hands": (len(part), write),
            "replay": (len(part), lambda: replay(part, parsers())),
            "settle": (
                len(facts) * len(rule_sets),
                lambda: [settle(facts, rules) for rules in rule_sets],
            ),
        }
        costs = in_turn(ROUNDS, *(here(work) for _, work in works.values()))
        return {
            name: number / cost.cpu for (name, (number, _)), cost in zip(works.items(), costs, strict=True)
        }


def _parsing(log: Path, folder: Path) -> tuple[int, Callable[[], object]]:
    """What parses the first piece of a log, and how many hands that has."""
    (plan,) = Planner([], None, reparse=False).plan(Found(log.name, log))
    hands, facts, rejected = (folder / f"{table}.arrow" for table in ("hands", "facts", "rejected"))
    task = ParseTask(plan.pieces[:1], hands, facts, rejected)
    return parse_pieces(task)[0].hands, lambda: parse_pieces(task)


def _bytes(files: Any) -> int:
    return sum(Path(file).stat().st_size for file in files)


def capacity(world: World) -> dict[str, Any]:
    """All of it, for the page."""
    return {
        "hands": world.hands,
        "rule_sets": len(shipped_rules()),
        "compared": len(COMPARED),
        "bytes": sizes(world),
        "rates": rates(world),
        "serial": serial(world),
        "answers": {name: asdict(cost) for name, cost in world.answers.items()},
    }
