"""Whether what a log says of a hand's end agrees with what was played."""

from __future__ import annotations

import numpy as np

from ddz_analytics.auction_state import Fault
from ddz_analytics.batches.batch import ESCAPE, NOBODY, PASS, PLAY, Batch
from ddz_analytics.batches.course import Course


def outcome_faults(batch: Batch, course: Course) -> None:
    """Add to the course what contradicts the stated outcome; each is an error of the whole hand."""
    played = np.bincount(batch.hand[(batch.act == PLAY) | (batch.act == PASS)], minlength=len(batch)) > 0
    finished, nobody = course.winner != NOBODY, batch.landlord == NOBODY
    escaped = np.bincount(batch.hand[batch.act == ESCAPE], minlength=len(batch)) > 0
    outcome = batch.outcome
    checks = (
        (
            (outcome == "complete") & (~finished | nobody),
            "outcome_mismatch",
            "complete, but nobody is landlord or nobody has gone out",
        ),
        (
            (outcome == "redeal") & (played | ~nobody),
            "outcome_mismatch",
            "thrown in, but there is a landlord or a play",
        ),
        ((outcome == "unfinished") & finished, "outcome_mismatch", "unfinished, but somebody has gone out"),
        ((outcome == "escaped") & finished, "outcome_mismatch", "escaped, but somebody has gone out"),
        ((outcome == "escaped") & ~escaped, "escape_missing", "escaped, but nobody does"),
    )
    for wrong, code, detail in checks:
        for hand in np.flatnonzero(wrong).tolist():
            course.faults.setdefault(hand, []).append(Fault(code, None, None, detail))
