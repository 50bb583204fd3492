"""Re-scoring: every part of facts under every rule set asked for, where that is not done yet or no longer true."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics.chained import settle_chained, sittings
from ddz_analytics.errors import UsageError
from ddz_analytics.replay import REPLAY_VERSION
from ddz_analytics.rules import RuleSet, parameters
from ddz_analytics.settlement.settle import SETTLE_VERSION
from ddz_analytics.settling import SettleTask, settle_part
from ddz_analytics.store import Writer, open_writer
from ddz_analytics.store.catalog import connect
from ddz_analytics.store.compacting import compacted
from ddz_analytics.store.durable import plain_faults
from ddz_analytics.store.manifest import Manifest, ReplayedPart, RuleSetEntry, SettledPart, load_manifest
from ddz_analytics.store.parts import REPLAYED, read_part, write_part
from ddz_analytics.workers import Run, workers

SECONDS_PER_HAND = 3e-6  # roughly, to settle it under one rule set
SECONDS_PER_REPLAY = 4e-5

Scenario = Literal["recorded", "chained"]
Watch = Callable[[int, int], None]
"""Told how many hands, times rule sets, are settled, and of how many."""


@dataclass(frozen=True)
class Rescored:
    """What a re-scoring had to do: hands settled for each rule set, and hands that a newer version replayed again first."""

    settled: Mapping[str, int]
    replayed: int


def unwatched(_: int, __: int) -> None:
    """Nobody wants to know how far it is."""


def rescore(
    store: Path,
    rule_sets: Sequence[RuleSet],
    jobs: int = 1,
    balances: Scenario = "recorded",
    watch: Watch = unwatched,
) -> Rescored:
    """Settle what is missing or out of date under some rule sets, and publish it as one.

    Balances before each hand are those of the log; with "chained" every hand is settled with the balances that the rule set
    itself would have left, too.
    What was settled under another content of a rule set's id is dropped. Raises UsageError `rule_set_twice`, and what
    `open_writer` and `workers` raise.
    """
    return rescore_by(lambda: workers(jobs), store, rule_sets, balances, watch)


def rescore_by(
    running: Callable[[], AbstractContextManager[Run]],
    store: Path,
    rule_sets: Sequence[RuleSet],
    balances: Scenario = "recorded",
    watch: Watch = unwatched,
) -> Rescored:
    """`rescore` with other means than local processes: what `running` gives runs the tasks; raises what that raises, too."""
    wanted = _by_id(rule_sets)
    with plain_faults(), open_writer(store) as writer, running() as run:
        manifest = _replayed_again(writer, run)
        replayed = sum(part.rows for part in manifest.facts if part not in writer.manifest.facts)
        manifest = _with_rules(manifest, wanted)
        new = _settled(writer, manifest, wanted, run, watch)
        if balances == "chained":
            new += _chained(writer, manifest, wanted)
        manifest = structs.replace(manifest, settlements=_in_order(manifest, [*manifest.settlements, *new]))
        if manifest != writer.manifest:
            writer.publish(compacted(writer, manifest))
        settled = {
            name: sum(part.rows for part in new if (part.rule_set, part.scenario) == (name, balances))
            for name in wanted
        }
        return Rescored(settled, replayed)


def current(store: Path, balances: Scenario = "recorded") -> dict[str, str]:
    """The rule sets, id to hash, under which every hand of a store is settled by this version; raises as `load_manifest` does."""
    manifest = load_manifest(store)
    if any(part.replay_version != REPLAY_VERSION for part in manifest.facts):
        return {}
    rests_on = "" if balances == "recorded" else manifest.facts_digest
    done = {
        _key(part) for part in manifest.settlements if (part.scenario, part.rests_on) == (balances, rests_on)
    }
    return {
        rules.rule_set: rules.rule_hash
        for rules in manifest.rules
        if all(
            (part.path, rules.rule_set, rules.rule_hash, SETTLE_VERSION) in done for part in manifest.facts
        )
    }


def _by_id(rule_sets: Sequence[RuleSet]) -> dict[str, RuleSet]:
    found: dict[str, RuleSet] = {}
    for rules in rule_sets:
        if found.setdefault(rules.id, rules).rule_hash != rules.rule_hash:
            raise UsageError(
                "rule_set_twice", f"two rule sets are called {rules.id}", mend="give one of them another id"
            )
    return found


def _replayed_again(writer: Writer, run: Run) -> Manifest:
    """The manifest with facts of this version; what was settled from older ones is gone with them."""
    manifest = writer.manifest
    old = [part for part in manifest.facts if part.replay_version != REPLAY_VERSION]
    if not old:
        return manifest
    from ddz_analytics.ingest.replaying import ReplayTask, replay_part  # with it comes all that reads logs

    tasks = (
        ReplayTask(
            part.hands,
            part.path,
            writer.path,
            {table: writer.new_part(table) for table in REPLAYED},
            manifest.mapped,
        )
        for part in old
    )
    seconds = sum(part.rows for part in old) * SECONDS_PER_REPLAY
    written = {part.hands: part for part in run(replay_part, tasks, seconds)}
    for table in REPLAYED:
        parts: list[ReplayedPart] = getattr(manifest, table)
        renewed = [written[part.hands].replayed(table) if part.hands in written else part for part in parts]
        manifest = structs.replace(manifest, **{table: renewed})
    live = {part.path for part in manifest.facts}
    return structs.replace(
        manifest, settlements=[part for part in manifest.settlements if part.facts in live]
    )


def _with_rules(manifest: Manifest, wanted: Mapping[str, RuleSet]) -> Manifest:
    """The manifest with the rule sets as they are now, and without what was settled under another content or version of them."""
    entries = {entry.rule_set: entry for entry in manifest.rules} | {
        name: _entry(rules) for name, rules in wanted.items()
    }
    kept = [
        part
        for part in manifest.settlements
        if part.rule_set not in wanted
        or (part.rule_hash, part.settle_version) == (wanted[part.rule_set].rule_hash, SETTLE_VERSION)
    ]
    return structs.replace(manifest, rules=list(entries.values()), settlements=kept)


def _settled(
    writer: Writer, manifest: Manifest, wanted: Mapping[str, RuleSet], run: Run, watch: Watch
) -> list[SettledPart]:
    done = {_key(part) for part in manifest.settlements if part.scenario == "recorded"}
    tasks, total = [], 0
    for facts in manifest.facts:
        missing = [
            rules
            for rules in wanted.values()
            if (facts.path, rules.id, rules.rule_hash, SETTLE_VERSION) not in done
        ]
        if missing:
            parts = [(rules, writer.new_part("settlements")) for rules in missing]
            tasks.append(SettleTask(facts.path, writer.path, parts))
            total += facts.rows * len(missing)
    settled: list[SettledPart] = []
    for task, rows in zip(tasks, run(settle_part, tasks, total * SECONDS_PER_HAND), strict=True):
        for (rules, path), number in zip(task.parts, rows, strict=True):
            by = (rules.id, rules.rule_hash, SETTLE_VERSION)
            settled.append(SettledPart(path, number, task.facts, "recorded", *by))
        watch(sum(part.rows for part in settled), total)
    return settled


def _chained(writer: Writer, manifest: Manifest, wanted: Mapping[str, RuleSet]) -> list[SettledPart]:
    """All hands under each rule set that is not settled so already, a part for each part of facts."""
    done = {part.rule_set for part in manifest.settlements if part.rests_on == manifest.facts_digest}
    missing = [rules for name, rules in wanted.items() if name not in done]
    if not missing:
        return []
    facts = [read_part(writer.path / part.path) for part in manifest.facts]
    everything, ends = pa.concat_tables(facts), np.cumsum([0, *map(len, facts)]).tolist()
    with connect(writer.path) as connection:
        sat = sittings(connection)
    new = []
    for rules in missing:
        settled = settle_chained(everything, sat, rules)
        for part, (begin, end) in zip(manifest.facts, pairwise(ends), strict=True):
            path = writer.new_part("settlements")
            rows = write_part(writer.path / path, "settlements", [settled.slice(begin, end - begin)])
            named = (rules.id, rules.rule_hash, SETTLE_VERSION, manifest.facts_digest)
            new.append(SettledPart(path, rows, part.path, "chained", *named))
    return new


def _in_order(manifest: Manifest, settled: Sequence[SettledPart]) -> list[SettledPart]:
    """By rule set and scenario, then in the order of the facts."""
    rules = {entry.rule_set: place for place, entry in enumerate(manifest.rules)}
    facts = {part.path: place for place, part in enumerate(manifest.facts)}
    return sorted(settled, key=lambda part: (rules[part.rule_set], part.rests_on != "", facts[part.facts]))


def _key(part: SettledPart) -> tuple[str, str, str, int]:
    return part.facts, part.rule_set, part.rule_hash, part.settle_version


def _entry(rules: RuleSet) -> RuleSetEntry:
    cited = dict.fromkeys(piece for source in rules.sources.values() for piece in source.split("; "))
    return RuleSetEntry(
        rules.id, rules.title_zh, rules.title_en, "; ".join(cited), rules.rule_hash, rules.assumed,
        msgspec.json.encode(parameters(rules)).decode(),
    )  # fmt: skip
