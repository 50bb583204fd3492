"""What tells two rule sets apart: the smallest hands that they score differently, in a store or else among synthetic facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Ints
from ddz_analytics.distinct import Outcome, Read, columns_read, settled_outcome
from ddz_analytics.errors import UsageError
from ddz_analytics.rules import RuleSet, difference
from ddz_analytics.rules.acting import acts_at
from ddz_analytics.rules.ruleset import value_of, with_keys
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.settle import CHUNK
from ddz_analytics.store.catalog import connect, sql_text
from ddz_analytics.sweep import differs, facts_of, unlike
from ddz_analytics.synthetic import DEEPEST, synthetic

Scores = tuple[int, int, int, int] | None  # landlord, down, up and house in 1/10,000; None: undefined


class Telling(NamedTuple):
    """A hand that two rule sets score differently: `hand_id` and its source's id, or what synthetic facts are in words."""

    hand_id: int | None
    name: str
    actions: int | None
    a: Scores
    b: Scores


class KeyBetween(NamedTuple):
    """A key in which two rule sets differ; `acts`: taken over alone, it changes a score of some synthetic facts."""

    key: str
    a: object
    b: object
    acts_at: str
    acts: bool


@dataclass
class Distinguished:
    """How two rule sets differ over the hands of a store, over synthetic facts, and in their keys.

    `differing`: hands that both score, and differently; `one_scores`: hands that only one of them scores. `synthetic_facts` is 0
    where the store's own hands differ and no others were needed.
    """

    keys: list[KeyBetween]
    hands: int = 0
    differing: int = 0
    one_scores: int = 0
    synthetic_facts: int = 0
    synthetic_differing: int = 0
    examples: list[Telling] = field(default_factory=list)


def distinguish(a: RuleSet, b: RuleSet, store: Path | None, count: int = 3) -> Distinguished:
    """The hands with the fewest actions on which two rule sets differ; without any, the plainest synthetic facts.

    `store`: None asks synthetic facts alone; `count`: how many examples. Hands that both score come before those that one scores.
    Raises as `facts_of` and `connect` do.
    """
    found = Distinguished(_keys(a, b))
    if store is not None:
        _in_store(found, (a, b), store, count)
    if not found.examples:
        _in_synthetic(found, (a, b), count)
    return found


def _in_store(found: Distinguished, rule_sets: tuple[RuleSet, RuleSet], store: Path, count: int) -> None:
    differing: list[Ints] = []
    one_scores: list[Ints] = []
    for facts in _chunks(facts_of(store), rule_sets):
        one, other = (settled_outcome(Facts(facts), rules) for rules in rule_sets)
        hands = facts["hand_id"].to_numpy()
        differing.append(hands[differs(one, other)])
        one_scores.append(hands[one.scored != other.scored])
        found.hands += len(facts)
    found.differing, found.one_scores = (sum(map(len, each)) for each in (differing, one_scores))
    for ids in (differing, one_scores):
        if not found.examples:
            found.examples = _shortest(np.concatenate([np.empty(0, np.int64), *ids]), rule_sets, store, count)


def _shortest(hands: Ints, rule_sets: tuple[RuleSet, RuleSet], store: Path, count: int) -> list[Telling]:
    if len(hands) == 0:
        return []
    with connect(store) as connection:
        connection.register("asked", pa.table({"hand_id": hands}))
        rows = connection.sql(sql_text("hand_sizes"), params={"count": count}).fetchall()
    chosen = pa.array([hand for hand, _, _ in rows])
    facts = pa.concat_tables(_chunks(facts_of(store, chosen), rule_sets))
    places = {hand: place for place, hand in enumerate(facts["hand_id"].to_pylist())}
    one, other = (settled_outcome(Facts(facts), rules) for rules in rule_sets)
    return [
        Telling(hand, name or str(hand), actions, _scores(one, places[hand]), _scores(other, places[hand]))
        for hand, name, actions in rows
    ]


def _in_synthetic(found: Distinguished, rule_sets: tuple[RuleSet, RuleSet], count: int) -> None:
    for most in range(1, DEEPEST + 1):
        facts, words = synthetic(most)
        one, other = (settled_outcome(Facts(facts), rules) for rules in rule_sets)
        differing = differs(one, other)
        telling = unlike(one, other)
        found.synthetic_facts, found.synthetic_differing = len(facts), int(telling.sum())
        rows = np.flatnonzero(differing if differing.any() else telling)[:count].tolist()
        found.examples = [
            Telling(None, words[row], None, _scores(one, row), _scores(other, row)) for row in rows
        ]
        if found.examples:
            return


def _keys(a: RuleSet, b: RuleSet) -> list[KeyBetween]:
    facts = synthetic(2)[0]
    before = settled_outcome(Facts(facts), a)
    return [
        KeyBetween(each.key, each.a, each.b, acts_at(each.key), _acts(facts, before, a, (each.key, b)))
        for each in difference(a, b)
    ]


def _acts(facts: pa.Table, before: Outcome, a: RuleSet, taken: tuple[str, RuleSet]) -> bool:
    """Whether one key alone, with the value that another rule set gives it, changes a score."""
    key, b = taken
    try:
        after = settled_outcome(Facts(facts), with_keys(a, {key: value_of(b, key)}))
    except UsageError:  # the value does not go with the others of the first rule set
        return True
    return bool(unlike(before, after).any())


def _chunks(read: Read, rule_sets: Sequence[RuleSet]) -> Iterator[pa.Table]:
    columns = frozenset[str]().union(*(columns_read(rules) for rules in rule_sets))
    for table in read(sorted(columns | {"hand_id"})):
        for begin in range(0, len(table), CHUNK):
            yield table.slice(begin, CHUNK)


def _scores(outcome: Outcome, row: int) -> Scores:
    if not outcome.scored[row]:
        return None
    landlord, down, up, house = (int(party[row]) for party in outcome.net)
    return landlord, down, up, house
