"""The facts of each hand of a batch, one row a hand: all that settling reads, and what the views of facts show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ddz_analytics.auction_state import Auction, offers
from ddz_analytics.batches.auctions import Auctions
from ddz_analytics.batches.batch import NOBODY, REDEAL, Batch, Context
from ddz_analytics.batches.course import Course
from ddz_analytics.batches.need import hands_that_need_wilds
from ddz_analytics.bidding import may_kick, opening_multiplier, whole
from ddz_analytics.columns import Flags, Ints, amounts, from_amounts, known
from ddz_analytics.combinations import BOMB, CODE_OF, ROCKET
from ddz_analytics.hands import SEATS, STAGES
from ddz_analytics.rules import RuleSet, autoplay_bits
from ddz_analytics.schema import FACTS, ROLES

SEATING_SCOPES = ("ever", "match", "day")
_ROOM = [name for name in FACTS.names if name.startswith("room_")]


def fact_rows(batch: Batch, course: Course, auctions: Auctions, faulty: Flags) -> pa.Table:
    """The facts table of a batch; `faulty` says which hands have an issue of severity error."""
    order = role_order(batch.landlord)
    columns = {
        name: batch.table[name]
        for name in ("hand_id", "evidence", "recorded_rules", "outcome", "landlord_seat", "wild_rank")
    }
    columns |= {name: batch.table[name] for name in _ROOM}
    columns |= auctions.by_hand(_auction_columns(batch, auctions) | _auction_seats(batch, auctions))
    columns |= _play_columns(batch, course, faulty, order) | _autoplay_columns(batch, course, order)
    columns |= _context_columns(batch, course) | _escape_columns(batch, course, auctions)
    balances = np.stack([from_amounts(batch.table[f"balance_{seat}"]) for seat in range(SEATS)], axis=1)
    there = np.stack([known(batch.table[f"balance_{seat}"]) for seat in range(SEATS)], axis=1)
    columns |= {
        f"{role}_balance": amounts(by_role(balances, order)[:, place], by_role(there, order)[:, place])
        for place, role in enumerate(ROLES)
    }
    return pa.table([columns[name] for name in FACTS.names], schema=FACTS)


def role_order(landlord: Ints) -> Ints:
    """The seats of landlord, down and up (n, 3); without a landlord the three roles are seats 0, 1, 2."""
    return (np.where(landlord == NOBODY, 0, landlord)[:, None] + np.arange(SEATS)) % SEATS


def by_role(by_seat: Any, order: Ints) -> Any:
    """Columns (n, 3) by seat as columns by role."""
    return np.take_along_axis(by_seat, order, axis=1)


def _maybe(values: Any, kind: pa.DataType, missing: int = NOBODY) -> pa.Array:
    return pa.array(values, mask=values == missing).cast(kind)


def _named(names: tuple[str | None, ...], codes: Ints) -> pa.Array:
    """Texts by code; None (the last name, for code -1) is null."""
    return pa.array(names, type=pa.string()).take(pa.array(codes % len(names)))


def _roles(name: str, by_role_values: Any, kind: pa.DataType, missing: int = NOBODY) -> dict[str, pa.Array]:
    return {
        f"{role}_{name}": _maybe(by_role_values[:, place].astype(np.int64), kind, missing)
        for place, role in enumerate(ROLES)
    }


def _auction_columns(batch: Batch, auctions: Auctions) -> dict[str, pa.Array]:
    """What the distinct auctions of a batch say as a whole."""
    kinds = ("none", "score", "room", "rob")
    forced: tuple[str | None, ...] = ("starter", "first_opener", None)
    bid = auctions.each(lambda auction: auction.bid)
    no_bid = auctions.each(lambda auction: auction.nobody_bid) == 1
    landlord, outcome = batch.landlord[auctions.example], batch.outcome[auctions.example]
    rotates = _by_context(batch, lambda context: context.rules is not None and context.rules.auction_rotates)
    return {
        "auction_kind": _named(kinds, auctions.each(lambda auction: kinds.index(auction.kind))),
        "auction_forced": _named(forced, auctions.each(lambda auction: forced.index(auction.forced))),
        "bid": amounts(bid, bid != NOBODY),
        "auction_silent": pa.array(auctions.each(lambda auction: auction.silent) == 1),
        "nobody_bid": pa.array(no_bid & (landlord != NOBODY) | (outcome == REDEAL)),
        "raises": pa.array(auctions.each(lambda auction: auction.raises)),
        "robs": pa.array(auctions.each(lambda auction: auction.robs)),
        "first_seat": _maybe(auctions.each(lambda auction: auction.first), pa.int8()),
        "first_opener_seat": _maybe(auctions.each(lambda auction: auction.first_opener), pa.int8()),
        "first_rotates": pa.array(rotates[auctions.example] == 1),
        "seating_scope": _named(
            (*SEATING_SCOPES, None), _by_context(batch, _seating_scope)[auctions.example]
        ),
        "open_multiplier": pa.array(auctions.each(opening_multiplier)),
        **_offered_columns(batch, auctions),
    }


def _seating_scope(context: Context) -> int:
    """Within what the recorded rules keep players who sat together apart, as its place in `SEATING_SCOPES`, or -1."""
    scope = "none" if context.rules is None else context.rules.seating_scope
    return SEATING_SCOPES.index(scope) if scope in SEATING_SCOPES else NOBODY


def _auction_seats(batch: Batch, auctions: Auctions) -> dict[str, pa.Array]:
    """What the distinct auctions of a batch say of each role."""
    order = role_order(batch.landlord[auctions.example])

    def each(value: Any) -> Ints:
        found: Ints = by_role(auctions.each(value), order)
        return found

    def opening(value: Any) -> Ints:
        return each(lambda auction: [None if said is None else value(said) for said in auction.opened])

    found = _roles("open_value", opening(lambda said: whole(said.value)), pa.int64())
    found |= _roles("open_dealt", opening(lambda said: said.dealt), pa.int64())
    stage = opening(lambda said: STAGES.index(said.stage))
    found |= {
        f"{role}_open_stage": _named((*STAGES, None), stage[:, place]) for place, role in enumerate(ROLES)
    }
    found |= _roles("doubled", each(lambda auction: auction.doubled), pa.int64())
    found |= _roles("auction_turn", each(_turns), pa.int64())
    flags = {
        "kicked": lambda auction: [said is not None and bool(said.value) for said in auction.kicked],
        "could_kick": _could_kick,
        "bid": lambda auction: auction.bid_at_all,
        "robbed": lambda auction: auction.robbed,
        "could_bid": lambda auction: auction.could_bid,
        "could_rob": lambda auction: auction.could_rob,
        "could_double": _could_double,
    }
    for name, value in flags.items():
        found |= _roles(name, each(value), pa.bool_())
    return found


def _turns(auction: Auction) -> list[int | None]:
    first = auction.first
    return [None if first is None else (seat - first) % SEATS for seat in range(SEATS)]


def _offered(auction: Auction, act: str, said: Sequence[object]) -> bool:
    rules = auction.deal.rules
    return (rules is not None and offers(rules, act)) or any(word is not None for word in said)


def _could_kick(auction: Auction) -> list[bool]:
    return [may and _offered(auction, "kick", auction.kicked) for may in may_kick(auction)]


def _could_double(auction: Auction) -> list[bool]:
    return [auction.deal.landlord is not None and _offered(auction, "double", auction.doubled)] * SEATS


def _offered_columns(batch: Batch, auctions: Auctions) -> dict[str, pa.Array]:
    """What the recorded rules offer, or, where they are not known, what the format can say, or what the hand itself shows."""

    def offered(act: str, record: str, shown: Any) -> pa.Array:
        by_context = _by_context(
            batch,
            lambda context: (
                record in context.records if context.rules is None else offers(context.rules, act)
            ),
        )
        return pa.array((by_context[auctions.example] | auctions.each(shown)) == 1)

    return {
        "open_offered": offered(
            "open", "open_hand", lambda auction: any(said is not None for said in auction.opened)
        ),
        "double_offered": offered(
            "double", "doubles", lambda auction: any(word is not None for word in auction.doubled)
        ),
        "kick_offered": offered(
            "kick", "kicks", lambda auction: any(word is not None for word in auction.kicked)
        ),
    }


def _context_columns(batch: Batch, course: Course) -> dict[str, pa.Array]:
    recorded = _by_context(batch, lambda context: "autoplay" in context.records) == 1
    recorded[[hand for hand, autoplay in course.autoplay.items() if autoplay.episodes]] = True
    return {
        "autoplay_recorded": pa.array(recorded),
        "combination_switches": pa.array(_by_context(batch, lambda context: context.switches.bits())),
        "autoplay_rules": pa.array(
            _by_context(batch, lambda context: autoplay_bits(context.rules or RuleSet(id="")))
        ),
    }


def _by_context(batch: Batch, value: Any) -> Ints:
    found: Ints = np.array([value(context) for context in batch.contexts], dtype=np.int64)[batch.context]
    return found


def _play_columns(batch: Batch, course: Course, faulty: Flags, order: Ints) -> dict[str, pa.Array]:
    plays, number = course.plays, len(batch)

    def per_seat(chosen: Flags) -> Ints:
        counted = np.bincount(plays.hand[chosen] * SEATS + plays.seat[chosen], minlength=number * SEATS)
        found: Ints = by_role(counted.reshape(number, SEATS), order)
        return found

    every = np.ones(len(plays.row), dtype=bool)
    played, bombs = per_seat(every), per_seat((plays.category >= BOMB) & (plays.category < ROCKET))
    status = np.where(course.winner != NOBODY, 0, 1)
    status = np.where(faulty, 3, np.where(played.sum(axis=1) == 0, 2, status))
    rereads = np.bincount(plays.hand[plays.reread], minlength=number) > 0
    return {
        "replay_status": _named(("ok", "unfinished", "no_play", "faulty"), status),
        "winner_seat": _maybe(course.winner, pa.int8()),
        "winner_side": pa.nulls(number, pa.string()),
        "spring": pa.nulls(number, pa.string()),
        "bombs": pa.array(bombs.sum(axis=1)),
        "rockets": pa.array(per_seat(plays.category == ROCKET).sum(axis=1)),
        **{
            f"{kind}_bombs": pa.array(per_seat(plays.category == CODE_OF[f"bomb_{kind}"]).sum(axis=1))
            for kind in ("soft", "hard", "pure")
        },
        "needs_wild": pa.array(hands_that_need_wilds(batch, plays)),
        "reread": pa.array(rereads),
        **_roles("plays", played, pa.int64()),
        **_roles("bombs", bombs, pa.int64()),
        **_roles("cards_left", by_role(course.cards_left, order), pa.int64()),
    }


def _autoplay_columns(batch: Batch, course: Course, order: Ints) -> dict[str, pa.Array]:
    at_end, ever = (
        np.zeros((len(batch), SEATS), dtype=np.int64),
        np.zeros((len(batch), SEATS), dtype=np.int64),
    )
    cards, most = np.full((len(batch), SEATS), NOBODY), np.full((len(batch), SEATS), NOBODY)
    for hand, autoplay in course.autoplay.items():
        for episode in autoplay.episodes:
            ever[hand, episode.seat] = 1
            most[hand, episode.seat] = max(most[hand, episode.seat], episode.cards_at_start)
            if episode.running:
                at_end[hand, episode.seat], cards[hand, episode.seat] = 1, episode.cards_at_start
    left = np.where(at_end == 1, course.cards_left, NOBODY)
    return {
        **_roles("autoplay", by_role(at_end, order), pa.bool_()),
        **_roles("autoplay_ever", by_role(ever, order), pa.bool_()),
        **_roles("autoplay_cards", by_role(cards, order), pa.int64()),
        **_roles("autoplay_cards_at_end", by_role(left, order), pa.int64()),
        **_roles("autoplay_most_cards", by_role(most, order), pa.int64()),
    }


def _escape_columns(batch: Batch, course: Course, auctions: Auctions) -> dict[str, pa.Array]:
    seat, turns = np.full(len(batch), NOBODY), np.zeros(len(batch), dtype=bool)
    for hand, playing in course.walked.items():
        if playing.escaper is not None:
            seat[hand], turns[hand] = playing.escaper, playing.begun
    in_play = turns | (auctions.each(lambda auction: auction.lies_behind) == 1)[auctions.place]
    somebody = (auctions.each(lambda auction: auction.leader is not None) == 1)[auctions.place]
    stage = np.where(in_play, 2, np.where(somebody, 1, 0))
    names: tuple[str | None, ...] = ("before_any_bid", "auction", "play", None)
    return {
        "escaped_seat": _maybe(seat, pa.int8()),
        "escape_stage": _named(names, np.where(seat == NOBODY, NOBODY, stage)),
    }
