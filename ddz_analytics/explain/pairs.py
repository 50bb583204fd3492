"""What multiplies one pair, in words: doubles, those that are refused, and kicks."""

from __future__ import annotations

from ddz_analytics.explain.hand import ToldHand, decimal_text
from ddz_analytics.locale import term
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.pairs import REFUSED


def pair_words(hand: ToldHand, role: str) -> tuple[list[str], list[str]]:
    """What the landlord's pair with a peasant hears of doubles and kicks, and the topics of that."""
    told = [*_double_words(hand, role), *_kick_words(hand, role)]
    if not told:
        return [hand.say("no_pair")], ["no_pair"]
    return [words for words, _ in told], list(dict.fromkeys(topic for _, topic in told))


def _double_words(hand: ToldHand, role: str) -> list[tuple[str, str]]:
    told = []
    for who, prefix in ((role, ""), ("landlord", "landlord_")) if hand.rules.double_factor != 1 else ():
        place = ROLES.index(who)
        refused = REFUSED[int(hand.settled.pairs.refused[place][0])]
        if refused is not None:
            told.append((_refused_words(hand, prefix, place, refused), "refused"))
            once = prefix == "" or role == "down"  # the landlord's double is told in both pairs
            if once and (change := hand.changed[place]) is not None:
                told.append((hand.say(f"{prefix}would_change", amount=decimal_text(change)), "refused"))
        elif hand.facts.ints(f"{who}_doubled")[0] > 1:
            told.append((hand.say(f"{prefix}doubled"), "doubled"))
    return told


def _refused_words(hand: ToldHand, prefix: str, place: int, refused: str) -> str:
    """Why a double is refused: the balance that falls short, and the threshold."""
    balances = hand.facts.amount_by_role("balance")[:, 0]
    smallest = balances[hand.facts.known_by_role("balance")[:, 0]].min()
    short = int({"own": balances[place], "landlord": balances[0], "someone": smallest}[refused])
    threshold = decimal_text(int(hand.facts.amount("room_double_threshold")[0]))
    why = term("refused", refused, hand.lang)
    return hand.say(f"{prefix}refused", why=why, balance=decimal_text(short), threshold=threshold)


def _kick_words(hand: ToldHand, role: str) -> list[tuple[str, str]]:
    facts = hand.facts
    if hand.rules.kick_factor == 1 or not facts.flag(f"{role}_kicked")[0]:
        return []
    after_rob = facts.equals("auction_kind", "room")[0] and facts.ints("robs")[0] > 0
    topic = "kicked_after_rob" if after_rob else "kicked_after_bid"
    return [(hand.say("kicked" if facts.flag(f"{role}_could_kick")[0] else "kick_ignored"), topic)]
