"""The views: what they say of six hands worked out on paper."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.cards import pack, text_of
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.store.catalog import Connection, connect
from tests.small_store import HASH, ask, balances, each, facts, hand, settlement, write_store


def test_local_time_is_in_the_zone_of_the_store(views: Connection) -> None:
    """A hand that began at 20:00 UTC began at four in the morning of the next day in Shanghai."""
    query = "SELECT local_time::VARCHAR, local_day::VARCHAR FROM hands WHERE hand_id = 1"
    assert ask(views, query) == [("2026-01-02 04:00:00", "2026-01-02")]


@pytest.mark.parametrize("cards", ["3", "BR", "34567", "3333444455556", "TJQKA2", "2222AAAAKKKKBR"])
def test_cards_text_says_what_the_mask_holds(views: Connection, cards: str) -> None:
    """The macro gives the same text as Python does, and NULL for NULL."""
    mask = pack(cards, suited=False)
    ((text, nothing),) = ask(views, f"SELECT cards_text({mask}::BIGINT), cards_text(NULL::BIGINT)")
    assert text == text_of(mask)
    assert sorted(text) == sorted(cards)
    assert nothing is None


@pytest.mark.parametrize(
    ("landlord_seat", "values"),
    [(0, ["L", "d", "u"]), (1, ["u", "L", "d"]), (2, ["d", "u", "L"]), ("NULL", ["L", "d", "u"])],
)
def test_at_seat_turns_roles_into_seats(views: Connection, landlord_seat: object, values: list[str]) -> None:
    """The peasant after the landlord is `down`; without a landlord the three are seats 0, 1, 2."""
    query = (
        f"SELECT at_seat('L', 'd', 'u', seat, {landlord_seat}) FROM range(3) AS seats (seat) ORDER BY seat"
    )
    assert [value for (value,) in ask(views, query)] == values


def test_a_place_is_a_role_and_without_a_landlord_a_seat(views: Connection) -> None:
    """`role_place` counts from the landlord in order of play, and picks the value of the seat's role."""
    query = """
        SELECT role, role_place, role_at(role_place, landlord_seat), at_place('L', 'd', 'u', role_place)
        FROM hand_seats WHERE hand_id = {} ORDER BY seat
    """
    landlord, down, up = (
        ("landlord", 0, "landlord", "L"), ("landlord_down", 1, "landlord_down", "d"), ("landlord_up", 2, "landlord_up", "u")
    )  # fmt: skip
    assert ask(views, query.format(1)) == [landlord, down, up]
    assert ask(views, query.format(2)) == [up, landlord, down]
    assert ask(views, query.format(3)) == [(None, 0, None, "L"), (None, 1, None, "d"), (None, 2, None, "u")]


def test_codes_become_text(views: Connection) -> None:
    """Acts, stages, actors, categories and ranks are told in words, values in points."""
    acts = "SELECT act, value, cards, stage, dealt_so_far, declared, sent, ms, actor FROM actions ORDER BY action_index"
    assert ask(views, acts) == [
        ("open", Decimal(4), None, "deal", 5, None, None, None, None),
        ("autoplay", Decimal(1), None, None, None, None, None, 15000, "timeout"),
        ("play", None, "BR", None, None, "rocket", None, None, None),
        ("pass", None, None, None, None, None, "H4 D4", None, "judge"),
    ]
    plays = "SELECT role, cards, category, main_rank FROM plays ORDER BY play_index"
    assert ask(views, plays) == [("landlord", "BR", "rocket", "BR"), ("landlord", "34567", "straight", "7")]


def test_the_seats_of_a_hand_have_their_own_facts(views: Connection) -> None:
    """What is kept by role is told of the seat that had the role, and who won follows from who went out."""
    query = "SELECT role, won, plays, autoplay_at_end, autoplay_started_with FROM hand_seats WHERE hand_id = {} ORDER BY seat"
    assert ask(views, query.format(1)) == [
        ("landlord", True, 2, None, None),
        ("landlord_down", False, 0, None, None),
        ("landlord_up", False, 2, True, 9),
    ]
    assert ask(views, query.format(2)) == [
        ("landlord_up", True, 2, None, None),
        ("landlord", False, 1, None, None),
        ("landlord_down", True, 2, None, None),
    ]
    assert ask(views, query.format(3)) == [(None, None, 2, None, None)] * 3


def test_springs(views: Connection) -> None:
    """A spring needs two silent peasants, an anti-spring a landlord who played once; without a winner there is none."""
    query = "SELECT winner_side, spring FROM hand_facts ORDER BY hand_id"
    assert ask(views, query) == [
        ("landlord", "none"), ("peasants", "anti_spring"), (None, "none"), ("peasants", "none"), (None, "none"),
        ("landlord", "spring"),
    ]  # fmt: skip


def test_a_file_that_grew_is_one_row(views: Connection) -> None:
    """The counts of two readings are added up, and the fingerprint is the last one."""
    query = "SELECT path, sha256, read, stored, rejected FROM source_files"
    assert ask(views, query) == [("log", "b", 7, 6, 1)]


def test_scores_are_those_worked_out_by_hand(views: Connection) -> None:
    """The peasant on autoplay pays both shares (jj J42), and winners in the casino pay 5 % of their gain (casino C28)."""
    query = (
        "SELECT seat, transfer, liability, rake, score, liable, balance_after FROM scores "
        "WHERE rule_set = '{}' AND hand_id = {} ORDER BY seat"
    )
    assert ask(views, query.format("jj-classic", 1)) == [
        (0, Decimal(80), 0, 0, Decimal(80), False, Decimal(580)),
        (1, Decimal(-40), Decimal(40), 0, Decimal(0), False, Decimal(400)),
        (2, Decimal(-40), Decimal(-40), 0, Decimal(-80), True, Decimal(220)),
    ]
    assert ask(views, query.format("casino-capped", 2)) == [
        (0, Decimal(16), 0, Decimal("-0.8"), Decimal("15.2"), False, None),
        (1, Decimal(-24), 0, 0, Decimal(-24), False, None),
        (2, Decimal(8), 0, Decimal("-0.4"), Decimal("7.6"), False, None),
    ]


def test_an_undefined_score_is_null(views: Connection) -> None:
    """A hand that a rule set cannot score has seats, a status and no amounts."""
    query = "SELECT score_status, score, transfer, balance_after FROM scores WHERE rule_set = 'jj-classic' AND hand_id = 5"
    assert ask(views, query) == [("undefined", None, None, None)] * 3


def test_scores_and_the_house_sum_to_zero(views: Connection) -> None:
    """In every row the components add up to the score, and with the house every hand sums to zero."""
    assert ask(
        views,
        "SELECT count(*) FROM scores WHERE score_status <> 'undefined' "
        "AND transfer + liability + balance_cut + fee + rake + fine <> score",
    ) == [(0,)]
    assert ask(
        views,
        "SELECT DISTINCT sum(score) + any_value(house_net) FROM scores JOIN settlements USING (scenario, rule_set, hand_id) "
        "WHERE scores.score_status <> 'undefined' GROUP BY scenario, rule_set, hand_id",
    ) == [(Decimal(0),)]


@pytest.mark.parametrize(
    ("rule_set", "hand_id", "flows"),
    [
        ("jj-classic", 1, {(1, 0, "stake"): 40, (2, 0, "stake"): 40, (2, 1, "liability"): 40}),
        (
            "casino-capped",
            2,
            {(1, 0, "stake"): 16, (1, 2, "stake"): 8, (0, None, "rake"): "0.8", (2, None, "rake"): "0.4"},
        ),
        ("jj-classic", 3, {}),
        (
            "jj-classic",
            4,
            {(2, 0, "stake"): 30, (2, 1, "stake"): 30, (0, None, "forfeit"): 30, (1, None, "forfeit"): 30},
        ),
        (
            "own-share",
            5,
            {(0, None, "fee"): 1, (1, None, "fee"): 1, (2, None, "fee"): 1, (2, None, "fine"): 6},
        ),
        ("jj-classic", 5, {}),
    ],
)
def test_flows_say_who_pays_whom(
    views: Connection, rule_set: str, hand_id: int, flows: dict[Any, Any]
) -> None:
    """The landlord settles with each peasant, the liable peasant pays the other, the house takes what nobody may have."""
    query = f"SELECT payer, receiver, reason, amount FROM flows WHERE rule_set = '{rule_set}' AND hand_id = {hand_id}"
    assert {row[:3]: row[3] for row in ask(views, query)} == {
        key: Decimal(str(amount)) for key, amount in flows.items()
    }


@pytest.mark.parametrize(
    ("component", "by_role", "flows"),
    [
        ("fine", (-6, 3, 3), {(0, 1, "fine"): 3, (0, 2, "fine"): 3}),
        ("liability", (60, -30, -30), {(1, 0, "liability"): 30, (2, 0, "liability"): 30}),
        ("liability", (0, 5, -5), {(2, 1, "liability"): 5}),
        ("balance_cut", (-37, 27, 10), {(0, 1, "balance"): 27, (0, 2, "balance"): 10}),
        ("balance_cut", (15, 0, 0), {(None, 0, "balance"): 15}),
        ("balance_cut", (0, 13, -6), {(2, 1, "balance"): 6, (None, 1, "balance"): 7}),
    ],
)
def test_flows_of_one_component(
    tmp_path: Path, component: str, by_role: tuple[int, ...], flows: dict[Any, int]
) -> None:
    """Whatever one rule moves among seats and house flows from those below zero to those above."""
    moved = settlement(1, "r", by_role, **each(component + "_{}", by_role))
    tables = {"hands": [[hand(1, 0)]], "facts": [[facts(1, 0, 0)]], "settlements": [[moved]]}
    store = write_store(tmp_path / "store", tables)
    with connect(store) as connection:
        rows = ask(connection, "SELECT payer, receiver, reason, amount FROM flows")
    assert {row[:3]: row[3] for row in rows} == flows


def test_assumptions_are_named(views: Connection) -> None:
    """A projected settlement lists what it rests on by code, an exact one nothing."""
    query = "SELECT DISTINCT score_status, assumptions FROM settlements WHERE hand_id = 1 ORDER BY 1"
    assert ask(views, query) == [("exact", []), ("projected", ["bid", "room.fee"])]
    every = ask(views, f"SELECT assumption_codes({(1 << len(CODES)) - 1}::BIGINT)")
    assert every == [(list(CODES),)]


def test_a_refused_double_names_the_balance_that_fell_short(views: Connection) -> None:
    """The peasant's own 50 do not exceed the room's 100; allowed, his double would have been paid by the partner on autoplay."""
    query = "SELECT hand_id, seat, what, reason, threshold, balance, would_change FROM refusals"
    assert ask(views, query) == [(6, 1, "double", "own", Decimal(100), Decimal(50), Decimal(0))]


@pytest.mark.parametrize(("strict", "seats"), [("false", [2]), ("true", [2, 0])])
def test_C33_who_would_not_be_let_in(tmp_path: Path, strict: str, seats: list[int]) -> None:
    """A seat below 64 times the room's high is refused, and one with exactly that only where it must be exceeded."""
    entry = f'{{"entry.factor": 64, "entry.strict": {strict}}}'
    tables = {
        "hands": [[hand(1, 2)]],
        "facts": [[facts(1, 2, 2, room_high=4)]],
        "settlements": [[settlement(1, "r", (8, -4, -4), **balances("255.9999", 256, 257))]],
        "rule_sets": [[{"rule_set": "r", "rule_hash": HASH, "assumed": False, "parameters": entry}]],
    }
    with connect(write_store(tmp_path / "store", tables)) as connection:
        rows = ask(connection, "SELECT seat, what, reason, threshold, would_change FROM refusals")
    assert [row[0] for row in rows] == seats
    assert {row[1:] for row in rows} == {("entry", "own", Decimal(256), None)}


def test_an_entry_that_is_too_dear_to_be_written_is_missed_all_the_same(tmp_path: Path) -> None:
    """64 times 10^13 has more digits than an amount: the threshold is not told, and everybody is below it."""
    tables = {
        "hands": [[hand(1, 2)]],
        "facts": [[facts(1, 2, 2, room_high=10**13)]],
        "settlements": [[settlement(1, "r", (8, -4, -4), **balances(255, 256, None))]],
        "rule_sets": [
            [{"rule_set": "r", "rule_hash": HASH, "assumed": False, "parameters": '{"entry.factor": 64}'}]
        ],
    }
    with connect(write_store(tmp_path / "store", tables)) as connection:
        assert ask(connection, "SELECT seat, threshold, balance FROM refusals") == [
            (2, None, 255),
            (0, None, 256),
        ]


def test_ruins(views: Connection) -> None:
    """Who had 60 and loses 60 is ruined; who had nothing before is not ruined again."""
    found = ask(views, "SELECT rule_set, hand_id, seat, balance_before, balance_after FROM ruins")
    assert found == [("own-share", 4, 2, 60, 0)]
