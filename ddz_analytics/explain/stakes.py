"""What each pair plays for: unit, bid, auction, events, caps, doubles and kicks.

The effect of one event is taken by settling the events of a rule set in which the others change nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics.explain.hand import PEASANTS, Told, ToldHand, decimal_text, exact_text
from ddz_analytics.explain.pairs import pair_words
from ddz_analytics.hands import SCALE
from ddz_analytics.locale import term, text
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.auction import opening_of, robs_of
from ddz_analytics.settlement.cap import most_of_a_pair
from ddz_analytics.settlement.columns import Facts, Marks
from ddz_analytics.settlement.events import (
    FACTORS,
    capped,
    counted_as,
    event_multipliers,
    factor_of,
    numbers_of,
)
from ddz_analytics.settlement.stake import factors_of


class _Factor(NamedTuple):
    """A factor of the amount: what it is, the sections that say it, its words and topics."""

    concept: str
    sections: str
    factor: Fraction
    words: list[str]
    about: Sequence[str] = ()


def up_to_events(hand: ToldHand) -> Generator[Told, None, Fraction]:
    """What one pair plays for, from the unit to the events and the caps on them; the amount is returned too."""
    value = Fraction(int(hand.settled.unit[0]), SCALE)
    words = [hand.say("unit", amount=exact_text(value)), *hand.assumed("unit")]
    yield Told("unit", "stake", words, exact_text(value), None, value)
    fined = hand.settled.escapes.some
    for found in (*_bid(hand), *(() if fined else (*_bid_again(hand), *_auction(hand)))):
        before, value = value, value * found.factor
        operand = f"×{exact_text(found.factor)}"
        yield Told(found.concept, found.sections, found.words, operand, before, value, about=found.about)
    yield from _events(hand, value)
    counted = int(hand.settled.events.counted[0])
    if _caps_whole_pairs(hand.rules) and not fined:
        return value * _together(hand, counted)
    return (yield from _caps(hand, "", counted))


def pairs(hand: ToldHand, value: Fraction) -> Iterator[Told]:
    """What multiplies the landlord's pair with each peasant, and the caps that come after that."""
    rules, stakes = hand.rules, dict.fromkeys(PEASANTS, value)
    for place, role in enumerate(PEASANTS if _has_pairs(rules) else ()):
        factor = int(hand.settled.pairs[place][0])
        words, about = pair_words(hand, role)
        words += hand.assumed("pairs") if place == 0 else ()
        stakes[role] = value * factor
        yield Told(f"pair_{role}", "double kick", words, f"×{factor}", value, stakes[role], about=about)
        if rules.cap_after_pairs:
            counted = int(hand.settled.events.counted[0]) * factor
            stakes[role] = yield from _caps(hand, f"_{role}", counted, factor)
    if rules.cap_landlord_amount is not None and rules.cap_after_pairs:
        most, together = rules.cap_landlord_amount, exact_text(sum(stakes.values(), Fraction(0)))
        for place, role in enumerate(PEASANTS):
            after = Fraction(int(hand.settled.stakes[place][0]), SCALE)
            words = [hand.say("landlord_capped", most=most, together=together)]
            operand = f"→ {exact_text(after)}"
            yield Told(
                f"cap_landlord_{role}", "cap", words, operand, stakes[role], after, about=["cap_landlord"]
            )


def _bid(hand: ToldHand) -> Iterator[_Factor]:
    rules, bid = hand.rules, Fraction(int(hand.settled.bid[0]), SCALE)
    if rules.stake_bid == "bid":
        said = "bid_forced" if hand.facts.flag("nobody_bid")[0] else "bid"
        said = "bid_so_far" if hand.settled.escapes.some else said
        assumed = hand.assumed("bid")
        told = "bid_projected" if assumed and said == "bid" else said
        words = [hand.say(told, amount=exact_text(bid)), *assumed]
        sections = {"bid": "stake", "bid_forced": "auction", "bid_so_far": "stake"}
        yield _Factor("bid", sections[said], bid, words, [said])


def _bid_again(hand: ToldHand) -> Iterator[_Factor]:
    rules, bid = hand.rules, Fraction(int(hand.settled.bid[0]), SCALE)
    if rules.stake_multiplier_starts_at == "bid":
        yield _Factor("bid_again", "stake", bid, [hand.say("bid_again", amount=exact_text(bid))])
    if not rules.stake_identity_included:
        yield _Factor("identity", "stake", Fraction(1, 2), [hand.say("identity")])


def _auction(hand: ToldHand) -> Iterator[_Factor]:
    facts, rules = hand.facts, hand.rules
    if rules.auction_rob_factor != 1:
        robs, factor = int(robs_of(facts, rules, Marks(1))[0]), rules.auction_rob_factor
        words = [hand.say("robs", number=robs, factor=factor), *hand.assumed("robs")]
        yield _Factor("robs", "auction", Fraction(factor**robs), words)
    early, late = rules.open_hand_deal_early, rules.open_hand_deal_late
    if max(rules.open_hand_start, early, late, rules.open_hand_bottom) != 1:
        factor, openers = int(opening_of(facts, rules, Marks(1))[0]), counted_openers(facts, rules)
        said = hand.say("opening", factor=factor) if openers else hand.say("no_opening")
        about = [f"opening_{stage}" for stage in openers.values()] or ["no_opening"]
        yield _Factor("opening", "open_hand", Fraction(factor), [said, *hand.assumed("opening")], about[:1])


def counted_openers(facts: Facts, rules: RuleSet) -> dict[str, str]:
    """The roles whose opening is the largest that counts, each with the stage at which it opened; none if none multiplies."""
    largest, found = int(opening_of(facts, rules, Marks(1))[0]), {}
    for role in ROLES if largest > 1 else ():
        table = facts.table
        for other in ROLES:
            if other != role:
                column = table.column_names.index(f"{other}_open_stage")
                table = table.set_column(column, table.field(column), pa.nulls(1, pa.string()))
        if int(opening_of(Facts(table), rules, Marks(1))[0]) == largest:
            found[role] = str(facts.table[f"{role}_open_stage"][0])
    return found


def _events(hand: ToldHand, point: Fraction) -> Iterator[Told]:
    """One step for each event that happened and acts; `point` is what a pair plays for before any."""
    additive = hand.settled.events.additive
    numbers = {event: int(found[0]) for event, found in numbers_of(hand.facts, hand.rules, Marks(1)).items()}
    neutral = (1, 0) if additive else (1, 1)
    happened = [event for event, number in numbers.items() if number and _effect(hand, event) != neutral]
    if not happened:
        yield Told("events", "events", [hand.say("no_event"), *hand.assumed("events")], "×1", point, point)
    multiplier = 1
    for event in happened:
        before, (mine, apart) = multiplier, _effect(hand, event)
        multiplier = before + mine - 1 + apart if additive else before * mine * apart
        assumed = hand.assumed("events") if event == happened[0] else ()
        words = [_event_words(hand, event, numbers[event]), *assumed]
        operand = f"+{multiplier - before}" if additive else f"×{mine * apart}"
        about = [_event_topic(event, hand.rules)]
        yield Told(event, "events", words, operand, point * before, point * multiplier, about=about)


def _event_topic(event: str, rules: RuleSet) -> str:
    if event == "bombs" and rules.events_bomb_reading != "power" and rules.events_combine != "additive":
        return "bombs_read"
    if rules.events_combine == "additive":
        return f"added_{event}"
    return f"wild_{event}" if rules.wild_enabled else event


def _effect(hand: ToldHand, event: str) -> tuple[int, int]:
    """What one event alone makes of `Events`: its counted and its uncounted part."""
    neutral = 0 if hand.rules.events_combine == "additive" else 1
    others: dict[str, object] = {f"events_{key}": neutral for name, key in FACTORS.items() if name != event}
    others |= {"events_bomb_reading": "power"} if event != "bombs" else {}
    alone = event_multipliers(hand.facts, structs.replace(hand.rules, **others), Marks(1))
    return int(alone.counted[0]), int(alone.uncounted[0])


def _event_words(hand: ToldHand, event: str, number: int) -> str:
    name, factor = text(f"step.{event}", hand.lang), factor_of(event, hand.rules)
    if hand.rules.events_combine == "additive":
        return hand.say("added", event=name, number=number, factor=factor)
    if event == "bombs" and hand.rules.events_bomb_reading != "power":
        return hand.say(hand.rules.events_bomb_reading, number=number, last=number + 1)
    each = counted_as(event) == "bombs"
    return hand.say("each" if each else "once", event=name, number=number, factor=factor)


def _has_pairs(rules: RuleSet) -> bool:
    return rules.double_factor != 1 or rules.kick_factor != 1


def _caps_whole_pairs(rules: RuleSet) -> bool:
    """Whether caps come after what multiplies one pair."""
    return rules.cap_after_pairs and _has_pairs(rules)


def _caps(hand: ToldHand, which: str, counted: int, pair: int = 1) -> Generator[Told, None, Fraction]:
    """The caps on doublings, on the multiplier and on a pair's amount; what they leave of it is returned too.

    `which`: "_down" or "_up" for one pair, "" for both alike; `counted`: the multiplier that the cap on doublings counts; `pair`:
    what of it multiplies that pair alone.
    """
    rules, amount = hand.rules, _amount(hand)
    auction = 1 if hand.settled.escapes.some else int(hand.settled.auction[0])
    whole, limited = auction * _together(hand, counted, pair), int(capped(np.array([counted]), rules)[0])
    if rules.cap_doublings is not None:
        what = hand.say("and").join(term("event", event, hand.lang) for event in rules.cap_counts)
        numbers = {"most": rules.cap_doublings, "what": what, "before": counted, "after": limited}
        most = 2**rules.cap_doublings
        said = "capped" if counted > most else "reached" if counted == most else "within"
        words = [hand.say(said, **numbers)]
        after = amount * auction * _together(hand, limited, pair)
        operand = f"×{counted} → ×{limited}"
        yield Told(f"cap{which}", "cap", words, operand, amount * whole, after, about=["cap"])
    multiplier = auction * _together(hand, limited, pair)
    if rules.cap_multiplier is not None:
        least = min(multiplier, rules.cap_multiplier)
        words = [hand.say("multiplier_capped", most=rules.cap_multiplier, before=multiplier, after=least)]
        operand = f"×{multiplier} → ×{least}"
        name, before, after = f"cap_multiplier{which}", amount * multiplier, amount * least
        yield Told(name, "cap", words, operand, before, after, about=["cap_multiplier"])
        multiplier = least
    value, most = amount * multiplier, most_of_a_pair(rules)
    if most is None or hand.settled.escapes.some:
        return value
    stake = min(value, Fraction(most, SCALE))
    words = [hand.say("amount_capped", most=decimal_text(most))]
    operand = f"→ {exact_text(stake)}"
    yield Told(f"cap_amount{which}", "cap", words, operand, value, stake, about=["cap_amount"])
    return stake


def _together(hand: ToldHand, counted: int, pair: int = 1) -> int:
    """What all events make with those that the cap counts at `counted`, in which `pair` is a factor of one pair."""
    events = hand.settled.events
    found = events.together(np.array([counted]), np.array([pair]))
    return prod(int(factor[0]) for factor in found)


def _amount(hand: ToldHand) -> Fraction:
    """What the multipliers multiply: unit, bid, and what else stands for an amount."""
    unit, bid = hand.settled.unit, hand.settled.bid
    factors = [unit, bid] if hand.settled.escapes.some else factors_of(unit, bid, hand.rules)
    return prod((Fraction(int(factor[0]), SCALE) for factor in factors), start=Fraction(1))
