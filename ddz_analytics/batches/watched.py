"""The autoplay of a batch: which acts matter to it, and what their seats held and faced."""

from __future__ import annotations

import numpy as np

from ddz_analytics import cards
from ddz_analytics.autoplay import FOR_EVER, Ending, Watched, follow_autoplay, shortest_limit
from ddz_analytics.batches.batch import COMPLETE, NOBODY, OPEN, PASS, PLAY, Batch
from ddz_analytics.batches.course import Course, Plays
from ddz_analytics.columns import Ints
from ddz_analytics.combinations import CATEGORIES, NO_FORM, Reading
from ddz_analytics.hands import ACTORS, SEATS, STAGES
from ddz_analytics.play import DEALT, Moment
from ddz_analytics.rules import RuleSet

_BY_SYSTEM = [ACTORS.index(actor) for actor in ("timeout", "autoplay")]
_UNKNOWN_RULES = RuleSet(id="")


def watch_autoplay(batch: Batch, course: Course) -> None:
    """Follow the autoplay of every hand that shows any, with what its seats saw: from its walk, else from the columns."""
    rows = acts_that_matter(batch)
    held, moments = look_on(batch, course.plays, rows)
    acts, index = batch.acted(rows), (rows - batch.offsets[batch.hand[rows]]).tolist()
    ends = batch.last_of(course.plays.row) - batch.offsets[:-1]
    lengths = np.diff(batch.offsets)
    hands, begins = np.unique(batch.hand[rows], return_index=True)
    for hand, own in zip(hands.tolist(), map(slice, begins, [*begins[1:], len(rows)]), strict=True):
        walked = course.walked.get(hand)
        if walked is not None:
            held[own] = [walked.sizes[place] for place in index[own]]
            moments[own] = [walked.moments.get(place) for place in index[own]]
            over = walked.last_index
        else:
            over = None if course.winner[hand] == NOBODY else int(ends[hand])
        ending = Ending(over, int(lengths[hand]), course.cards_left[hand].tolist())
        watched = map(Watched, index[own], acts[own], held[own], moments[own])
        rules = batch.contexts[batch.context[hand]].rules or _UNKNOWN_RULES
        complete = bool(batch.outcome[hand] == COMPLETE)
        course.autoplay[hand] = follow_autoplay(watched, ending, rules, complete=complete)


def acts_that_matter(batch: Batch) -> Ints:
    """The acts of each seat from the first on that is one of autoplay, by the system, or by hand past a time limit.

    A word of the auction during the play changes nothing.
    """
    limits = np.array([shortest_limit(context.rules) for context in batch.contexts])
    special = batch.act > PASS
    for actor in _BY_SYSTEM:
        special |= batch.actor == actor
    slow = np.flatnonzero(batch.ms > limits.min(initial=FOR_EVER))
    special[slow] |= batch.ms[slow] > limits[batch.context[batch.hand[slow]]]
    shown = np.flatnonzero(special)[::-1]
    first = np.full((len(batch), SEATS), len(batch.act))
    first[batch.hand[shown], batch.seat[shown]] = shown
    rows = np.flatnonzero(np.repeat(first.min(axis=1) < len(batch.act), np.diff(batch.offsets)))
    rows = rows[rows >= first[batch.hand[rows], batch.seat[rows]]]
    late = (batch.act[rows] < PLAY) & (rows > batch.first_turn[batch.hand[rows]])
    found: Ints = rows[~late]
    return found


def look_on(batch: Batch, plays: Plays, rows: Ints) -> tuple[list[int], list[Moment | None]]:
    """What the seats of some acts of ordinary hands held before, and what those faced whose turn the system took."""
    hand, seat = batch.hand[rows], batch.seat[rows]
    counts = cards.counts(batch.held)[hand, seat] - _gone(batch, plays, rows)
    before_bottom = (batch.act < OPEN) | ((batch.act == OPEN) & (batch.stage != STAGES.index("bottom")))
    dealt_only = batch.last_of(np.flatnonzero(before_bottom))
    held = np.where(rows <= dealt_only[hand], DEALT, cards.sizes(counts)).tolist()
    # Where there is no play before, the place is -1, which is nobody's.
    before = np.searchsorted(plays.row, rows) - 1
    player_hand, player = np.append(plays.hand, NOBODY)[before], np.append(plays.seat, NOBODY)[before]
    follows = (player_hand == hand) & (player != seat)
    moments: list[Moment | None] = [None] * len(rows)
    by_system = np.isin(batch.act[rows], (PLAY, PASS)) & np.isin(batch.actor[rows], _BY_SYSTEM)
    places = np.flatnonzero(by_system)
    faced = (
        np.append(column, NO_FORM)[before[places]] for column in (plays.category, plays.length, plays.main)
    )
    readings = zip(*(column.tolist() for column in faced), strict=True)
    facing = zip(places.tolist(), counts[places].tolist(), follows[places].tolist(), readings, strict=True)
    for place, held_counts, must_beat, (category, length, main) in facing:
        to_beat = Reading(CATEGORIES[category], length, main) if must_beat else None
        moments[place] = Moment(held_counts, to_beat)
    return held, moments


def _gone(batch: Batch, plays: Plays, rows: Ints) -> Ints:
    """The counts of what the seat of each act has played before it."""
    watched = np.zeros(len(batch), dtype=bool)
    watched[batch.hand[rows]] = True
    chosen = np.flatnonzero(watched[plays.hand])
    acts = len(batch.act)
    place = (plays.hand[chosen] * SEATS + plays.seat[chosen]) * acts + plays.row[chosen]
    order = np.argsort(place)
    running = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(plays.counts[chosen[order]])))
    begin = (batch.hand[rows] * SEATS + batch.seat[rows]) * acts
    since, until = np.searchsorted(place[order], (begin, begin + rows))
    gone: Ints = running[until] - running[since]
    return gone
