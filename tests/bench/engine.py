"""Rows of the engine itself: replay, settling, many settings, chained balances, simulated hands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pyarrow as pa

from ddz_analytics.chained import settle_chained
from ddz_analytics.parsers import parsers
from ddz_analytics.replay import replay
from ddz_analytics.rules import load_rules, shipped_rules, variants
from ddz_analytics.settlement.settle import settle
from ddz_analytics.settling import SettleTask, settle_part
from ddz_analytics.simulate import simulate
from ddz_analytics.store import open_store
from ddz_analytics.store.parts import read_part, write_part
from ddz_analytics.sweep import sweep
from ddz_analytics.workers import LONG, workers
from tests.bench.logs import HANDS_PER_PLAYER
from tests.bench.measuring import Cost, here, in_turn
from tests.bench.rlcard_games import steps
from tests.bench.row import Row, best_of, ratio
from tests.bench.world import FEW, JOBS, MANY, World
from tests.chains import facts_of_many, sittings_of

ROUNDS = 3
SETTLED = 100_000
PARTS = 10
SIMULATED = 5_000
GRID = (
    "cap.doublings=none,0,1,2,3,4,5,6,7,8", "events.bomb=1,2,3,4,5",
    "liability.both_winning=normal,forfeit", "liability.status=at_end,any_time", "liability.exempt_cards=0,1,2,3,4",
)  # fmt: skip


def replay_stored(part: Path) -> tuple[int, float]:
    """Replay a stored part of hands: how many there are, and the seconds of processor time that it took."""
    hands, used = read_part(part), process_time()
    replay(hands, parsers())
    return len(hands), process_time() - used


def replay_traces(world: World) -> Iterator[Row]:
    """Replay in two processes beside RLCard's own steps, over games of RLCard."""
    parts = open_store(world.traced[0]).paths("hands")
    theirs = steps()
    best = Cost(np.inf, np.inf)
    with workers(JOBS) as run:
        list(run(replay_stored, parts[:1] * JOBS * 2, LONG))  # they are there, with what they need
        for _ in range(ROUNDS):
            begun = perf_counter()
            done = list(run(replay_stored, parts * JOBS, LONG))
            wall, hands = perf_counter() - begun, sum(number for number, _ in done)
            best = Cost(min(best.wall, wall / hands), min(best.cpu, sum(used for _, used in done) / hands))
    yield Row(
        "c", "replay rlcard-trace, times faster", theirs.wall / best.wall, "x", "RLCard's env.step, one core", hands, JOBS,
        best_of(ROUNDS), cpu=theirs.cpu / best.cpu, target=1500, at_least=True, ours=best, theirs=theirs,
    )  # fmt: skip


def settled(world: World) -> Iterator[Row]:
    """Settling under every shipped rule set and writing, beside only writing the same tables."""
    facts = some_facts(world.store)
    rule_sets = [load_rules(name) for name in shipped_rules()]
    tables = [settle(facts, rules) for rules in rule_sets]
    with world.room() as folder:
        to = [folder / f"settlements-{place}.parquet" for place in range(len(tables))]

        def write() -> None:
            for path, table in zip(to, tables, strict=True):
                write_part(path, "settlements", [table])

        def settle_and_write() -> None:
            for path, rules in zip(to, rule_sets, strict=True):
                write_part(path, "settlements", [settle(facts, rules)])

        known, ours = in_turn(ROUNDS, here(write), here(settle_and_write))
    yield Row(
        "d", f"settle {len(rule_sets)} rule sets and write", beside="pyarrow writing the same tables", hands=len(facts),
        processes=1, how=best_of(ROUNDS), target=1.5, **ratio(ours, known),
    )  # fmt: skip


def some_facts(store: Path) -> pa.Table:
    """The facts of up to so many hands, of all rule sets alike, as one chunk."""
    facts = open_store(store).read("facts")
    chosen = np.linspace(0, len(facts) - 1, min(SETTLED, len(facts))).astype(np.int64)
    return facts.take(pa.array(chosen)).combine_chunks()


def settings(world: World) -> Iterator[Row]:
    """Many settings over many hands, of which none reads balances, beside one rule set settled and written."""
    number = MANY if world.hands >= FEW else world.hands
    base = load_rules("jj-classic")
    grid = variants(base, GRID)
    with world.room() as folder:
        names = [f"facts-{place}.parquet" for place in range(PARTS)]
        part = facts_of_many(number // PARTS)
        for name in names:
            write_part(folder / name, "facts", [part])

        def full() -> None:
            for name in names:
                settle_part(SettleTask(name, folder, [(base, f"settled-{name}")]))

        def swept() -> None:
            sweep(lambda columns: (read_part(folder / name, columns) for name in names), base, grid)

        known, ours = in_turn(ROUNDS, here(full), here(swept))
    yield Row(
        "f2.sweep", f"sweep of {len(grid):,} settings", beside="settling and writing one", hands=number, processes=1,
        how=best_of(ROUNDS), **ratio(ours, known),
    )  # fmt: skip
    yield _chained(number)


def _chained(number: int) -> Row:
    facts, sat = facts_of_many(number), sittings_of(number, max(30, number // HANDS_PER_PLAYER))
    rules = load_rules("jj-classic+minimised")
    known, ours = in_turn(
        ROUNDS, here(lambda: settle(facts, rules)), here(lambda: settle_chained(facts, sat, rules))
    )
    return Row(
        "f2.chained", "chained balances", beside="settling with recorded balances", hands=number, processes=1,
        how=best_of(ROUNDS), **ratio(ours, known),
    )  # fmt: skip


def simulated(_: World) -> Iterator[Row]:
    """Simulated hands beside json.loads of the lines they make."""
    rules = load_rules("jj-classic")
    lines = list(simulate(rules, hands=SIMULATED, seed=3, players=60))
    known, ours = in_turn(
        ROUNDS,
        here(lambda: [json.loads(line) for line in lines]),
        here(lambda: list(simulate(rules, hands=SIMULATED, seed=3, players=60))),
    )
    yield Row(
        "s", "simulate", beside="json.loads of its lines", hands=SIMULATED, processes=1, how=best_of(ROUNDS), **ratio(ours, known)
    )  # fmt: skip
