"""What each differing parameter contributes to the difference between two rule sets: exact Shapley shares on distinct facts.

The parameters are moved from the baseline's values to the other's in every combination, and a parameter's share is what moving it
changes, averaged over all orders in which they could be moved. The shares add up to the difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import factorial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics.distinct import Distinct, Read, distinct, reads_balances
from ddz_analytics.rules import RuleSet, difference
from ddz_analytics.rules.ruleset import ATTRIBUTES
from ddz_analytics.sweep import points, weighted

MOST_PARTS = 8
MOST_SETTLED = 60_000_000  # rows times combinations; some ten seconds

# Where more parameters differ they are moved together by what they concern; settling reads no other section.
_CONCERNS = (
    ("stake", ("auction", "stake", "wild")),
    ("open_hand", ("open_hand",)),
    ("double", ("double", "kick")),
    ("events", ("events",)),
    ("cap", ("cap",)),
    ("liability", ("liability", "escape")),
    ("balance", ("balance",)),
    ("house", ("house",)),
)
_CONCERN = {section: name for name, sections in _CONCERNS for section in sections}
_ORDER = [name for name, _ in _CONCERNS]
_PARTIES = ("landlord", "down", "up", "house")
_AMOUNT = pa.decimal128(38, 4)

# grain: one row per other rule set and part: a parameter, or the parameters of one concern; amounts are sums over `hands`, the
# hands with a landlord that every combination scores, `landlord_baseline` what landlords have under the baseline
ATTRIBUTED = pa.schema(
    [
        *((name, pa.string()) for name in ("rule_set", "part", "keys")),
        *((name, pa.int64()) for name in ("hands", "left_out")),
        *((name, _AMOUNT) for name in _PARTIES),
        ("landlord_baseline", _AMOUNT),
    ]
)

Totals = tuple[int, ...]  # by party, in 1/10,000


class Part(NamedTuple):
    """Parameters that are moved together: a name and the dotted keys."""

    name: str
    keys: tuple[str, ...]


def attributions(read: Read, baseline: RuleSet, others: Sequence[RuleSet]) -> tuple[pa.Table, list[str]]:
    """The shares for several other rule sets in one table, and the ids of those for which it would take too long.

    `read` gives columns of facts, see `distinct`: once for all rule sets that read no amounts of balances, which tell hands apart.
    """
    mixed = {other.id: _all_mixed(baseline, other) for other in others}
    alike = [rules for each in mixed.values() if not _read_balances(each) for rules in each.values()]
    together = distinct(read, alike) if alike else None
    tables, left_out = [ATTRIBUTED.empty_table()], []
    for other in others:
        rule_sets = list(mixed[other.id].values())
        if together is None or _read_balances(mixed[other.id]):
            facts = distinct(read, rule_sets)
        else:
            facts = together.narrowed(rule_sets)
        if len(facts) * len(rule_sets) > MOST_SETTLED:
            left_out.append(other.id)
        else:
            tables.append(_attributed(facts, mixed[other.id], other.id, parts_of(baseline, other)))
    return pa.concat_tables(tables), left_out


def attribution(read: Read, baseline: RuleSet, other: RuleSet) -> pa.Table | None:
    """The shares of the parts in what the other rule set changes, schema ATTRIBUTED; None where that would take too long."""
    table, left_out = attributions(read, baseline, [other])
    return None if left_out else table


def _all_mixed(baseline: RuleSet, other: RuleSet) -> dict[int, RuleSet]:
    """The rule set of every choice of parts, a bit for each."""
    parts = parts_of(baseline, other)
    return {chosen: _mixed(baseline, other, parts, chosen) for chosen in range(1 << len(parts))}


def _read_balances(mixed: Mapping[int, RuleSet]) -> bool:
    return any(reads_balances(rules) for rules in mixed.values())


def _attributed(facts: Distinct, mixed: Mapping[int, RuleSet], name: str, parts: Sequence[Part]) -> pa.Table:
    totals, hands = _totals(facts, mixed)
    shares = [
        _shares(len(parts), {chosen: each[party] for chosen, each in totals.items()}) for party in range(4)
    ]
    rows = [
        {
            "rule_set": name,
            "part": part.name,
            "keys": ", ".join(part.keys),
            "hands": hands,
            "left_out": int(facts.hands.sum()) - hands,
            **{name: points(shares[party][place]) for party, name in enumerate(_PARTIES)},
            "landlord_baseline": points(totals[0][0]),
        }
        for place, part in enumerate(parts)
    ]
    return pa.Table.from_pylist(rows, schema=ATTRIBUTED)


def parts_of(baseline: RuleSet, other: RuleSet) -> list[Part]:
    """The differing parameters that settling reads, each by itself if there are at most eight, else by what they concern.

    Where events are multiplied under one rule set and added under the other, their factors mean something else under each and are
    moved together.
    """
    keys = [found.key for found in difference(baseline, other) if _section(found.key) in _CONCERN]
    keys.sort(key=lambda key: _ORDER.index(_CONCERN[_section(key)]))
    crowded = len(keys) > MOST_PARTS

    def name(key: str) -> str:
        together = crowded or (_section(key) == "events" and "events.combine" in keys)
        return _CONCERN[_section(key)] if together else key

    return [Part(part, tuple(group)) for part, group in groupby(keys, name)]


def _section(key: str) -> str:
    return key.partition(".")[0]


def _mixed(baseline: RuleSet, other: RuleSet, parts: Sequence[Part], chosen: int) -> RuleSet:
    """The baseline with the other's values in the parts whose bits are set."""
    moved = [key for place, part in enumerate(parts) if chosen >> place & 1 for key in part.keys]
    return structs.replace(baseline, **{ATTRIBUTES[key]: getattr(other, ATTRIBUTES[key]) for key in moved})


def _totals(facts: Distinct, mixed: Mapping[int, RuleSet]) -> tuple[dict[int, Totals], int]:
    """What each party has in all under each combination, over the hands that all of them score; and how many these are."""
    counted = np.asarray(facts.table["landlord_seat"].is_valid(), dtype=bool)
    for rules in mixed.values():
        counted = counted & facts.outcome(rules).scored
    hands = np.where(counted, facts.hands, 0)
    totals = {
        chosen: tuple(weighted(party, hands) for party in facts.outcome(rules).net)
        for chosen, rules in mixed.items()
    }
    return totals, int(hands.sum())


def _shares(parts: int, total: Mapping[int, int]) -> list[int]:
    """Each part's Shapley share of what all parts together change, rounded such that they add up to it exactly."""
    exact = [
        sum(
            (
                _weight(parts, rest) * (total[rest | 1 << place] - total[rest])
                for rest in total
                if not rest >> place & 1
            ),
            Fraction(),
        )
        for place in range(parts)
    ]
    shares = [int(share // 1) for share in exact]
    missing = total[len(total) - 1] - total[0] - sum(shares)
    largest = sorted(range(parts), key=lambda place: (shares[place] - exact[place], place))
    for place in largest[:missing]:
        shares[place] += 1
    return shares


def _weight(parts: int, rest: int) -> Fraction:
    """The share of all orders in which just the parts of `rest` come before a part that is not among them."""
    before = rest.bit_count()
    return Fraction(factorial(before) * factorial(parts - before - 1), factorial(parts))
