"""Inference: by which rules the recorded scores of a store come about, found by trying thousands of rule sets on distinct facts.

The search begins with every shipped rule set and each with an overlay, and goes on from the best by changing one setting at a
time, as long as that reproduces more hands. It ranks and does not choose: equal numbers are ties, and equal scores are one class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Flags, Ints, from_amounts
from ddz_analytics.distinct import Distinct, MissingColumn, Outcome, Read, distinct, reads_balances
from ddz_analytics.errors import UsageError
from ddz_analytics.recorded import RECORDED, recorded_scores
from ddz_analytics.rules import RuleSet, load_rules, shipped_overlays, shipped_rules, variants
from ddz_analytics.rules.acting import settings_worth_trying
from ddz_analytics.sweep import facts_of

BEAM = 6  # classes of equal scores that are gone on from
MOST_ROUNDS = 5
# Balances make nearly every hand distinct: beyond so many rows, rule sets that read them are tried as shipped, or not at all.
FEW_ROWS, MANY_ROWS = 20_000, 300_000


@dataclass(frozen=True)
class Candidate:
    """A rule set that is tried: one that has a name, and the settings by which it is varied."""

    base: RuleSet
    settings: tuple[tuple[str, str], ...]

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set itself; raises UsageError `rule_value` where the settings do not go together."""
        return variants(self.base, [f"{key}={value}" for key, value in self.settings])[0]


class Match(NamedTuple):
    """How a candidate's scores compare with the recorded ones, in hands; `scores` is equal for equal scores on every hand."""

    candidate: Candidate
    reproduced: int
    different: int
    undefined: int
    scores: bytes

    @property
    def rule_hash(self) -> str:
        """The hash of the candidate's content."""
        return self.candidate.rules.rule_hash

    @property
    def order(self) -> tuple[int, int]:
        """Best first: the most hands, then the fewest settings."""
        return -self.reproduced, len(self.candidate.settings)


@dataclass
class Inference:
    """What was found: classes of candidates with equal scores, best first, each with its candidates, the plainest first."""

    recorded: int
    partly: int
    formats: Counter[str]
    tried: int
    untried: int  # settings that read balances, on too many distinct facts
    nowhere: int  # hands that are undefined under every candidate
    classes: list[list[Match]]

    def best(self, count: int) -> list[Match]:
        """The plainest candidate of each of the best classes."""
        return [found[0] for found in self.classes[:count]]


def infer(store: Path, hands: pa.Array | None = None) -> Inference:
    """Rank rule sets by how many hands with recorded scores they reproduce exactly, every seat to the last digit.

    Raises UsageError `no_recorded_scores`, and as `facts_of` and `connect` do.
    """
    recorded = recorded_scores(store, hands)
    if len(recorded.table) == 0:
        mend = "mend the condition, or ingest a log with scores"
        raise UsageError(
            "no_recorded_scores",
            "no hand has recorded scores of all three seats",
            where=str(store),
            mend=mend,
        )
    search = _searched(recorded.beside(facts_of(store)))
    return Inference(
        recorded=len(recorded.table),
        partly=recorded.partly,
        formats=recorded.formats,
        tried=len(search.matches),
        untried=search.untried,
        nowhere=search.nowhere(),
        classes=search.classes(),
    )


def _searched(read: Read) -> Search:
    """The search, begun again when a candidate reads more than was foreseen."""
    more: list[RuleSet] = []
    while True:
        search = Search(read, more)
        try:
            search.run()
        except NotKept as missing:
            more.append(missing.rules)
        else:
            return search


class Ground(NamedTuple):
    """Distinct facts with the recorded scores by role, on which candidates are tried."""

    facts: Distinct
    recorded: tuple[Ints, ...]


class Search:
    """A search over rule sets on the hands that `read` gives, with their recorded scores; `more` are read for too."""

    def __init__(self, read: Read, more: Sequence[RuleSet] = ()) -> None:
        known = [rules for candidate in starts() for rules in _around(candidate)] + list(more)
        plain = [rules for rules in known if not reads_balances(rules)]
        self.grounds = {False: ground(read, plain)}
        if len(plain) < len(known):
            self.grounds[True] = ground(read, known)
        self.matches: dict[
            str, Match
        ] = {}  # by rule hash: the first way to come to a rule set is the plainest
        self.untried = 0
        self._defined = {
            kept: np.zeros(len(ground.facts), dtype=bool) for kept, ground in self.grounds.items()
        }

    def run(self) -> None:
        """Try the shipped rule sets, and go on from the best as long as that finds better ones."""
        for candidate in starts():
            self._try(candidate, MANY_ROWS)
        expanded: set[str] = set()
        for _ in range(MOST_ROUNDS):
            best = self.classes()[:BEAM]
            for match in (found[0] for found in best if found[0].rule_hash not in expanded):
                expanded.add(match.rule_hash)
                for candidate in neighbours(match.candidate):
                    self._try(candidate, FEW_ROWS)
            if self.classes()[0][0].reproduced == best[0][0].reproduced:
                return

    def classes(self) -> list[list[Match]]:
        """Candidates with equal scores on every hand together, the class that reproduces most first."""
        found: dict[bytes, list[Match]] = {}
        for match in sorted(self.matches.values(), key=lambda match: match.order):
            found.setdefault(match.scores, []).append(match)
        return list(found.values())

    def nowhere(self) -> int:
        """How many hands no candidate scores."""
        left = [int(ground.facts.hands[~self._defined[kept]].sum()) for kept, ground in self.grounds.items()]
        return min(left)

    def _try(self, candidate: Candidate, most: int) -> None:
        rules = candidate.rules
        if rules.rule_hash in self.matches:
            return
        kept = reads_balances(rules)
        ground = self.grounds.get(kept)
        if ground is None:
            raise NotKept(rules)
        if kept and len(ground.facts) > most:
            self.untried += 1
            return
        try:
            outcome = ground.facts.outcome(rules)
        except MissingColumn as missing:
            raise NotKept(rules) from missing
        self.matches[rules.rule_hash] = _match(candidate, outcome, ground)
        self._defined[kept] |= outcome.scored


class NotKept(Exception):
    """A candidate reads what the distinct facts at hand do not tell apart."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules.id)
        self.rules = rules


def starts() -> Iterator[Candidate]:
    """Every shipped rule set, and each with one overlay."""
    for name in shipped_rules():
        yield Candidate(load_rules(name), ())
    for name in shipped_rules():
        for overlay in shipped_overlays():
            yield Candidate(load_rules(f"{name}+{overlay}"), ())


def neighbours(candidate: Candidate) -> Iterator[Candidate]:
    """The candidate with one more setting, of a key that it does not vary yet."""
    varied, rule_hash = dict(candidate.settings), candidate.rules.rule_hash
    for key, value in settings_worth_trying():
        if key in varied:
            continue
        try:
            further = Candidate(candidate.base, tuple(sorted((varied | {key: value}).items())))
            unlike = further.rules.rule_hash != rule_hash
        except UsageError:  # the value does not go with the others
            continue
        if unlike:
            yield further


def _around(candidate: Candidate) -> Iterator[RuleSet]:
    """A start, and what it may be varied to at once: what these read is what a search reads."""
    yield candidate.rules
    if "+" not in candidate.base.id:
        yield from (neighbour.rules for neighbour in neighbours(candidate))


def ground(read: Read, known: Sequence[RuleSet]) -> Ground:
    """The ground on which some rule sets can be tried."""
    facts = distinct(read, known, RECORDED)
    return Ground(facts, tuple(from_amounts(facts.table[name]) for name in RECORDED))


def _match(candidate: Candidate, outcome: Outcome, ground: Ground) -> Match:
    hands = ground.facts.hands
    right = reproduces(outcome, ground.recorded)
    scores = sha256(outcome.scored.tobytes())
    for party in outcome.net[:3]:
        scores.update(party.tobytes())
    reproduced, undefined = int(hands[right].sum()), int(hands[~outcome.scored].sum())
    return Match(candidate, reproduced, int(hands.sum()) - reproduced - undefined, undefined, scores.digest())


def reproduces(outcome: Outcome, recorded: Sequence[Ints]) -> Flags:
    """Where the recorded scores of all seats are those of an outcome."""
    right = outcome.scored.copy()
    for net, scores in zip(outcome.net[:3], recorded, strict=True):
        right &= net == scores
    return right
