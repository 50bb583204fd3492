"""What is said before the first card in generated hands: auctions by every path, openings, doubles and kicks."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tests.oracle.auction import amount
from tests.oracle.before_play import offers
from tests.oracle.names import Act, Rules

Amount = int | str
SPOKEN = ("bid", "call", "rob", "decline")
_ODD_VALUES: tuple[Amount, ...] = (1, 2, 3, 4, 5, 7, "3.0", "4", "4.5", "2.0001")


class Prelude(NamedTuple):
    """The acts before the first card, how many of them until the auction is over, who spoke first, who is landlord."""

    acts: list[Act]
    decided: int
    first: int | None
    landlord: int | None


def prelude(rules: Rules, bids: tuple[Amount, Amount], rng: Random, *, known: bool) -> Prelude:
    """A legal beginning of a hand under some rules; `bids` are the room's low and high.

    `known`: the log names the rules, so that nobody may bid twice.
    """
    acts = _openings(rules, rng)
    openers = [act["seat"] for act in acts]
    first = openers[0] if openers and rules["auction.kind"] == "rob" else rng.randrange(3)
    chance = rng.random()
    most = 1 if rules["auction.kind"] == "none" else 0.06
    silent = chance < most
    landlord = rng.randrange(3) if chance < most - 0.01 else None
    if not silent:
        spoken, landlord = _auction(rules, first, bids, rng, known=known)
        acts += spoken
        if landlord is None:
            landlord = _forced(rules, first, openers, rng, known=known)
    decided = len(acts)
    if landlord is not None:
        acts += _after(rules, landlord, set(openers), rng)
    return Prelude(acts, decided, first, landlord)


def _auction(
    rules: Rules, first: int, bids: tuple[Amount, Amount], rng: Random, *, known: bool
) -> tuple[list[Act], int | None]:
    order = [(first + place) % 3 for place in range(3)]
    kind = rules["auction.kind"]
    if not known and rng.random() < 0.2:
        return _round_and_round(order, rng)
    if kind == "rob":
        return _call_and_rob(order, rng)
    return _bids(order, kind, bids, rng)


def _decline(seat: int, rng: Random) -> Act:
    return (
        {"seat": seat, "act": "decline"} if rng.random() < 0.5 else {"seat": seat, "act": "bid", "value": 0}
    )


def _bids(
    order: list[int], kind: str, bids: tuple[Amount, Amount], rng: Random
) -> tuple[list[Act], int | None]:
    """Each seat once, always higher; the highest bid, or in a room a rob, ends it."""
    values: tuple[Amount, ...] = bids if kind == "room" else (1, 2, 3)
    acts: list[Act] = []
    landlord, best = None, -1
    for seat in order:
        level = rng.choice([-1, *range(best + 1, 3)])
        if level < 0:
            acts.append(_decline(seat, rng))
            continue
        landlord, best = seat, level
        if kind == "room" and level == 2:
            acts.append({"seat": seat, "act": "rob"})
            break
        acts.append({"seat": seat, "act": "bid", "value": values[level]})
        if level == len(values) - 1:
            break
    return acts, landlord


def _round_and_round(order: list[int], rng: Random) -> tuple[list[Act], int | None]:
    """Bids of points that go round the table more than once, as some platforms have them."""
    acts: list[Act] = []
    landlord, best = None, 0
    for turn in range(rng.randrange(3, 9)):
        seat, value = order[turn % 3], rng.choice([0, best + 1])
        acts.append({"seat": seat, "act": "bid", "value": value} if value else _decline(seat, rng))
        if value:
            landlord, best = seat, value
        if best == 3:
            break
    return acts, landlord


def _call_and_rob(order: list[int], rng: Random) -> tuple[list[Act], int | None]:
    """One call; whoever has not declined may rob once; a caller who was robbed may rob back."""
    acts: list[Act] = []
    asked = list(order)
    while asked:
        seat = asked.pop(0)
        if rng.random() < 0.5:
            acts.append({"seat": seat, "act": "call"})
            break
        acts.append(_decline(seat, rng))
    else:
        return acts, None
    caller = landlord = seat
    for other in asked:
        landlord = _rob_or_not(acts, other, landlord, rng)
    if landlord != caller:
        landlord = _rob_or_not(acts, caller, landlord, rng)
    return acts, landlord


def _rob_or_not(acts: list[Act], seat: int, landlord: int, rng: Random) -> int:
    robs = rng.random() < 0.5
    acts.append({"seat": seat, "act": "rob"} if robs else _decline(seat, rng))
    return seat if robs else landlord


def _forced(rules: Rules, first: int, openers: list[int], rng: Random, *, known: bool) -> int | None:
    """Who is landlord when nobody bid; a log that names no rules may say anything."""
    if not known:
        return rng.choice([None, first, *openers, rng.randrange(3)])
    if rules["auction.nobody"] == "starter":
        return first
    return openers[0] if openers and rules["auction.nobody"] == "first_opener_or_redeal" else None


def _opening(seat: int, stage: str, rng: Random) -> Act:
    """An opening tells its value, the cards dealt so far, both or neither; a value may be one that its stage does not have."""
    act: Act = {"seat": seat, "act": "open", "stage": stage}
    if rng.random() < 0.5:
        usual = {"start": (5,), "deal": (4, 3), "bottom": (2,)}[stage]
        act["value"] = rng.choice(usual) if rng.random() < 0.8 else rng.choice(_ODD_VALUES)
    if rng.random() < 0.5:
        act["dealt"] = rng.choice([0, 6, 6, 7, 17])
    return act


def _openings(rules: Rules, rng: Random) -> list[Act]:
    chance = 0.2 if offers(rules, "open") else 0.01
    seats = [seat for seat in rng.sample(range(3), 3) if rng.random() < chance]
    return [_opening(seat, rng.choice(["start", "deal"]), rng) for seat in seats]


def _after(rules: Rules, landlord: int, opened: set[int], rng: Random) -> list[Act]:
    """The landlord's opening (a peasant's counts as none), doubles and kicks; now and then ones that the rules do not offer."""
    acts: list[Act] = []
    if rng.random() < (0.15 if offers(rules, "open") else 0.01):
        seat = landlord if rng.random() < 0.7 else rng.randrange(3)
        if seat not in opened:
            acts.append(_opening(seat, "bottom", rng))
    for name, values, offered in (
        ("double", (1, 2, 2, 4), offers(rules, "double")),
        ("kick", (0, 1, 1), offers(rules, "kick")),
    ):
        if not offered and rng.random() > 0.04:
            continue
        for seat in rng.sample(range(3), 3):
            if rng.random() < 0.5:
                acts.append({"seat": seat, "act": name, "value": rng.choice(values)})
    return acts


def is_decline(act: Act) -> bool:
    """Whether a word of the auction declines."""
    return act["act"] == "decline" or (act["act"] == "bid" and amount(act["value"]) == 0)
