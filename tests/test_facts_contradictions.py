"""Rows of facts that no hand can have: beyond the cards, beside the auction, or against their own outcome.

ROW is a hand at 2 with one bomb that the landlord, seat 1, wins; he played 4 times, the peasants 2 times and once.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import ddz_analytics as ddz
from ddz_analytics.api.declared import as_facts
from ddz_analytics.declared.checks import faults_as_hands
from ddz_analytics.errors import UsageError
from ddz_analytics.query import run_query
from ddz_analytics.simulate import simulate
from tests.facts_rows import declare, rejected, rows, write_csv
from tests.stores import take
from tests.test_api_settle import nets, table

FIVE: dict[str, Any] = {"landlord_plays": 5, "down_plays": 4, "up_plays": 4}
NOBODY: dict[str, Any] = {"nobody_bid": True, "bid": None}
UNPLAYED: dict[str, Any] = {"bombs": 0, "rockets": 0, "landlord_plays": 0, "down_plays": 0, "up_plays": 0}
THROWN_IN = {**NOBODY, **UNPLAYED, "outcome": "redeal", "landlord_seat": None, "winner_seat": None}
LEFT: dict[str, Any] = {"outcome": "escaped", "winner_seat": None, "escaped_seat": 2, "escape_stage": "play"}


def blamed(row: dict[str, Any]) -> str | None:
    """The column for which a row of facts is no hand."""
    try:
        facts = as_facts(table(row))
    except UsageError as error:  # it cannot be settled either
        return error.what.split()[0]
    return next((fault.name for fault in faults_as_hands(facts) if fault.where.any()), None)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"landlord_plays": 21}, "landlord_plays"),
        ({"down_plays": 18}, "down_plays"),
        ({"up_cards_left": 18}, "up_cards_left"),
        ({"down_plays": 2, "down_cards_left": 16}, "down_plays"),
        ({"winner_seat": 0, "landlord_plays": 4, "landlord_cards_left": 17}, "landlord_plays"),
        ({"landlord_bombs": 6}, "landlord_bombs"),
        ({"down_bombs": 5}, "down_bombs"),
        ({"down_bombs": 2, "bombs": 1}, "down_bombs"),
        ({"up_bombs": 2, "bombs": 2}, "up_bombs"),
        ({"bombs": 8}, "bombs"),  # with 4, 2 and 1 plays
        ({"bombs": 7, "rockets": 1}, "bombs"),
        ({**FIVE, "bombs": 13, "rockets": 1}, "bombs"),
        ({**FIVE, "bombs": 13, "winner_seat": 0}, "bombs"),  # the landlord kept a card
        ({"bombs": 6, "spring": "spring", "landlord_plays": 6, "down_plays": 0, "up_plays": 0}, "bombs"),
        ({"needs_wild": True}, "needs_wild"),
        ({"down_autoplay": True, "down_autoplay_cards": 0}, "down_autoplay_cards"),
        ({"down_autoplay": True, "down_autoplay_cards": 18}, "down_autoplay_cards"),
        ({"landlord_autoplay_cards": 21}, "landlord_autoplay_cards"),
        ({"up_autoplay_ever": True, "up_autoplay_most_cards": 0}, "up_autoplay_most_cards"),
        ({"up_autoplay": True, "up_autoplay_cards": 9, "up_autoplay_ever": False}, "up_autoplay_ever"),
        ({"up_autoplay": True, "up_autoplay_cards": 9, "up_autoplay_ever": True, "up_autoplay_most_cards": 8}, "up_autoplay_most_cards"),
        ({"down_cards_left": 0}, "down_cards_left"),  # the landlord went out
        ({"landlord_open_stage": "deal", "landlord_open_dealt": 18}, "landlord_open_dealt"),
        ({"up_auction_turn": 3}, "up_auction_turn"),
    ],
)  # fmt: skip
def test_J1_J2_cards_bound_what_was_played(row: dict[str, Any], name: str) -> None:
    """Of 20 and 17 cards nobody plays more sets or bombs, or holds more, than there are (jj J1, J2, J11-J13)."""
    assert blamed(row) == name


@pytest.mark.parametrize(
    "row",
    [
        {**FIVE, "bombs": 13},  # five of the landlord's, four of each peasant's, in turn
        {**FIVE, "bombs": 12, "rockets": 1},
        {**FIVE, "bombs": 12, "winner_seat": 0},
        {"landlord_plays": 17, "landlord_cards_left": 0, "down_plays": 2, "down_cards_left": 15},
        {"down_autoplay": True, "down_autoplay_cards": 17, "down_cards_left": 15},
        {
            "landlord_autoplay": True,
            "landlord_autoplay_cards": 17,
            "winner_seat": 2,
            "landlord_cards_left": 16,
        },
        {"down_autoplay": False, "down_autoplay_cards": 0},
    ],
)
def test_J1_J2_what_cards_allow_is_taken(row: dict[str, Any]) -> None:
    """The most that a deal allows is no fault, nor are cards that the landlord got while he was on autoplay (jj J7)."""
    assert blamed(row) is None
    assert ddz.settle(table(row), "qq-classic")["score_status"].to_pylist() == ["exact"]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"bid": 5}, "bid"),
        ({"bid": 0}, "bid"),
        ({"bid": 2.5}, "bid"),
        ({"bid": 5, "replay_status": "ok", "recorded_rules": "jj-classic"}, "bid"),
        ({"raises": 99, "bid": 3}, "raises"),
        ({"raises": 2}, "raises"),  # below 2 there is one bid
        ({"auction_kind": "room", "raises": 3}, "raises"),
        ({"auction_kind": "room", "bid": 0}, "bid"),
        ({"auction_kind": "room", "bid": 3, "room_low": 2, "room_high": 4}, "bid"),
        ({"robs": 1}, "robs"),
        ({"auction_kind": "none", "bid": None, "raises": 1}, "raises"),
        ({"auction_kind": "none", "bid": None, "robs": 1}, "robs"),
        ({"auction_silent": True}, "bid"),
        ({"nobody_bid": True}, "nobody_bid"),
        ({**NOBODY, "raises": 1}, "nobody_bid"),
        ({**NOBODY, "auction_kind": "rob", "robs": 1}, "nobody_bid"),
        ({**NOBODY, "down_bid": True}, "nobody_bid"),
        ({"auction_forced": "starter"}, "auction_forced"),
        ({**NOBODY, "auction_forced": "starter", "first_seat": 2}, "landlord_seat"),
        ({**NOBODY, "auction_forced": "first_opener", "first_opener_seat": 0}, "landlord_seat"),
    ],
)
def test_J4_J6_auctions_that_cannot_be(row: dict[str, Any], name: str) -> None:
    """Bids are 1, 2 or 3, each above the last and one a seat, and who is forced to play is so because nobody bid (jj J4-J6, casino C2, C3)."""
    assert blamed(row) == name


@pytest.mark.parametrize(
    ("row", "net"),
    [
        ({"bid": 3, "raises": 2}, (12, -6, -6)),
        ({"auction_kind": "room", "bid": 4, "room_low": 2, "room_high": 4, "raises": 1}, (8, -4, -4)),
        ({"auction_kind": "none", "bid": None}, (4, -2, -2)),
        ({**THROWN_IN, "bid": 0}, (0, 0, 0)),
        ({"auction_kind": "rob", "bid": None, "robs": 3, "raises": 3}, (12, -6, -6)),
        ({"bid": 5, "replay_status": "ok"}, (20, -10, -10)),
    ],
)
def test_Q18_what_may_have_been_bid_is_taken(row: dict[str, Any], net: tuple[int, ...]) -> None:
    """Also a bid of which a replay says that the hand is sound, because it does not know the rules (bid · 2 for the bomb, qq Q18)."""
    assert nets(ddz.settle(table(row), "qq-classic")) == [net]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({**NOBODY, "outcome": "redeal"}, "landlord_seat"),
        ({**THROWN_IN, "winner_side": "peasants"}, "winner_side"),
        ({**THROWN_IN, "winner_seat": 1}, "winner_seat"),
        ({**THROWN_IN, "bid": 2}, "nobody_bid"),
        ({**THROWN_IN, "down_plays": 1}, "outcome"),
        ({"replay_status": "unfinished"}, "replay_status"),
        ({"replay_status": "no_play"}, "replay_status"),
        ({"replay_status": "no_play", "outcome": "void", "winner_seat": None}, "replay_status"),
        ({"replay_status": "unfinished", "outcome": "complete", "winner_seat": None, "winner_side": "landlord"}, "replay_status"),
        ({**LEFT, "winner_seat": 1}, "winner_seat"),
        ({"outcome": "unfinished"}, "winner_seat"),
        ({**LEFT, "escape_stage": "auction"}, "escape_stage"),  # after a bomb, which would multiply the fine (qq Q21)
        ({**LEFT, **UNPLAYED, "escape_stage": "before_any_bid"}, "escape_stage"),
    ],
)  # fmt: skip
def test_J11_outcomes_that_the_row_denies(row: dict[str, Any], name: str) -> None:
    """Nobody wins or plays in a deal that was thrown in, and who went out ended the hand (jj J11)."""
    assert blamed(row) == name


def test_faulty_hand_may_say_anything(tmp_path: Path) -> None:
    """What a replay found faulty is kept as it was found, and has no score."""
    odd = {"replay_status": "faulty", "bid": 5, "landlord_plays": 30, "bombs": 13, "rockets": 1}
    settled = ddz.settle(table(odd), "qq-classic")
    assert settled["reason"].to_pylist() == ["faulty"]
    assert declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows(odd))).stored == 1


def test_row_that_cannot_be_is_a_rejection(tmp_path: Path) -> None:
    """The other rows of the file are stored, and each rejection says the column, its value and what is wrong with it."""
    table = rows({"outcome": "redeal"}, {}, {"bid": 5}, {"landlord_plays": 30})
    counts = declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *table))
    assert (counts.read, counts.stored, counts.rejected) == (4, 1, 3)
    assert rejected(tmp_path / "s") == [
        (2, "contradiction", "`landlord_seat` 1 in a deal that was thrown in"),
        (4, "out_of_range", "`bid` 5 is none of 1, 2, 3"),
        (5, "out_of_range", "`landlord_plays` 30 is more than the 20 cards of landlord"),
    ]


def test_log_with_bids_of_unknown_rules_is_declared_again(tmp_path: Path) -> None:
    """A log whose rules nobody knows may have a bid of 5, which replay notes; its exported facts are taken as they are."""
    found = []
    for line in simulate(ddz.load_rules("jj-classic"), hands=40, seed=5, players=9):
        hand = json.loads(line)
        bids = [act for act in hand["actions"] if act["act"] == "bid" and act.get("value") == 3]
        for act in bids:
            act["value"] = 5
        found += [{**hand, "rules": "elsewhere"}] if bids else []
    (tmp_path / "a.ddz.jsonl").write_text("".join(f"{json.dumps(hand)}\n" for hand in found))
    take(tmp_path / "one", tmp_path / "a.ddz.jsonl")
    exported = run_query(
        tmp_path / "one", "SELECT * FROM declared_facts WHERE bid = 5 AND replay_status = 'ok'"
    )
    assert len(exported)
    pq.write_table(exported, tmp_path / "facts.parquet")
    assert declare(tmp_path / "other", tmp_path / "facts.parquet").stored == len(exported)
