"""Chained balances: what each player has before a hand is what the same rules left him after his last one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ddz_analytics.chained import settle_chained
from ddz_analytics.columns import from_amounts, known
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.settle import settle
from ddz_analytics.statement import Asked, statement_of
from ddz_analytics.store.catalog import connect
from tests.chains import facts_of_many, sittings_of
from tests.small_store import ask
from tests.stores import take

MINIMISED = load_rules("jj-classic+minimised")
Seats = tuple[Any, Any, Any]

# The landlord, seat 0, bids 1 and goes out with a bomb and a plane before anybody else has played: each peasant owes 1·2·2 = 4.
WON: dict[str, Any] = {
    "format": "ddz/1",
    "dealt": ["33334445556667778", "45678TTTTJJJJQQQQ", "999KKKKAAAA2222BR"],
    "bottom": "889",
    "landlord": 0,
    "actions": [
        {"seat": 0, "act": "bid", "value": 1}, {"seat": 1, "act": "decline"}, {"seat": 2, "act": "decline"},
        {"seat": 0, "act": "play", "cards": "3333"}, {"seat": 1, "act": "pass"}, {"seat": 2, "act": "pass"},
        {"seat": 0, "act": "play", "cards": "4445556667778889"},
    ],
    "outcome": "complete",
    "rules": "jj-classic",
}  # fmt: skip
VOID: dict[str, Any] = {"landlord": None, "actions": [], "outcome": "void"}
UNFINISHED: dict[str, Any] = {"actions": WON["actions"][:4], "outcome": "unfinished"}


def hand(number: int, players: Seats, balances: Seats | None, **more: Any) -> dict[str, Any]:
    """A hand that began in that minute; its recorded scores are those of rules that look at no balance."""
    told: dict[str, Any] = {"balances": balances, "recorded": {"scores": [8, -4, -4]}} if balances else {}
    return {
        **WON,
        "id": f"h{number}",
        "players": players,
        "started_at": f"2026-01-01T10:{number:02d}:00Z",
        **told,
        **more,
    }


def chained(folder: Path, *hands: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Score hands with chained balances: (source id, player, balance before, score, balance after), in order."""
    (folder / "log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in hands))
    take(folder / "store", folder / "log.jsonl")
    rescore(folder / "store", [MINIMISED], 1, "chained")
    with connect(folder / "store") as connection:
        return ask(
            connection,
            "SELECT source_hand_id, player, balance_before::INTEGER, score::INTEGER, balance_after::INTEGER "
            "FROM scores JOIN hands USING (hand_id) WHERE scenario = 'chained' ORDER BY source_hand_id, seat",
        )


def test_a_hand_begins_with_what_the_last_one_left(tmp_path: Path) -> None:
    """Bo has 3 and owes 4: he pays 3, so the next hand finds him with nothing, and ann with one less than the log says."""
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 3, 50)),
        hand(2, ("ann", "bo", "cy"), (108, -1, 46)),
    )
    assert found == [
        ("h1", "ann", 100, 7, 107), ("h1", "bo", 3, -3, 0), ("h1", "cy", 50, -4, 46),
        ("h2", "ann", 107, 4, 111), ("h2", "bo", 0, 0, 0), ("h2", "cy", 46, -4, 42),
    ]  # fmt: skip


def test_money_from_elsewhere_is_carried_along(tmp_path: Path) -> None:
    """The log left bo with -1 and then finds him with 19: the 20 that he bought come to the 0 that he has here."""
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 3, 50)),
        hand(2, ("ann", "bo", "cy"), (108, 19, 46)),
    )
    assert found[3:] == [("h2", "ann", 107, 8, 115), ("h2", "bo", 20, -4, 16), ("h2", "cy", 46, -4, 42)]


def test_players_meet_at_other_tables(tmp_path: Path) -> None:
    """Hands are taken in the order in which they began, whatever their table and their place in the file."""
    found = chained(
        tmp_path,
        hand(2, ("dee", "ann", "bo"), (10, 108, 0), table="t2"),
        hand(1, ("ann", "bo", "cy"), (100, 4, 50), table="t1"),
    )
    assert found[3:] == [("h2", "dee", 10, 4, 14), ("h2", "ann", 108, -4, 104), ("h2", "bo", 0, 0, 0)]


def test_hand_without_a_score_leaves_what_the_log_says(tmp_path: Path) -> None:
    """An unfinished hand has no score; what the log says that it changed is what it changes, else nothing."""
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 3, 50)),
        hand(2, ("ann", "bo", "cy"), (108, 9, 46), **UNFINISHED),
        hand(3, ("ann", "bo", "cy"), (116, 5, 42), **UNFINISHED, recorded={}),
        hand(4, ("ann", "bo", "cy"), (116, 5, 42)),
    )
    # bo: 3 - 3, then 10 from elsewhere, -4 by the second hand as the log says, nothing by the third
    assert [row[2] for row in found if row[1] == "bo"] == [3, 10, 6, 6]
    assert [row[2] for row in found if row[1] == "ann"] == [100, 107, 115, 115]


def test_recorded_scores_carry_the_log_over_a_hand_that_tells_no_balance(tmp_path: Path) -> None:
    """By its scores the log left bo with 6, 2 and then found him with 12: ten came from elsewhere, whatever lay between."""
    scores = {"recorded": {"scores": [8, -4, -4]}}
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 10, 50)),
        hand(2, ("ann", "bo", "cy"), None, **scores),
        hand(3, ("ann", "bo", "cy"), (116, 12, 42)),
    )
    assert [row[2] for row in found if row[1] == "bo"] == [10, 6, 12]


def test_hand_without_a_score_or_a_balance_changes_what_its_recorded_scores_say(tmp_path: Path) -> None:
    """Of the second hand the log tells no balance, only what each won or lost in it."""
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 10, 50)),
        hand(2, ("ann", "bo", "cy"), None, **UNFINISHED, recorded={"scores": [2, -1, -1]}),
        hand(3, ("ann", "bo", "cy"), None),
    )
    assert [row[2] for row in found if row[1] == "bo"] == [10, 6, 5]


def test_before_the_first_balance_there_is_none(tmp_path: Path) -> None:
    """A chain begins with the first balance that the log says; without one there is nothing to be paid from."""
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), None),
        hand(2, ("ann", "bo", "cy"), (100, 3, 50)),
        hand(3, ("ann", "bo", "cy"), None),
    )
    assert found[0] == ("h1", "ann", None, None, None)
    assert found[3] == ("h2", "ann", 100, 7, 107)
    assert found[6:] == [("h3", "ann", 107, 4, 111), ("h3", "bo", 0, 0, 0), ("h3", "cy", 46, -4, 42)]


def test_a_void_hand_changes_nothing(tmp_path: Path) -> None:
    """A void hand leaves everybody what he had."""
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 3, 50), **VOID, recorded={"scores": [0, 0, 0]}),
        hand(2, ("ann", "bo", "cy"), (100, 3, 50)),
    )
    assert found[:4] == [
        ("h1", "ann", 100, 0, 100),
        ("h1", "bo", 3, 0, 3),
        ("h1", "cy", 50, 0, 50),
        ("h2", "ann", 100, 7, 107),
    ]


def test_coins_and_points_are_apart(tmp_path: Path) -> None:
    """A hand for points finds the points that the last hand for points left."""
    found = chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 3, 50), balance_kind="coins"),
        hand(2, ("ann", "bo", "cy"), (5, 5, 5), balance_kind="points"),
        hand(3, ("ann", "bo", "cy"), (108, -1, 46), balance_kind="coins"),
    )
    assert [row[2] for row in found if row[1] == "bo"] == [3, 5, 0]


def test_a_name_that_stands_twice_is_no_person(tmp_path: Path) -> None:
    """Where one name sits on two seats, each of them has what the log says, and nothing is carried on."""
    found = chained(
        tmp_path,
        hand(1, ("bot", "bot", "cy"), (100, 3, 50)),
        hand(2, ("bot", "bot", "cy"), (100, 3, 46)),
    )
    assert [row[2] for row in found] == [100, 3, 50, 100, 3, 46]


def test_a_new_hand_makes_chains_stale(tmp_path: Path) -> None:
    """What rests on all hands is gone when there are more of them, until it is scored again."""
    chained(tmp_path, hand(2, ("ann", "bo", "cy"), (108, -1, 46)))
    (tmp_path / "earlier.jsonl").write_text(json.dumps(hand(1, ("ann", "bo", "cy"), (100, 3, 50))) + "\n")
    take(tmp_path / "store", tmp_path / "earlier.jsonl")
    scored = "SELECT count(*), min(balance_before)::INTEGER FROM scores WHERE scenario = 'chained'"
    with connect(tmp_path / "store") as connection:
        assert ask(connection, scored) == [(0, None)]
    assert rescore(tmp_path / "store", [MINIMISED], 1, "chained").settled == {MINIMISED.id: 2}
    assert rescore(tmp_path / "store", [MINIMISED], 1, "chained").settled == {MINIMISED.id: 0}
    with connect(tmp_path / "store") as connection:
        assert ask(connection, scored) == [(6, 0)]


@pytest.mark.parametrize("player", ["ann", "bo"])
def test_opening_and_scores_and_the_unexplained_make_the_closing(tmp_path: Path, player: str) -> None:
    """A statement adds up, under recorded and under chained balances."""
    chained(
        tmp_path,
        hand(1, ("ann", "bo", "cy"), (100, 3, 50), table="t1", no=1),
        hand(2, ("ann", "bo", "cy"), (108, 19, 46), table="t1", no=4),
    )
    with connect(tmp_path / "store") as connection:
        for scenario in ("recorded", "chained"):
            found = statement_of(connection, Asked(player, MINIMISED.id, scenario))
            (totals,) = found.totals.to_pylist()
            assert (
                totals["opening"] + totals["score"] + totals["fee_apart"] + totals["unexplained"]
                == totals["closing"]
            )
            assert found.missing.to_pylist() == [{"table_id": "t1", "first_missing": 2, "last_missing": 3}]
    unexplained = {"ann": 0, "bo": 20}  # under chained balances: what bo bought
    assert totals["unexplained"] == unexplained[player]


def ends_below_zero(number: int, players: int, spec: str) -> tuple[int, int]:
    """Of many hands in a row: how many seats end below zero that were not below it before, and how many payments were cut."""
    settled = settle_chained(facts_of_many(number), sittings_of(number, players), load_rules(spec))
    below = cut = 0
    for role in ROLES:
        scored = known(settled[f"net_{role}"])
        before, net, less = (
            from_amounts(settled[f"{name}_{role}"]) for name in ("balance", "net", "balance_cut")
        )
        below += int((scored & (before + net < np.minimum(before, 0))).sum())
        cut += int((scored & (less != 0)).sum())
    return below, cut


@pytest.mark.parametrize("spec", ["jj-classic+minimised", "qq-coins+minimised", "happy+minimised"])
def test_minimised_payments_leave_nobody_below_zero(spec: str) -> None:
    """Whatever came before, a hand takes from nobody more than he has; and that does happen here."""
    below, cut = ends_below_zero(10_000, 300, spec)
    assert below == 0
    assert cut > 1000


@pytest.mark.long
def test_nobody_below_zero_in_a_million_hands() -> None:
    """The same holds over a million hands of ten thousand players."""
    below, cut = ends_below_zero(1_000_000, 10_000, "jj-classic+minimised")
    assert below == 0
    assert cut > 100_000


def test_levels_do_not_matter_where_no_balance_is_read() -> None:
    """Under rules that read no balance, chained scores are the scores as ever."""
    facts, rules = facts_of_many(3000), load_rules("jj-classic")
    settled = settle_chained(facts, sittings_of(3000, 50), rules)
    assert settled.select(["net_landlord", "net_down", "net_up"]) == settle(facts, rules).select(
        ["net_landlord", "net_down", "net_up"]
    )
