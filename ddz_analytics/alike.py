"""Facts brought down to what settling tells apart, so that hands which no score can tell apart have equal rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ddz_analytics.columns import amounts
from ddz_analytics.hands import SCALE
from ddz_analytics.schema import FACTS, ROLES
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.events import springs

BALANCES = tuple(f"{role}_balance" for role in ROLES)
_COMPARED = frozenset((*BALANCES, "room_double_threshold"))
_SEATS = ("winner_seat", "first_seat", "first_opener_seat")  # they matter only by being the landlord's or not
_IF_NOBODY_BID = ("first_seat", "first_opener_seat")
_PLAYS = tuple(f"{role}_plays" for role in ROLES)
AT_END = ("cards_left", "autoplay_cards_at_end")
_ON_AUTOPLAY = (*AT_END, "autoplay_cards", "autoplay_most_cards")


class Apart(NamedTuple):
    """What tells hands apart: the columns that are read, and how exactly.

    `balances`: their amounts matter, and not only which are above the threshold for doubling. `exempt`: at autoplay from more
    cards than these it does not matter from how many. `at_end`: cards held at the end matter too.
    """

    columns: tuple[str, ...]
    balances: bool
    exempt: int
    at_end: bool


def needed(apart: Apart) -> set[str]:
    """The columns to read: those that tell hands apart, and those by which they are made plain."""
    columns = set(apart.columns) - _never_matter(apart)
    peasants = [role for role in ROLES[1:] if any(f"{role}_{name}" in columns for name in _ON_AUTOPLAY)]
    flags = {f"{role}_{flag}" for role in peasants for flag in ("autoplay", "autoplay_ever")}
    for_plays = set() if columns.isdisjoint(_PLAYS) else {*_PLAYS, "winner_seat", "winner_side", "spring"}
    compared = set() if columns.isdisjoint(_COMPARED) else set(_COMPARED)
    return {"hand_id", "landlord_seat", "nobody_bid", *columns, *flags, *for_plays, *compared}


def plain(table: pa.Table, apart: Apart) -> pa.Table:
    """The table with the values of its columns brought down to what settling tells apart, and `hands`, how many each row is."""
    facts = Facts(table)
    made = _seats(facts) | _autoplay(facts, apart)
    if not set(_PLAYS).isdisjoint(apart.columns):
        made |= _plays(facts)
    if not apart.balances and not _COMPARED.isdisjoint(apart.columns):
        made |= _compared(facts)
    for name in set(made) & set(apart.columns):
        place = table.column_names.index(name)
        table = table.set_column(place, table.field(place), made[name].cast(table.field(place).type))
    for name in sorted(set(apart.columns) - set(table.column_names)):
        table = table.append_column(FACTS.field(name), pa.nulls(len(table), FACTS.field(name).type))
    return table.append_column("hands", pa.array(np.ones(len(table), dtype=np.int64)))


def _never_matter(apart: Apart) -> set[str]:
    """Columns that are read and decide nothing: the landlord's autoplay, and cards at the end where none measures them."""
    landlord = {f"landlord_{name}" for name in ("autoplay", "autoplay_ever", *_ON_AUTOPLAY)}
    return landlord | (set() if apart.at_end else {f"{role}_{name}" for role in ROLES for name in AT_END})


def _seats(facts: Facts) -> dict[str, Any]:
    """Seats counted from the landlord's; of those that only matter by being his or not, 0 is his and 1 any other."""
    landlord, has = facts.ints("landlord_seat"), facts.known("landlord_seat")
    made = {"landlord_seat": pa.array(np.zeros(len(facts), dtype=np.int8), mask=~has)}
    for name in (name for name in (*_SEATS, "escaped_seat") if name in facts.table.column_names):
        relative = (facts.ints(name) - landlord) % 3
        relative = relative if name == "escaped_seat" else np.minimum(relative, 1)
        silent = ~facts.known(name) | (~facts.flag("nobody_bid") if name in _IF_NOBODY_BID else False)
        made[name] = pa.array(np.where(has, relative, facts.ints(name)), mask=silent)
    return made | _stated_winner(facts, made)


def _stated_winner(facts: Facts, made: dict[str, Any]) -> dict[str, Any]:
    """A side that is stated to have won, as a seat: the landlord's or another."""
    if not {"winner_seat", "winner_side"}.issubset(facts.table.column_names):
        return {}
    seat = pa.array(np.where(facts.equals("winner_side", "landlord"), 0, 1), mask=~facts.known("winner_side"))
    return {
        "winner_seat": pc.coalesce(made["winner_seat"], seat),
        "winner_side": pa.nulls(len(facts), pa.string()),
    }


def _plays(facts: Facts) -> dict[str, Any]:
    """Plays matter by making a spring, which the landlord wins, or an anti-spring, which he does not."""
    spring, anti_spring = springs(facts)
    made = {
        "landlord_plays": np.where(anti_spring, 1, 2),
        "down_plays": np.where(spring, 0, 1),
        "up_plays": np.zeros(len(facts), dtype=np.int64),
    }
    return {name: pa.array(plays) for name, plays in made.items()} | {
        "spring": pa.nulls(len(facts), pa.string())
    }


def _autoplay(facts: Facts, apart: Apart) -> dict[str, Any]:
    """The cards of a peasant matter if he was on autoplay, and up to the number that exempts him."""
    made = {}
    read = set(apart.columns) - _never_matter(apart)
    for role, name in ((role, f"{role}_{name}") for role in ROLES for name in _ON_AUTOPLAY):
        if name in read:
            ever = facts.flag(f"{role}_autoplay") | facts.flag(f"{role}_autoplay_ever")
            cards = np.minimum(facts.ints(name), apart.exempt + 1)
            made[name] = pa.array(cards, mask=~(ever & facts.known(name)))
    return made


def _compared(facts: Facts) -> dict[str, Any]:
    """Balances as 1 above the threshold and 0 otherwise, the threshold as 0."""
    threshold = facts.amount("room_double_threshold")
    made = {"room_double_threshold": amounts(np.zeros_like(threshold), facts.known("room_double_threshold"))}
    for name in BALANCES:
        above = np.where(facts.amount(name) > threshold, SCALE, 0)
        made[name] = amounts(above, facts.known(name))
    return made
