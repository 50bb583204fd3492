"""What speaks for an inferred rule set: the hands that tell it from others, and the keys that no hand tells anything about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from ddz_analytics.distinct import Outcome
from ddz_analytics.inference import Match, ground, reproduces
from ddz_analytics.recorded import recorded_scores
from ddz_analytics.rules.ruleset import value_of
from ddz_analytics.rules.values import shown
from ddz_analytics.sweep import facts_of, unlike

EXAMPLES = 3  # hands that tell two candidates apart


def telling(store: Path, best: Sequence[Match], hands: pa.Array | None = None) -> list[dict[str, object]]:
    """Hands that tell the first of some candidates from each other one, in which one of the two is right before others.

    One row per other candidate and example: how many hands tell the two apart, the example's `hand_id`, how many hands are like
    it, the recorded scores and both candidates' by role in 1/10,000 (None: undefined).
    """
    first, *others = [match.candidate.rules for match in best]
    read = recorded_scores(store, hands).beside(facts_of(store))
    facts, recorded = ground(read, [first, *others])
    ours = facts.outcome(first)
    rows: list[dict[str, object]] = []
    for other in others:
        theirs = facts.outcome(other)
        telling_apart = np.flatnonzero(unlike(ours, theirs))
        right = [reproduces(outcome, recorded)[telling_apart] for outcome in (ours, theirs)]
        order = np.lexsort((telling_apart, ~(right[0] ^ right[1])))
        for row in telling_apart[order[:EXAMPLES]].tolist():
            rows.append(
                {
                    "rule_set": other.id,
                    "apart": int(facts.hands[telling_apart].sum()),
                    "hand_id": facts.table["hand_id"][row].as_py(),
                    "alike": int(facts.hands[row]),
                    "recorded": [int(scores[row]) for scores in recorded],
                    "first": _scores(ours, row),
                    "other": _scores(theirs, row),
                }
            )
    return rows


def told_by_nothing(alike: Sequence[Match]) -> dict[str, list[str]]:
    """Keys whose value makes no difference to the first of some candidates that are alike, each with the values that go as well."""
    first = alike[0].candidate
    found: dict[str, list[str]] = {}
    for match in alike[1:]:
        more = set(match.candidate.settings) - set(first.settings)
        if (
            match.candidate.base is first.base
            and len(more) == 1
            and len(match.candidate.settings) == len(first.settings) + 1
        ):
            key, value = more.pop()
            found.setdefault(key, [shown(key, value_of(first.rules, key))]).append(value)
    return found


def _scores(outcome: Outcome, row: int) -> list[int] | None:
    return [int(net[row]) for net in outcome.net[:3]] if outcome.scored[row] else None
