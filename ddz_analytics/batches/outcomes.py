"""Whether what a log says of a hand's end agrees with what was played."""

from __future__ import annotations

import numpy as np

from ddz_analytics.auction_state import Fault
from ddz_analytics.batches.batch import COMPLETE, ESCAPE, ESCAPED, NOBODY, REDEAL, UNFINISHED, Batch
from ddz_analytics.batches.course import Course


def outcome_faults(batch: Batch, course: Course) -> None:
    """Add to the course what contradicts the stated outcome; each is an error of the whole hand."""
    played = batch.first_turn < len(batch.act)
    finished, nobody = course.winner != NOBODY, batch.landlord == NOBODY
    escaped = batch.first_of(np.flatnonzero(batch.act == ESCAPE)) < len(batch.act)
    outcome = batch.outcome
    checks = (
        (
            (outcome == COMPLETE) & (~finished | nobody),
            "outcome_mismatch",
            "complete, but nobody is landlord or nobody has gone out",
        ),
        (
            (outcome == REDEAL) & (played | ~nobody),
            "outcome_mismatch",
            "thrown in, but there is a landlord or a play",
        ),
        ((outcome == UNFINISHED) & finished, "outcome_mismatch", "unfinished, but somebody has gone out"),
        ((outcome == ESCAPED) & finished, "outcome_mismatch", "escaped, but somebody has gone out"),
        ((outcome == ESCAPED) & ~escaped, "escape_missing", "escaped, but nobody does"),
    )
    for wrong, code, detail in checks:
        for hand in np.flatnonzero(wrong).tolist():
            course.faults.setdefault(hand, []).append(Fault(code, None, None, detail))
