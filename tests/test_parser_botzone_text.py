"""`botzone-text`: what is read of a local match's lines, games that were stopped, and what bad lines come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Hand, Located, Rejected, Skipped
from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.botzone_text import BotzoneText
from tests.card_ids import BOTTOM, DEALT, FIRST, LEFT_OVER, OUT, SECOND, THIRD, listed
from tests.parsing import hands, located, read, rejected, sample_bytes, sample_names, tally

PARSER = BotzoneText()
DEAL = [
    "================ GAME 4 seed=77 ourSeat=1 ================",
    "bots: P0=REF, P1=OUR, P2=REF",
    f"initial P0 REF hand=3x4 4x4 [{listed(FIRST)}]",
    f"initial P1 OUR hand=7x3 8x4 [{listed(SECOND)}]",
    f"initial P2 REF hand=Jx2 Qx4 [{listed(THIRD)}]",
    f"public=2x1 jokerx1 JOKERx1 [{listed(BOTTOM)}]",
]
BIDS = [
    "BID P0 REF bid=3 ok=True elapsedMs=12.5 reason=",
    "landlord=P0 finalBid=3",
    f"playStart P0 count=20 hand=3x4 [{listed([*FIRST, *BOTTOM])}]",
]
# The rocket and four bombs, and nobody else plays: five doublings and the spring.
END = [
    "WINNER P0 REF team=landlord",
    "SUMMARY winner=P0 winnerTeam=landlord ourSeat=1 ourTeam=farmers ourWon=False landlord=P0 finalBid=3 "
    "multiplier=64 spring=True antiSpring=False",
]


def turn(number: int, seat: int, action: str) -> list[str]:
    return [
        "",
        f"TURN {number} P{seat} REF team=landlord need=PASS lastValidPlayer=-1 passCount=0 elapsedMs=7.0",
        "  handBefore count=20 3x4 [0,1,2,3]",
        "  historyForBot=[[],[]]",
        f"  action={action}",
        '  rawOutput={"response":[]}',
        "  remain=P0:18, P1:17, P2:17",
    ]


def played(cards: Sequence[int]) -> str:
    return f"BOMB 3x4 [{listed(cards)}] level=0 legal=True reason=" if cards else "PASS legal=True reason="


def whole_game() -> list[str]:
    acts = [(seat, cards if seat == 0 else []) for cards in OUT for seat in range(3)][:-2]
    turns = [
        line for number, (seat, cards) in enumerate(acts, 1) for line in turn(number, seat, played(cards))
    ]
    return [*DEAL, *BIDS, *turns, *END]


def text(lines: Sequence[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


def hand_of(lines: Sequence[str]) -> Hand:
    (hand,) = hands(PARSER, text(lines))
    return hand


def test_game_read_by_hand() -> None:
    """Deal, bids, landlord, acts with their times, winner and multiplier are as the lines say."""
    hand = hand_of(whole_game())
    assert (hand.id, hand.no, hand.players) == ("4-77", 4, ("REF#0", "OUR", "REF#2"))
    assert (hand.dealt, hand.bottom, hand.landlord) == (DEALT, LEFT_OVER, 0)
    assert hand.actions[:3] == [
        Action(seat=0, act="bid", value=3, ms=12),
        Action(seat=0, act="play", cards="B R", ms=7),
        Action(seat=1, act="pass", ms=7),
    ]
    assert hand.outcome == "complete"
    assert hand.recorded and (hand.recorded.bid, hand.recorded.multiplier) == (3, 64)
    assert hand.recorded.scores is UNSET
    assert hand.extra == {"_seed": 77, "_spring": True}


def test_what_a_bot_prints_is_ignored() -> None:
    """Its errors, output on several lines, lists of plays, and indented lines of any kind change nothing."""
    game = whole_game()
    place = game.index('  rawOutput={"response":[]}')
    noise = [
        '  rawOutput={"debug":', "still printing", '}', "  stderr=warning", "and more of it",
        "  OUR_TOPK_BEGIN", "    action=SINGLE 3x1 [0] score=0.5", "    anything", "  OUR_TOPK_END",
    ]  # fmt: skip
    noisy = [*game[:place], *noise, *game[place + 1 :], "OUR_LOSS_TURNS", "  turn=1 action=PASS cards=[]"]
    noisy.insert(7, "BID STDERR P0: warning")
    assert hand_of(noisy) == hand_of(game)


def test_nobody_bids() -> None:
    """Seat 0 is landlord although all pass, and the final bid is 0: both are the log's words."""
    game = whole_game()
    game[6:8] = [
        *(f"BID P{seat} X bid=0 ok=True elapsedMs=1.0 reason=" for seat in range(3)),
        "landlord=P0 landlordBot=X finalBid=0",
    ]
    game[-1] = game[-1].replace("finalBid=3", "finalBid=0")
    hand = hand_of(game)
    assert [act.value for act in hand.actions[:3]] == [0, 0, 0]
    assert (hand.landlord, hand.recorded and hand.recorded.bid) == (0, 0)


def test_an_illegal_play_stops_the_game() -> None:
    """What was sent did not count: it is kept apart with the reason, and the hand is unfinished."""
    stopped = [
        *DEAL, *BIDS, *turn(1, 0, "INVALID 3x1 4x1 [0,4] level=1 legal=False reason=invalid_combo_on_free_turn")[:-1],
        "  ILLEGAL_STOP illegal_play turn=1 P0 reason=invalid_combo_on_free_turn",
        "SUMMARY illegal=illegal_play turn=1 P0 reason=invalid_combo_on_free_turn ourSeat=1 landlord=P0",
    ]  # fmt: skip
    hand = hand_of(stopped)
    assert [act.act for act in hand.actions] == ["bid"]
    assert (hand.outcome, hand.landlord) == ("unfinished", 0)
    assert hand.recorded and (hand.recorded.bid, hand.recorded.multiplier) == (3, UNSET)
    assert hand.extra == {
        "_seed": 77,
        "_illegal": "illegal_play turn=1 P0 reason=invalid_combo_on_free_turn",
        "_sent": "P0 [0,4]",
    }


def test_an_illegal_pass_stops_the_game() -> None:
    """A pass on a lead did not count either."""
    action = "PASS legal=False reason=cannot_pass_on_free_turn"
    hand = hand_of([*DEAL, *BIDS, *turn(1, 0, action), "SUMMARY illegal=illegal_play turn=1 P0"])
    assert [act.act for act in hand.actions] == ["bid"]
    assert isinstance(hand.extra, dict) and hand.extra["_sent"] == "P0 pass"


def test_a_bot_that_crashes_loses_without_playing() -> None:
    """The result is forced: landlord and multiplier as stated, what happened kept, nobody out, so unfinished."""
    crashed = [
        *DEAL,
        "BID CRASH P0 REF landlord=P0 error=timed out",
        "FORCED_RESULT winner=P1 winnerBot=OUR winnerTeam=farmers",
        "landlord=P0 landlordBot=REF finalBid=0",
        "SUMMARY winner=P1 winnerBot=OUR winnerTeam=farmers landlord=P0 landlordBot=REF finalBid=0 "
        "multiplier=1 spring=False antiSpring=False forcedByCrash=True refWon=False",
    ]
    hand = hand_of(crashed)
    assert (hand.outcome, hand.actions, hand.landlord) == ("unfinished", [], 0)
    assert hand.extra == {
        "_seed": 77,
        "_crash": "BID CRASH P0 REF landlord=P0 error=timed out",
        "_forced_result": "winner=P1 winnerBot=OUR winnerTeam=farmers",
    }


def test_too_many_turns_stop_the_game() -> None:
    """A game that the program gave up is unfinished."""
    why = "max_turns_reached maxTurns=1"
    hand = hand_of([*DEAL, *BIDS, *turn(1, 0, played([52, 53])), f"STOP {why}", f"SUMMARY illegal={why}"])
    assert hand.outcome == "unfinished"
    assert hand.extra == {"_illegal": why, "_stop": why, "_seed": 77}


def test_a_refused_bid_counts_as_none() -> None:
    """A bid that is not ok is none, by the judge, and kept apart."""
    game = whole_game()
    game.insert(6, "BID P2 REF bid=7 ok=False elapsedMs=1.0 reason=invalid_bid")
    hand = hand_of(game)
    assert hand.actions[0] == Action(seat=2, act="bid", value=0, ms=1, actor="judge")
    assert isinstance(hand.extra, dict) and hand.extra["_refused_bid"] == "P2 7"


def test_summaries_are_skipped_and_bad_games_stop_nothing() -> None:
    """A summary of the whole file is no hand; a game with a broken line is rejected whole, with its bytes."""
    summary = ["================ MATCH SUMMARY ================", "games=3 ourWins=1", ""]
    broken = [*DEAL[:2], "initial P0 REF nothing", *DEAL[3:], *BIDS, *END]
    data = text([*summary, *whole_game(), *broken, *whole_game()])
    first, second, third, fourth = read(PARSER, data)
    assert isinstance(first, Skipped) and first.line == 1
    assert isinstance(second, Located) and second.line == 4
    assert isinstance(third, Rejected)
    assert (third.line, third.code, third.raw) == (4 + len(whole_game()), "out_of_range", text(broken))
    assert isinstance(fourth, Located) and fourth.raw == text(whole_game())


@pytest.mark.parametrize("left", [1, 2, 10, 40])
def test_a_log_that_is_cut_off(left: int) -> None:
    """A last game without its end is truncated, wherever it stops, and the game before is read."""
    data = text([*whole_game(), *whole_game()])
    first, second = read(PARSER, data[: -len(text(END)) // 2 * left])
    assert isinstance(first, Located)
    assert isinstance(second, Rejected) and second.code == "truncated"


Change = tuple[int, str | None]


@pytest.mark.parametrize(
    ("place", "line", "code"),
    [
        (0, "==== GAME four ====", "missing_field"),
        (1, "bots: P0=A, P1=B, P2=C, P3=D", "unsupported_mode"),
        (2, None, "deal_size"),
        (2, f"initial P1 OUR hand=7x3 [{listed(SECOND)}]", "out_of_range"),
        (2, f"initial P3 X hand=3x4 [{listed(FIRST)}]", "unsupported_mode"),
        (2, "initial P0 X hand=3x4 [0,1,x]", "bad_cards"),
        (2, "initial P0 X hand=3x4 [0,1,99999]", "bad_cards"),
        (2, f"initial P0 X hand=3x4 [{listed(range(16))},54]", "out_of_range"),
        (2, f"initial P0 X hand=3x4 [{listed(range(18))}]", "deal_size"),
        (2, f"initial P0 X hand=3x4 [{listed(range(25))}]", "unsupported_mode"),
        (5, None, "deal_size"),
        (5, "public=2x1 [51,52]", "deal_size"),
        (6, "BID P0 REF bid=4 ok=True", "out_of_range"),
        (6, "BID P0 REF bid=3 ok=yes", "out_of_range"),
        (6, "BID P7 REF bid=3 ok=True", "unsupported_mode"),
        (7, "landlord=P0 finalBid=9", "out_of_range"),
        (7, "landlord=P0 finalBid=2", "out_of_range"),
        (7, "landlord=P1 finalBid=3", "out_of_range"),
        (8, "landlord=P0 finalBid=3", "out_of_range"),
        (8, "DOUBLE P0 x2", "unknown_field"),
        (10, "TURN 2 P0 REF", "missing_field"),
        (13, "  action=BOMB 3x4 [0,1,2,3]", "out_of_range"),
        (13, "  action=BOMB 3x4 [0,1,2,300] legal=True", "out_of_range"),
        (13, "  nothing", "missing_field"),
        (-2, "WINNER P1 OUR", "out_of_range"),
        (-2, "SUMMARY illegal=x", "out_of_range"),
        (-1, "SUMMARY winner=P1 multiplier=64 spring=True antiSpring=False", "out_of_range"),
        (-1, "SUMMARY winner=P0 multiplier=64 spring=True", "out_of_range"),
        (-1, "", "truncated"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_coded(place: int, line: str | None, code: str) -> None:
    """A line that is missing, of the wrong shape, against another or of another mode is a rejection that says so."""
    game = whole_game()
    if line is None:
        del game[place]
    else:
        game[place] = line
    assert rejected(PARSER, text(game)).code == code


@pytest.mark.parametrize(
    ("data", "code"), [(b"\x00", "missing_field"), (b"=== GAME 1\n\xff", "bad_encoding")]
)
def test_bytes_that_are_no_game(data: bytes, code: str) -> None:
    """Bytes that begin no game, or are no text, come to one rejection."""
    assert rejected(PARSER, data).code == code


def test_names_on_one_seat_each() -> None:
    """Three different bots are three players by name; without the line that names them they are seats."""
    game = whole_game()
    assert hand_of([*game[:1], *game[2:]]).players == ("seat0", "seat1", "seat2")
    game[1] = "bots: P0=A, P1=B, P2=C C"
    assert hand_of(game).players == ("A", "B", "C C")


def test_without_a_seed_the_number_is_the_id() -> None:
    """The id is the game's number in the file, with its seed where there is one."""
    game: list[Any] = ["======= GAME 12", *whole_game()[1:]]
    assert (hand_of(game).id, hand_of(game).no) == ("12", 12)


@pytest.mark.parametrize("name", sample_names("botzone-text"))
def test_samples(name: str) -> None:
    """The sample is told as this format: three games, and a summary that is skipped."""
    data = sample_bytes(name)
    assert isinstance(sniff(data), BotzoneText)
    items = read(PARSER, data)
    assert tally(items) == (3, 0, 1)
    assert [item.hand.outcome for item in located(items)] == ["complete", "complete", "unfinished"]


def test_a_byte_order_of_lines_does_not_matter() -> None:
    """Lines that end in the way of another system are the same lines."""
    (hand,) = hands(PARSER, text(whole_game()).replace(b"\n", b"\r\n"))
    assert hand == hand_of(whole_game())
