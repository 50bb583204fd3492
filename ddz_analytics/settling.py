"""The part of a re-scoring that runs in worker processes, which load no more than it needs: facts settled and written."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.settle import settle
from ddz_analytics.store.parts import read_part, write_part


@dataclass(frozen=True)
class SettleTask:
    """A part of facts, and the rule sets that it is to be settled under, each with its new part; below the folder `store`."""

    facts: str
    store: Path
    parts: Sequence[tuple[RuleSet, str]]


def settle_part(task: SettleTask) -> list[int]:
    """Settle a part of facts under some rule sets and write the parts; the rows of each.

    One is written while the next is settled.
    """
    facts = read_part(task.store / task.facts)
    written: list[Future[int]] = []
    with ThreadPoolExecutor(1) as aside:
        for rules, path in task.parts:
            settled = settle(facts, rules)
            wait(written)  # no more than two of them lie in memory
            written.append(aside.submit(write_part, task.store / path, "settlements", [settled]))
    return [each.result() for each in written]
