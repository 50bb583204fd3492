"""Replay: every hand of a batch played out again, by columns, and the faults and facts that come of it.

Ordinary hands, nearly all, are judged over flat arrays. A hand that is anything else (a fault anywhere, a set that is re-read,
a declared reading, autoplay) is walked through act by act in `play` and `autoplay`, which say the same rules in
plain steps; a test holds the two against each other. Nothing is repaired: a faulty hand keeps what it shows and is never scored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics import cards
from ddz_analytics.batches.auctions import auctions_of
from ddz_analytics.batches.batch import NOBODY, PLAY, Batch, Format, read_batch
from ddz_analytics.batches.course import Course, Plays
from ddz_analytics.batches.facts import fact_rows
from ddz_analytics.batches.outcomes import outcome_faults
from ddz_analytics.batches.readings import read_follows, read_sets
from ddz_analytics.batches.rows import episode_rows, faulty_hands, issue_rows, issues_of, play_rows
from ddz_analytics.batches.suspects import holds_too_little, turns_out_of_order, with_declared_readings
from ddz_analytics.batches.watched import watch_autoplay
from ddz_analytics.columns import Flags, Ints
from ddz_analytics.combinations import BOMB, CODE_OF, NO_FORM
from ddz_analytics.hands import SEATS
from ddz_analytics.play import Played, Table, play_out

REPLAY_VERSION = 3
_PLAYED = 12  # bits for the number of cards that a seat has played: 54 plays, the most, of 54 cards are fewer
_ALL_PLAYED = (1 << _PLAYED) - 1


class Replayed(NamedTuple):
    """What replay makes of some hands; `hand_id` ties the tables together."""

    facts: pa.Table
    plays: pa.Table
    issues: pa.Table
    episodes: pa.Table


def replay(hands: pa.Table, formats: Mapping[str, Format]) -> Replayed:
    """Play out some rows of the `hands` table; the result does not depend on how rows are put into batches."""
    batch = read_batch(hands, formats)
    course = play_batch(batch)
    auctions = auctions_of(batch)
    issues = issues_of(batch, course, auctions)
    facts = fact_rows(batch, course, auctions, faulty_hands(batch, issues))
    return Replayed(facts, play_rows(batch, course), issue_rows(batch, issues), episode_rows(batch, course))


def play_batch(batch: Batch) -> Course:
    """Judge every play of a batch."""
    plays = lay_out(batch)
    cards_left = count_down(batch, plays)
    out = np.flatnonzero(plays.cards_left == 0)
    winner = np.full(len(batch), NOBODY)
    winner[plays.hand[out]] = plays.seat[out]
    course = Course(plays, winner, cards_left)
    for hand in np.flatnonzero(not_ordinary(batch, course)).tolist():
        walk(batch, course, hand)
    watch_autoplay(batch, course)
    if not plays.judged.all():
        course.plays = plays.take(plays.judged)
    outcome_faults(batch, course)
    return course


def lay_out(batch: Batch) -> Plays:
    """The plays in order, with their readings. A play is a lead when nobody has played yet, or nobody since the same seat."""
    row = np.flatnonzero(batch.act == PLAY)
    begin = np.searchsorted(row, batch.offsets)
    number = np.diff(begin)
    hand, seat, masks = np.repeat(np.arange(len(batch)), number), batch.seat[row], batch.cards[row]
    is_lead = seat == np.roll(seat, 1)
    is_lead[begin[:-1][number > 0]] = True
    leads = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(is_lead, dtype=np.int32)))
    trick = leads[1:] - np.repeat(leads[begin[:-1]] + np.int32(1), number)
    left, no, yes = np.zeros_like(row), np.zeros(len(row), dtype=bool), np.ones(len(row), dtype=bool)
    read = read_sets(batch, hand, masks)
    form = (read.category, read.length, read.main)
    plays = Plays(row, hand, seat, masks, read.counts, read.size, is_lead, *form, trick, left, no, yes)
    read_follows(batch, plays, np.flatnonzero(read.several & ~is_lead))
    return plays


def follows_rightly(plays: Plays) -> Flags:
    """For each play that is no lead: the same form with a higher main rank, or a stronger bomb, or the rocket."""
    category, length, main = (np.roll(column, 1) for column in (plays.category, plays.length, plays.main))
    higher = plays.main > main
    same_form = (plays.category == category) & (plays.length == length)
    stronger = (plays.category >= BOMB) & (plays.category > category)
    rightly: Flags = plays.is_lead | (same_form & higher) | stronger
    return rightly


def count_down(batch: Batch, plays: Plays) -> Ints:
    """Fill in how many cards each play leaves; the result is what each seat holds at the end (n, 3).

    What the three seats have played so far stands in one number, which has room for the plays of any hand that is in order.
    """
    begin = np.searchsorted(plays.hand, np.arange(len(batch) + 1))
    place = plays.seat * np.int64(_PLAYED)
    running = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(plays.size << place)))
    before = running[begin]
    gone = running[1:] - np.repeat(before[:-1], np.diff(begin))
    start = cards.sizes(batch.held_counts)
    plays.cards_left = start.ravel()[plays.holder] - (gone >> place & _ALL_PLAYED)
    return start - (np.diff(before)[:, None] >> np.arange(SEATS) * _PLAYED & _ALL_PLAYED)


def not_ordinary(batch: Batch, course: Course) -> Flags:
    """Which hands need the walk: every fault of the play shows in one of these columns."""
    plays = course.plays
    special = batch.escaped | holds_too_little(batch, plays, course.cards_left)
    special[plays.hand[(plays.category == NO_FORM) | ~follows_rightly(plays)]] = True
    special[turns_out_of_order(batch, plays)] = True
    special[with_declared_readings(batch)] = True
    return special


def walk(batch: Batch, course: Course, hand: int) -> None:
    """Judge one hand act by act, and put what comes of it into the columns."""
    playing = play_out(batch.acted(batch.rows_of(hand)), table_of(batch, hand))
    course.walked[hand] = playing
    course.winner[hand] = NOBODY if playing.winner is None else playing.winner
    course.cards_left[hand] = [left.bit_count() for left in playing.held]
    by_index = {played.index: played for played in playing.plays}
    begin, end = np.searchsorted(course.plays.hand, (hand, hand + 1)).tolist()
    for place in range(begin, end):
        put(course.plays, place, by_index.get(int(course.plays.row[place] - batch.offsets[hand])))


def table_of(batch: Batch, hand: int) -> Table:
    """What the cards of one hand are played from."""
    context = batch.contexts[batch.context[hand]]
    landlord = int(batch.landlord[hand])
    return Table(
        None if landlord == NOBODY else landlord,
        (int(batch.held[hand, 0]), int(batch.held[hand, 1]), int(batch.held[hand, 2])),
        bool(batch.suited[hand]),
        context.switches,
        has_shuttle=context.has_shuttle,
        wild=int(batch.wild[hand]),
        escaped=bool(batch.escaped[hand]),
    )


def put(plays: Plays, place: int, played: Played | None) -> None:
    """Write what the walk found of one play over what the columns made of it."""
    if played is None:  # shown after the end, or nobody was landlord
        plays.judged[place] = False
        return
    plays.is_lead[place], plays.trick[place] = played.is_lead, played.trick
    plays.cards_left[place], plays.reread[place] = played.cards_left, played.reread
    reading = played.reading
    plays.category[place] = NO_FORM if reading is None else CODE_OF[reading.category]
    plays.length[place] = NO_FORM if reading is None else reading.length
    plays.main[place] = NO_FORM if reading is None else reading.main
