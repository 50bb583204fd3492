"""How one hand comes to its score under one rule set: every step in words, with its numbers and its citation.

The numbers are those that settling itself computes; here they are only told. The effect of one event is taken by settling the
events of a rule set in which the others change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics.hands import SCALE
from ddz_analytics.locale import term, text
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.assumptions import BIT_OF
from ddz_analytics.settlement.auction import opening_of, robs_of
from ddz_analytics.settlement.columns import Facts, Marks
from ddz_analytics.settlement.events import capped, event_multipliers, springs
from ddz_analytics.settlement.pairs import REFUSED
from ddz_analytics.settlement.parties import Parties
from ddz_analytics.settlement.settle import Settled, settle, settle_columns

_FACTOR_OF = {"bombs": "bomb", "rockets": "rocket", "spring": "spring", "anti_spring": "anti_spring"}
_PEASANTS = ("down", "up")
_Factor = tuple[str, str, int, list[str]]  # concept, section, factor in 1/10,000, words
_RESTS_ON = {
    "unit": ("room.unit", "room.rate"),
    "bid": ("bid", "room_bid", "room.low", "room.high"),
    "robs": ("robs",),
    "opening": ("open_hand", "open_value"),
    "events": ("bombs_hard", "combinations"),
    "pairs": ("doubles", "doubles_allowed", "kicks"),
    "liability": ("autoplay", "autoplay_rules"),
    "fee": ("room.fee",),
}


class WorkedStep(NamedTuple):
    """One step as texts. Amounts are exact decimals; `before` and `after` are what one pair plays for, empty once money moves.

    `landlord`, `down`, `up` and `house` are what each party has after the step; empty where the hand has no score.
    """

    concept: str
    title: str
    words: str
    citation: str
    operand: str
    before: str
    after: str
    landlord: str
    down: str
    up: str
    house: str


class _Told(NamedTuple):
    """A step before it is written out: amounts in 1/10,000; `change` is None while nothing has moved."""

    concept: str
    sections: str
    words: Sequence[str]
    operand: str = ""
    before: int | None = None
    after: int | None = None
    change: Parties | None = None


@dataclass(frozen=True)
class _Hand:
    """One hand under one rule set, and the language to tell it in."""

    facts: Facts
    rules: RuleSet
    settled: Settled
    lang: str

    def say(self, key: str, **values: object) -> str:
        return text(f"said.{key}", self.lang, **values)

    def assumed(self, concept: str) -> list[str]:
        """What the step rests on that the log does not say."""
        bits = int(self.settled.marks.assumed[0])
        codes = [code for code in _RESTS_ON[concept] if bits & BIT_OF[code]]
        return [self.say("assumed", what=term("assumption", code, self.lang)) for code in codes]


def worked(facts_row: pa.Table, rules: RuleSet, lang: str) -> list[WorkedStep]:
    """The steps of one hand's settlement in their order; the last one has each party's net, as the settlement has it.

    `facts_row`: one row of schema FACTS; `lang`: en or zh. A hand without a score, or with zeros by rule, has one step that
    says why.
    """
    (settlement,) = settle(facts_row, rules).to_pylist()
    if settlement["reason"] is not None:
        return [_unplayed(settlement["score_status"], settlement["reason"], lang)]
    facts = Facts(facts_row)
    hand = _Hand(facts, rules, settle_columns(facts, rules), lang)
    parties, steps = Parties.nothing(1), []
    for told in (*_up_to_events(hand), *_pairs(hand), *_money(hand)):
        parties = parties if told.change is None else parties.plus(told.change)
        steps.append(_written(told, parties, hand))
    return steps


def decimal_text(amount: int) -> str:
    """An amount in 1/10,000 as an exact decimal without needless zeros."""
    whole, part = divmod(abs(amount), SCALE)
    return ("-" if amount < 0 else "") + str(whole) + (f".{part:04d}".rstrip("0") if part else "")


def _written(told: _Told, parties: Parties, hand: _Hand) -> WorkedStep:
    before, after = ("" if value is None else decimal_text(value) for value in (told.before, told.after))
    nets = [decimal_text(int(party[0])) for party in parties]
    cited = [
        hand.rules.sources[section] for section in told.sections.split() if section in hand.rules.sources
    ]
    title, words = text(f"step.{told.concept}", hand.lang), hand.say("gap").join(told.words)
    return WorkedStep(told.concept, title, words, "; ".join(cited), told.operand, before, after, *nets)


def _unplayed(status: str, reason: str, lang: str) -> WorkedStep:
    concept, net = ("undefined", "") if status == "undefined" else ("zero", "0")
    words = term("reason", reason, lang)
    return WorkedStep(concept, text(f"step.{concept}", lang), words, "", "", "", "", net, net, net, net)


def _up_to_events(hand: _Hand) -> Iterator[_Told]:
    """What one pair plays for, from the unit to the events and the cap on them."""
    value = int(hand.settled.unit[0])
    words = [hand.say("unit", amount=decimal_text(value)), *hand.assumed("unit")]
    yield _Told("unit", "stake", words, decimal_text(value), None, value)
    for concept, section, factor, words in (*_bid(hand), *_auction(hand)):
        before, value = value, value * factor // SCALE
        yield _Told(concept, section, words, f"×{decimal_text(factor)}", before, value)
    yield from _events(hand, value)
    counted, uncounted = (int(part[0]) for part in hand.settled.events)
    if hand.rules.cap_doublings is not None and not (hand.rules.cap_after_pairs and _has_pairs(hand.rules)):
        yield _cap(hand, "cap", counted, value * uncounted)


def _bid(hand: _Hand) -> Iterator[_Factor]:
    if hand.rules.stake_bid != "bid":
        return
    bid = int(hand.settled.bid[0])
    said = "bid_forced" if hand.facts.known("auction_forced")[0] else "bid"
    yield "bid", "stake", bid, [hand.say(said, amount=decimal_text(bid)), *hand.assumed("bid")]
    if hand.rules.stake_multiplier_starts_at == "bid":
        yield "bid_again", "stake", bid, [hand.say("bid_again", amount=decimal_text(bid))]


def _auction(hand: _Hand) -> Iterator[_Factor]:
    facts, rules = hand.facts, hand.rules
    if rules.auction_rob_factor != 1:
        robs, factor = int(robs_of(facts, rules, Marks(1))[0]), rules.auction_rob_factor
        words = [hand.say("robs", number=robs, factor=factor), *hand.assumed("robs")]
        yield "robs", "auction", factor**robs * SCALE, words
    early, late = rules.open_hand_deal_early, rules.open_hand_deal_late
    if max(rules.open_hand_start, early, late, rules.open_hand_bottom) != 1:
        factor = int(opening_of(facts, rules, Marks(1))[0])
        said = hand.say("opening", factor=factor) if factor != 1 else hand.say("no_opening")
        yield "opening", "open_hand", factor * SCALE, [said, *hand.assumed("opening")]


def _events(hand: _Hand, point: int) -> Iterator[_Told]:
    """One step for each event that happened and acts; `point` is what a pair plays for before any."""
    additive = hand.rules.events_combine == "additive"
    happened = [event for event in _FACTOR_OF if _number(hand, event) and _effect(hand, event) != (1, 1)]
    if not happened:
        yield _Told("events", "events", [hand.say("no_event"), *hand.assumed("events")], "×1", point, point)
    counted = uncounted = 1
    for event in happened:
        before, (mine, apart) = point * counted * uncounted, _effect(hand, event)
        if additive:
            counted, uncounted = counted + mine - 1, uncounted + apart - 1
        else:
            counted, uncounted = counted * mine, uncounted * apart
        words = [_event_words(hand, event), *(hand.assumed("events") if event == happened[0] else ())]
        operand = f"+{mine + apart - 2}" if additive else f"×{mine * apart}"
        yield _Told(event, "events", words, operand, before, point * counted * uncounted)


def _number(hand: _Hand, event: str) -> int:
    """How often an event happened; rockets that the rule set counts among the bombs are bombs."""
    rules, facts = hand.rules, hand.facts
    if event in ("spring", "anti_spring"):
        return int(springs(facts)[event == "anti_spring"][0])
    number = int(facts.ints(event)[0])
    if rules.events_bomb_counts_rocket and rules.events_bomb_reading != "power":
        return number + int(facts.ints("rockets")[0]) if event == "bombs" else 0
    return number


def _effect(hand: _Hand, event: str) -> tuple[int, int]:
    """What one event alone multiplies by (additive: 1 plus what it adds), among those that the cap counts and the others."""
    neutral = 0 if hand.rules.events_combine == "additive" else 1
    others: dict[str, object] = {
        f"events_{key}": neutral for name, key in _FACTOR_OF.items() if name != event
    }
    others |= {"events_bomb_reading": "power"} if event != "bombs" else {}
    alone = event_multipliers(hand.facts, structs.replace(hand.rules, **others), Marks(1))
    return int(alone.counted[0]), int(alone.uncounted[0])


def _event_words(hand: _Hand, event: str) -> str:
    name, number = text(f"step.{event}", hand.lang), _number(hand, event)
    factor = getattr(hand.rules, f"events_{_FACTOR_OF[event]}")
    if hand.rules.events_combine == "additive":
        return hand.say("added", event=name, number=number, factor=factor)
    if event == "bombs" and hand.rules.events_bomb_reading != "power":
        return hand.say(hand.rules.events_bomb_reading, number=number, last=number + 1)
    return hand.say("each" if event == "bombs" else "once", event=name, number=number, factor=factor)


def _has_pairs(rules: RuleSet) -> bool:
    return rules.double_factor != 1 or rules.kick_factor != 1


def _cap(hand: _Hand, concept: str, counted: int, rest: int) -> _Told:
    """The cap on a multiplier `counted` of an amount `rest`."""
    limited = int(capped(np.array([counted]), hand.rules)[0])
    what = hand.say("and").join(term("event", event, hand.lang) for event in hand.rules.cap_counts)
    numbers = {"most": hand.rules.cap_doublings, "what": what, "before": counted, "after": limited}
    words = [hand.say("capped" if limited < counted else "within", **numbers)]
    return _Told(concept, "cap", words, f"×{counted} → ×{limited}", rest * counted, rest * limited)


def _pairs(hand: _Hand) -> Iterator[_Told]:
    """What multiplies the landlord's pair with each peasant, and the cap where it comes after that."""
    if not _has_pairs(hand.rules):
        return
    stakes, counted = hand.settled.stakes, int(hand.settled.events.counted[0])
    cap_follows = (
        hand.rules.cap_doublings is not None and hand.rules.cap_after_pairs and _has_pairs(hand.rules)
    )
    for place, role in enumerate(_PEASANTS):
        factor = int(hand.settled.pairs[place][0])
        after = int(stakes[place][0])
        if cap_follows:
            after = after * counted * factor // int(capped(np.array([counted * factor]), hand.rules)[0])
        words = [*_pair_words(hand, role), *(hand.assumed("pairs") if place == 0 else ())]
        yield _Told(f"pair_{role}", "double kick", words, f"×{factor}", after // factor, after)
        if cap_follows:
            yield _cap(hand, f"cap_{role}", counted * factor, after // (counted * factor))


def _pair_words(hand: _Hand, role: str) -> list[str]:
    words = []
    if hand.rules.double_factor != 1:
        for who, prefix in ((role, ""), ("landlord", "landlord_")):
            refused = REFUSED[int(hand.settled.pairs.refused[("landlord", *_PEASANTS).index(who)][0])]
            if refused is not None:
                words.append(hand.say(f"{prefix}refused", why=term("refused", refused, hand.lang)))
            elif hand.facts.ints(f"{who}_doubled")[0] > 1:
                words.append(hand.say(f"{prefix}doubled"))
    if hand.rules.kick_factor != 1 and hand.facts.flag(f"{role}_kicked")[0]:
        words.append(hand.say("kicked" if hand.facts.flag(f"{role}_could_kick")[0] else "kick_ignored"))
    return words or [hand.say("no_pair")]


def _money(hand: _Hand) -> Iterator[_Told]:
    """Who pays whom, liability, and what the house takes, as far as the rule set has it."""
    rules, stakes = hand.rules, hand.settled.stakes
    down, up = decimal_text(int(stakes.down[0])), decimal_text(int(stakes.up[0]))
    said = hand.say("won" if hand.settled.won[0] else "lost", down=down, up=up)
    yield _Told("transfer", "stake", [said], change=hand.settled.change("transfer"))
    if (rules.liability_when_losing, rules.liability_when_winning) != ("none", "none"):
        words = [*_liability_words(hand), *hand.assumed("liability")]
        yield _Told("liability", "liability", words, change=hand.settled.change("liability"))
    if rules.house_rake:
        share = decimal_text(rules.house_rake * 100)
        rake = hand.settled.change("rake")
        yield _Told("rake", "house", [hand.say("rake", share=share)], f"{share}%", change=rake)
    if rules.house_fee != "none" and rules.house_fee_in_score:
        fee = hand.settled.change("fee")
        amount = decimal_text(-int(fee.landlord[0]))
        words = [hand.say("fee", amount=amount), *hand.assumed("fee")]
        yield _Told("fee", "house", words, amount, change=fee)


def _liability_words(hand: _Hand) -> list[str]:
    rules, losing = hand.rules, bool(hand.settled.won[0])
    if (rules.liability_when_losing if losing else rules.liability_when_winning) == "none":
        return [hand.say("not_held", who=hand.say("sides_landlord" if losing else "sides_peasants"))]
    liable = [role for place, role in enumerate(_PEASANTS) if hand.settled.liable[place][0]]
    if len(liable) == 2:
        return [hand.say(f"both_{rules.liability_both_losing if losing else rules.liability_both_winning}")]
    on = "autoplay_ever" if rules.liability_status == "any_time" else "autoplay"
    exempt = [role for role in _PEASANTS if role not in liable and hand.facts.flag(f"{role}_{on}")[0]]
    words = [hand.say("exempt", role=term("role", role, hand.lang)) for role in exempt]
    if not liable:
        return [*words, hand.say("own_shares")]
    said = "pays_both" if losing else "other_takes"
    return [*words, hand.say(said, role=term("role", liable[0], hand.lang))]
