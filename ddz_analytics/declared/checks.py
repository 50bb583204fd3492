"""What a row of facts cannot say, and what it must say for its score to rest on anything.

A value may be impossible in any hand; silence where it would be taken for a zero is a fault of a hand that is to be scored; and
two things that a row says may contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.cards import RANKS, SMALL_JOKER
from ddz_analytics.columns import Flags, ints, known, whole
from ddz_analytics.declared.bounds import beyond_the_deal
from ddz_analytics.declared.course import strange_auctions, strange_courses
from ddz_analytics.declared.fault import Fault
from ddz_analytics.hands import OUTCOMES, SEATS, STAGES
from ddz_analytics.schema import FACTS, ROLES
from ddz_analytics.settlement.auction import MOST_ROBS
from ddz_analytics.settlement.columns import Facts

SIDES = ("landlord", "peasants")
PLAYS = tuple(f"{role}_plays" for role in ROLES)
WORDS: Mapping[str, tuple[str, ...]] = {
    "evidence": ("replayed", "declared"),
    "replay_status": ("ok", "unfinished", "no_play", "faulty"),
    "outcome": OUTCOMES,
    "winner_side": SIDES,
    "spring": ("none", "spring", "anti_spring"),
    "auction_kind": ("none", "score", "room", "rob"),
    "auction_forced": ("starter", "first_opener"),
    "escape_stage": ("before_any_bid", "auction", "play"),
    "seating_scope": ("ever", "match", "day"),
    "wild_rank": tuple(RANKS[:SMALL_JOKER]),
    **{f"{role}_open_stage": STAGES for role in ROLES},
}
NUMBERS: Mapping[str, tuple[int, ...]] = {
    **{
        f"{name}_seat": tuple(range(SEATS))
        for name in ("landlord", "winner", "first", "first_opener", "escaped")
    },
    **{f"{role}_doubled": (1, 2, 4) for role in ROLES},
}
_MOST = {"bombs": 13, "rockets": 1, "robs": MOST_ROBS}  # of one deck, and of three seats with a chance each
_KINDS = ("soft_bombs", "hard_bombs", "pure_bombs")
_NEEDS_CARDS = (("autoplay", "autoplay_cards"), ("autoplay_ever", "autoplay_most_cards"))


def faults_of(table: pa.Table) -> Iterator[Fault]:
    """The faults of a table of schema FACTS with which no row can be settled, in the order in which they are to be told; most are nowhere."""
    for name in FACTS.names:
        yield _wrong_value(table, name)
    facts = Facts(table)
    played, left = _played(facts), _left(facts)
    for fault in (*_needed(facts), *_needed_of_wilds(facts)):
        yield fault._replace(where=fault.where & played)
    for fault in (*_needed_of_escapes(facts), *_needed_of_wilds(facts)):
        yield fault._replace(where=fault.where & left)
    for fault in (*_impossible(facts), *_contradictory(facts)):
        yield fault._replace(where=fault.where & (played | left))


def faults_as_hands(table: pa.Table) -> Iterator[Fault]:
    """What no hand that was really played can show: numbers beyond the deal, auctions and courses that the rules of play forbid.

    Settling asks for none of it, so that a hand which nobody played can be settled too; a row that tells of a hand is held to it.
    """
    facts = Facts(table)
    sound = ~facts.equals("replay_status", "faulty")
    landlord_won, _ = _winners(facts)
    for fault in (*beyond_the_deal(facts, landlord_won), *strange_auctions(facts), *strange_courses(facts)):
        yield fault._replace(where=fault.where & sound)


def _wrong_value(facts: pa.Table, name: str) -> Fault:
    """Where a column has a value that it cannot have, in any hand."""
    column = whole(facts[name])
    there = known(column)
    if name in WORDS:
        allowed = WORDS[name]
        is_word = pc.is_in(column, value_set=pa.array(allowed)).to_numpy(zero_copy_only=False)
        return Fault("out_of_range", name, there & ~is_word, f"is none of {', '.join(allowed)}")
    if name in NUMBERS:
        allowed_numbers = ", ".join(map(str, NUMBERS[name]))
        return Fault(
            "out_of_range",
            name,
            there & ~np.isin(ints(column), NUMBERS[name]),
            f"is none of {allowed_numbers}",
        )
    if column.type == pa.int64() and name != "hand_id":
        return Fault("out_of_range", name, there & (ints(column) < 0), "is negative")
    return Fault("out_of_range", name, np.zeros(len(facts), dtype=bool), "")


def _left(facts: Facts) -> Flags:
    """The hands that somebody left, for which some rule set fines him."""
    left: Flags = facts.equals("outcome", "escaped") & ~facts.equals("replay_status", "faulty")
    return left


def _played(facts: Facts) -> Flags:
    """The hands that some rule set would score by what was played; the others need no more than what tells them apart."""
    complete = (
        ~facts.known("outcome") | facts.equals("outcome", "complete") | facts.equals("outcome", "redeal")
    )
    thrown_in = facts.flag("nobody_bid") & ~facts.known("landlord_seat")
    played: Flags = complete & ~facts.equals("replay_status", "faulty") & ~thrown_in
    return played


def _needed(facts: Facts) -> Iterator[Fault]:
    """What a scored hand must say, because silence would be taken for a zero."""
    to_be_scored = "is null in a hand that is to be scored"
    for name in ("landlord_seat", "bombs", "rockets"):
        yield Fault("missing_field", name, ~facts.known(name), to_be_scored)
    nobody_won = ~facts.known("winner_seat") & ~facts.known("winner_side")
    yield Fault("missing_field", "winner_seat", nobody_won, f"{to_be_scored}, and so is winner_side")
    for name in PLAYS:
        silent = ~facts.known(name) & ~facts.known("spring")
        yield Fault("missing_field", name, silent, f"{to_be_scored}, and so is spring")
    yield _unsaid_bid(facts)
    for role in ROLES[1:]:
        for flag, other in (*_NEEDS_CARDS, ("kicked", "could_kick")):
            silent = facts.flag(f"{role}_{flag}") & ~facts.known(f"{role}_{other}")
            yield Fault("missing_field", f"{role}_{other}", silent, f"is null though {role}_{flag} is true")


def _unsaid_bid(facts: Facts) -> Fault:
    by_amount = facts.equals("auction_kind", "score") | (
        facts.equals("auction_kind", "room") & (facts.ints("robs") == 0)
    )
    won = by_amount & ~facts.flag("auction_silent") & ~facts.flag("nobody_bid")
    return Fault(
        "missing_field",
        "bid",
        won & ~facts.known("bid"),
        "is null after an auction of bids that somebody won",
    )


def _needed_of_escapes(facts: Facts) -> Iterator[Fault]:
    """What a hand that somebody left must say, because a fine rests on it."""
    for name in ("escaped_seat", "escape_stage"):
        yield Fault("missing_field", name, ~facts.known(name), "is null in a hand that somebody left")
    in_play = facts.equals("escape_stage", "play")
    for name in ("bombs", "rockets"):
        what = "is null in a hand that somebody left during the play"
        yield Fault("missing_field", name, in_play & ~facts.known(name), what)
    unsaid = _unsaid_bid(facts)
    yield unsaid._replace(where=unsaid.where & ~facts.equals("escape_stage", "before_any_bid"))


def _needed_of_wilds(facts: Facts) -> Iterator[Fault]:
    """What a hand with wild cards must say of its bombs."""
    wild = facts.known("wild_rank")
    for name in ("needs_wild", *_KINDS):
        yield Fault("missing_field", name, wild & ~facts.known(name), "is null in a hand with wild cards")


def _impossible(facts: Facts) -> Iterator[Fault]:
    """What no scored hand can say."""
    wild, kinds = facts.known("wild_rank"), [facts.ints(name) for name in _KINDS]
    for name, most in _MOST.items():
        yield Fault("out_of_range", name, facts.ints(name) > most, f"is more than {most}")
    unlike = wild & (sum(kinds) != facts.ints("bombs"))
    yield Fault("out_of_range", "bombs", unlike, f"is not the sum of {', '.join(_KINDS)}")
    for place, name in ((0, "soft_bombs"), (2, "pure_bombs")):
        yield Fault("out_of_range", name, ~wild & (kinds[place] > 0), "are there, and no wild_rank")
    needs = ~wild & facts.flag("needs_wild")
    yield Fault("out_of_range", "needs_wild", needs, "is true, and there is no wild_rank")
    soft = (kinds[0] > 0) & ~facts.flag("needs_wild")
    yield Fault("out_of_range", "needs_wild", soft, "is not true, and a soft bomb needs a wild card")
    for name in ("bid", *(name for name in FACTS.names if name.startswith("room_"))):
        yield Fault("out_of_range", name, facts.amount(name) < 0, "is negative")


def _winners(facts: Facts) -> tuple[Flags, Flags]:
    """Where the landlord won, and where the peasants did, as the seat or the side says."""
    by_seat = facts.ints("winner_seat") == facts.ints("landlord_seat")
    told = facts.known("winner_seat") & facts.known("landlord_seat")
    return (
        (told & by_seat) | facts.equals("winner_side", SIDES[0]),
        (told & ~by_seat) | facts.equals("winner_side", SIDES[1]),
    )


def _contradictory(facts: Facts) -> Iterator[Fault]:
    """What a row says twice, and not alike."""
    landlord_won, peasants_won = _winners(facts)
    both = landlord_won & peasants_won
    yield Fault("contradiction", "winner_side", both, "is not the side of winner_seat")
    spring, anti_spring = facts.equals("spring", "spring"), facts.equals("spring", "anti_spring")
    wrong_side = (spring & peasants_won) | (anti_spring & landlord_won)
    yield Fault("contradiction", "spring", wrong_side, "is not of the side that won")
    landlord, down, up = facts.by_role("plays", missing=-1)
    stated, all_known = facts.known("spring"), (down >= 0) & (up >= 0)
    played = (down > 0) | (up > 0)
    unlike = (spring & played) | (stated & ~spring & landlord_won & all_known & ~played)
    unlike |= (landlord >= 0) & stated & peasants_won & (anti_spring != (landlord == 1))
    yield Fault("contradiction", "spring", unlike, f"is not what {', '.join(PLAYS)} say")
    own = facts.by_role("bombs", missing=-1)
    unlike = (own >= 0).all(axis=0) & facts.known("bombs") & (own.sum(axis=0) != facts.ints("bombs"))
    yield Fault("contradiction", "bombs", unlike, "is not the sum of the bombs of the three roles")
    yield from _contradictory_plays(facts)


def _contradictory_plays(facts: Facts) -> Iterator[Fault]:
    complete = ~facts.known("outcome") | facts.equals("outcome", "complete")
    yield Fault(
        "contradiction",
        "landlord_plays",
        complete & facts.known("landlord_plays") & (facts.ints("landlord_plays") == 0),
        "is 0, and the landlord leads",
    )
    winner = (facts.ints("winner_seat") - facts.ints("landlord_seat")) % SEATS
    told = complete & facts.known("winner_seat") & facts.known("landlord_seat")
    for place, role in enumerate(ROLES):
        out = told & (winner == place)
        none = out & facts.known(f"{role}_plays") & (facts.ints(f"{role}_plays") == 0)
        yield Fault("contradiction", f"{role}_plays", none, f"is 0, and {role} went out")
        holds = out & (facts.ints(f"{role}_cards_left") > 0)
        yield Fault("contradiction", f"{role}_cards_left", holds, f"is more than 0, and {role} went out")
        empty = told & (winner != place) & (facts.ints(f"{role}_cards_left", missing=1) == 0)
        yield Fault("contradiction", f"{role}_cards_left", empty, "is 0, and another went out first")
