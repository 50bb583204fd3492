"""The settlements of some hands as rows of the settlements table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.columns import Flags, Ints, amounts
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES, SETTLEMENTS
from ddz_analytics.settlement.cap import NOT_A_POWER, doublings
from ddz_analytics.settlement.events import capped
from ddz_analytics.settlement.pairs import REFUSED
from ddz_analytics.settlement.parties import Parties

if TYPE_CHECKING:
    from ddz_analytics.settlement.settle import Settled

SCENARIO = "recorded"


Changes = Sequence[tuple[Ints, Flags]]


class _Shown(NamedTuple):
    """Where hands were settled (`played`, of these `staked` if nobody left), and where they have a score at all."""

    played: Flags
    staked: Flags
    scored: Flags


def settlement_rows(facts: pa.Table, settled: Settled, rules: RuleSet, changes: Changes) -> pa.Table:
    """Rows in the order of the facts: amounts null where undefined, zero (and no operands) where a rule says so.

    `changes`: by role, what a refused double would have changed, and where it is known.
    """
    number = len(facts)
    played, scored = settled.played, settled.scored
    shown = _Shown(played, played & ~settled.escapes.fined, scored)
    assumed = np.where(played, settled.marks.assumed, 0)
    columns: dict[str, pa.Array] = {
        "scenario": pa.repeat(pa.scalar(SCENARIO), number),
        "rule_set": pa.repeat(pa.scalar(rules.id), number),
        "rule_hash": pa.repeat(pa.scalar(rules.rule_hash), number),
        "hand_id": facts["hand_id"],
        "score_status": _named(
            ("exact", "projected", "undefined"), np.where(~scored, 2, np.where(assumed > 0, 1, 0))
        ),
        "reason": _reason_column(settled.reasons | settled.unwritable, number),
        "assumed": pa.array(assumed),
        **{f"balance_{role}": facts[f"{role}_balance"] for role in ROLES},
        **_operands(settled, rules, shown),
        **_components(settled, shown),
        **_by_role(settled, changes, shown),
    }
    return pa.table([columns[name] for name in SETTLEMENTS.names], schema=SETTLEMENTS)


def _named(names: tuple[str | None, ...], codes: Any) -> pa.Array:
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.astype(np.int8)), pa.array(names, type=pa.string())
    ).cast(pa.string())


def _reason_column(reasons: dict[str, Flags], number: int) -> pa.Array:
    codes = np.zeros(number, dtype=np.int64)
    for code, where in enumerate(reasons.values(), start=1):
        codes[where] = code
    return _named((None, *reasons), codes)


def _operands(settled: Settled, rules: RuleSet, shown: _Shown) -> dict[str, pa.Array]:
    """What the stakes, or the fine, are made of; in a fine robs, openings and pairs multiply nothing, before any bid nothing does."""
    stakes, pairs, events, escapes = settled.stakes, settled.pairs, settled.events, settled.escapes
    counted = events.counted
    if rules.cap_after_pairs:
        counted = counted * np.where(escapes.fined, 1, np.maximum(pairs.down, pairs.up))

    def multiplier(values: Ints, nothing: Flags) -> pa.Array:
        return pa.array(np.where(nothing, 1, values) if escapes.some else values, mask=~shown.played)

    def exponent(values: Ints) -> pa.Array:
        found = doublings(np.where(escapes.before_bid, 1, values) if escapes.some else values)
        return pa.array(found, mask=~shown.played | (found == NOT_A_POWER))

    def zero_unless_staked(values: Ints) -> pa.Array:
        return amounts(np.where(shown.staked, values, 0), shown.scored)

    return {
        "unit": amounts(settled.unit, shown.played),
        "bid": amounts(settled.bid, shown.played & ~escapes.before_bid),
        "auction_multiplier": multiplier(settled.auction, escapes.fined),
        "event_multiplier": multiplier(events.multiplier, escapes.before_bid),
        "doublings_uncapped": exponent(counted),
        "doublings": exponent(capped(counted, rules)),
        "cap_bites": pa.array(shown.staked & (stakes.cut > 0), mask=~shown.scored),
        "cap_amount": zero_unless_staked(stakes.cut),
        "pair_multiplier_down": multiplier(pairs.down, escapes.fined),
        "pair_multiplier_up": multiplier(pairs.up, escapes.fined),
        "stake_down": zero_unless_staked(stakes.down),
        "stake_up": zero_unless_staked(stakes.up),
    }


def _components(settled: Settled, shown: _Shown) -> dict[str, pa.Array]:
    """What each step changes for each role, and what the house has of it; a forfeit or fine that nobody can pay it has not."""
    nothing = amounts(np.zeros(len(shown.played), dtype=np.int64), shown.scored)

    def by_party(change: Parties) -> list[pa.Array]:
        if change.is_nothing:
            return [nothing] * len(change)
        return [amounts(np.where(shown.played, party, 0), shown.scored) for party in change]

    steps = {step.concept: step.change for step in settled.steps}
    net, fined, cut = settled.net(), settled.escapes.fined, steps["balance_cut"]
    columns: dict[str, pa.Array] = {}
    for name, change in (*steps.items(), ("fee_apart", settled.fee_apart), ("net", net)):
        *roles, house = by_party(change)
        columns |= {f"{name}_{role}": amount for role, amount in zip(ROLES, roles, strict=True)}
        columns[f"house_{name}"] = house
    forfeit, fine = steps["liability"], steps["fine"]
    if not cut.is_nothing:
        forfeit, fine = forfeit.plus(cut.where(~fined)), fine.plus(cut.where(fined))
    columns["house_forfeit"], columns["house_fine"] = by_party(forfeit)[-1], by_party(fine)[-1]
    return columns


def _by_role(settled: Settled, changes: Changes, shown: _Shown) -> dict[str, pa.Array]:
    """Who answered for another, and whose double was refused."""
    columns: dict[str, pa.Array] = {}
    for place, role in enumerate(ROLES):
        liable = settled.liable[place - 1] & shown.played if place else np.zeros_like(shown.played)
        refused, (change, known) = settled.pairs.refused[place], changes[place]
        columns[f"liable_{role}"] = pa.array(liable)
        columns[f"double_refused_{role}"] = _named(REFUSED, np.where(shown.staked, refused, 0))
        columns[f"double_change_{role}"] = amounts(change, known & shown.staked)
    return columns
