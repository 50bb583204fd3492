"""Settlement rows with a row for each seat: three rows that stand together are a hand."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.ingest.summary import Counts
from tests.facts_rows import Row, ask, declare, rejected, write_csv

HAND: Row = {
    "source_hand_id": "h1", "table_id": "t1", "bombs": 1, "rockets": 0, "auction_kind": "score", "bid": 2,
}  # fmt: skip
# ann sits before bo, the landlord, who wins; cy plays after him.
SEATS: tuple[Row, ...] = (
    {"seat": 0, "role": "landlord_up", "player": "ann", "won": False, "plays": 1, "balance_before": 30, "recorded_score": -4},
    {"seat": 1, "role": "landlord", "player": "bo", "won": True, "plays": 4, "balance_before": "10.5", "recorded_score": 8},
    {"seat": 2, "role": "landlord_down", "player": "cy", "won": False, "plays": 2, "balance_before": 20, "recorded_score": -4},
)  # fmt: skip


def three(*order: int, without: tuple[str, ...] = (), **hand: Any) -> list[Row]:
    """The rows of the hand by seat, in some order, without some columns, and with other things said of the hand."""
    found = [{**HAND, **SEATS[seat], **hand} for seat in order or (0, 1, 2)]
    return [{name: value for name, value in row.items() if name not in without} for row in found]


SEATED = "SELECT seat, player, role, won, plays, balance_before, recorded_score FROM hand_seats ORDER BY seat"
AS_SEATED = [
    (0, "ann", "landlord_up", False, 1, 30, -4),
    (1, "bo", "landlord", True, 4, Decimal("10.5"), 8),
    (2, "cy", "landlord_down", False, 2, 20, -4),
]
BY_ROLE = [
    (0, "bo", "landlord", True, 4, Decimal("10.5"), 8),
    (1, "cy", "landlord_down", False, 2, 20, -4),
    (2, "ann", "landlord_up", False, 1, 30, -4),
]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 0, 2)])
def test_three_rows_are_a_hand(tmp_path: Path, order: tuple[int, ...]) -> None:
    """In whatever order they come, each stands at its seat; the first row's line is the hand's."""
    file = write_csv(tmp_path / "a.csv", *three(*order), *three(*order, source_hand_id="h2"))
    assert declare(tmp_path / "s", file) == Counts(2, 2, 0, 0, 0)
    assert ask(tmp_path / "s", f"FROM ({SEATED}) LIMIT 0") == []
    assert ask(tmp_path / "s", SEATED.replace("ORDER", "WHERE hand_id = 2 ORDER")) == AS_SEATED
    assert ask(tmp_path / "s", "SELECT source_line FROM hands ORDER BY ALL") == [(2,), (5,)]
    facts = "SELECT landlord_seat, winner_side, winner_seat, landlord_plays, down_plays, up_plays, landlord_balance FROM settle_facts"
    assert ask(tmp_path / "s", facts)[0] == (1, "landlord", 1, 4, 2, 1, Decimal("10.5"))


@pytest.mark.parametrize(
    ("without", "more", "seated"),
    [
        (("role",), {"landlord_seat": 1}, AS_SEATED),
        (("seat",), {}, BY_ROLE),
        (("seat",), {"landlord_seat": 1}, AS_SEATED),
        ((), {"landlord_seat": 1}, AS_SEATED),
    ],
)
def test_seat_or_role_says_whose_row_it_is(
    tmp_path: Path, without: tuple[str, ...], more: Row, seated: list[Any]
) -> None:
    """Seats with the landlord's, roles alone (the landlord's seat is 0 then), or both."""
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *three(2, 1, 0, without=without, **more)))
    assert ask(tmp_path / "s", SEATED) == seated


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        (three(0, 1), "missing_field", "2 rows of this hand, not 3"),
        ([*three(), *three(0)], "missing_field", "4 rows of this hand, not 3"),
        (three(0, 1, 1), "contradiction", "do not say each `seat` once"),
        (three(0, 1, 1, without=("seat",)), "contradiction", "do not say each `role` once"),
        ([*three(0, 1), {**three(2)[0], "bombs": 2}], "contradiction", "differ in `bombs`"),
        (three(landlord_seat=2), "contradiction", "`landlord_seat` is not the seat of the landlord"),
        (
            [*three(0, 1), {**three(2)[0], "role": "landlord_up"}],
            "contradiction",
            "`role` is not that of `seat`",
        ),
        ([*three(0, 1), {**three(2)[0], "role": "banker"}], "out_of_range", "`role` is none of"),
        ([*three(0, 1), {**three(2)[0], "won": True}], "contradiction", "`won` is not that of one side"),
        ([*three(0, 1), {**three(2)[0], "plays": "x"}], "wrong_type", "`down_plays` x"),
    ],
)
def test_rows_that_make_no_hand_are_rejected_together(
    tmp_path: Path, rows: list[Row], code: str, words: str
) -> None:
    """What is wrong with the three rows of a hand rejects it, with all their bytes; the hand after it is one."""
    good = [{name: row[name] for name in rows[0]} for row in three(source_hand_id="h2", landlord_seat=1)]
    file = write_csv(tmp_path / "a.csv", *rows, *good)
    counts = declare(tmp_path / "s", file)
    assert (counts.stored, counts.rejected) == (1, 1)
    ((line, found, detail),) = rejected(tmp_path / "s")
    assert (line, found) == (2, code) and words in detail
    lines = file.read_bytes().splitlines(keepends=True)
    assert ask(tmp_path / "s", "SELECT raw FROM rejected_hands") == [(b"".join(lines[1 : 1 + len(rows)]),)]


def test_deal_that_was_thrown_in_has_no_roles(tmp_path: Path) -> None:
    """Without roles the rows stand as they come, if the outcome says that nobody is landlord; else they are rejected."""
    silent = {"role": None, "won": None, "plays": None, "bombs": None, "rockets": None, "bid": None}
    thrown_in = [
        {**row, **silent, "outcome": "redeal", "nobody_bid": True} for row in three(without=("seat",))
    ]
    unclear = [{**row, "outcome": "complete", "source_hand_id": "h2"} for row in thrown_in]
    assert declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *thrown_in, *unclear)) == Counts(
        2, 1, 0, 1, 0
    )
    assert ask(tmp_path / "s", "SELECT landlord_seat, outcome FROM hands") == [(None, "redeal")]
    assert ask(tmp_path / "s", "SELECT player, role FROM hand_seats ORDER BY seat") == [
        ("ann", None),
        ("bo", None),
        ("cy", None),
    ]


def test_own_bombs_and_bids_have_names_of_their_own(tmp_path: Path) -> None:
    """`bombs` and `bid` are the hand's; a seat's are `seat_bombs` and `seat_bid`, and its bombs must add up."""
    rows = [{**row, "seat_bombs": int(row["seat"] == 2), "seat_bid": row["seat"] == 1} for row in three()]
    declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows))
    assert ask(tmp_path / "s", "SELECT bombs, bid FROM hand_seats ORDER BY seat") == [
        (0, False),
        (0, True),
        (1, False),
    ]


def test_names_may_not_be_said_twice(tmp_path: Path) -> None:
    """A seat's column under two of its names is a header that is none."""
    rows = [{**row, "balance": 1} for row in three()]
    assert declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows)) == Counts(1, 0, 0, 1, 0)
    assert rejected(tmp_path / "s")[0][:2] == (1, "duplicate_key")


def test_a_hand_is_not_cut_by_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that come in batches that end within a hand are the same hands."""
    monkeypatch.setattr("ddz_analytics.mapping.tables.ROWS_PER_BATCH", 4)
    rows = [row for number in range(1, 8) for row in three(source_hand_id=f"h{number}")]
    assert declare(tmp_path / "s", write_csv(tmp_path / "a.csv", *rows)) == Counts(7, 7, 0, 0, 0)


def test_row_that_cannot_be_read_takes_its_hand_along(tmp_path: Path) -> None:
    """A broken row is a rejection of its own, and what is left of its hand another."""
    file = write_csv(tmp_path / "a.csv", *three(), *three(source_hand_id="h2"))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], b"h1,t1\n", *lines[4:]]))
    assert declare(tmp_path / "s", file) == Counts(3, 1, 0, 2, 0)
    assert [row[:2] for row in rejected(tmp_path / "s")] == [(2, "missing_field"), (4, "bad_row")]
