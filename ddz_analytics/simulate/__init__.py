"""Simulated hands: whole legal hands under any rule set, from a seed, as canonical `ddz/1` lines.

Everything is marked as synthetic: ids, tables and matches begin with `synthetic-<seed>-` and name the rule set, players are
called `synthetic-0007`, kinds are `simulated`. The same rule set, seed and players give the same bytes everywhere, and fewer
hands the beginning of more. About one deal in seventeen is stacked with a rare combination and says `"shuffle": "other"`.
Balances are plausible and wander, but do not follow from one hand to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from ddz_analytics.errors import UsageError
from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet
from ddz_analytics.simulate.deal import deals
from ddz_analytics.simulate.hand import Dealer
from ddz_analytics.simulate.stack import Stacker
from ddz_analytics.simulate.table import Hall, json_text

__all__ = ["simulate"]


def simulate(rules: RuleSet, *, hands: int, seed: int, players: int) -> Iterator[bytes]:
    """The lines of so many hands, each without a line end; raises `UsageError` for fewer than three players or a seed below 0."""
    if players < SEATS:
        raise UsageError(
            "too_few_players", f"{players} players cannot play", mend=f"at least {SEATS} are needed"
        )
    if seed < 0 or hands < 0:
        raise UsageError(
            "negative_number",
            "the seed and the number of hands count from 0",
            mend="give whole numbers from 0 up",
        )
    return islice(_lines(rules, seed, players), hands)


def _lines(rules: RuleSet, seed: int, players: int) -> Iterator[bytes]:
    draw = Random(seed).random
    mark = f"synthetic-{seed}-{rules.id}"
    dealer = Dealer(rules, json_text(mark)[1:-1], draw)
    hall = Hall(rules, mark, players, draw)
    for index, (deal, table) in enumerate(
        zip(deals(seed, draw, Stacker(rules)), hall.seatings(), strict=True)
    ):
        yield dealer.line(index, deal, table)
