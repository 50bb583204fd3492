"""A hand as frames: what is held, what lies on the table, and what is played for so far, worked out by hand from the clauses."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddz_analytics.cards import pack
from ddz_analytics.viewer.laid import grouped, in_hand, on_table, together, without
from ddz_analytics.viewer.running import Run
from tests.facts_rows import declare, rows, write_csv
from tests.viewing import first, named


def _stakes(run: Run) -> list[tuple[int, str, str] | None]:
    """Each change of what is played for: the multiplier, and the stakes of the pairs with down and up."""
    found: list[tuple[int, str, str] | None] = []
    for now in run.so_far:
        told = None if now is None else (now.multiplier, *now.stakes)
        if not found or found[-1] != told:
            found.append(told)
    return found


# Cards


def test_cards_are_laid_down_as_people_do() -> None:
    """A hand goes from high to low; a play begins with what it has most of; without suits only ranks remain."""
    assert in_hand(pack("3BA2R", suited=False), suited=False) == "RB2A3"
    assert on_table(pack("3335", suited=False), suited=False) == "3335"
    assert on_table(pack("S3 H4 D4 C4", suited=True), suited=True) == "H4 C4 D4 S3"
    assert grouped("H4 C4 D4 S3 B") == [("4", "♥♣♦"), ("3", "♠"), ("B", "")]
    assert grouped("TT9") == [("T", "T"), ("9", "")]


@pytest.mark.parametrize("suited", [True, False])
def test_hand_gives_up_what_it_has(*, suited: bool) -> None:
    """A play takes its cards out of a hand as far as they are there, and the bottom cards are taken up."""
    texts = ("S3 H3 S4", "S3 S5") if suited else ("334", "35")
    held, played = (pack(text, suited=suited) for text in texts)
    assert in_hand(without(held, played, suited=suited), suited=suited) == ("S4 H3" if suited else "43")
    bottom = pack("C3 B" if suited else "3B", suited=suited)
    taken = in_hand(together(held, bottom, suited=suited), suited=suited)
    assert taken == ("B S4 S3 H3 C3" if suited else "B4333")


# The course


def test_frames_follow_the_hand(to_view: Path) -> None:
    """Deal, bid, bottom cards, plays and passes, end: with what is held, what lies on the table, and the trick."""
    course = named(to_view, "spring-with-bombs").course
    frames = course.frames
    assert [frame.kind for frame in frames[:4]] == ["deal", "act", "bottom", "act"]
    assert [frame.left for frame in frames[:4]] == [(17, 17, 17), (17, 17, 17), (20, 17, 17), (16, 17, 17)]
    assert (frames[2].cards, frames[2].held[0]) == ("B2A", "B2AKQJT9876544443333")
    assert frames[3].table == ("3333", None, None)
    assert frames[5].table == ("3333", "pass", "pass")
    assert frames[6].table == ("4444", None, None)
    assert [frame.trick for frame in frames[2:7]] == [None, 1, 1, 1, 2]
    assert (frames[-1].kind, frames[-1].left) == ("end", (0, 17, 17))
    assert course.ending == ("out_landlord", "spring")


def test_autoplay_is_marked_where_it_begins(to_view: Path) -> None:
    """Up is on autoplay from the bid on, down with his last card; both are until the end."""
    frames = named(to_view, "one-card-exemption").course.frames
    marks = [mark for frame in frames for mark in frame.marks]
    assert [(mark.seat, mark.what, mark.reason, mark.cards) for mark in marks] == [
        (2, "begins", "button", 17),
        (1, "begins", "button", 1),
    ]
    assert [frames[0].on_autoplay, frames[-1].on_autoplay] == [(False,) * 3, (False, True, True)]


# What is played for, rule page by rule page


def test_bombs_double_or_add_one(to_view: Path) -> None:
    """Unit 10 (jj J30), bid 3 (J31): bombs make ×2 ×4 (J33), under the bomb rule ×2 ×3 (J34); spring comes at the end (J36)."""
    bomb_rule, classic = named(to_view, "spring-with-bombs", "jj-bomb", "jj-classic").runs
    assert _stakes(bomb_rule) == [None, (1, "30", "30"), (2, "60", "60"), (3, "90", "90"), (6, "180", "180")]
    assert _stakes(classic) == [None, (1, "30", "30"), (2, "60", "60"), (4, "120", "120"), (8, "240", "240")]
    assert bomb_rule.net == {"landlord": "360", "down": "-180", "up": "-180", "house": "0"}


def test_kick_and_cap(to_view: Path) -> None:
    """Bid 2; the kick doubles down's pair (casino C37); four doublings count, the spring is the fifth and is cut (C26)."""
    (run,) = named(to_view, "kick-beyond-the-cap", "casino-capped").runs
    assert _stakes(run) == [
        None, (1, "2", "2"), (1, "4", "2"), (2, "8", "4"), (4, "16", "8"), (8, "32", "16"), (16, "64", "32"),
    ]  # fmt: skip
    last = run.so_far[-1]
    assert last is not None and last.capped and last.adds_up
    assert not any(now.capped for now in run.so_far[:-1] if now is not None)


def test_openings_robs_and_doubles_count_from_their_act_on(to_view: Path) -> None:
    """The largest opening counts (happy H14), each rob doubles (H8), a double counts for its pair unless it is refused (H17–H19)."""
    (opened,) = named(to_view, "open-hand-by-two", "happy").runs
    assert _stakes(opened) == [None, (4, "40", "40"), (8, "80", "80"), (16, "160", "160")]
    (robbed,) = named(to_view, "rob-back", "happy").runs
    assert _stakes(robbed)[:4] == [None, (1, "10", "10"), (2, "20", "20"), (4, "40", "40")]
    assert _stakes(robbed)[-2:] == [(16, "160", "160"), (32, "320", "320")]
    (refused,) = named(to_view, "refused-double", "happy").runs
    assert _stakes(refused) == [
        None,
        (1, "100", "100"),
        (1, "200", "100"),
        (2, "400", "200"),
        (4, "800", "400"),
    ]


def test_wild_bombs_multiply_or_add_up(to_view: Path) -> None:
    """A soft bomb ×2 and a hard one ×4 (jj2 L35); in the championship 1 + 1 + 2 (L36)."""
    general, championship = named(to_view, "soft-bomb", "laizi-general", "laizi-jj").runs
    assert _stakes(general) == [None, (1, "30", "30"), (2, "60", "60"), (8, "240", "240")]
    assert _stakes(championship) == [None, (1, "30", "30"), (2, "60", "60"), (4, "120", "120")]


def test_escape_ends_what_was_played_for(to_view: Path) -> None:
    """Until somebody leaves there is a stake, bid 3 doubled twice; then there is a fine, or no score at all."""
    fined, unscored = named(to_view, "escape", "qq-classic", "jj-classic").runs
    assert _stakes(fined) == _stakes(unscored) == [None, (1, "3", "3"), (2, "6", "6"), (4, "12", "12"), None]
    assert fined.net == {"landlord": "0", "down": "-36", "up": "0", "house": "36"}
    assert (unscored.net, unscored.reason) == (None, "escaped")


# What is not known, and what went wrong


def test_fault_is_flagged_where_it_is(to_view: Path) -> None:
    """A fault stands at its act, and from there on nothing is said of what is played for."""
    hand = named(to_view, "6000000000000000000007d8", "qq-classic")
    flagged = [place for place, frame in enumerate(hand.course.frames) if frame.issues]
    assert [issue.code for issue in hand.course.frames[flagged[0]].issues] == ["combination_unsupported"]
    (run,) = hand.runs
    assert run.so_far[flagged[0] - 1] is not None
    assert not any(run.so_far[flagged[0] :])
    assert "faulty" in hand.course.ending
    assert (run.status, run.reason) == ("undefined", "faulty")


def test_hand_that_begins_with_twenty_cards(to_view: Path) -> None:
    """Where the log does not tell the bottom cards, the landlord has all twenty from the first, and nobody takes anything up."""
    course = first(to_view, "source_format = 'rlcard-showdown'").course
    assert course.bottom_unknown
    assert sorted(left or 0 for left in course.frames[0].left) == [17, 17, 20]
    assert [frame.kind for frame in course.frames].count("bottom") == 0


def test_nobody_is_landlord(to_view: Path) -> None:
    """A deal that nobody wanted has its words and its end, nobody takes the bottom cards, and nothing is played for."""
    hand = named(to_view, "6000000000000000000007da", "qq-classic")
    assert [frame.kind for frame in hand.course.frames] == ["deal", "act", "act", "end"]
    assert hand.course.bottom is not None
    assert _stakes(hand.runs[0]) == [None]


def test_declared_hand_has_its_settlement_alone(tmp_path: Path) -> None:
    """Of a hand whose facts alone were declared no cards are shown, and its last frame is its settlement (2 · 2, qq Q18)."""
    declare(tmp_path / "store", write_csv(tmp_path / "facts.csv", *rows()))
    hand = named(tmp_path / "store", "h1", "qq-classic")
    assert [frame.kind for frame in hand.course.frames] == ["deal", "end"]
    assert hand.course.frames[0].held == (None, None, None)
    assert not hand.course.is_told
    last = hand.runs[0].so_far[-1]
    assert last is not None and last.stakes == ("4", "4")
    assert hand.runs[0].net == {"landlord": "8", "down": "-4", "up": "-4", "house": "0"}
