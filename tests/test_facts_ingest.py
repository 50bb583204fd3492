"""Settlement rows in place of hand histories: what files may look like, and what becomes of every row."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.ingest.summary import Counts
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from tests.facts_rows import ROW, Row, ask, csv_of, declare, rejected, rows, write_csv


def nets(store: Path, rules: str = "qq-classic") -> list[tuple[Any, ...]]:
    """What landlord, down and up get in each hand."""
    rescore(store, [load_rules(rules)])
    query = "SELECT net_landlord, net_down, net_up FROM settlements ORDER BY hand_id"
    return [tuple(amount if amount is None else int(amount) for amount in row) for row in ask(store, query)]


def test_one_row_is_a_hand(tmp_path: Path) -> None:
    """A row becomes a hand with evidence `declared`, without cards, acts, plays and issues, and with its file and line."""
    file = write_csv(tmp_path / "a.csv", *rows())
    assert declare(tmp_path / "s", file) == Counts(1, 1, 0, 0, 0)
    head = "source_hand_id, source_format, source_line, evidence, outcome, bottom, deal_id, suited"
    assert ask(tmp_path / "s", f"SELECT {head} FROM hands") == [
        ("h1", "facts", 2, "declared", "complete", None, None, None)
    ]
    assert ask(tmp_path / "s", "SELECT source_path FROM hands") == [(str(file),)]
    for view in ("actions", "plays", "hand_issues", "autoplay_episodes"):
        assert ask(tmp_path / "s", f"SELECT count(*) FROM {view}") == [(0,)]
    seats = "SELECT player, role, won, plays, dealt FROM hand_seats ORDER BY seat"
    assert ask(tmp_path / "s", seats) == [
        ("ann", "landlord_up", False, 1, None),
        ("bo", "landlord", True, 4, None),
        ("cy", "landlord_down", False, 2, None),
    ]


def test_Q18_one_row_is_enough_to_settle(tmp_path: Path) -> None:
    """The bid doubled by a bomb is what each pair plays for; a spring or an anti-spring doubles it once more (qq Q18-Q20)."""
    spring = {"down_plays": 0, "up_plays": 0}
    anti_spring = {"winner_seat": 2, "landlord_plays": 1}
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows({}, {"winner_seat": 0}, spring, anti_spring)))
    assert nets(tmp_path / "s") == [(8, -4, -4), (-8, 4, 4), (16, -8, -8), (-16, 8, 8)]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"winner_side": "landlord", "spring": "none"}, (8, -4, -4)),
        ({"winner_side": "landlord", "spring": "spring"}, (16, -8, -8)),
        ({"winner_side": "peasants", "spring": "none"}, (-8, 4, 4)),
        ({"winner_side": "peasants", "spring": "anti_spring"}, (-16, 8, 8)),
    ],
)
def test_Q20_side_and_spring_may_be_stated(tmp_path: Path, stated: Row, expected: tuple[int, ...]) -> None:
    """Who keeps no seat of the winner and no numbers of plays says the side, and which spring it was."""
    silent = ("winner_seat", "landlord_plays", "down_plays", "up_plays")
    row = {name: value for name, value in ROW.items() if name not in silent} | stated
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", row))
    assert nets(tmp_path / "s") == [expected]
    ((side, spring, won),) = ask(
        tmp_path / "s",
        "SELECT winner_side, spring, (SELECT won FROM hand_seats WHERE role = 'landlord') FROM hand_facts",
    )
    assert (side, spring, won) == (stated["winner_side"], stated["spring"], expected[0] > 0)


def test_what_is_said_by_role_stands_at_its_seat(tmp_path: Path) -> None:
    """Players, balances and scores may be given by role; without any seat the landlord's is 0."""
    by_role = {
        name: value
        for name, value in ROW.items()
        if not name.startswith("player") and not name.endswith("_seat")
    }
    by_role |= {"winner_side": "landlord", "landlord_player": "bo", "down_player": "cy", "up_player": "ann"}
    by_role |= {"landlord_balance": "10.5", "down_balance": 20, "up_balance": 30, "down_recorded_score": -4}
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", by_role, {**by_role, "source_hand_id": "h2"}))
    query = (
        "SELECT seat, player, balance_before, recorded_score FROM hand_seats WHERE hand_id = 2 ORDER BY seat"
    )
    assert ask(tmp_path / "s", query) == [
        (0, "bo", Decimal("10.5"), None),
        (1, "cy", 20, -4),
        (2, "ann", 30, None),
    ]
    seated = {**by_role, "landlord_seat": 1}
    declare(tmp_path / "t", write_csv(tmp_path / "b.csv", seated))
    query = "SELECT player, balance_before FROM hand_seats ORDER BY seat"
    assert ask(tmp_path / "t", query) == [("ann", 30), ("bo", Decimal("10.5")), ("cy", 20)]


def test_balances_by_seat_are_those_of_the_roles(tmp_path: Path) -> None:
    """Settling reads balances by role, whether they are given so or by seat."""
    held = {"balance_0": 1, "balance_1": 2, "balance_2": 3}
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows(held)))
    query = "SELECT landlord_balance, down_balance, up_balance FROM settle_facts"
    assert ask(tmp_path / "s", query) == [(2, 3, 1)]


@pytest.mark.parametrize(
    ("change", "code", "name"),
    [
        ({"bombs": 14}, "out_of_range", "bombs"),
        ({"bombs": -1}, "out_of_range", "bombs"),
        ({"bombs": "1.0"}, "wrong_type", "bombs"),
        ({"bombs": None}, "missing_field", "bombs"),
        ({"bid": "2.00001"}, "wrong_type", "bid"),
        ({"bid": None}, "missing_field", "bid"),
        ({"landlord_seat": 3}, "out_of_range", "landlord_seat"),
        ({"landlord_seat": 300}, "out_of_range", "landlord_seat"),
        ({"landlord_seat": None}, "missing_field", "landlord_seat"),
        ({"winner_seat": None}, "missing_field", "winner_seat"),
        ({"outcome": "done"}, "out_of_range", "outcome"),
        ({"event": "cup"}, "out_of_range", "event"),
        ({"hand_no": -1}, "out_of_range", "hand_no"),
        ({"registered_0": 2**31}, "out_of_range", "registered_0"),
        ({"nobody_bid": "no"}, "wrong_type", "nobody_bid"),
        ({"source_hand_id": None}, "missing_field", "source_hand_id"),
        ({"started_at": "2026-01-02T11:00:00"}, "naive_time", "started_at"),
        ({"started_at": "2026-01-02"}, "wrong_type", "started_at"),
        ({"started_at": "2026-02-30T11:00:00Z"}, "wrong_type", "started_at"),
        ({"started_at": "1026-01-02T11:00:00Z"}, "out_of_range", "started_at"),
        ({"down_autoplay": True}, "missing_field", "down_autoplay_cards"),
        ({"up_kicked": True}, "missing_field", "up_could_kick"),
        ({"spring": "spring"}, "contradiction", "spring"),
        ({"spring": "anti_spring"}, "contradiction", "spring"),
        ({"winner_seat": 2, "spring": "anti_spring"}, "contradiction", "spring"),
        ({"winner_seat": 2, "spring": "none", "landlord_plays": 1}, "contradiction", "spring"),
        ({"winner_side": "peasants"}, "contradiction", "winner_side"),
        ({"landlord_plays": 0}, "contradiction", "landlord_plays"),
        ({"winner_seat": 0, "up_plays": 0}, "contradiction", "up_plays"),
        ({"landlord_cards_left": 2}, "contradiction", "landlord_cards_left"),
        ({"landlord_bombs": 1, "down_bombs": 1, "up_bombs": 0}, "contradiction", "bombs"),
    ],
)
def test_bad_row_is_a_rejection_with_its_line(tmp_path: Path, change: Row, code: str, name: str) -> None:
    """A row that cannot be is rejected with code, column, line and bytes, and the rows around it are hands."""
    file = write_csv(tmp_path / "a.csv", *rows({}, change, {}))
    assert declare(tmp_path / "s", file) == Counts(3, 2, 0, 1, 0)
    ((line, found, detail),) = rejected(tmp_path / "s")
    assert (line, found) == (3, code) and f"`{name}`" in detail
    assert ask(tmp_path / "s", "SELECT raw FROM rejected_hands") == [
        (file.read_bytes().splitlines(keepends=True)[2],)
    ]


def test_recorded_scores_contradict_nothing(tmp_path: Path) -> None:
    """A recorded score of the wrong sign is what reconciling is there to find, no reason to refuse the row."""
    wrong = {f"recorded_score_{seat}": score for seat, score in enumerate((4, -8, 4))} | {
        "recorded_rules": "qq-classic"
    }
    assert declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows(wrong))).stored == 1
    rescore(tmp_path / "s", [load_rules("qq-classic")])
    query = "SELECT DISTINCT verdict, cause FROM reconciliation"
    assert ask(tmp_path / "s", query) == [("unexplained", "amount_differs")]


@pytest.mark.parametrize(
    ("header", "code", "words"),
    [
        ({"bomb": 1}, "unknown_field", "nearest: bombs"),
        ({"landlord_player": "bo"}, "duplicate_key", "`player` is said by seat and by role"),
        ({"source_hand_id": ...}, "missing_field", "`source_hand_id` or `hand_id`"),
        ({"rockets": ...}, "missing_field", "`rockets`"),
        ({"winner_seat": ...}, "missing_field", "`winner_seat` or `winner_side`"),
        ({"up_plays": ...}, "missing_field", "`up_plays` or `spring`"),
        ({"landlord_seat": ...}, "missing_field", "`landlord_seat`"),
    ],
)
def test_header_that_is_none_is_one_rejection(tmp_path: Path, header: Row, code: str, words: str) -> None:
    """A file with a column that is unknown, said twice or missing is rejected as a whole, once, and the next file is read."""
    row = {name: value for name, value in (ROW | header).items() if value is not ...}
    bad, good = write_csv(tmp_path / "a.csv", row, row), write_csv(tmp_path / "b.csv", *rows())
    assert declare(tmp_path / "s", bad, good) == Counts(2, 1, 0, 1, 0)
    ((line, found, detail),) = rejected(tmp_path / "s")
    assert (line, found) == (1, code) and words in detail


def test_row_of_another_length_is_rejected(tmp_path: Path) -> None:
    """A row with fewer values than the header has columns is a rejection with its bytes."""
    (tmp_path / "a.csv").write_text(csv_of(rows({}, {})) + "h3,t1\n", "utf-8")
    assert declare(tmp_path / "s", tmp_path / "a.csv") == Counts(3, 2, 0, 1, 0)
    assert ask(tmp_path / "s", "SELECT line, code, raw FROM rejected_hands") == [(4, "bad_row", b"h3,t1\n")]
