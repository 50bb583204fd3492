"""What the rows of a benchmark share: the logs, and a store of them with the costs of each stage; all of it made when first wanted."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path

from ddz_analytics.rules import shipped_rules
from tests.bench.logs import write_logs, write_traces
from tests.bench.measuring import Cost, Work, command, in_turn

DDZ = Path(sys.executable).with_name("ddz")
JOBS = 2
COMPARED = shipped_rules()[:8]  # the first is the baseline
FEW, MANY = 200_000, 1_000_000
MOST_TIMES_TEN = 2_000_000  # beyond so many hands memory is compared with a tenth of them


def ingesting(store: Path, paths: list[Path], jobs: int = JOBS, *, anew: bool = True) -> Work:
    """An ingest, into a new store or into the one that there is."""

    def clear() -> None:
        if anew:
            shutil.rmtree(store, ignore_errors=True)

    return command([DDZ, "ingest", "--quiet", "--store", store, "--jobs", jobs, *paths], store, clear)


def rescoring(store: Path, rules: str = "all") -> Work:
    """A re-scoring of what is missing."""
    return command([DDZ, "rescore", "--quiet", "--store", store, "--jobs", JOBS, "--rules", rules], store)


def loading(paths: list[Path]) -> Work:
    """Python's json.loads of every line."""
    return command([sys.executable, "-m", "tests.bench.loads", *paths])


@dataclass
class World:
    """A folder with logs of `hands` hands, and a store of them."""

    folder: Path
    hands: int
    rounds: int
    _numbers: Iterator[int] = field(default_factory=count)

    @cached_property
    def logs(self) -> list[Path]:
        """The `ddz/1` logs."""
        return write_logs(self.folder / "logs", self.hands)

    @cached_property
    def traces(self) -> Path:
        """A log of `rlcard-trace`, of no more hands than take a moment."""
        return write_traces(self.folder / "traces" / "bench.jsonl", min(self.hands, FEW))

    @property
    def store(self) -> Path:
        """The store of the logs, in which everything is scored."""
        return self.scored[0]

    @cached_property
    def ingested(self) -> tuple[Path, list[Cost]]:
        """A store of the logs; what an ingest took in two processes and in one, and json.loads of the same files."""
        store = self.folder / "store"
        works = (loading(self.logs), ingesting(store, self.logs, 1), ingesting(store, self.logs))
        known, one, two = in_turn(self.rounds, *works)
        return store, [two, one, known]

    @cached_property
    def scored(self) -> tuple[Path, Cost]:
        """The store with everything scored under all shipped rule sets, and what that took."""
        store = self.ingested[0]
        return store, rescoring(store)()

    @cached_property
    def traced(self) -> tuple[Path, list[Cost]]:
        """The same as `ingested` of the traces."""
        store = self.folder / "traced"
        works = (loading([self.traces]), ingesting(store, [self.traces], 1), ingesting(store, [self.traces]))
        known, one, two = in_turn(self.rounds, *works)
        return store, [two, one, known]

    @cached_property
    def answers(self) -> dict[str, Cost]:
        """What a comparison and a report of eight rule sets took."""
        return answers(self.store, self.folder)

    @contextmanager
    def room(self) -> Iterator[Path]:
        """A folder for a while."""
        folder = self.folder / f"room-{next(self._numbers)}"
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder)


def answers(store: Path, folder: Path) -> dict[str, Cost]:
    """What a comparison and a report of eight rule sets take."""
    base, others = COMPARED[0], ",".join(COMPARED[1:])
    asked = ["--quiet", "--store", store, "--jobs", JOBS, "--baseline", base, "--against", others, "-o"]
    return {
        "compare": command([DDZ, "compare", *asked, folder / "answer.json"])(),
        "report": command([DDZ, "report", *asked, folder / "report.html"])(),
    }


def stages(world: World, hands: int) -> dict[str, Cost]:
    """What each stage takes, once, of so many hands in a store of their own, or of the store that there is."""
    if hands == world.hands:
        return {"ingest": world.ingested[1][0], "rescore": world.scored[1], **world.answers}
    with world.room() as folder:
        logs, store = write_logs(folder / "logs", hands), folder / "store"
        return {
            "ingest": ingesting(store, logs)(),
            "rescore": rescoring(store)(),
            **answers(store, folder),
        }
