"""Which publish the rows of a part were read for, when parts are cut down or joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np

from ddz_analytics.columns import Flags, Ints
from ddz_analytics.store.manifest import Stretch


def generations(stretches: Sequence[Stretch]) -> Ints:
    """The publish of each row."""
    of_each = np.array([stretch.generation for stretch in stretches], dtype=np.int64)
    return np.repeat(of_each, [stretch.rows for stretch in stretches])


def stretches_of(publishes: Ints) -> list[Stretch]:
    """The stretches of rows whose publishes are given, in order."""
    return [Stretch(len(list(rows)), generation) for generation, rows in groupby(publishes.tolist())]


def without(stretches: Sequence[Stretch], gone: Flags) -> list[Stretch]:
    """The stretches that are left when some rows go."""
    return stretches_of(generations(stretches)[~gone])


def joined(several: Iterable[Sequence[Stretch]]) -> list[Stretch]:
    """The stretches of several parts one after the other."""
    return stretches_of(np.concatenate([generations(stretches) for stretches in several]))
