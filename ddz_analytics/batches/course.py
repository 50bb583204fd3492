"""How the play of a batch went: the plays as columns, and what was found hand by hand."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ddz_analytics.auction_state import Fault
from ddz_analytics.autoplay import Autoplay
from ddz_analytics.columns import Codes, Flags, Ints
from ddz_analytics.hands import SEATS
from ddz_analytics.play import Playing


@dataclass
class Plays:
    """All sets of cards played in a batch, in order; arrays over plays."""

    row: Ints  # of the action in the batch
    hand: Ints
    seat: Codes
    cards: Ints  # mask
    counts: Ints
    size: Codes  # how many cards
    is_lead: Flags
    category: Codes  # NO_FORM where there is no legal reading
    length: Codes
    main: Codes
    trick: npt.NDArray[np.int32]
    cards_left: Ints
    reread: Flags
    judged: Flags  # False for cards shown after the end or without a landlord

    @cached_property
    def holder(self) -> Ints:
        """Whose cards they are: a number for each hand and seat."""
        return self.hand * SEATS + self.seat

    def take(self, chosen: Flags) -> Plays:
        """Some of the plays."""
        return Plays(**{column.name: getattr(self, column.name)[chosen] for column in fields(self)})


@dataclass
class Course:
    """The play of a batch; arrays over hands, and by hand what the walks and the outcome checks found."""

    plays: Plays
    winner: Ints  # seat, or NOBODY
    cards_left: Ints  # (n, 3)
    walked: dict[int, Playing] = field(default_factory=dict)
    autoplay: dict[int, Autoplay] = field(default_factory=dict)
    faults: dict[int, list[Fault]] = field(default_factory=dict)  # of the outcome: errors
