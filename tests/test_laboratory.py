"""Autoplay, doubles and balances side by side: six hands worked out on paper, and hands in which seats cannot pay."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.comparison import Comparison, compare
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules, variants
from ddz_analytics.store.catalog import Connection, connect
from ddz_analytics.sweep import facts_of, sweep
from tests.small_store import Row, small_tables, write_store
from tests.stores import take
from tests.won_hands import won

MINIMISED = "jj-classic+minimised"
PARTNER_PAYS = "jj-classic+minimised[liability.shortfall=partner_pays]"


def rows_of(table: Any, *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of an Arrow table as rows."""
    return list(zip(*(table[column].to_pylist() for column in columns), strict=True))


@pytest.fixture(scope="module")
def six(views: Connection) -> Comparison:
    """The two rule sets that score hands 1, 3, 4 and 6 of the small store; nobody answers for another under `own-share`."""
    return compare(views, "jj-classic", ["own-share"])


def test_flows_name_parties_by_what_autoplay_made_of_them(six: Comparison) -> None:
    """Hands 1 and 6: the peasant on autoplay takes over 40 and 32; hand 4: both are on it and forfeit 30 each to the house."""
    found = rows_of(
        six.flows(), "rule_set", "reason", "payer", "receiver", "hands", "amount", "amount_a_hand"
    )
    stakes = [
        ("stake", "autoplay", "landlord", 2, 72, 18),
        ("stake", "landlord", "autoplay", 1, 60, 15),
        ("stake", "partner", "landlord", 2, 72, 18),
    ]
    moved = [("liability", "autoplay", "partner", 2, 72, 18), ("forfeit", "autoplay", "house", 1, 60, 15)]
    assert found == [("jj-classic", *flow) for flow in (*stakes, *moved)] + [
        ("own-share", *flow) for flow in stakes
    ]


def test_cases_and_forfeits_are_counted(six: Comparison) -> None:
    """One on autoplay and lost twice, both on it and won once; 72 moved between peasants and 60 forfeited."""
    columns = (
        "one_lost",
        "one_won",
        "both_lost",
        "both_won",
        "moved_hands",
        "moved",
        "forfeit_hands",
        "forfeited",
    )
    assert rows_of(six.liability(), "rule_set", "hands", *columns) == [
        ("jj-classic", 4, 2, 0, 0, 1, 3, 132, 1, 60),
        ("own-share", 4, 2, 0, 0, 1, 0, 0, 0, 0),
    ]


def test_means_of_autoplayers_and_partners(six: Comparison) -> None:
    """Under liability the autoplayer loses 80 and 64 and his partner nothing, else each his own 40 and 32; both get 0 or 30."""
    found = rows_of(
        six.autoplay_seats(), "rule_set", "status", "seats", "liable", "mean", "mean_lost", "mean_won"
    )
    assert found == [
        ("jj-classic", "autoplay", 2, 2, -72, -72, None),
        ("jj-classic", "partner", 2, 0, 0, 0, None),
        ("jj-classic", "both", 2, 2, 0, None, 0),
        ("own-share", "autoplay", 2, 0, -36, -36, None),
        ("own-share", "partner", 2, 0, -36, -36, None),
        ("own-share", "both", 2, 0, 30, None, 30),
    ]


def test_when_autoplay_began(six: Comparison) -> None:
    """With 17 cards in hand 6, 9 in hand 1, 12 and 2 in hand 4, whose two have no partner that is not on autoplay."""
    columns = ("cards_at_start", "seats", "lost", "won", "mean", "partner_mean", "answers_for")
    found = [
        row[1:] for row in rows_of(six.autoplay_starts(), "rule_set", *columns) if row[0] == "jj-classic"
    ]
    assert found == [
        ("17-20", 1, 1, 0, -64, 0, -32),
        ("11-16", 1, 0, 1, 0, None, -30),
        ("6-10", 1, 1, 0, -80, 0, -40),
        ("2-5", 1, 0, 1, 0, None, -30),
    ]


def _doubling_store(folder: Path) -> Path:
    """The six hands where `jj-classic` has doubles and an entry balance of twice the room's high bid of 300 in hand 6."""
    tables = small_tables()
    (_, by_hand) = tables["facts"]
    by_hand[0] |= {"room_high": 300, "landlord_doubled": 1}  # the landlord declined
    rules = tables["rule_sets"][0]
    rules[1] = {**rules[1], "parameters": '{"double.factor": 2, "entry.factor": 2, "entry.strict": false}'}
    tables["settlements"][0] = [_changed(row) for row in tables["settlements"][0]]
    return write_store(folder / "store", tables)


def _changed(row: Row) -> Row:
    return {**row, "double_change_down": -32} if row["hand_id"] == 6 else row


def test_refused_doubles_and_entries(tmp_path: Path) -> None:
    """Bo alone asked for a double and may not for his own 50, it would have cost him 32; he and cy, with 300, are below 600."""
    with connect(_doubling_store(tmp_path)) as connection:
        found = compare(connection, "jj-classic", ["own-share"]).refusals()
    columns = ("asked", "refused", "refused_own", "refused_landlord", "refused_someone")
    assert rows_of(found, "rule_set", *columns) == [
        ("jj-classic", 1, 1, 1, 0, 0),
        ("own-share", 0, 0, 0, 0, 0),
    ]
    amounts = (
        "would_change",
        "largest_change",
        "unknown_change",
        "entries_refused",
        "hands_with_entry_refused",
    )
    assert rows_of(found, *amounts) == [(-32, 32, 0, 2, 1), (0, None, 0, 0, 0)]


def _store(folder: Path, *hands: dict[str, Any]) -> Path:
    (folder / "log.jsonl").write_text("".join(json.dumps(hand) + "\n" for hand in hands))
    take(folder / "store", folder / "log.jsonl")
    return folder / "store"


def test_what_a_liable_seat_cannot_pay(tmp_path: Path) -> None:
    """Cy answers for 8: with 3 he owes the landlord of 100 another 5, the one of 6 another 3; with 90 he pays the 6 that may be won."""
    store = _store(
        tmp_path,
        won(1, (100, 50, 3), autoplay=2),
        won(2, (6, 50, 3), autoplay=2),
        won(3, (6, 50, 90), autoplay=2),
    )
    rescore(store, [load_rules(name) for name in ("jj-classic", MINIMISED, PARTNER_PAYS)])
    with connect(store) as connection:
        found = compare(connection, "jj-classic", [MINIMISED, PARTNER_PAYS])
        short = found.shortfalls()
        flows = [row for row in found.flows().to_pylist() if row["reason"] == "balance"]
    assert rows_of(short, "rule_set", "liable", "short", "unpaid", "partners_paid", "partner_paid") == [
        ("jj-classic", 3, 0, 0, 0, 0),
        (MINIMISED, 3, 2, 8, 0, 0),
        (PARTNER_PAYS, 3, 2, 8, 2, 8),
    ]
    # he pays 3, 3 and 6 instead of 8 each: 5, 5 and 2 come back to him, of which his partner bears 5 and 3 if partners pay
    passed = [(row["rule_set"], row["payer"], row["receiver"], row["hands"], row["amount"]) for row in flows]
    assert passed == [
        (MINIMISED, "landlord", "autoplay", 3, Decimal(12)),
        (PARTNER_PAYS, "landlord", "autoplay", 2, Decimal(4)),
        (PARTNER_PAYS, "partner", "autoplay", 2, Decimal(8)),
    ]


def test_cuts_and_ruins_before_and_after(tmp_path: Path) -> None:
    """Each peasant owes 4, and 2 without the spring: bo's 3 is gone only with it, cy's 1 either way; minimised cuts 1 and 3."""
    baseline = "jj-classic[events.spring=1]"
    store = _store(tmp_path, won(1, (100, 3, 1)), won(2, (100, 50, 60)), won(3, None))
    rescore(store, [load_rules(name) for name in (baseline, "jj-classic", MINIMISED)])
    with connect(store) as connection:
        found = compare(connection, baseline, ["jj-classic", MINIMISED]).balances()
    # the third hand is undefined under minimised rules, which need its balances
    assert rows_of(found, "rule_set", "hands", "cut_hands", "cut", "largest_cut") == [
        (baseline, 2, 0, 0, 0), ("jj-classic", 2, 0, 0, 0), (MINIMISED, 2, 1, 4, 3),
    ]  # fmt: skip
    columns = ("ruins", "ruins_per_thousand", "ruins_baseline", "ruins_per_thousand_baseline", "newly_ruined")
    assert rows_of(found, *columns) == [(1, 500, 1, 500, 0), (2, 1000, 1, 500, 1), (2, 1000, 1, 500, 1)]


def test_autoplay_that_ended_is_told_apart(tmp_path: Path) -> None:
    """Cy came back before the end: nobody is liable unless the rule set counts autoplay at any time."""
    any_time = "jj-classic[liability.status=any_time]"
    store = _store(tmp_path, won(1, (100, 50, 50), autoplay=2, until_end=False))
    rescore(store, [load_rules(name) for name in ("jj-classic", any_time)])
    with connect(store) as connection:
        found = compare(connection, "jj-classic", [any_time])
        seats, liability = found.autoplay_seats(), found.liability()
    assert rows_of(seats, "rule_set", "status", "mean") == [
        ("jj-classic", "came_back", -4), ("jj-classic", "peasant", -4), (any_time, "came_back", -8), (any_time, "peasant", 0),
    ]  # fmt: skip
    assert rows_of(liability, "one_lost", "moved") == [(0, 0), (0, 4)]


def test_large_grids_say_what_autoplayers_and_partners_get(tmp_path: Path) -> None:
    """Cy, alone on autoplay in two of three hands, loses 8 and bo nothing; 4 each where nobody answers for another."""
    hands = [won(number, None, autoplay=2) for number in (1, 2)]
    store = _store(tmp_path, *hands, won(3, None))
    base = load_rules("jj-classic")
    swept = sweep(facts_of(store), base, variants(base, ["liability.when_losing=autoplaying_pays_all,none"]))
    assert rows_of(swept, "autoplay_mean", "partner_mean") == [(-8, 0), (-8, 0), (-4, -4)]


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ("flows", ("rule_set", "reason", "payer", "receiver")),
        ("liability", ("rule_set",)),
        ("autoplay_seats", ("rule_set", "status")),
        ("autoplay_starts", ("rule_set", "cards_at_start")),
        ("shortfalls", ("rule_set",)),
        ("refusals", ("rule_set",)),
        ("balances", ("rule_set",)),
    ],
)
def test_every_grain_is_unique(six: Comparison, table: str, keys: tuple[str, ...]) -> None:
    """No two rows of a table share its key."""
    found = rows_of(getattr(six, table)(), *keys)
    assert len(found) == len(set(found)) > 0
