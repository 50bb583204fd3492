"""What the auction and the course of a hand allow, and what of it a row may not say together.

The same that replay finds wrong with a log. Where the recorded rules are not known replay only notes what is odd in an auction, so
a row that says what a replay made of the hand may say such a thing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.batches.batch import known_rules
from ddz_analytics.bidding import SCORE_BIDS
from ddz_analytics.columns import Flags
from ddz_analytics.declared.fault import Fault
from ddz_analytics.hands import SCALE, SEATS
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.columns import Facts

_SEATS = ("landlord_seat", "winner_seat")
_RESULT = (*_SEATS, "winner_side")
_FORCED = (("starter", "first_seat"), ("first_opener", "first_opener_seat"))


def strange_auctions(facts: Facts) -> Iterator[Fault]:
    """Auctions that cannot be (jj J4-J6, qq Q2, casino C2-C5, happy H5-H6)."""
    judged = facts.known("replay_status") & ~_rules_known(facts)
    for fault in (*_bids(facts), *_nobody(facts), *_words(facts)):
        yield fault._replace(where=fault.where & ~judged)


def _bids(facts: Facts) -> Iterator[Fault]:
    """A score is bid as 1, 2 or 3; each seat bids once, and above the last bid."""
    bid, raises, stated = facts.amount("bid"), facts.ints("raises"), facts.known("bid")
    by_score, by_room = facts.equals("auction_kind", "score"), facts.equals("auction_kind", "room")
    wrong = by_score & (bid != 0) & ~np.isin(bid, SCORE_BIDS)
    yield Fault("out_of_range", "bid", wrong, "is none of 1, 2, 3")
    declined = (by_score | by_room) & stated & (bid == 0) & _somebody_bid(facts)
    yield Fault("out_of_range", "bid", declined, "is 0, and that is no bid")
    each = ("room_low", "room_high")
    offered = np.any([bid == facts.amount(name) for name in each], axis=0)
    told = facts.known(each[0]) & facts.known(each[1])
    other = by_room & (bid != 0) & told & (facts.ints("robs") == 0) & ~offered
    yield Fault("contradiction", "bid", other, "is neither room_low nor room_high")
    many = ~facts.equals("auction_kind", "rob") & (raises >= SEATS)
    yield Fault("out_of_range", "raises", many, "is more than 2, and each of three seats bids once")
    above = by_score & stated & (raises * SCALE >= np.maximum(bid, SCALE))
    yield Fault("contradiction", "raises", above, "is more than there are bids below `bid`")


def _somebody_bid(facts: Facts) -> Flags:
    """Where there is a landlord whom an auction chose, or somebody left after a bid; elsewhere a bid of 0 says that there was none."""
    left = facts.equals("outcome", "escaped") & ~facts.equals("escape_stage", "before_any_bid")
    none = facts.flag("nobody_bid") | facts.flag("auction_silent")
    found: Flags = (facts.known("landlord_seat") | left) & ~none
    return found


def _nobody(facts: Facts) -> Iterator[Fault]:
    """Where nobody bid there is no bid, and only there somebody was made to play."""
    nobody = facts.flag("nobody_bid")
    spoke = facts.amount("bid") > 0
    for name in ("raises", "robs"):
        spoke = spoke | (facts.ints(name) > 0)
    spoke = spoke | facts.flags_by_role("bid").any(axis=0) | facts.flags_by_role("robbed").any(axis=0)
    yield Fault("contradiction", "nobody_bid", nobody & spoke, "and yet there are bids, calls or robs")
    for said, name in _FORCED:
        forced = facts.equals("auction_forced", said)
        yield Fault("contradiction", "auction_forced", forced & ~nobody, "and nobody_bid is not true")
        told = facts.known(name) & facts.known("landlord_seat")
        other = forced & told & (facts.ints(name) != facts.ints("landlord_seat"))
        yield Fault("contradiction", "landlord_seat", other, f"is not {name}")


def _words(facts: Facts) -> Iterator[Fault]:
    """Who says nothing of an auction says no bid, and robs belong to auctions of calls and of rooms."""
    silent, none = facts.flag("auction_silent"), facts.equals("auction_kind", "none")
    robs, raises = facts.ints("robs") > 0, facts.ints("raises") > 0
    for name, said in (("bid", facts.amount("bid") > 0), ("raises", raises), ("robs", robs)):
        yield Fault("contradiction", name, silent & said, "and auction_silent is true")
    yield Fault("contradiction", "raises", none & raises, "and auction_kind is none")
    without = none | facts.equals("auction_kind", "score")
    yield Fault("contradiction", "robs", without & robs, "and auction_kind knows no robs")


def strange_courses(facts: Facts) -> Iterator[Fault]:
    """Outcomes and states that the rest of the row denies."""
    played = np.any([facts.ints(name) > 0 for name in _ON_THE_TABLE], axis=0)
    thrown_in = facts.equals("outcome", "redeal")
    for name in _RESULT:
        yield Fault("contradiction", name, thrown_in & facts.known(name), "in a deal that was thrown in")
    yield Fault("contradiction", "outcome", thrown_in & played, "and yet something was played")
    broken_off = facts.equals("outcome", "escaped") | facts.equals("outcome", "unfinished")
    out = broken_off & facts.known("winner_seat")
    yield Fault("contradiction", "winner_seat", out, "went out in a hand that was left or broken off")
    yield from _of_the_status(facts, played)
    early = facts.equals("outcome", "escaped") & facts.known("escape_stage")
    bombs = (facts.ints("bombs") > 0) | (facts.ints("rockets") > 0)
    before_play = early & ~facts.equals("escape_stage", "play") & bombs
    yield Fault("contradiction", "escape_stage", before_play, "and yet there are bombs or a rocket")
    before_bid = facts.equals("escape_stage", "before_any_bid") & early & (facts.amount("bid") > 0)
    yield Fault("contradiction", "escape_stage", before_bid, "and yet there is a bid")


def _of_the_status(facts: Facts, played: Flags) -> Iterator[Fault]:
    """What replay says of a hand that nobody finished, or in which nothing was played."""
    nothing, name = facts.equals("replay_status", "no_play"), "replay_status"
    open_end = nothing | facts.equals(name, "unfinished")
    complete = facts.equals("outcome", "complete") | facts.known("winner_seat")
    yield Fault("contradiction", name, open_end & complete, "and yet the hand was completed")
    yield Fault("contradiction", name, nothing & played, "and yet something was played")


_ON_THE_TABLE = ("bombs", "rockets", *(f"{role}_plays" for role in ROLES))


def _rules_known(facts: Facts) -> Flags:
    """Where the recorded rules are shipped ones."""
    coded = pc.dictionary_encode(facts.table["recorded_rules"].combine_chunks())
    named = [name is not None and known_rules(name) is not None for name in coded.dictionary.to_pylist()]
    there = pa.array(named, pa.bool_()).take(coded.indices)
    found: Flags = there.fill_null(fill_value=False).to_numpy(zero_copy_only=False)
    return found
