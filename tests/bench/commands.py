"""Rows that are commands as a user starts them: ingest, compare, report, memory, the start, and what little new costs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from ddz_analytics.rules import shipped_rules
from ddz_analytics.store.manifest import load_manifest
from tests.bench.logs import SEED, write_logs
from tests.bench.measuring import Cost, command, in_turn
from tests.bench.row import Row, best_of, ratio
from tests.bench.world import (
    COMPARED,
    DDZ,
    FEW,
    JOBS,
    MANY,
    MOST_TIMES_TEN,
    World,
    ingesting,
    rescoring,
    stages,
)

LOADS = "json.loads over the same files, one core"
INCREMENTS, SHARE = 3, 100
MEGABYTE = 1_000_000
OWN = """
id = "own"
title.zh = "自定"
title.en = "own"
game = "ddz"
extends = "jj-classic"
[cap]
source = "own"
doublings = {}
"""
STARTS = 10


def ingest_ddz1(world: World) -> Iterator[Row]:
    """Everything that an ingest of `ddz/1` does, beside json.loads."""
    yield from _ingest(("a", "ddz/1", 1.0), world.ingested[1], world.hands, world.rounds)


def ingest_traces(world: World) -> Iterator[Row]:
    """The same of RLCard's traces."""
    yield from _ingest(("b", "rlcard-trace", 1.5), world.traced[1], min(world.hands, FEW), world.rounds)


def _ingest(named: tuple[str, str, float], costs: list[Cost], hands: int, rounds: int) -> Iterator[Row]:
    """An ingest in two processes and in one; `named` is the row's key, the format, and the target."""
    (key, form, target), (two, one, known) = named, costs
    what, how = f"ingest {form}", best_of(rounds)
    yield Row(
        key, what, beside=LOADS, hands=hands, processes=JOBS, how=how, target=target, **ratio(two, known)
    )
    yield Row(f"{key}1", what, beside=LOADS, hands=hands, processes=1, how=how, **ratio(one, known))


def asked(world: World) -> Iterator[Row]:
    """What a comparison and a report of eight rule sets take."""
    limits = {"compare": 15, "report": 60}
    for name, cost in world.answers.items():
        what = f"{name} {len(COMPARED)} rule sets"
        target = limits[name] if world.hands == MANY else None
        yield Row(
            f"e.{name}", what, cost.wall, "s", "the wall clock", world.hands, JOBS, "once", target=target, ours=cost
        )  # fmt: skip


def memory(world: World) -> Iterator[Row]:
    """The most memory of each stage at some number of hands and at ten times as many."""
    ten = 10 * world.hands if 10 * world.hands <= MOST_TIMES_TEN else world.hands
    small, big = stages(world, ten // 10), stages(world, ten)
    for name, cost in big.items():
        yield Row(
            f"g.{name}", f"{name}: memory of {ten:,} hands", cost.peak / max(small[name].peak, 1), "x", f"of {ten // 10:,} hands",
            ten, JOBS, "once, sum over all processes", target=1.2, ours=cost, theirs=small[name],
        )  # fmt: skip
        yield Row(
            f"G.{name}", f"{name}: memory", cost.peak / MEGABYTE, "MB", "", ten, JOBS, "once, sum over all processes",
            target=2000 if ten >= 5 * MANY else None, ours=cost,
        )  # fmt: skip


def start(_: World) -> Iterator[Row]:
    """How long the command takes to begin."""
    ours, known = in_turn(STARTS, command([DDZ, "--version"]), command([sys.executable, "-c", "pass"]))
    yield Row(
        "h", "ddz --version", beside="python -c pass", hands=0, processes=1, how=best_of(STARTS), target=6, **ratio(ours, known)
    )  # fmt: skip


def increment(world: World) -> Iterator[Row]:
    """What one hand in a hundred that comes new costs, beside the whole; then one rule set that changes."""
    full = world.ingested[1][0] + world.scored[1]
    few = max(world.hands // SHARE, 1)
    costs = []
    with world.room() as folder:
        for turn in range(INCREMENTS):
            logs = write_logs(folder / f"logs-{turn}", few, seed=SEED + 1000 + turn)
            costs.append(ingesting(world.store, logs, anew=False)() + rescoring(world.store)())
    mean = _mean(costs)
    what, beside, how = (
        f"{few:,} new hands: ingest and rescore", "the same of all hands", f"mean of {INCREMENTS}, one after the other"
    )  # fmt: skip
    yield Row(
        "i.wall",
        what,
        beside=beside,
        hands=world.hands,
        processes=JOBS,
        how=how,
        target=0.05,
        **ratio(mean, full),
    )
    spent = ratio(mean, full) | {"value": mean.cpu / full.cpu, "cpu": None}
    yield Row(
        "i.cpu", what, beside=f"{beside}, processor time", hands=world.hands, processes=JOBS, how=how, target=0.05, **spent
    )  # fmt: skip
    yield _changed(world)


def verified(world: World) -> Iterator[Row]:
    """The store is whole after all that was done with it; ends in an error otherwise."""
    hands = sum(part.rows for part in load_manifest(world.store).hands)
    cost = command([DDZ, "verify", "--quiet", "--store", world.store])()
    yield Row(
        "v", "verify: the store is whole", cost.wall, "s", "the wall clock", hands, 1, "once", ours=cost
    )


def _mean(costs: list[Cost]) -> Cost:
    whole = costs[0]
    for cost in costs[1:]:
        whole += cost
    number = len(costs)
    return replace(whole, wall=whole.wall / number, cpu=whole.cpu / number, root_cpu=whole.root_cpu / number)


def _changed(world: World) -> Row:
    """A rule set of one's own is scored, changed, and everything scored again."""
    with world.room() as folder:
        own = folder / "own.toml"
        for doublings in (5, 4):
            before = {part.path for part in load_manifest(world.store).settlements}
            own.write_text(OWN.format(doublings))
            cost = rescoring(world.store, ",".join([*shipped_rules(), str(own)]))()
    new = {part.rule_set for part in load_manifest(world.store).settlements if part.path not in before}
    scored = len(load_manifest(world.store).rules)
    what = f"{len(new)} of {scored} rule sets changed: rescore"
    beside = f"rescore of {scored - 1} rule sets"
    return Row(
        "j", what, beside=beside, hands=world.hands, processes=JOBS, how="once", **ratio(cost, world.scored[1])
    )  # fmt: skip
