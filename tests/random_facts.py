"""Random facts: rows that settling must be able to take, whether or not any hand could have led to them.

`fact_tables` is for hypothesis, which can make a row smaller; `many_facts` makes thousands at once.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
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
    "outcome": st.sampled_from(["complete"] * 6 + ["escaped"] * 2 + ["redeal", "void", "unfinished"]),
    "replay_status": st.sampled_from(["ok"] * 6 + ["faulty"]),
    "landlord_seat": SEATS, "winner_seat": SEATS, "first_seat": MAYBE_SEAT, "first_opener_seat": MAYBE_SEAT,
    "auction_silent": FLAGS, "nobody_bid": st.sampled_from([False] * 6 + [True]), "raises": st.integers(0, 4),
    "robs": st.integers(0, 4), "bombs": st.integers(0, 13), "rockets": st.integers(0, 1),
    "open_offered": FLAGS, "double_offered": FLAGS, "kick_offered": FLAGS, "autoplay_recorded": FLAGS,
    "soft_bombs": st.integers(0, 2), "hard_bombs": st.integers(0, 2), "pure_bombs": st.integers(0, 1),
    "wild_rank": st.sampled_from([None, None, "7"]), "needs_wild": st.sampled_from([False] * 5 + [True]),
    "escaped_seat": SEATS, "escape_stage": st.sampled_from(["before_any_bid", "auction", "play"]),
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
    if row["outcome"] == "escaped":
        row["winner_seat"] = None
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


def _amount(rng: Random) -> Decimal:
    """Small ones and large ones, whole ones and others."""
    return rng.choice([
        Decimal(rng.randint(0, 400)), Decimal(rng.randint(0, 400)), Decimal(rng.randint(0, 10**6)).scaleb(-4),
        Decimal(rng.randint(0, 10**13)), Decimal(0),
    ])  # fmt: skip


def _fact_row(rng: Random, number: int) -> Row:
    kind, wild = rng.choice(["score", "score", "room", "rob", "none"]), rng.random() < 1 / 4
    kinds = [rng.randint(0, 2), rng.randint(0, 2), rng.randint(0, 1)] if wild else [0, 0, 0]
    outcome = rng.choice(["complete"] * 8 + ["escaped", "escaped", "void", "redeal", "unfinished"])
    row: Row = {
        "hand_id": number, "outcome": outcome, "replay_status": rng.choice(["ok"] * 20 + ["faulty"]),
        "landlord_seat": rng.choice([0, 1, 2]), "winner_seat": None if outcome == "escaped" else rng.choice([0, 1, 2]),
        "auction_kind": kind, "auction_silent": kind == "none", "nobody_bid": outcome == "redeal", "raises": rng.randint(0, 3),
        "robs": rng.randint(0, 3) if kind in ("room", "rob") else 0,
        "bid": {"score": Decimal(rng.randint(1, 3)), "room": _amount(rng)}.get(kind),
        "bombs": sum(kinds) if wild else rng.choice([0, 0, 1, 2, 3, 6]), "rockets": rng.choice([0, 0, 1]),
        **dict(zip(("soft_bombs", "hard_bombs", "pure_bombs"), kinds, strict=True)),
        "wild_rank": "7" if wild else None, "needs_wild": kinds[0] > 0,
        "escaped_seat": rng.choice([0, 1, 2]), "escape_stage": rng.choice(["before_any_bid", "auction", "play"]),
        **dict.fromkeys(("open_offered", "double_offered", "kick_offered", "autoplay_recorded"), True),
    }  # fmt: skip
    row |= {
        f"room_{key}": rng.choice([None, *[_amount(rng)] * 5])
        for key in ("unit", "low", "high", "rate", "fee", "double_threshold")
    }
    for role in ROLES:
        cards = rng.choice([1, 1, 9])
        row |= {
            f"{role}_plays": rng.choice([0, 1, 5]), f"{role}_cards_left": rng.choice([1, 4]), f"{role}_autoplay": rng.random() < 1 / 3,
            f"{role}_autoplay_ever": True, f"{role}_autoplay_cards": cards, f"{role}_autoplay_most_cards": cards,
            f"{role}_doubled": rng.choice([None, 1, 2, 4]), f"{role}_kicked": rng.random() < 1 / 2, f"{role}_could_kick": True,
            f"{role}_balance": rng.choice([None, *[_amount(rng) * rng.choice([1, 1, 1, -1])] * 9]),
            f"{role}_open_stage": rng.choice([None, None, "start", "deal", "bottom"]), f"{role}_open_dealt": rng.choice([3, 9]),
        }  # fmt: skip
    return row


def many_facts(rng: Random, number: int) -> pa.Table:
    """The facts of many hands of all kinds, as one table."""
    return pa.Table.from_pylist([_fact_row(rng, place) for place in range(number)], schema=FACTS)
