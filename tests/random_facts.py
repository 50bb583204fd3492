"""Random facts: rows that settling must be able to take, whether or not any hand could have led to them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from ddz_analytics.combinations import DEFAULT_SWITCHES
from ddz_analytics.rules import RuleSet, autoplay_bits
from ddz_analytics.schema import FACTS, ROLES
from tests.oracle.names import Row

SEATS = st.integers(0, 2)
MAYBE_SEAT = st.none() | SEATS
FLAGS = st.booleans()
CARDS = st.integers(0, 20)
AMOUNTS = st.decimals(0, 10_000, places=4) | st.integers(0, 10**13).map(Decimal)
BALANCES = st.none() | st.decimals(-100, 5000, places=4)
STAGES = st.none() | st.sampled_from(["start", "deal", "bottom"])

ROLE_COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "plays": st.integers(0, 12), "cards_left": CARDS, "autoplay": FLAGS, "autoplay_cards": CARDS,
    "autoplay_cards_at_end": CARDS, "autoplay_ever": FLAGS, "autoplay_most_cards": CARDS,
    "doubled": st.sampled_from([None, 1, 2, 4]), "kicked": FLAGS, "could_kick": FLAGS, "balance": BALANCES,
    "open_stage": STAGES, "open_value": st.none() | st.integers(1, 6), "open_dealt": st.none() | st.integers(0, 17),
}  # fmt: skip
HAND_COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "outcome": st.sampled_from(["complete"] * 6 + ["redeal", "escaped", "void", "unfinished"]),
    "replay_status": st.sampled_from(["ok"] * 6 + ["faulty"]),
    "landlord_seat": SEATS, "winner_seat": SEATS, "first_seat": MAYBE_SEAT, "first_opener_seat": MAYBE_SEAT,
    "auction_silent": FLAGS, "nobody_bid": st.sampled_from([False] * 6 + [True]), "raises": st.integers(0, 4),
    "robs": st.integers(0, 4), "bombs": st.integers(0, 13), "rockets": st.integers(0, 1),
    "open_offered": FLAGS, "double_offered": FLAGS, "kick_offered": FLAGS, "autoplay_recorded": FLAGS,
    "combination_switches": st.sampled_from([DEFAULT_SWITCHES.bits(), 0]),
    "autoplay_rules": st.sampled_from([autoplay_bits(RuleSet(id="")), 0]),
    **{f"room_{key}": st.none() | AMOUNTS for key in ("unit", "low", "high", "rate", "fee", "double_threshold")},
}  # fmt: skip


@st.composite
def fact_rows(draw: st.DrawFn) -> Row:
    """The facts of one hand."""
    row = {name: draw(values) for name, values in HAND_COLUMNS.items()}
    for role in ROLES:
        row |= {f"{role}_{name}": draw(values) for name, values in ROLE_COLUMNS.items()}
    kind = draw(st.sampled_from(["none", "score", "room", "rob"]))
    bids = {"score": st.sampled_from([Decimal(1), Decimal(2), Decimal(3)]), "room": AMOUNTS}
    return row | {"auction_kind": kind, "bid": draw(bids[kind]) if kind in bids else None}


def fact_tables(most: int = 12) -> st.SearchStrategy[pa.Table]:
    """Tables of the facts of some hands."""
    rows = st.lists(fact_rows(), min_size=1, max_size=most)
    return rows.map(
        lambda found: pa.Table.from_pylist(
            [row | {"hand_id": place} for place, row in enumerate(found)], schema=FACTS
        )
    )
