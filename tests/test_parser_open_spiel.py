"""`open-spiel`: what is read from a playout's action strings, and what a bad line comes to."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Declared, Located, Rejected
from ddz_analytics.parsers.open_spiel import OpenSpiel
from tests.parsing import code_of, hands, located, one_hand, read, rejected, sample_bytes, sample_names, tally

PARSER = OpenSpiel()
PLAYOUTS = "open-spiel/playouts.jsonl"
NAMES = [name for name in sample_names("open-spiel") if ".jsonl" in name]
# Every card but C2, D2 and H2 in this order: seat 0 gets the first, fourth, … of it.
DEALT = [f"{suit}{rank}" for rank in "3456789TJQKA" for suit in "CDHS"] + ["S2", "(BWJ)", "(CJ)"]


def playout(acts: list[tuple[int, str]], returns: tuple[float, float, float]) -> dict[str, Any]:
    """A line in which DEALT is dealt and these acts follow."""
    strings = [
        "Decide first card up position 0",
        *(f"Deal {card}" for card in DEALT),
        *(text for _, text in acts),
    ]
    return {
        "game": "dou_dizhu()",
        "history": [0] * len(strings),
        "players": [-1] * 52 + [seat for seat, _ in acts],
        "action_strings": strings,
        "returns": list(returns),
    }


hand_of = partial(one_hand, PARSER)


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_line_is_a_hand(name: str) -> None:
    """Each line of a sample file, with or without the state's text, is told as this format and becomes one hand."""
    data = sample_bytes(name)
    items = read(PARSER, data)
    lines = data.splitlines()
    assert PARSER.sniff(data[:4096]) > 0.5
    assert tally(items) == (len(lines), 0, 0)
    assert [item.raw for item in located(items)] == lines


def test_sample_has_what_is_rare() -> None:
    """The sample has 300 games, and ten of each: springs, anti-springs, auctions that go round; bombs, and redeals."""
    every = [hand for name in NAMES for hand in hands(PARSER, sample_bytes(name))]
    played = [hand for hand in every if hand.outcome == "complete"]
    plays = [[act for act in hand.actions if act.act == "play"] for hand in played]
    by_landlord = [
        sum(act.seat == hand.landlord for act in acts) for hand, acts in zip(played, plays, strict=True)
    ]
    bombs = [
        act.cards
        for acts in plays
        for act in acts
        if act.cards in ("BR", *(4 * rank for rank in "3456789TJQKA2"))
    ]
    rounds = [sum(act.act == "bid" for act in hand.actions) for hand in every]
    assert len(every) >= 300
    assert sum(len(acts) == own for acts, own in zip(plays, by_landlord, strict=True)) >= 10
    assert by_landlord.count(1) >= 10
    assert len(bombs) >= 30
    assert sum(length > 3 for length in rounds) >= 10
    assert sum(hand.outcome == "redeal" for hand in every) >= 3


def test_line_read_by_hand() -> None:
    """The deal goes round from seat 0, three cards are left, and the first bidder need not be seat 0."""
    hand = hand_of(playout([(1, "Bid 3"), (1, "(BWJ)"), (2, "(CJ)"), (0, "Pass")], (3.0, -6.0, 3.0)))
    assert hand.dealt == ("3345667899TJQQKA2", "344567789TTJQKKAB", "345567889TJJQKAAR")
    assert hand.bottom == "222"
    assert hand.landlord == 1
    assert hand.actions == [
        Action(seat=1, act="bid", value=3),
        Action(seat=1, act="play", cards="B"),
        Action(seat=2, act="play", cards="R"),
        Action(seat=0, act="pass"),
    ]
    assert hand.recorded and hand.recorded.scores == (3, -6, 3)


def test_auction_that_goes_round() -> None:
    """After two passes and a 1 the first seat speaks again, and two passes after the last bid end the auction."""
    acts = [
        (2, "Pass"),
        (0, "Pass"),
        (1, "Bid 1"),
        (2, "Bid 2"),
        (0, "Pass"),
        (1, "Pass"),
        (2, "3"),
        (0, "Pass"),
    ]
    hand = hand_of(playout(acts, (-2.0, -2.0, 4.0)))
    assert [(act.seat, act.value) for act in hand.actions if act.act == "bid"] == [
        (2, 0), (0, 0), (1, 1), (2, 2), (0, 0), (1, 0),
    ]  # fmt: skip
    assert hand.landlord == 2
    assert [act.act for act in hand.actions[6:]] == ["play", "pass"]


def test_three_passes_are_a_redeal() -> None:
    """Three passes end the game without a landlord, and the zeros are recorded."""
    hand = hand_of(playout([(0, "Pass"), (1, "Pass"), (2, "Pass")], (0.0, 0.0, 0.0)))
    assert (hand.landlord, hand.outcome) == (None, "redeal")
    assert [act.value for act in hand.actions] == [0, 0, 0]
    assert hand.recorded and hand.recorded.scores == (0, 0, 0)


@pytest.mark.parametrize("acts", [[], [(0, "Bid 1"), (1, "Pass")], [(0, "Bid 3"), (0, "3")]])
def test_no_returns_yet_is_unfinished(acts: list[tuple[int, str]]) -> None:
    """A playout that stops in the auction or the play is unfinished."""
    assert hand_of(playout(acts, (0.0, 0.0, 0.0))).outcome == "unfinished"


@pytest.mark.parametrize(
    ("text", "cards", "declared"),
    [
        ("333444555-666", "333444555666", Declared("plane_single", 3, "5")),
        ("777888-33", "77788833", Declared("plane_single", 2, "8")),
        ("KKKAAA-3344", "KKKAAA3344", Declared("plane_pair", 2, "A")),
        ("777888-3(CJ)", "7778883R", Declared("plane_single", 2, "8")),
        ("777(CJ)", "777R", UNSET),
        ("(BWJ)(CJ)", "BR", UNSET),
        ("333444555666", "333444555666", UNSET),
    ],
)
def test_planes_declare_their_reading(text: str, cards: str, declared: object) -> None:
    """A dash names the wings of a plane, which is kept as a declared reading; jokers become their letters."""
    hand = hand_of(playout([(0, "Bid 3"), (0, text)], (6.0, -3.0, -3.0)))
    assert (hand.actions[1].cards, hand.actions[1].declared) == (cards, declared)


def test_same_playout_same_id() -> None:
    """A playout has no id of its own; it is named by its action strings, wherever it stands."""
    line = sample_bytes(PLAYOUTS).splitlines()[0]
    first, second, other = hands(PARSER, b"\n".join([line, line, sample_bytes(PLAYOUTS).splitlines()[1]]))
    assert first.id == second.id != other.id


def test_a_bad_line_does_not_stop_the_file() -> None:
    """A line cut off is rejected with its number and bytes, and the lines around it are read."""
    lines = sample_bytes(PLAYOUTS).splitlines()[:3]
    lines[1] = lines[1][:-1]
    first, second, third = read(PARSER, b"\n".join(lines))
    assert isinstance(first, Located) and isinstance(third, Located) and third.line == 3
    assert isinstance(second, Rejected)
    assert (second.line, second.code, second.raw) == (2, "truncated", lines[1])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00", "bad_json"),
        (b"\xc3\x28", "bad_encoding"),
        (b'{"game": "dou_dizhu()"', "truncated"),
        (b'{"game": "dou_dizhu()", "game": ""}', "duplicate_key"),
        (b'{"returns": NaN}', "bad_json"),
        (b"{" * 50_000, "bad_json"),
        (b'{"a":' * 50_000, "bad_json"),
        (b'"dou_dizhu"', "wrong_type"),
        (b'{"game": "dou_dizhu()"}', "missing_field"),
    ],
)
def test_bytes_that_are_no_playout(data: bytes, code: str) -> None:
    """Whatever the bytes are, a line comes to one rejection with a code."""
    assert rejected(PARSER, data).code == code


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("game", "chess()", "unsupported_mode"),
        ("game", 1, "wrong_type"),
        ("history", [0], "out_of_range"),
        ("history", ["0"], "wrong_type"),
        ("players", [3], "out_of_range"),
        ("players", [], "out_of_range"),
        ("returns", [1.0, 2.0], "out_of_range"),
        ("returns", [0.5, -1.0, 0.5], "out_of_range"),
        ("returns", [1e300, -1.0, 0.5], "out_of_range"),
        ("returns", ["1", 0, 0], "wrong_type"),
        ("state_str", None, "wrong_type"),
        ("params", {}, "unknown_field"),
    ],
)
def test_a_wrong_value_is_coded(field: str, value: object, code: str) -> None:
    """A value of another type, out of its range or of an unknown name is a rejection that says so."""
    assert code_of(PARSER, playout([(0, "Bid 3")], (0.0, 0.0, 0.0)) | {field: value}) == code


@pytest.mark.parametrize(
    ("place", "text", "code"),
    [
        (1, "Deal XX", "bad_cards"),
        (1, "QQ", "bad_cards"),
        (1, "Deal D3", "deck"),
        (53, "Throw", "bad_cards"),
        (53, "", "bad_cards"),
        (53, "333-", "bad_cards"),
        (53, "(ZJ)", "bad_cards"),
    ],
)
def test_a_wrong_action_string_is_coded(place: int, text: str, code: str) -> None:
    """An action that deals or plays no card, or a card dealt before, is a rejection."""
    document = playout([(0, "Bid 3"), (0, "3")], (0.0, 0.0, 0.0))
    document["action_strings"][place] = text
    assert code_of(PARSER, document) == code


@pytest.mark.parametrize(("place", "seat", "code"), [(10, 0, "deal_size"), (53, -1, "out_of_range")])
def test_chance_only_deals(place: int, seat: int, code: str) -> None:
    """The first 52 actions are chance's and no later one is."""
    document = playout([(0, "Bid 3"), (0, "3")], (0.0, 0.0, 0.0))
    document["players"][place] = seat
    assert code_of(PARSER, document) == code


def test_a_broken_first_line_does_not_hide_the_format() -> None:
    """A file is told as this format although its first line is damaged."""
    assert PARSER.sniff(b"junk\n" + sample_bytes("open-spiel/playouts.jsonl")[:8192]) > 0.5


def test_other_formats_are_not_taken() -> None:
    """Lines of other formats are not told as this one."""
    for name in ("rlcard-trace/rule_agents.jsonl", "botzone-ftl2/official_judge.matches.gz"):
        assert PARSER.sniff(sample_bytes(name)[:4096]) == 0.0
