"""Standings: totals and tie-breaks (jj J45-J49); expected orders worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from ddz_analytics.errors import UsageError
from ddz_analytics.standings import Standings
from tests.in_memory import views_over
from tests.matches import RULES, between, order, played, registered, tables
from tests.small_store import Row

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_totals_put_players_in_order() -> None:
    """The sums of all hands of the match decide first."""
    rows = [played(1, {"ann": 4, "bo": -2, "cy": -2}), played(2, {"bo": 6, "ann": -3, "cy": -3})]
    assert order(rows) == [("bo", 1, "points"), ("ann", 2, "points"), ("cy", 3, "points")]
    assert between(rows, "cy", "ann") == ("ann", "points", "points")


# ann and bo end at 120, and in the last hand ann won 20 and bo lost 10
LAST_HAND = [
    played(1, {"ann": 100, "bo": 130, "cy": -230}),
    played(2, {"ann": 20, "bo": -10, "cy": -10}),
]


def test_the_winner_of_the_last_hand_goes_first() -> None:
    """Tied at 120, the one with +20 in the last hand stands before the one with -10, whoever registered first (J45)."""
    rows = registered(LAST_HAND, {"ann": 9, "bo": 1, "cy": 5})
    assert order(rows) == [("ann", 1, "last_hand"), ("bo", 2, "last_hand"), ("cy", 3, "points")]
    assert between(rows, "bo", "ann") == ("ann", "last_hand", "last_hand")


def test_two_winning_peasants_have_no_relation() -> None:
    """Both won 10 in the last hand: the earlier registration goes first (J46)."""
    rows = registered(
        [played(1, {"cy": -20, "ann": 10, "bo": 10}, landlord_won=False)], {"ann": 7, "bo": 2, "cy": 1}
    )
    assert order(rows) == [("bo", 1, "registration"), ("ann", 2, "registration"), ("cy", 3, "points")]
    assert between(rows, "ann", "bo") == ("bo", "registration", "level")


def autoplay() -> Sequence[Row]:
    """Ann and bo are tied; in the last hand both won as peasants, bo on autoplay for nothing, ann for both shares."""
    return registered(
        [
            played(1, {"cy": 0, "ann": -20, "bo": 0}),
            played(2, {"cy": -20, "ann": 20, "bo": 0}, landlord_won=False),
        ],
        {"ann": 7, "bo": 2, "cy": 1},
    )


def test_points_as_finally_paid_count_in_the_last_hand() -> None:
    """One peasant on autoplay got 0, the partner +20: the partner goes first although both were on the side that won (J45)."""
    assert order(autoplay())[:2] == [("ann", 1, "last_hand"), ("bo", 2, "last_hand")]


def test_by_side_partners_have_no_relation() -> None:
    """Where the relation is the side that won, partners are level and registration decides."""
    found = order(autoplay(), '{"standing.tie_break_relation":"last_hand_side"}')
    assert found[:2] == [("bo", 1, "registration"), ("ann", 2, "registration")]


def test_by_side_the_winning_side_goes_first() -> None:
    """Landlord and peasant are on different sides, so that their last hand decides."""
    rows = registered(LAST_HAND, {"ann": 9, "bo": 1, "cy": 5})
    found = order(rows, '{"standing.tie_break_relation":"last_hand_side"}')
    assert found[:2] == [("ann", 1, "last_hand"), ("bo", 2, "last_hand")]


@pytest.mark.parametrize("event", ["regular", "championship", None])
def test_regular_events_and_championships_look_at_the_last_hand(event: str | None) -> None:
    """Both kinds of event use both tests (J47, J48), and a log that names no event counts as regular."""
    rows = registered(
        [{**row, "hand": row["hand"] | {"event": event}} for row in LAST_HAND], {"ann": 9, "bo": 1}
    )
    assert order(rows)[0] == ("ann", 1, "last_hand")


def test_swiss_events_look_at_registration_only() -> None:
    """Although the last hand would put ann first, bo registered earlier (J49)."""
    rows = registered(
        [{**row, "hand": row["hand"] | {"event": "swiss"}} for row in LAST_HAND], {"ann": 9, "bo": 1}
    )
    assert order(rows)[:2] == [("bo", 1, "registration"), ("ann", 2, "registration")]
    assert between(rows, "ann", "bo") == ("bo", "registration", "swiss")


@pytest.mark.parametrize(("event", "first"), [(None, "bo"), ("regular", "ann")])
def test_the_event_of_the_log_wins(event: str | None, first: str) -> None:
    """A rule set says the kind of event only for logs that do not."""
    rows = registered(
        [{**row, "hand": row["hand"] | {"event": event}} for row in LAST_HAND], {"ann": 9, "bo": 1}
    )
    assert order(rows, '{"standing.event":"swiss"}')[0][0] == first


def test_different_last_hands_are_no_relation() -> None:
    """Ann and dee played their last hands at different tables: registration decides (J46)."""
    rows = registered(
        [played(1, {"ann": 20, "bo": -10, "cy": -10}), played(2, {"dee": 20, "eve": -10, "fay": -10})],
        {"ann": 4, "dee": 2, "bo": 1, "cy": 3, "eve": 5, "fay": 6},
    )
    assert order(rows)[:2] == [("dee", 1, "registration"), ("ann", 2, "registration")]
    assert between(rows, "ann", "dee") == ("dee", "registration", "apart")


# A, B and C are tied at 10 and registered in this order; A and C shared their last hand, in which C won and A lost; B played
# his last at another table.
THREE = [
    played(1, {"A": 20, "C": 0, "x1": -20}),
    played(2, {"B": 10, "x2": -5, "x3": -5}),
    played(3, {"C": 10, "A": -10, "x4": 0}),
]


def test_a_third_player_may_move_two_who_have_no_relation() -> None:
    """C and A change places, and with that C stands before B and B before A against the order of registration."""
    rows = registered(THREE, {"A": 1, "B": 2, "C": 3})
    assert [name for name, _, _ in order(rows)[:3]] == ["C", "B", "A"]
    assert between(rows, "B", "C") == ("C", "last_hand", "third_player")
    assert between(rows, "A", "B") == ("B", "last_hand", "third_player")
    assert between(rows, "A", "C") == ("C", "last_hand", "last_hand")
    with views_over(tables(rows)) as connection:
        assert Standings(connection, RULES).between("A", "B")["through"] == "C"


def test_three_who_shared_the_last_hand() -> None:
    """All three are tied at 0: the last hand puts the landlord's victim last, and equal points keep the order of registration."""
    rows = registered(
        [
            played(1, {"A": 20, "B": -10, "C": -10}),
            played(2, {"A": -20, "B": 10, "C": 10}, landlord_won=False),
        ],
        {"A": 1, "C": 2, "B": 3},
    )
    assert order(rows) == [("C", 1, "registration"), ("B", 2, "registration"), ("A", 3, "last_hand")]


def test_without_registration_nothing_decides() -> None:
    """Two who are level in all that the log tells share a place, and the next one's place counts both."""
    rows = [played(1, {"cy": -20, "bo": 10, "ann": 10}, landlord_won=False)]
    assert order(rows) == [("ann", 1, "undecided"), ("bo", 1, "undecided"), ("cy", 3, "points")]
    assert between(rows, "ann", "bo")[1:] == ("undecided", "undecided")


@pytest.mark.parametrize("places", [{"ann": 3, "bo": 3}, {"ann": 3}, {"bo": 1}])
def test_a_registration_that_does_not_tell_them_apart_decides_nothing(places: dict[str, int | None]) -> None:
    """The same place twice, or the place of one of the two only, is no order."""
    rows = registered([played(1, {"cy": -20, "bo": 10, "ann": 10}, landlord_won=False)], places)
    assert [rank for _, rank, _ in order(rows)] == [1, 1, 3]


def test_who_may_stand_before_leaves_the_cut_open() -> None:
    """Ann registered before bo; where dee did, nobody knows: ann and dee may both be first, bo cannot."""
    rows = [played(1, {"ann": 10, "bo": 10, "cy": -20}), played(2, {"dee": 10, "eve": -5, "fay": -5})]
    rows = list(registered(rows, {"ann": 1, "bo": 2}))
    with views_over(tables(rows)) as connection:
        found = Standings(connection, RULES, advance=1).order().to_pylist()[:3]
    assert [(row["player"], row["rank"], row["advanced"]) for row in found] == [
        ("ann", 1, None), ("bo", 2, False), ("dee", 1, None),
    ]  # fmt: skip


def test_contradicting_places_of_registration_are_none() -> None:
    """A player whose hands name two places has no place of registration."""
    first, second = played(1, {"cy": -20, "bo": 10, "ann": 10}), played(2, {"cy": 0, "bo": 0, "ann": 0})
    rows = [*registered([first], {"ann": 1, "bo": 2}), *registered([second], {"ann": 3, "bo": 2})]
    assert sorted(order(rows)[:2]) == [("ann", 1, "undecided"), ("bo", 1, "undecided")]


def test_undefined_hands_are_left_out_and_counted() -> None:
    """A hand without a score gives no points and is nobody's last hand, and each player's row says how many there were."""
    rows = registered([*LAST_HAND, played(3, {"bo": None, "ann": None, "cy": None})], {"ann": 9, "bo": 1})
    with views_over(tables(rows)) as connection:
        found = Standings(connection, RULES).order().to_pylist()
    first = found[0]
    assert (first["player"], first["points"], first["decided_by"]) == ("ann", 120, "last_hand")
    assert (first["hands"], first["undefined_hands"], first["last_hand_id"], first["last_score"]) == (
        2,
        1,
        2,
        20,
    )


def test_projected_hands_are_counted() -> None:
    """A total says on how many projected hands it rests."""
    rows = [
        played(1, {"ann": 4, "bo": -2, "cy": -2}, status="projected"),
        played(2, {"ann": 4, "bo": -2, "cy": -2}),
    ]
    with views_over(tables(rows)) as connection:
        found = Standings(connection, RULES).order().to_pylist()
    assert [(row["hands"], row["projected_hands"]) for row in found] == [(2, 1)] * 3


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ({"started_at": NOON + timedelta(hours=1)}, {"started_at": NOON}, "bo"),
        ({"hand_no": 8}, {"hand_no": 7}, "bo"),
        ({"hand_no": 8, "table_id": "t2"}, {"hand_no": 7, "table_id": "t3"}, "ann"),
        ({"started_at": NOON + timedelta(hours=1)}, {}, "ann"),
    ],
    ids=[
        "by time",
        "by number at one table",
        "numbers of two tables are no order",
        "times of some are no order",
    ],
)
def test_the_last_hand_is_the_latest(first: Row, second: Row, winner: str) -> None:
    """By time, else by number at a single table, else as in the log: in hand 1 bo won 20, in hand 2 ann did."""
    rows = registered(
        [
            played(1, {"bo": 20, "ann": -10, "cy": -10}, **first),
            played(2, {"ann": 20, "bo": -10, "cy": -10}, **second),
        ],
        {"ann": 1, "bo": 1},
    )
    assert order(rows)[0] == (winner, 1, "last_hand")


def test_matches_are_apart() -> None:
    """Hands of another match, and hands of none, do not count."""
    rows = [
        played(1, {"ann": 4, "bo": -2, "cy": -2}),
        played(2, {"bo": 60, "ann": -30, "cy": -30}, match_id="other"),
        played(3, {"bo": 60, "ann": -30, "cy": -30}, match_id=None),
    ]
    with views_over(tables(rows)) as connection:
        assert Standings(connection, RULES, "cup").order()["player"].to_pylist()[0] == "ann"
        assert Standings(connection, RULES).order()["match_id"].to_pylist() == ["cup"] * 3 + ["other"] * 3
        with pytest.raises(UsageError, match="several matches"):
            Standings(connection, RULES).between("ann", "bo")
        with pytest.raises(UsageError, match="no match is called 'cupp'"):
            Standings(connection, RULES, "cupp")
        with pytest.raises(UsageError, match="not two players"):
            Standings(connection, RULES, "cup").between("ann", "nobody")


def test_a_store_without_matches_says_so() -> None:
    """Where no hand belongs to a match there is no order to show."""
    rows = [played(1, {"ann": 4, "bo": -2, "cy": -2}, match_id=None)]
    with (
        views_over(tables(rows)) as connection,
        pytest.raises(UsageError, match="no hand of the store belongs to a match"),
    ):
        Standings(connection, RULES)
