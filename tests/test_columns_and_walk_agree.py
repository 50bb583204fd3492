"""Ordinary hands are replayed by columns, the others act by act: both ways say the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from ddz_analytics.batches.batch import Batch, read_batch
from ddz_analytics.batches.course import Course
from ddz_analytics.columns import Flags
from ddz_analytics.parsers.ddz1 import Ddz1
from ddz_analytics.replay import Replayed, play_batch, replay
from tests.agreement import hands_of
from tests.corruptions import CORRUPTIONS, corrupted
from tests.generated import RECORDED, hands
from tests.legal import legal_hands
from tests.oracle.names import Document

FORMATS = {"ddz/1": Ddz1()}
HANDS = 1000
MOST = 0.5  # at least so many of them are ordinary


def every_hand(batch: Batch, course: Course) -> Flags:
    """In the place of `not_ordinary`: no hand is."""
    return np.ones(len(batch), dtype=bool)


def both_ways(
    documents: Sequence[Document], monkeypatch: pytest.MonkeyPatch
) -> tuple[Replayed, Replayed, pa.Table]:
    """The replay as it is, the replay with every hand walked through, and the hands."""
    table = hands_of(documents)
    usual = replay(table, FORMATS)
    monkeypatch.setattr("ddz_analytics.replay.not_ordinary", every_hand)
    return usual, replay(table, FORMATS), table


@pytest.mark.parametrize("recorded", RECORDED)
def test_columns_and_walk_agree(recorded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays, leads, tricks, readings, cards left and all that follows are the same whether hands are walked through or not."""
    documents = hands(recorded, HANDS, seed=2)
    usual, walked, table = both_ways(documents, monkeypatch)
    for name, one, other in zip(Replayed._fields, usual, walked, strict=True):
        assert one.equals(other), name
    monkeypatch.undo()
    assert np.count_nonzero(~walks(table)) > MOST * HANDS


def walks(table: pa.Table) -> Flags:
    """Which hands are walked through."""
    batch = read_batch(table, FORMATS)
    course = play_batch(batch)
    flags = np.zeros(len(batch), dtype=bool)
    flags[list(course.walked)] = True
    return flags


def test_no_faulty_hand_escapes_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand with any fault of the play is walked through, so that walking all changes nothing."""
    legal = legal_hands(200, seed=3)
    documents = [document for corruption in CORRUPTIONS for document, _ in corrupted(corruption, legal, 40)]
    usual, walked, _ = both_ways(documents, monkeypatch)
    assert all(one.equals(other) for one, other in zip(usual, walked, strict=True))
