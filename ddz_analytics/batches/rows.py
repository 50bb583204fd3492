"""Plays, issues and autoplay episodes of a batch as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ddz_analytics.auction_state import Fault
from ddz_analytics.batches.auctions import Auctions
from ddz_analytics.batches.batch import Batch
from ddz_analytics.batches.course import Course
from ddz_analytics.columns import Flags, ints
from ddz_analytics.combinations import NO_FORM
from ddz_analytics.schema import EPISODES, ISSUES, PLAYS


class Issue(NamedTuple):
    """One fault or note of one hand of the batch."""

    hand: int
    severity: str  # error: the hand is faulty and never scored; note: it is scored all the same
    fault: Fault


def issues_of(batch: Batch, course: Course, auctions: Auctions) -> list[Issue]:
    """All issues of a batch, by hand, then by action (those of the whole hand last), then by code."""
    found = [*_play_issues(course), *_auction_issues(batch, auctions), *_unknown_rules(batch)]
    return sorted(found, key=_place)


def _place(issue: Issue) -> tuple[int, bool, int, str]:
    index = issue.fault.action_index
    return issue.hand, index is None, index or 0, issue.fault.code


def _play_issues(course: Course) -> Iterator[Issue]:
    for hand, playing in course.walked.items():
        for fault in playing.faults:
            yield Issue(hand, "error", fault)
        for note in playing.notes:
            yield Issue(hand, "note", note)
    for hand, autoplay in course.autoplay.items():
        for note in autoplay.notes:
            yield Issue(hand, "note", note)
    for hand, faults in course.faults.items():
        for fault in faults:
            yield Issue(hand, "error", fault)


def _auction_issues(batch: Batch, auctions: Auctions) -> Iterator[Issue]:
    """Faults of the auction are errors where the rules are known, else notes."""
    with_issues = [bool(auction.faults or auction.notes) for auction in auctions.distinct]
    for hand in np.flatnonzero(np.array(with_issues, dtype=bool)[auctions.place]).tolist():
        auction = auctions.distinct[auctions.place[hand]]
        severity = "note" if auction.deal.rules is None else "error"
        offset = int(batch.offsets[hand])
        for fault in auction.faults:
            yield Issue(hand, severity, auctions.located(hand, fault, offset))
        for note in auction.notes:
            yield Issue(hand, "note", auctions.located(hand, note, offset))


def _unknown_rules(batch: Batch) -> Iterator[Issue]:
    for place, context in enumerate(batch.contexts):
        if context.recorded is not None and context.rules is None:
            fault = Fault("unknown_rules", None, None, f"no shipped rule set is called {context.recorded!r}")
            for hand in np.flatnonzero(batch.context == place).tolist():
                yield Issue(hand, "note", fault)


def faulty_hands(batch: Batch, issues: list[Issue]) -> Flags:
    """Which hands have an issue of severity error."""
    faulty = np.zeros(len(batch), dtype=bool)
    faulty[[issue.hand for issue in issues if issue.severity == "error"]] = True
    return faulty


def issue_rows(batch: Batch, issues: list[Issue]) -> pa.Table:
    """The issues table."""
    hand_ids = ints(batch.table["hand_id"])
    rows: list[tuple[Any, ...]] = []
    for issue in issues:
        hand, severity, fault = issue
        place = rows[-1][1] + 1 if rows and rows[-1][0] == hand_ids[hand] else 0
        rows.append(
            (hand_ids[hand], place, fault.code, severity, fault.action_index, fault.seat, fault.detail)
        )
    return _table(rows, ISSUES)


def episode_rows(batch: Batch, course: Course) -> pa.Table:
    """The autoplay episodes table; `episode` counts those of one seat in one hand from 0."""
    hand_ids = ints(batch.table["hand_id"])
    rows: list[tuple[Any, ...]] = []
    for hand in sorted(course.autoplay):
        counted = [0, 0, 0]
        for episode in course.autoplay[hand].episodes:
            seat = episode.seat
            span = (episode.start, episode.end, episode.cards_at_start, episode.cards_at_end)
            rows.append((hand_ids[hand], seat, counted[seat], *span, episode.reason))
            counted[seat] += 1
    return _table(rows, EPISODES)


def _table(rows: list[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    arrays = [pa.array(list(column), type=field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def play_rows(batch: Batch, course: Course) -> pa.Table:
    """The plays table."""
    plays = course.plays
    begin = np.searchsorted(plays.hand, np.arange(len(batch) + 1))
    number = np.diff(begin)
    unread = plays.category == NO_FORM
    no_reading = unread if unread.any() else None
    arrays = {
        "hand_id": pa.array(np.repeat(ints(batch.table["hand_id"]), number)),
        "play_index": pa.array(np.arange(len(plays.row)) - np.repeat(begin[:-1], number)),
        "action_index": pa.array(plays.row - np.repeat(batch.offsets[:-1], number)),
        "reread": pa.array(plays.reread),
        "seat": pa.array(plays.seat),
        "cards": pa.array(plays.cards),
        "category": pa.array(plays.category, mask=no_reading),
        "length": pa.array(plays.length, mask=no_reading),
        "main_rank": pa.array(plays.main, mask=no_reading),
        "is_lead": pa.array(plays.is_lead),
        "trick": pa.array(plays.trick),
        "cards_left_after": pa.array(plays.cards_left),
    }
    return pa.table([arrays[field.name].cast(field.type) for field in PLAYS], schema=PLAYS)
