"""Many hands of many players in a row, for chained balances: simulated facts over and over, with players and balances drawn anew."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ddz_analytics.chained import Known, Sittings
from ddz_analytics.columns import Ints
from ddz_analytics.hands import SCALE
from ddz_analytics.parsers import parsers
from ddz_analytics.replay import replay
from ddz_analytics.rules import load_rules
from ddz_analytics.schema import ROLES
from ddz_analytics.simulate import simulate
from tests.parsing import hands_of_log

DISTINCT = 2000
RICHEST = 60  # points at the beginning: a stake or two
TOP_UP = 20  # points that may come from elsewhere between two hands


def facts_of_many(number: int, rules: str = "jj-classic") -> pa.Table:
    """The facts of so many hands; every two thousand the same ones come again, with ids of their own."""
    text = b"\n".join(simulate(load_rules(rules), hands=min(number, DISTINCT), seed=5, players=60))
    facts = replay(hands_of_log("ddz/1", text), parsers()).facts
    facts = pa.concat_tables([facts] * (number // len(facts) + 1)).slice(0, number).combine_chunks()
    return facts.set_column(0, facts.schema.field("hand_id"), pa.array(np.arange(1, number + 1)))


def sittings_of(number: int, players: int, seed: int = 1) -> Sittings:
    """Three different players drawn for each hand, their first balances, and what comes to some of them from elsewhere."""
    rng = np.random.default_rng(seed)
    first = rng.integers(players, size=number)
    steps = 1 + rng.integers((players - 1) // 2, size=(2, number)).cumsum(axis=0)
    names = np.stack((first, first + steps[0], first + steps[1] + 1), axis=1) % players
    earlier = earlier_sittings(names)
    points = rng.integers(RICHEST, size=names.shape) * SCALE
    more = rng.integers(TOP_UP, size=names.shape) * SCALE * (rng.random(names.shape) < 0.1)
    everywhere, nowhere = np.ones(names.shape, dtype=bool), np.zeros(names.shape, dtype=bool)
    return Sittings(
        np.arange(1, number + 1),
        earlier,
        Known(points, everywhere),
        Known(np.zeros_like(points), nowhere),
        Known(more, everywhere),
    )


def earlier_sittings(names: Ints) -> Ints:
    """For each sitting (hand, role) the place of the same player's sitting before, or -1."""
    flat = names.ravel()
    order = np.argsort(flat, kind="stable")
    before = np.where(flat[order] == np.roll(flat[order], 1), np.roll(order, 1), -1)
    before[0] = -1
    earlier = np.empty_like(order)
    earlier[order] = before
    return earlier.reshape(-1, len(ROLES))
