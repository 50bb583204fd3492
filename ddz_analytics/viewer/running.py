"""What a pair plays for so far under a rule set: the settlement of the facts as far as they have got, frame by frame.

Only what has happened until a frame counts: words of the auction, openings, doubles and kicks, bombs and rockets. Spring and
anti-spring come with the end, whose row is the very facts of the hand, so that the last frame is the settlement.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import pyarrow as pa
from msgspec import Struct

from ddz_analytics.explain.hand import decimal_text, exact_text
from ddz_analytics.explain.record import Act, Record
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import FACTS, ROLES
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.settle import Settled, settle, settle_columns
from ddz_analytics.viewer.course import Frame, decided

PARTIES = ("landlord", "down", "up", "house")
# without one of these there is no telling what a pair plays for until the end, or nothing to play for
_NOTHING_SO_FAR = (
    "thrown_in",
    "forced_landlord",
    "needs_wild",
    "no_balances",
    "overflow",
    "not_representable",
)
_BOMBS = ("bomb", "bomb_soft", "bomb_hard", "bomb_pure")
_NOT_YET: dict[str, Any] = {
    "outcome": "unfinished", "winner_seat": None, "winner_side": None, "spring": "none", "escaped_seat": None, "escape_stage": None,
}  # fmt: skip
_ASKED = {"open": ("open_stage", "open_value", "open_dealt"), "double": ("doubled",), "kick": ("kicked",)}


class SoFar(Struct, frozen=True):
    """What a pair plays for at one frame. `factors`: each a concept and its number; `multiplier`: robs, openings and events.

    `pairs` and `stakes`: of the landlord with the down and with the up peasant. `adds_up`: the stakes are the product of the
    factors and the pair's; else a cap has cut them (`capped`).
    """

    factors: tuple[tuple[str, str], ...]
    multiplier: int
    pairs: tuple[int, int]
    stakes: tuple[str, str]
    adds_up: bool
    capped: bool


class Run(Struct, frozen=True):
    """A hand under one rule set: what is played for at each frame (None: nothing, or it cannot be said), and the settlement.

    `net`: what each party has in the end, None where the hand has no score. `cap_bites` as in `settlements`.
    """

    rule_set: str
    title_en: str
    title_zh: str
    so_far: list[SoFar | None]
    status: str
    reason: str | None
    assumptions: list[str]
    net: dict[str, str] | None
    cap_bites: bool


def run_of(record: Record, frames: Sequence[Frame], facts: pa.Table, rules: RuleSet) -> Run:
    """A hand under a rule set; `facts`: its row of schema FACTS, with the balances of a scenario."""
    (settled,) = settle(facts, rules).to_pylist()
    nets = [settled[f"net_{role}"] for role in ROLES] + [settled["house_net"]]
    net = None if settled["reason"] is not None and settled["score_status"] == "undefined" else {
        party: decimal_text(int(amount * SCALE)) for party, amount in zip(PARTIES, nets, strict=True)
    }  # fmt: skip
    return Run(
        rule_set=rules.id,
        title_en=rules.title_en or rules.id,
        title_zh=rules.title_zh or rules.id,
        so_far=_so_far(record, frames, facts, rules, settled["reason"]),
        status=settled["score_status"],
        reason=settled["reason"],
        assumptions=[code for bit, code in enumerate(CODES) if settled["assumed"] >> bit & 1],
        net=net,
        cap_bites=bool(settled["cap_bites"]),
    )


def facts_so_far(record: Record, frames: Sequence[Frame], facts: pa.Table) -> pa.Table:
    """The facts as they stand at each frame, a row a frame; at the end all of them."""
    (fact,) = facts.to_pylist()
    begun = decided(record.acts)
    rows, acts = [], []
    for frame in frames[:-1]:
        acts += [] if frame.act is None else [frame.act]
        over = frame.kind == "bottom" or len(acts) > begun or (frame.act is None and begun == 0)
        rows.append({**fact, **_NOT_YET, **_played(acts), **_asked(record, fact, acts)})
        rows[-1] |= {} if over else _auction(fact, acts)
    return pa.Table.from_pylist([*rows, fact], schema=FACTS)


def _so_far(
    record: Record, frames: Sequence[Frame], facts: pa.Table, rules: RuleSet, reason: str | None
) -> list[SoFar | None]:
    if reason in _NOTHING_SO_FAR or record.head["landlord_seat"] is None:
        return [None] * len(frames)
    columns = settle_columns(Facts(facts_so_far(record, frames, facts)), rules)
    told: list[SoFar | None] = []
    sound, begun = True, _is_begun(record, frames)
    for place, frame in enumerate(frames):
        sound = sound and not any(issue.severity == "error" for issue in frame.issues)
        ended = frame.kind == "end" and (reason is not None or bool(columns.escapes.fined[place]))
        lost = bool(columns.marks.overflow[place] or columns.marks.broken[place])
        told.append(None if ended or lost or not (sound and begun[place]) else _at(columns, rules, place))
    return told


def _is_begun(record: Record, frames: Sequence[Frame]) -> list[bool]:
    """From which frame on something is played for: the first word that wants to be landlord, or when the auction is over."""
    begun, found = decided(record.acts) == 0, []
    for frame in frames:
        act = frame.act
        wants = act is not None and act.act in ("bid", "call", "rob") and act.value != 0
        begun = begun or wants or frame.kind in ("bottom", "end") or frame.trick is not None
        found.append(begun)
    return found


def _played(acts: Sequence[Act]) -> dict[str, int]:
    categories = [act.category for act in acts]
    found = {f"{kind}_bombs": categories.count(f"bomb_{kind}") for kind in ("soft", "hard", "pure")}
    bombs = sum(category in _BOMBS for category in categories)
    return {"bombs": bombs, "rockets": categories.count("rocket"), **found}


def _asked(record: Record, fact: dict[str, Any], acts: Sequence[Act]) -> dict[str, Any]:
    """Openings, doubles and kicks of roles that have not asked for them yet are not there."""
    done = {(act.act, act.seat) for act in acts}
    return {
        f"{role}_{column}": None
        for act, columns in _ASKED.items()
        for role in ROLES
        for column in columns
        if (act, record.seat_of(role)) not in done
    }


def _auction(fact: dict[str, Any], acts: Sequence[Act]) -> dict[str, Any]:
    """The auction as far as it has got: the highest bid, the raises and robs."""
    bids = [act.value for act in acts if act.act == "bid" and act.value]
    robs = sum(act.act == "rob" and act.value != 0 for act in acts)
    raises = max(len(bids) - 1, 0)
    return {
        "nobody_bid": False, "auction_silent": False, "bid": max(bids, default=None),
        "robs": min(robs, fact["robs"] or 0), "raises": min(raises, fact["raises"] or 0),
    }  # fmt: skip


def _at(settled: Settled, rules: RuleSet, place: int) -> SoFar:
    stakes = tuple(int(stake[place]) for stake in settled.stakes[:2])
    pairs = tuple(int(pair[place]) for pair in settled.pairs[:2])
    multiplier = int(settled.auction[place]) * int(settled.events.multiplier[place])
    bid = Fraction(int(settled.bid[place]), SCALE)
    parts = [("unit", Fraction(int(settled.unit[place]), SCALE))]
    parts += [("bid", bid)] if rules.stake_bid == "bid" else []
    parts += [("bid_again", bid)] if rules.stake_multiplier_starts_at == "bid" else []
    parts += [] if rules.stake_identity_included else [("identity", Fraction(1, 2))]
    parts += [("auction", Fraction(int(settled.auction[place])))] if _has_auction_factor(rules) else []
    parts += [("events", Fraction(int(settled.events.multiplier[place])))]
    product = prod((value for _, value in parts), start=Fraction(SCALE))
    return SoFar(
        factors=tuple((concept, exact_text(value)) for concept, value in parts),
        multiplier=multiplier,
        pairs=(pairs[0], pairs[1]),
        stakes=(decimal_text(stakes[0]), decimal_text(stakes[1])),
        adds_up=all(product * pair == stake for pair, stake in zip(pairs, stakes, strict=True)),
        capped=bool(settled.stakes.cut[place] > 0),
    )


def _has_auction_factor(rules: RuleSet) -> bool:
    openings = (
        rules.open_hand_start,
        rules.open_hand_deal_early,
        rules.open_hand_deal_late,
        rules.open_hand_bottom,
    )
    return max(rules.auction_rob_factor, *openings) != 1
