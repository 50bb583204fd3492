"""Who pays whom: win and loss, liability for autoplay, fines, balances, and what the house takes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ddz_analytics.explain.hand import PEASANTS, Told, ToldHand, decimal_text, exact_text
from ddz_analytics.hands import SCALE
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.parties import Parties


def fine(hand: ToldHand, value: Fraction | None) -> Iterator[Told]:
    """What the seat that left pays; `value`: what a pair stood to play for, None before any bid."""
    change, rules = hand.settled.change("fine"), hand.rules
    escaper = next(role for place, role in enumerate(ROLES) if hand.settled.escapes.by[place][0])
    who, to = hand.role(escaper), hand.say(f"fine_to_{rules.escape_to}")
    if value is None:
        point = exact_text(Fraction(int(hand.settled.unit[0]), SCALE))
        words = [hand.say("fine_before_bid", role=who, points=rules.escape_before_bid, point=point, to=to)]
        words += hand.assumed("unit")
        yield Told("fine", "escape", words, change=change, about=["fine_before_bid"])
        return
    words = [hand.say("fine", role=who, factor=rules.escape_factor, amount=exact_text(value), to=to)]
    yield Told("fine", "escape", words, f"×{rules.escape_factor}", change=change)


def money(hand: ToldHand) -> Iterator[Told]:
    """Who pays whom, liability, balances, and what the house takes, as far as the rule set has it."""
    rules, settled = hand.rules, hand.settled
    if not settled.escapes.some:
        yield from _won(hand)
    if rules.balance_minimised:
        words, cut = _balance_words(hand), settled.change("balance_cut")
        about = ["balance_cut", *(["fee_inside"] if _fee_inside(rules) else [])]
        yield Told("balance_cut", "balance", words, change=cut, about=about)
    if rules.house_rake and not settled.escapes.some:
        share = decimal_text(rules.house_rake * 100)
        words = [hand.say("rake", share=share)]
        yield Told("rake", "house", words, f"{share}%", change=settled.change("rake"))
    if rules.house_fee != "none":
        concept = "fee" if rules.house_fee_in_score else "fee_apart"
        fee = settled.change("fee") if rules.house_fee_in_score else settled.fee_apart
        operand, words = _fee_words(hand, fee)
        yield Told(concept, "house", words, operand, change=fee if rules.house_fee_in_score else None)


def _won(hand: ToldHand) -> Iterator[Told]:
    rules, stakes = hand.rules, hand.settled.stakes
    down, up = decimal_text(int(stakes.down[0])), decimal_text(int(stakes.up[0]))
    said = hand.say("won" if hand.settled.won[0] else "lost", down=down, up=up)
    yield Told("transfer", "stake", [said], change=hand.settled.change("transfer"))
    if (rules.liability_when_losing, rules.liability_when_winning) != ("none", "none"):
        words, about = _liability(hand)
        change = hand.settled.change("liability")
        yield Told("liability", "liability", [*words, *hand.assumed("liability")], change=change, about=about)


def _balance_words(hand: ToldHand) -> list[str]:
    """What everybody has, and what each pays instead of what he owes where that is less (or, for a partner, more)."""
    settled = hand.settled
    has = [int(amount[0]) for amount in hand.facts.amount_by_role("balance")]
    words = [hand.say("balances", each=hand.amounts(has))]
    if _fee_inside(hand.rules):
        words.append(hand.say("fee_inside"))
    cut = settled.change("balance_cut")
    if not any(int(party[0]) for party in cut):
        return [*words, hand.say("nothing_cut")]
    owed = [settled.change(step) for step in ("transfer", "liability", "fine")]
    for place, role in enumerate(ROLES):
        before = sum(int(change[place][0]) for change in owed)
        after = before + int(cut[place][0])
        if before != after:
            said = "pays_instead" if min(before, after) < 0 else "gets_instead"
            amounts = {"before": decimal_text(abs(before)), "after": decimal_text(abs(after))}
            words.append(hand.say(said, role=hand.role(role), **amounts))
    return words


def _fee_words(hand: ToldHand, fee: Parties) -> tuple[str, list[str]]:
    paid = [-int(party[0]) for party in fee[:3]]
    apart = [] if hand.rules.house_fee_in_score else [hand.say("fee_beside")]
    if len(set(paid)) == 1:
        amount = decimal_text(paid[0])
        return amount, [hand.say("fee", amount=amount), *apart, *hand.assumed("fee")]
    return "", [hand.say("fees", each=hand.amounts(paid)), *apart, *hand.assumed("fee")]


def _fee_inside(rules: RuleSet) -> bool:
    return rules.house_fee != "none" and rules.balance_fee == "inside"


def _liability(hand: ToldHand) -> tuple[list[str], list[str]]:
    """What the policy makes of who is on autoplay, and its topics."""
    rules, losing = hand.rules, bool(hand.settled.won[0])
    side = "losing" if losing else "winning"
    landlord = hand.facts.flag("landlord_autoplay")[0]
    words = [hand.say("landlord_on_autoplay")] if landlord else []
    about = ["landlord_on_autoplay"] if landlord else []
    if (rules.liability_when_losing if losing else rules.liability_when_winning) == "none":
        who = hand.say("sides_landlord" if losing else "sides_peasants")
        return [*words, hand.say("not_held", who=who)], [*about, side]
    liable = [role for place, role in enumerate(PEASANTS) if hand.settled.liable[place][0]]
    if len(liable) == 2:
        how = rules.liability_both_losing if losing else rules.liability_both_winning
        return [*words, hand.say(f"both_{how}")], [*about, f"both_{side}"]
    exempt = [_exempt_words(hand, role) for role in PEASANTS if _is_exempt(hand, role, liable)]
    about += [*(["exempt"] if exempt else []), side]
    if not liable:
        return [*words, *exempt, hand.say("own_shares")], about
    said = "pays_both" if losing else "other_takes"
    return [*words, *exempt, hand.say(said, role=hand.role(liable[0]))], about


def _is_exempt(hand: ToldHand, role: str, liable: list[str]) -> bool:
    on = "autoplay_ever" if hand.rules.liability_status == "any_time" else "autoplay"
    return role not in liable and bool(hand.facts.flag(f"{role}_{on}")[0])


def _exempt_words(hand: ToldHand, role: str) -> str:
    rules, cards = hand.rules, "autoplay_cards"
    if rules.liability_exempt_measured == "at_end":
        cards = "cards_left"
    elif rules.liability_status == "any_time":
        cards = "autoplay_most_cards"
    left = int(hand.facts.ints(f"{role}_{cards}")[0])
    said = f"exempt_{rules.liability_exempt_measured}"
    return hand.say(said, role=hand.role(role), cards=left, most=rules.liability_exempt_cards)
