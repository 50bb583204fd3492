"""How one hand comes to its score under one rule set: every step in words, with its numbers and its citation.

The numbers are those that settling itself computes; here they are only told.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pyarrow as pa

from ddz_analytics.explain.cited import citation
from ddz_analytics.explain.hand import Told, ToldHand, WorkedStep, written
from ddz_analytics.explain.money import fine, money
from ddz_analytics.explain.stakes import pairs, up_to_events
from ddz_analytics.hands import SCALE
from ddz_analytics.locale import term, text
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.parties import Parties
from ddz_analytics.settlement.settle import settle, settle_columns

# the section of a rule set that says why a hand has no score, where one does
_SECTION_OF = {
    "thrown_in": "auction",
    "forced_landlord": "auction",
    "void": "escape",
    "escaped": "escape",
    "no_balances": "balance",
}


def worked(facts_row: pa.Table, rules: RuleSet, lang: str) -> list[WorkedStep]:
    """The steps of one hand's settlement in their order; the last one has each party's net, as the settlement has it.

    `facts_row`: one row of schema FACTS; `lang`: en or zh. A hand without a score, or with zeros by rule, has one step that
    says why.
    """
    (settlement,) = settle(facts_row, rules).to_pylist()
    if settlement["reason"] is not None:
        return [_unplayed(rules, settlement["score_status"], settlement["reason"], lang)]
    facts = Facts(facts_row)
    changed = tuple(_scaled(settlement[f"double_change_{role}"]) for role in ROLES)
    hand = ToldHand(facts, rules, settle_columns(facts, rules), changed, lang)
    parties, steps = Parties.nothing(1), []
    for told in _told(hand):
        parties = parties if told.change is None else parties.plus(told.change)
        steps.append(written(told, parties, hand))
    return steps


def _told(hand: ToldHand) -> Iterator[Told]:
    escapes = hand.settled.escapes
    if not escapes.some:
        value = yield from up_to_events(hand)
        yield from pairs(hand, value)
    elif escapes.before_bid[0]:
        yield from fine(hand, None)
    else:
        value = yield from up_to_events(hand)
        yield from fine(hand, value)
    yield from money(hand)


def _scaled(amount: Decimal | None) -> int | None:
    return None if amount is None else int(amount * SCALE)


def _unplayed(rules: RuleSet, status: str, reason: str, lang: str) -> WorkedStep:
    section = _SECTION_OF.get(reason)
    cited = "" if section is None else citation(rules, [section], [reason])
    concept, net = ("undefined", "") if status == "undefined" else ("zero", "0")
    words = term("reason", reason, lang)
    return WorkedStep(concept, text(f"step.{concept}", lang), words, cited, "", "", "", net, net, net, net)
