"""`icga`: both forms of a tournament's games, where one ends and the next begins, and what bad lines come to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Hand, Located, Rejected
from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.icga import Icga
from tests.card_ids import BOTTOM, DEALT, FIRST, LEFT_OVER, OUT, SECOND, THIRD, listed
from tests.parsing import hands, located, read, rejected, sample_bytes, sample_names, tally

PARSER = Icga()
HANDS = (FIRST, SECOND, THIRD)
ACTS = [(seat, listed(cards) if seat == "A" else "-1") for cards in OUT for seat in "ABC"][:-2]


def messages() -> list[str]:
    """A game in which A bids 3 and plays on until he is out, each message once."""
    return [
        *(f"DEAL {seat}{listed(cards)}" for seat, cards in zip("ABC", HANDS, strict=True)),
        "BID A3",
        f"LEFTOVER A{listed(BOTTOM)}",
        *(f"PLAY {seat}{cards}" for seat, cards in ACTS),
        "GAMEOVER A",
    ]


def nodes() -> list[str]:
    """The same game as it is recorded, without what opens and closes the file."""
    return [
        ";PA[Alpha]PB[Beta]PC[Gamma]",
        *(f";D{seat}[{listed(cards)}]" for seat, cards in zip("ABC", HANDS, strict=True)),
        ";BA[3]",
        f";LA[{listed(BOTTOM)}]",
        *(f";{seat}[{cards}]" for seat, cards in ACTS),
        ";OVER[A]",
    ]


def text(lines: Sequence[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


def hand_of(lines: Sequence[str]) -> Hand:
    (hand,) = hands(PARSER, text(lines))
    return hand


def test_messages_read_by_hand() -> None:
    """Deal, bid, landlord, bottom cards and plays are what the messages say; there are no names and no scores."""
    hand = hand_of(messages())
    assert (hand.id, hand.players) == ("1", ("seat0", "seat1", "seat2"))
    assert (hand.dealt, hand.bottom, hand.landlord) == (DEALT, LEFT_OVER, 0)
    assert hand.actions[:3] == [
        Action(seat=0, act="bid", value=3),
        Action(seat=0, act="play", cards="B R"),
        Action(seat=1, act="pass"),
    ]
    assert hand.outcome == "complete"
    assert (hand.recorded, hand.kinds, hand.extra) == (UNSET, UNSET, UNSET)


def test_both_forms_tell_the_same() -> None:
    """The recorded form of a game gives the same hand, with the names of its players."""
    recorded, heard = hand_of(["(\t", *nodes(), ")"]), hand_of(messages())
    assert recorded.players == ("Alpha", "Beta", "Gamma")
    recorded.players = heard.players
    assert recorded == heard


def test_a_game_on_one_line() -> None:
    """The nodes of the recorded form may stand on one line."""
    assert hand_of(["(" + "".join(nodes()) + ")"]) == hand_of(["(", *nodes(), ")"])


def test_junk_lines_and_repeated_messages_change_nothing() -> None:
    """What programs answer, requests, and a message told to each of three players are no further acts."""
    noisy = ["DOUDIZHUVER 1.0", "NAME alpha", "", "junk", "PLAYER 1 joined", "BID WHAT"]
    for line in messages():
        noisy += [line, "OK", line, "PLAY WHAT", line, "debug: [0,1,2]"]
    assert hand_of(noisy) == hand_of(messages())


def test_round_and_game_are_kept() -> None:
    """The numbers of an INFO message are kept under the names that the recorded form has for them."""
    heard = hand_of(["INFO 1,4,2,6,9,2100", *messages()])
    recorded = hand_of(["(", ";TI[1]TC[4]RI[2]RC[6]UC[9]MS[2100]", *nodes(), ")"])
    assert heard.extra == recorded.extra == {
        "_info": {"TI": "1", "TC": "4", "RI": "2", "RC": "6", "UC": "9", "MS": "2100"}
    }  # fmt: skip


def test_several_games_in_each_form() -> None:
    """A deal after a game begins the next one, as does what announces it; the id is the number in the file."""
    heard = text([*messages(), "INFO 1,4,2,6,9,2100", *messages(), *messages()])
    first, second, third = located(read(PARSER, heard))
    length = len(messages())
    assert [item.line for item in (first, second, third)] == [1, length + 1, 2 * length + 2]
    assert [item.hand.id for item in (first, second, third)] == ["1", "2", "3"]
    assert first.raw + second.raw + third.raw == heard
    for log in (["(", *nodes(), *nodes(), ")"], ["(", *nodes(), ")", "(", *nodes(), ")"]):
        assert [hand.id for hand in hands(PARSER, text(log))] == ["1", "2"]


def test_a_deal_that_is_thrown_in() -> None:
    """Three bids of 0 and no landlord are a redeal; the bottom cards are those that nobody was dealt."""
    thrown = [*messages()[:3], "BID A0", "BID B0", "BID C0"]
    first, second = hands(PARSER, text([*thrown, *messages()]))
    assert (first.outcome, first.landlord, first.bottom) == ("redeal", None, LEFT_OVER)
    assert [act.value for act in first.actions] == [0, 0, 0]
    assert second.outcome == "complete"
    assert hand_of(thrown).outcome == "redeal"


def test_the_landlord_is_read() -> None:
    """Who is landlord is what LEFTOVER says, whatever the bids."""
    game = [line.replace("LEFTOVER A", "LEFTOVER B") for line in messages()]
    assert (hand_of(game).landlord, hand_of(game).actions[0].seat) == (1, 0)


def test_a_game_that_is_given_up() -> None:
    """A game that is over before the stated winner is out is unfinished; winner and error are kept."""
    hand = hand_of([*messages()[:8], "ERROR C", "GAMEOVER A"])
    assert hand.outcome == "unfinished"
    assert hand.extra == {"_errors": ["C"], "_winner": "A"}


def test_a_game_without_an_end_among_others() -> None:
    """A game that another one follows, or that the file closes, is unfinished."""
    first, second = hands(PARSER, text([*messages()[:9], *messages()]))
    assert (first.outcome, second.outcome) == ("unfinished", "complete")
    assert hand_of(["(", *nodes()[:9], ")"]).outcome == "unfinished"


@pytest.mark.parametrize("left", [1, 5, 60, 150])
@pytest.mark.parametrize("form", [messages(), nodes()])
def test_a_log_that_is_cut_off(form: list[str], left: int) -> None:
    """A last game that ends nowhere is truncated, and the game before is read."""
    first, second = read(PARSER, text([*form, *form])[: -left - 1])
    assert isinstance(first, Located)
    assert isinstance(second, Rejected)
    assert (second.line, second.code) == (len(form) + 1, "truncated")


def test_a_log_of_one_program() -> None:
    """A program hears its own cards only, of which no hand can be made."""
    item = rejected(PARSER, text([messages()[0], *messages()[3:]]))
    assert item.code == "deal_size"
    assert "of A only" in item.detail


def test_a_bad_game_stops_nothing() -> None:
    """A game with a broken line is rejected whole, with its line and bytes, and the games around it are read."""
    broken = messages()
    broken[4] = "LEFTOVER A51,52"
    items = read(PARSER, text([*messages(), *broken, *messages()]))
    assert [type(item) for item in items] == [Located, Rejected, Located]
    assert isinstance(items[1], Rejected)
    assert (items[1].code, items[1].line, items[1].raw) == ("deal_size", len(messages()) + 1, text(broken))


@pytest.mark.parametrize(
    ("place", "line", "code"),
    [
        (0, f"DEAL D{listed(FIRST)}", "unsupported_mode"),
        (0, f"DEAL A{listed(range(25))}", "unsupported_mode"),
        (0, f"DEAL A{listed(range(16))}", "deal_size"),
        (0, f"DEAL A{listed(range(16))},54", "out_of_range"),
        (0, f"DEAL A{listed(range(16))},x", "bad_cards"),
        (0, "DEAL", "missing_field"),
        (3, "BID A4", "out_of_range"),
        (3, "BID A", "out_of_range"),
        (3, "BID D1", "unsupported_mode"),
        (3, "BID ABC", "out_of_range"),
        (4, "LEFTOVER A51,52,54", "out_of_range"),
        (4, "LEFTOVER A51,52,-1", "bad_cards"),
        (5, f"LEFTOVER B{listed(BOTTOM)}", "out_of_range"),
        (5, "PLAY A54", "out_of_range"),
        (5, "PLAY A", "bad_cards"),
        (5, "PLAY A-2", "bad_cards"),
        (5, "PLAY A³", "bad_cards"),
        (5, "PLAY E3", "unsupported_mode"),
        (5, "GAMEOVER A", "out_of_range"),
        (5, "GAMEOVER D", "unsupported_mode"),
    ],
)
def test_a_wrong_message_is_coded(place: int, line: str, code: str) -> None:
    """A message of the wrong shape, against another or of another mode is a rejection that says so."""
    game = messages()
    game[place] = line
    assert rejected(PARSER, text(game)).code == code


@pytest.mark.parametrize(
    ("place", "line", "code"),
    [
        (0, ";PD[Delta]", "unsupported_mode"),
        (0, ";ZZ[1]", "unknown_field"),
        (0, ";pa[x]", "out_of_range"),
        (1, f";DA[{listed(FIRST)}", "out_of_range"),
        (1, f";DA[{listed(FIRST)}]DB[0]", "out_of_range"),
        (4, ";BA[x]", "out_of_range"),
        (5, ";LA[]", "deal_size"),
        (6, ";A[]", "bad_cards"),
        (6, ";D[3]", "unsupported_mode"),
        (6, ";OVER[A]", "out_of_range"),
        (-1, ";OVER[nobody]", "out_of_range"),
    ],
)
def test_a_wrong_node_is_coded(place: int, line: str, code: str) -> None:
    """A node that is not known, or of the wrong shape, is a rejection that says so."""
    game = nodes()
    game[place] = line
    assert rejected(PARSER, text(["(", *game, ")"])).code == code


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"\x00", "missing_field"), (b"hello\nworld", "missing_field"), (b"DEAL A0,1\n\xff", "bad_encoding")],
)
def test_bytes_that_are_no_game(data: bytes, code: str) -> None:
    """Bytes that deal nobody cards, or are no text, come to one rejection."""
    assert rejected(PARSER, data).code == code


def test_names_in_another_encoding() -> None:
    """A name that is not UTF-8 is a rejection that says at which line, and takes no other game down."""
    named = text(["(", *nodes()]).replace(b"Beta", "乙队".encode("gb18030"))
    first, second = read(PARSER, named + text([*nodes(), ")"]))
    assert isinstance(first, Rejected)
    assert (first.code, first.detail) == ("bad_encoding", "not UTF-8 - at line 2")
    assert isinstance(second, Located)


@pytest.mark.parametrize(("name", "games"), [("messages.txt", 2), ("recorded.txt", 3)])
def test_samples(name: str, games: int) -> None:
    """Each sample is told as this format, and each of its games is a hand."""
    data = sample_bytes(f"icga/{name}")
    assert isinstance(sniff(data), Icga)
    assert tally(read(PARSER, data)) == (games, 0, 0)
    assert f"icga/{name}" in sample_names("icga")


def test_other_formats_are_not_taken() -> None:
    """A record of another game in brackets, and other texts, are not told as this format."""
    assert PARSER.sniff(b"(;FF[4]GM[1]SZ[19];B[dd];W[pp])") == 0.0
    assert PARSER.sniff(b"DEAL or no deal\n") == 0.0
