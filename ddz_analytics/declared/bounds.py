"""What the deal allows: 20 cards for the landlord and 17 for each peasant bound the plays, bombs and cards of a hand.

Fifty-two cards are thirteen ranks of four, and the two jokers are the rocket (jj J1, J2, J12, J13). A hand of 20 has five bombs at
most and a hand of 17 four; whoever plays the rocket has cards for one bomb less, so that there are never more than thirteen of
both together. A landlord who did not go out kept a card, and played four bombs at most.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.declared.fault import Fault
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.columns import Facts

CARDS = dict(zip(ROLES, (20, 17, 17), strict=True))
DEALT = 17  # to each seat before the landlord takes the bottom cards
_OF_A_RANK = 4
_MOST_UNLESS_LANDLORD_WON = 12
_HELD = ("plays", "cards_left", "autoplay_cards", "autoplay_cards_at_end", "autoplay_most_cards")
_BEGAN = (("autoplay", "autoplay_cards"), ("autoplay_ever", "autoplay_most_cards"))


def beyond_the_deal(facts: Facts, landlord_won: Flags) -> Iterator[Fault]:
    """Numbers that no deal allows, and numbers of one seat that its cards do not allow together."""
    many = ~landlord_won & (facts.ints("bombs") > _MOST_UNLESS_LANDLORD_WON)
    yield Fault("out_of_range", "bombs", many, "is more than 12, and the landlord did not go out")
    for role in ROLES:
        yield from _of_a_role(facts, role)
    own = facts.known_by_role("bombs") & (facts.by_role("bombs") > facts.ints("bombs"))
    for place, role in enumerate(ROLES):
        yield Fault("contradiction", f"{role}_bombs", own[place], "is more than all bombs of the hand")
    beaten = facts.ints("bombs") + facts.ints("rockets") > _most_beating(facts)
    yield Fault("contradiction", "bombs", beaten, "is more, with the rocket, than cards and plays allow")


def _of_a_role(facts: Facts, role: str) -> Iterator[Fault]:
    cards = CARDS[role]
    for name in _HELD:
        many = facts.ints(f"{role}_{name}") > cards
        yield Fault("out_of_range", f"{role}_{name}", many, f"is more than the {cards} cards of {role}")
    for flag, name in _BEGAN:
        none = facts.flag(f"{role}_{flag}") & (facts.ints(f"{role}_{name}", missing=1) == 0)
        yield Fault("out_of_range", f"{role}_{name}", none, "is 0, and who has no card left is out")
    dealt = facts.ints(f"{role}_open_dealt") > DEALT
    yield Fault("out_of_range", f"{role}_open_dealt", dealt, f"is more than the {DEALT} cards dealt")
    turn = facts.ints(f"{role}_auction_turn") >= len(ROLES)
    yield Fault("out_of_range", f"{role}_auction_turn", turn, "is none of 0, 1, 2")
    bombs = facts.ints(f"{role}_bombs")
    most = cards // _OF_A_RANK
    yield Fault("out_of_range", f"{role}_bombs", bombs > most, f"is more than the {most} of {cards} cards")
    plays, left = f"{role}_plays", facts.ints(f"{role}_cards_left")
    above = facts.known(plays) & (bombs > facts.ints(plays))
    yield Fault("contradiction", f"{role}_bombs", above, f"is more than {plays}")
    too_many = facts.ints(plays) + left > cards
    yield Fault("contradiction", plays, too_many, f"and {role}_cards_left are more than {cards} together")
    yield from _autoplay_of(facts, role)


def _autoplay_of(facts: Facts, role: str) -> Iterator[Fault]:
    """Who is on autoplay at the end was so at some time, and its last episode began with no more cards than any."""
    on, ever = facts.flag(f"{role}_autoplay"), f"{role}_autoplay_ever"
    never = on & facts.known(ever) & ~facts.flag(ever)
    yield Fault("contradiction", ever, never, f"is false, and {role}_autoplay is true")
    began, most = facts.ints(f"{role}_autoplay_cards"), f"{role}_autoplay_most_cards"
    fewer = on & facts.known(most) & (began > facts.ints(most))
    yield Fault("contradiction", most, fewer, f"is less than {role}_autoplay_cards")


def _most_beating(facts: Facts) -> Ints:
    """How many bombs and rockets the three could play at most, by their cards and their plays."""
    plays = facts.by_role("plays", missing=max(CARDS.values()))
    spring, anti_spring = facts.equals("spring", "spring"), facts.equals("spring", "anti_spring")
    plays[0] = np.where(anti_spring, np.minimum(plays[0], 1), plays[0])
    plays[1:] = np.where(spring, 0, plays[1:])
    most = np.array([CARDS[role] // _OF_A_RANK for role in ROLES])[:, None]
    found: Ints = np.minimum(plays, most).sum(axis=0)
    return found
