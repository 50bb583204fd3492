"""`botzone-ftl1`: what is read of an array, its scores on their own scale, and what a bad one comes to."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Located, Rejected
from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.base import Source
from ddz_analytics.parsers.botzone_ftl1 import BotzoneFtl1
from ddz_analytics.store.catalog import connect
from tests.card_ids import BOTTOM, DEALT, FIRST, LEFT_OVER, OUT, SECOND, THIRD
from tests.parsing import (
    code_of,
    hands,
    located,
    one_hand,
    read,
    rejected,
    sample_bytes,
    sample_names,
    with_value,
)
from tests.small_store import ask
from tests.stores import take, take_counts

PARSER = BotzoneFtl1()
Game = list[dict[str, Any]]


def opening() -> dict[str, Any]:
    return {
        "allocation": [[*BOTTOM, *FIRST], list(SECOND), list(THIRD)],
        "publiccard": list(BOTTOM),
    }


def event(seat: int, cards: list[int]) -> dict[str, Any]:
    return {"event": {"player": seat, "action": cards}}


def scores(first: float, second: float, third: float) -> dict[str, Any]:
    return {"0": first, "1": second, "2": third}


def landlord_out(plays: Sequence[Sequence[int]], score: float) -> Game:
    """The landlord plays until he is out, and nobody else anything."""
    steps = [event(seat, list(cards) if seat == 0 else []) for cards in plays for seat in range(3)][:-2]
    return [opening(), *steps[:-1], steps[-1] | scores(score, 0, 0)]


def landlord_wins() -> Game:
    """The rocket (16 hundredths), four bombs (10 each) and two singles (1 each)."""
    return landlord_out(OUT, 2.58)


hand_of = partial(one_hand, PARSER)


def reconciled(tmp_path: Path, *games: Game) -> list[tuple[Any, ...]]:
    """What reconciling says of each game, in order, once a game."""
    for number, game in enumerate(games):
        (tmp_path / f"{number}.log").write_text(json.dumps(game))
    take(tmp_path / "store", *sorted(tmp_path.glob("*.log")))
    with connect(tmp_path / "store") as connection:
        query = "SELECT DISTINCT hand_id, verdict, cause FROM reconciliation ORDER BY hand_id"
        return [row[1:] for row in ask(connection, query)]


def test_game_read_by_hand() -> None:
    """Seat 0 is landlord, the bottom cards are taken out of his twenty, the plays are as they stand there."""
    hand = hand_of(landlord_wins())
    assert (hand.landlord, hand.dealt, hand.bottom) == (0, DEALT, LEFT_OVER)
    assert hand.actions[:4] == [
        Action(seat=0, act="play", cards="B R"),
        Action(seat=1, act="pass"),
        Action(seat=2, act="pass"),
        Action(seat=0, act="play", cards="H3 D3 S3 C3"),
    ]
    assert hand.outcome == "complete"
    assert hand.recorded and hand.recorded.scores == ("2.58", 0, 0)
    assert hand.players == ("seat0", "seat1", "seat2")
    assert (hand.kinds, hand.extra) == (UNSET, UNSET)


def test_fractions_are_what_they_stand_for() -> None:
    """A binary fraction that is not quite 0.225 is 0.225."""
    game = landlord_wins()
    game[-1] |= scores(2.2, 0.22499999999999998, 0.22499999999999998)
    hand = hand_of(game)
    assert hand.recorded and hand.recorded.scores == ("2.2", "0.225", "0.225")


def test_an_error_ends_the_game() -> None:
    """The empty action beside `errorInfo` is no pass; the reason and the seat are kept, and the hand is unfinished."""
    game = [opening(), event(0, [16]), event(1, []) | scores(2.5, -1, -1) | {"errorInfo": "LESS_COMPARE"}]
    hand = hand_of(game)
    assert hand.actions == [Action(seat=0, act="play", cards="H7")]
    assert hand.outcome == "unfinished"
    assert hand.recorded and hand.recorded.scores == ("2.5", -1, -1)
    assert hand.extra == {"_errorInfo": "LESS_COMPARE", "_seat": 1}


def test_an_error_without_an_event() -> None:
    """An error may stand there alone with the scores."""
    hand = hand_of([opening(), scores(-1, 2.5, 2.5) | {"errorInfo": "INVALID_PASS"}])
    assert (hand.actions, hand.extra) == ([], {"_errorInfo": "INVALID_PASS"})


def test_without_scores_it_is_unfinished() -> None:
    """An array that is whole and has no scores tells a game that did not end."""
    hand = hand_of([opening(), event(0, [16])])
    assert hand.outcome == "unfinished"
    assert hand.recorded and hand.recorded.scores is UNSET
    assert hand_of([opening()]).actions == []


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_an_array_over_several_lines(indent: int | None) -> None:
    """One array is one hand however it is laid out, on the line where it begins, with its bytes."""
    raw = json.dumps(landlord_wins(), indent=indent).encode()
    data = b"\n\n" + raw + b"\n"
    (item,) = located(read(PARSER, data))
    assert (item.line, item.raw) == (3, raw)
    assert isinstance(sniff(data), BotzoneFtl1)


def test_an_array_on_each_line() -> None:
    """Several games may be packed one a line; one that is cut off does not stop the file."""
    line = json.dumps(landlord_wins()).encode()
    first, second, third = read(PARSER, b"\n".join([line, line[:700], line]))
    assert isinstance(first, Located) and isinstance(third, Located) and third.line == 3
    assert isinstance(second, Rejected)
    assert (second.line, second.code, second.raw) == (2, "truncated", line[:700])
    assert first.hand.id == third.hand.id


def test_a_cut_off_array_is_one_rejection() -> None:
    """An array over several lines that ends in the middle is rejected once, with its bytes."""
    raw = json.dumps(landlord_wins(), indent=1).encode()[:-40]
    assert rejected(PARSER, raw).code == "truncated"
    assert rejected(PARSER, raw).raw == raw.strip()


@pytest.mark.parametrize("name", sample_names("botzone-ftl1"))
def test_samples(name: str) -> None:
    """Each sample is told as this format and is one hand."""
    assert isinstance(sniff(sample_bytes(name)), BotzoneFtl1)
    assert len(hands(PARSER, sample_bytes(name))) == 1


def test_scores_are_on_their_own_scale(tmp_path: Path) -> None:
    """Wins by plays, errors of either side and chains of quads are explained, and a score that is off by a hundredth is not."""
    rocket, *bombs = OUT[:5]
    chain = landlord_out([rocket, range(8), *bombs[2:], *OUT[5:]], 2.48)  # instead of two bombs: 10 less
    carrying = landlord_out([rocket, [*range(8), 16, 51], *bombs[2:]], 2.46)  # and the singles with it
    off = landlord_wins()
    off[-1] |= scores(2.57, 0, 0)
    peasant = [opening(), event(0, [16]), event(1, []) | scores(2.5, -1, -1) | {"errorInfo": "LESS_COMPARE"}]
    landlord = [opening(), event(0, []) | scores(-1, 2.5, 2.5) | {"errorInfo": "INVALID_PASS"}]
    alone = [opening(), event(0, []) | scores(-1, 2.5, -1) | {"errorInfo": "INVALID_PASS"}]
    assert reconciled(tmp_path, landlord_wins(), chain, carrying, off, peasant, landlord, alone) == [
        ("explained", "other_scale"),
        ("explained", "other_scale"),
        ("explained", "other_scale"),
        ("unexplained", "scale_differs"),
        ("explained", "other_scale"),
        ("explained", "other_scale"),
        ("unexplained", "scale_differs"),
    ]


Place = list[str | int]


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        ([0], [], "wrong_type"),
        ([0], {}, "missing_field"),
        ([0, "allocation"], [[0]], "out_of_range"),
        ([0, "allocation"], [list(range(25))] * 4, "unsupported_mode"),
        ([0, "allocation"], [list(range(37)), list(range(33)), list(range(33))], "unsupported_mode"),
        ([0, "allocation", 0], list(range(17)), "deal_size"),
        ([0, "allocation", 0, 3], 54, "out_of_range"),
        ([0, "allocation", 0, 3], True, "wrong_type"),
        ([0, "allocation", 0, 0], 3, "deck"),
        ([0, "publiccard"], [0, 1, 17], "deck"),
        ([0, "publiccard"], [0, 0, 1], "deck"),
        ([0, "publiccard"], [0, 1], "deal_size"),
        ([0, "seed"], 7, "unknown_field"),
        ([1], 7, "wrong_type"),
        ([1], {}, "missing_field"),
        ([1, "event", "player"], 3, "out_of_range"),
        ([1, "event", "action"], "3", "wrong_type"),
        ([1, "event", "action"], [53.0], "wrong_type"),
        ([1, "score"], 1, "unknown_field"),
        ([1, "0"], 1, "out_of_range"),
        ([1, "errorInfo"], "x", "out_of_range"),
        ([-1, "0"], "2.58", "wrong_type"),
        ([-1, "0"], 0.00001, "out_of_range"),
        ([-1, "0"], 1e300, "out_of_range"),
        ([-1, "0"], 10**400, "out_of_range"),
    ],
)
def test_a_wrong_value_is_coded(place: Place, value: object, code: str) -> None:
    """A value of another type, out of its range, of another mode or of an unknown name is a rejection that says so."""
    assert code_of(PARSER, with_value(landlord_wins(), place, value)) == code


def test_all_three_scores_or_none() -> None:
    """Scores of two seats only are a rejection."""
    game = landlord_wins()
    del game[-1]["1"]
    assert code_of(PARSER, game) == "missing_field"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00", "bad_json"),
        (b"\xff", "bad_encoding"),
        (b"[]", "missing_field"),
        (b"[1e999]", "out_of_range"),
        (b"{}", "wrong_type"),
        (b"[" * 100_000, "bad_json"),
        (b'[{"allocation": 1, "allocation": 1}]', "duplicate_key"),
        (b'[{"allocation": NaN}]', "bad_json"),
    ],
)
def test_bytes_that_are_no_game(data: bytes, code: str) -> None:
    """Whatever the bytes are, they come to one rejection with a code."""
    assert rejected(PARSER, data).code == code


def test_a_card_twice_is_refused(tmp_path: Path) -> None:
    """A card that two hands hold, or that is played twice at once, never becomes a stored hand."""
    dealt, played = landlord_wins(), landlord_wins()
    dealt[0]["allocation"][1][0] = 34
    played[1]["event"]["action"] = [52, 52]
    for number, game in enumerate((dealt, played)):
        (tmp_path / f"{number}.log").write_text(json.dumps(game))
    assert take_counts(tmp_path / "store", *tmp_path.glob("*.log")) == (0, 0, 2, 0)
    with connect(tmp_path / "store") as connection:
        assert ask(connection, "SELECT code FROM rejected_hands ORDER BY code") == [("bad_cards",), ("deck",)]


def test_other_formats_are_not_taken() -> None:
    """Logs of the newer judge and other arrays are not told as this format."""
    assert PARSER.sniff(sample_bytes("botzone-ftl2/local_log.json")) == 0.0
    assert PARSER.sniff(b'[[0, "pass"], [1, "33"]]') == 0.0


def test_a_file_of_blanks_is_told_fast() -> None:
    """A beginning of nothing but line ends, or brackets, takes no time to speak of."""
    for head in (b"\n" * 65_536, b"[\n" * 32_768, b"[ " * 32_768):
        assert PARSER.sniff(head) == 0.0
    assert list(PARSER.parse(io.BytesIO(b"\n" * 100_000), Source("log"))) == []
