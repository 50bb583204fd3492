"""The settlements of some hands as rows of the settlements table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Flags, Ints, amounts
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES, SETTLEMENTS
from ddz_analytics.settlement.events import NOT_A_POWER, capped, doublings
from ddz_analytics.settlement.pairs import REFUSED
from ddz_analytics.settlement.verdict import ZEROS

if TYPE_CHECKING:
    from ddz_analytics.settlement.settle import Settled

SCENARIO = "recorded"


def settlement_rows(facts: pa.Table, settled: Settled, rules: RuleSet) -> pa.Table:
    """Rows in the order of the facts: amounts null where undefined, zero (and no operands) where a rule says so."""
    number = len(facts)
    zero = np.any([settled.reasons[reason] for reason in ZEROS], axis=0)
    reasons = settled.reasons | _marked(settled)
    undefined = np.any([where for reason, where in reasons.items() if reason not in ZEROS], axis=0)
    played = ~zero & ~undefined
    assumed = np.where(played, settled.marks.assumed, 0)
    columns: dict[str, pa.Array] = {
        "scenario": pa.repeat(pa.scalar(SCENARIO), number),
        "rule_set": pa.repeat(pa.scalar(rules.id), number),
        "rule_hash": pa.repeat(pa.scalar(rules.rule_hash), number),
        "hand_id": facts["hand_id"],
        "score_status": _named(
            ("exact", "projected", "undefined"), np.where(undefined, 2, np.where(assumed > 0, 1, 0))
        ),
        "reason": _reason_column(reasons, number),
        "assumed": pa.array(assumed),
        **_operands(settled, rules, played, ~undefined),
        **_components(settled, played, ~undefined),
    }
    for place, role in enumerate(ROLES):
        liable = settled.liable[place - 1] & played if place else np.zeros(number, dtype=bool)
        columns[f"liable_{role}"] = pa.array(liable)
        columns[f"double_refused_{role}"] = _named(REFUSED, np.where(played, settled.pairs.refused[place], 0))
    return pa.table([columns[name] for name in SETTLEMENTS.names], schema=SETTLEMENTS)


def _marked(settled: Settled) -> dict[str, Flags]:
    """Hands whose amounts cannot be written: too large, else not a whole number of 1/10,000."""
    decided = np.any(list(settled.reasons.values()), axis=0)
    overflow = settled.marks.overflow & ~decided
    return {"overflow": overflow, "not_representable": settled.marks.broken & ~decided & ~overflow}


def _named(names: tuple[str | None, ...], codes: Any) -> pa.Array:
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.astype(np.int8)), pa.array(names, type=pa.string())
    ).cast(pa.string())


def _reason_column(reasons: dict[str, Flags], number: int) -> pa.Array:
    codes = np.zeros(number, dtype=np.int64)
    for code, where in enumerate(reasons.values(), start=1):
        codes[where] = code
    return _named((None, *reasons), codes)


def _operands(settled: Settled, rules: RuleSet, played: Flags, scored: Flags) -> dict[str, pa.Array]:
    stakes, pairs, events = settled.stakes, settled.pairs, settled.events
    limited = capped(events.counted, rules)
    shown = events.counted * np.maximum(pairs.down, pairs.up) if rules.cap_after_pairs else events.counted
    cut = stakes.cut

    def count(values: Ints) -> pa.Array:
        return pa.array(values, mask=~played)

    def exponent(values: Ints) -> pa.Array:
        found = doublings(values)
        return pa.array(found, mask=~played | (found == NOT_A_POWER))

    def zero_unless_played(values: Ints) -> pa.Array:
        return amounts(np.where(played, values, 0), scored)

    return {
        "unit": amounts(settled.unit, played),
        "bid": amounts(settled.bid, played),
        "auction_multiplier": count(settled.auction),
        "event_multiplier": count(limited * events.uncounted),
        "doublings_uncapped": exponent(shown),
        "doublings": exponent(capped(shown, rules)),
        "cap_bites": pa.array(played & (cut > 0), mask=~scored),
        "cap_amount": zero_unless_played(cut),
        "pair_multiplier_down": count(pairs.down),
        "pair_multiplier_up": count(pairs.up),
        "stake_down": zero_unless_played(stakes.down),
        "stake_up": zero_unless_played(stakes.up),
    }


def _components(settled: Settled, played: Flags, scored: Flags) -> dict[str, pa.Array]:
    nothing = amounts(np.zeros(len(played), dtype=np.int64), scored)

    def amount(values: Ints) -> pa.Array:
        return amounts(np.where(played, values, 0), scored)

    columns: dict[str, pa.Array] = {}
    for component in ("transfer", "liability", "fee", "rake"):
        change = settled.change(component)
        columns |= {f"{component}_{role}": amount(change[place]) for place, role in enumerate(ROLES)}
    for component in ("balance_cut", "fine"):
        columns |= {f"{component}_{role}": nothing for role in ROLES}
    net = settled.net()
    columns |= {f"net_{role}": amount(net[place]) for place, role in enumerate(ROLES)}
    for part, component in (("rake", "rake"), ("fee", "fee"), ("forfeit", "liability")):
        columns[f"house_{part}"] = amount(settled.change(component).house)
    return {**columns, "house_fine": nothing, "house_net": amount(net.house)}
