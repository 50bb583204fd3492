"""`open-spiel`: games as texts for people, in which every action is applied and some states are shown."""

from __future__ import annotations

import pytest

from ddz_analytics.hands import Action, Hand, Located, Rejected
from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.open_spiel import OpenSpiel
from tests.parsing import hands, read, rejected, sample_bytes

PARSER = OpenSpiel()
HEAD = 'game: dou_dizhu\n\nGameType.long_name = "Dou Dizhu"\n'
# Every card but C2, D2 and H2 in this order: seat 0 gets the first, fourth, … of it.
DEALT = [f"{suit}{rank}" for rank in "3456789TJQKA" for suit in "CDHS"] + ["S2", "(BWJ)", "(CJ)"]


def applied(text: str, number: int) -> str:
    return f'\n# Apply action "{text}"\naction: {number}\n'


def playthrough(acts: list[str], ending: str = "", position: int = 4) -> str:
    """A playthrough in which DEALT is dealt, the card at a position decides who speaks first, and these acts follow."""
    parts = [HEAD, applied(f"Decide first card up position {position}", position)]
    parts += [applied(f"Deal {card}", 51) for card in DEALT]
    parts += [applied(text, 0) for text in acts]
    return "".join(parts) + ending


def hand_of(text: str) -> Hand:
    (hand,) = hands(PARSER, text.encode())
    return hand


def test_sample_read_by_hand() -> None:
    """The sample's deal, bids, landlord, first plays and returns are those that its states show."""
    data = sample_bytes("open-spiel/playthrough.txt.gz")
    assert sniff(data[:4096]) is not None and PARSER.sniff(data[:4096]) > 0.5
    (hand,) = hands(PARSER, data)
    assert hand.dealt == ("33344579TJJQQKAA2", "3556677889TJJQKKA", "45678899TQKA222BR")
    assert (hand.bottom, hand.landlord, hand.outcome) == ("46T", 2, "complete")
    assert [(act.seat, act.value) for act in hand.actions[:2]] == [(1, 2), (2, 3)]
    assert hand.recorded and hand.recorded.scores == (3, 3, -6)


def test_turns_go_round_from_the_first_bidder_and_again_from_the_landlord() -> None:
    """Position 4 lets seat 1 speak first; after two passes behind a bid its bidder leads."""
    hand = hand_of(playthrough(["Pass", "Bid 1", "Pass", "Pass", "3", "Pass"], "\nReturns() = [-2, -2, 4]\n"))
    assert [(act.seat, act.act) for act in hand.actions] == [
        (1, "bid"), (2, "bid"), (0, "bid"), (1, "bid"), (2, "play"), (0, "pass"),
    ]  # fmt: skip
    assert (hand.landlord, hand.outcome) == (2, "complete")


def test_a_playthrough_without_an_end_is_unfinished() -> None:
    """Where no returns are shown nobody has won yet."""
    hand = hand_of(playthrough(["Bid 3", "3"]))
    assert (hand.landlord, hand.outcome) == (1, "unfinished")
    assert hand.actions[1] == Action(seat=1, act="play", cards="3")


def test_three_passes_are_a_redeal() -> None:
    """Nobody bids, nobody is landlord."""
    hand = hand_of(playthrough(["Pass"] * 3, "\nReturns() = [0, 0, 0]\n"))
    assert (hand.landlord, hand.outcome) == (None, "redeal")


def test_several_playthroughs_in_a_file() -> None:
    """Each begins with the game's name, and a broken one does not take the others down."""
    first, third = playthrough(["Bid 3", "3"]), playthrough(["Bid 2", "Bid 3", "4"])
    found = read(PARSER, (first + playthrough(["Bid 3"])[:900] + "\n" + third).encode())
    assert [type(item) for item in found] == [Located, Rejected, Located]
    assert [item.line for item in found if not isinstance(item, Hand)][1] == first.count("\n") + 1


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("\nCurrentPlayer() = 2\n", "ok"),
        ("\nCurrentPlayer() = 0\n", "out_of_range"),
        ("\n# Player 1 played Bid 3\n# Player 1 played 3\n", "ok"),
        ("\n# Player 1 played Bid 3\n# Player 2 played 3\n", "out_of_range"),
        ("\n# Player 1 played Bid 3\n# Player 1 played 4\n", "out_of_range"),
    ],
)
def test_states_must_agree(statement: str, code: str) -> None:
    """A state that names another player, or other plays, than the actions is a rejection."""
    (item,) = read(PARSER, playthrough(["Bid 3", "3"], statement + applied("Pass", 0)).encode())
    assert (item.code if isinstance(item, Rejected) else "ok") == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HEAD, "truncated"),
        (playthrough(["Bid 3"])[:1500], "truncated"),
        (playthrough(["Bid 3"]) + '\n# Apply action "KK', "truncated"),
        (playthrough(["Bid 3"], '\n# Apply action "3"\n'), "truncated"),
        (playthrough(["Bid 3"]).replace("action: 4\n", "action: x\n"), "wrong_type"),
        (playthrough(["Bid 3"]).replace("position 4", "position x"), "out_of_range"),
        (playthrough(["Bid 3"], "\nReturns() = [1, 2\n"), "truncated"),
        (playthrough(["Bid 3"], "\nReturns() = [1, 2]\n"), "out_of_range"),
        (playthrough(["Bid 3", "Throw"]), "bad_cards"),
        (playthrough(["Bid 3"]).replace("Deal C4", "Deal C3"), "deck"),
        (playthrough(["Bid 3"]).replace("game: dou_dizhu", "game: kuhn_poker"), "unsupported_mode"),
    ],
)
def test_a_broken_playthrough_is_coded(text: str, code: str) -> None:
    """What is cut off or of another shape is one rejection with its bytes."""
    item = rejected(PARSER, text.encode())
    assert (item.code, item.raw) == (code, text.strip().encode())


def test_line_ends_of_another_system() -> None:
    """A file with carriage returns tells the same."""
    text = playthrough(["Bid 3", "3"])
    assert hand_of(text.replace("\n", "\r\n")) == hand_of(text)


def test_bytes_that_are_no_text() -> None:
    """A byte that is not UTF-8 is a rejection."""
    assert rejected(PARSER, playthrough(["Bid 3"]).encode() + b"\xff").code == "bad_encoding"
