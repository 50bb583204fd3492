"""The facts of each hand of a batch, one row a hand: all that settling reads, and what the views of facts show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.batches.auctions import Auctions
from ddz_analytics.batches.batch import NOBODY, Batch
from ddz_analytics.batches.course import Course
from ddz_analytics.batches.need import hands_that_need_wilds
from ddz_analytics.columns import Flags, Ints, amounts, from_amounts, known
from ddz_analytics.combinations import BOMB, CODE_OF, ROCKET
from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet, autoplay_bits
from ddz_analytics.schema import FACTS, ROLES

_ROOM = [name for name in FACTS.names if name.startswith("room_")]


def fact_rows(batch: Batch, course: Course, auctions: Auctions, faulty: Flags) -> pa.Table:
    """The facts table of a batch; `faulty` says which hands have an issue of severity error."""
    order = role_order(batch.landlord)
    columns = {
        name: batch.table[name]
        for name in ("hand_id", "evidence", "recorded_rules", "outcome", "landlord_seat", "wild_rank")
    }
    columns |= {name: batch.table[name] for name in _ROOM}
    told = auctions.columns()
    columns |= told | _offered_columns(batch, told)
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


def _offered_columns(batch: Batch, told: dict[str, pa.Array]) -> dict[str, pa.Array]:
    """What the auctions tell was offered; where the rules are not known, also what the format can say."""
    found = {}
    for name, record in (("open", "open_hand"), ("double", "doubles"), ("kick", "kicks")):
        can_say = _by_context(
            batch, lambda context, of=record: context.rules is None and of in context.records
        )
        found[f"{name}_offered"] = pc.or_(told[f"{name}_offered"], pa.array(can_say == 1))
    return found


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

    def per_seat(holders: Ints) -> Ints:
        counted = np.bincount(holders, minlength=number * SEATS)
        found: Ints = by_role(counted.reshape(number, SEATS), order)
        return found

    strong = np.flatnonzero(plays.category >= BOMB)
    holder, category = plays.holder[strong], plays.category[strong]
    played, bombs = per_seat(plays.holder), per_seat(holder[category < ROCKET])
    status = np.where(course.winner != NOBODY, 0, 1)
    status = np.where(faulty, 3, np.where(played.sum(axis=1) == 0, 2, status))
    rereads = np.bincount(plays.hand[plays.reread], minlength=number) > 0
    return {
        "replay_status": _named(("ok", "unfinished", "no_play", "faulty"), status),
        "winner_seat": _maybe(course.winner, pa.int8()),
        "winner_side": pa.nulls(number, pa.string()),
        "spring": pa.nulls(number, pa.string()),
        "bombs": pa.array(bombs.sum(axis=1)),
        "rockets": pa.array(per_seat(holder[category == ROCKET]).sum(axis=1)),
        **{
            f"{kind}_bombs": pa.array(per_seat(holder[category == CODE_OF[f"bomb_{kind}"]]).sum(axis=1))
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
    seat, stage = np.full(len(batch), NOBODY), np.full(len(batch), NOBODY)
    for hand, playing in course.walked.items():
        if playing.escaper is not None:
            auction = auctions.of(hand)
            in_play, somebody = playing.begun or auction.lies_behind, auction.leader is not None
            seat[hand], stage[hand] = playing.escaper, 2 if in_play else 1 if somebody else 0
    names: tuple[str | None, ...] = ("before_any_bid", "auction", "play", None)
    return {"escaped_seat": _maybe(seat, pa.int8()), "escape_stage": _named(names, stage)}
