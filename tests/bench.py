"""`make bench`: how long the main stages take beside something everybody knows, measured in the same run.

Every row is a ratio: the stage's time over the time of the thing it is named against, each the best of a few alternating runs, so
that a slow or busy machine changes both. Nothing here passes or fails.
"""

from __future__ import annotations

import gc
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow as pa

from ddz_analytics.chained import settle_chained
from ddz_analytics.ingest import Options, ingest
from ddz_analytics.parsers import parsers
from ddz_analytics.replay import replay
from ddz_analytics.rescore import SettleTask, settle_part
from ddz_analytics.rules import load_rules, shipped_rules, variants
from ddz_analytics.settlement.settle import settle
from ddz_analytics.simulate import simulate
from ddz_analytics.store.parts import read_part, write_part
from ddz_analytics.sweep import sweep
from tests.chains import facts_of_many, sittings_of
from tests.parsing import hands_of_log

HANDS = 100_000
SETTLED = 100_000
SWEPT, PARTS = 1_000_000, 10
CHAINED, PLAYERS = 1_000_000, 10_000
GRID = (
    "cap.doublings=none,0,1,2,3,4,5,6,7,8", "events.bomb=1,2,3,4,5",
    "liability.both_winning=normal,forfeit", "liability.status=at_end,any_time", "liability.exempt_cards=0,1,2,3,4",
)  # fmt: skip
GAMES = 30
REPEATS = 400
ROUNDS = 3


def best_of(*works: Callable[[], object]) -> list[float]:
    """The shortest time of each piece of work, run in turn."""
    times = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            gc.collect()
            start = perf_counter()
            work()
            times[place] = min(times[place], perf_counter() - start)
    return times


def row(name: str, ratio: float, against: str, aim: str) -> None:
    """Print one row."""
    print(f"{name:56} {ratio:10.2f} x  {against:44} {aim}")


def log_lines(hands: int) -> list[bytes]:
    """Simulated hands of all rule sets."""
    names = shipped_rules()
    each = hands // len(names)
    return [line for name in names for line in simulate(load_rules(name), hands=each, seed=7, players=300)]


def bench_ingest(folder: Path, lines: list[bytes]) -> None:
    """Ingest of one ddz/1 file, replay and writing included, beside json.loads of its lines."""
    log = folder / "bench.ddz.jsonl"
    log.write_bytes(b"\n".join(lines) + b"\n")

    def load() -> None:
        with log.open("rb") as stream:
            for line in stream:
                json.loads(line)

    def run(jobs: int) -> Callable[[], None]:
        def work() -> None:
            store = folder / f"store-{jobs}"
            shutil.rmtree(store, ignore_errors=True)
            ingest(store, [str(log)], Options(jobs=jobs))

        return work

    known, one, two = best_of(load, run(1), run(2))
    row("ingest ddz/1, one process", one / known, "json.loads over the same file", "")
    row("ingest ddz/1, two processes", two / known, "json.loads over the same file", "<= 2.0")


def bench_simulate() -> None:
    """Simulated hands beside json.loads of the lines they make."""
    rules = load_rules("jj-classic")
    lines = list(simulate(rules, hands=5_000, seed=3, players=60))
    known, ours = best_of(
        lambda: [json.loads(line) for line in lines],
        lambda: list(simulate(rules, hands=5_000, seed=3, players=60)),
    )
    row("simulate", ours / known, "json.loads over its lines", "")


def bench_settle(folder: Path, lines: list[bytes]) -> None:
    """Settling under every rule set and writing, beside only writing the same tables."""
    facts = replay(hands_of_log("ddz/1", b"\n".join(lines)), parsers()).facts
    facts = pa.concat_tables([facts] * (SETTLED // len(facts) + 1)).slice(0, SETTLED).combine_chunks()
    rule_sets = [load_rules(name) for name in shipped_rules()]
    tables = [settle(facts, rules) for rules in rule_sets]

    def write() -> None:
        for place, table in enumerate(tables):
            write_part(folder / f"written-{place}.parquet", "settlements", [table])

    def settle_and_write() -> None:
        for place, rules in enumerate(rule_sets):
            write_part(folder / f"settled-{place}.parquet", "settlements", [settle(facts, rules)])

    known, ours, alone = best_of(
        write, settle_and_write, lambda: [settle(facts, rules) for rules in rule_sets]
    )
    row(f"settle {len(rule_sets)} rule sets and write", ours / known, "writing the same tables", "<= 2.0")
    print(f"{'':56} {SETTLED * len(rule_sets) / alone:10,.0f}    hand settlements a second without writing")


def bench_sweep(folder: Path, lines: list[bytes]) -> None:
    """A thousand settings over a million hands (tiled facts, none that reads balances), beside one rule set settled and written."""
    facts = replay(hands_of_log("ddz/1", b"\n".join(lines)), parsers()).facts
    part = pa.concat_tables([facts] * (SWEPT // PARTS // len(facts) + 1)).slice(0, SWEPT // PARTS)
    names = [f"facts-{place}.parquet" for place in range(PARTS)]
    for name in names:
        write_part(folder / name, "facts", [part])
    base = load_rules("jj-classic")
    settings = variants(base, GRID)

    def full() -> None:
        for name in names:
            settle_part(SettleTask(name, folder, [(base, f"settled-{name}")]))

    known, ours = best_of(
        full,
        lambda: sweep(lambda columns: (read_part(folder / name, columns) for name in names), base, settings),
    )
    named = f"sweep of {len(settings):,} settings over {SWEPT:,} hands"
    row(named, ours / known, "one full re-scoring of them", "<= 1.0")


def bench_chained() -> None:
    """Chained balances of many players, beside settling the same hands with the balances of the log."""
    facts, sat = facts_of_many(CHAINED), sittings_of(CHAINED, PLAYERS)
    rules = load_rules("jj-classic+minimised")
    known, ours = best_of(lambda: settle(facts, rules), lambda: settle_chained(facts, sat, rules))
    named = f"chained balances, {CHAINED:,} hands of {PLAYERS:,} players"
    row(named, ours / known, "settling them with recorded balances", "")


def bench_replay() -> None:
    """Replay beside RLCard's own steps over the same traces."""
    try:
        records, theirs = _rlcard_games()
    except ImportError:
        print("replay: RLCard is not installed, so this row is left out")
        return
    text = "\n".join(json.dumps(record | {"game": place}) for place, record in enumerate(records * REPEATS))
    hands = hands_of_log("rlcard-trace", text.encode())
    (ours,) = best_of(lambda: replay(hands, parsers()))
    per_hand = ours / len(hands)
    row(
        "replay, times faster than",
        theirs / len(records) / per_hand,
        "RLCard's env.step over the same traces",
        ">= 500",
    )
    print(f"{'':56} {1 / per_hand:10,.0f}    hands a second on one core")


def _rlcard_games() -> tuple[list[dict[str, Any]], float]:
    """Some games of RLCard's random agents as trace records, and the seconds that its steps took."""
    import rlcard
    from rlcard.agents import RandomAgent
    from rlcard.games.doudizhu.utils import cards2str_with_suit

    spent, records = 0.0, []
    for game in range(GAMES):
        env = rlcard.make("doudizhu", config={"seed": game})
        agents = [RandomAgent(num_actions=env.num_actions) for _ in range(3)]
        state, seat = env.reset()
        dealt = [cards2str_with_suit(player.current_hand) for player in env.game.players]
        seen = env.game.round.seen_cards
        while not env.is_over():
            action, _ = agents[seat].eval_step(state)
            start = perf_counter()
            state, seat = env.step(action)
            spent += perf_counter() - start
        records.append(
            {
                "game": game, "agents": "doudizhu-random", "init_hands_with_suit": dealt,
                "seen_cards": seen, "landlord_id": env.game.round.landlord_id,
                "trace": [[int(player), str(action)] for player, action in env.game.round.trace],
                "payoffs": [float(payoff) for payoff in env.get_payoffs()],
            }
        )  # fmt: skip
    return records, spent


def main() -> None:
    """Print every row."""
    print(
        f"Python {sys.version.split()[0]}, {HANDS:,} hands; ratio of times, best of {ROUNDS} alternating runs\n"
    )
    lines = log_lines(HANDS)
    with tempfile.TemporaryDirectory() as folder:
        bench_ingest(Path(folder), lines)
        bench_settle(Path(folder), lines)
        bench_sweep(Path(folder), lines)
    bench_chained()
    bench_replay()
    bench_simulate()


if __name__ == "__main__":
    main()
