"""`rlcard-showdown`: replays and tournament rows, of both generations of NumPy, and what bad ones come to."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Located, Rejected, Skipped
from ddz_analytics.parsers import parsers, sniff
from ddz_analytics.parsers.rlcard_showdown import RlcardShowdown
from ddz_analytics.replay import replay as replay_hands
from tests.parsing import (
    OTHER_FORMATS,
    code_of,
    hands,
    hands_of_log,
    knows,
    one_hand,
    read,
    rejected,
    sample_bytes,
    sample_names,
    tally,
)

PARSER = RlcardShowdown()
HANDS = [
    "S3 H3 D3 C3 S4 H4 D4 C4 S5 H5 D5 C5 S6 H6 D6 C6 S7",
    "H7 D7 C7 S8 H8 D8 C8 S9 H9 D9 C9 ST HT DT CT SJ HJ DJ BJ RJ",
    "CJ SQ HQ DQ CQ SK HK DK CK SA HA DA CA S2 H2 D2 C2",
]
MOVES: list[tuple[int, Any]] = [(1, "BJ RJ"), (2, "pass"), (0, "P"), (1, ["H7", "D7"]), (2, []), (0, "pass")]


def replay(moves: list[tuple[int, Any]] = MOVES, **more: Any) -> dict[str, Any]:
    """A replay whose landlord is seat 1, with seats out of order."""
    players = [
        {"id": 0, "index": 0, "role": "peasant", "agentInfo": {"name": "careful"}},
        {"id": 2, "index": 2, "role": "peasant"},
        {"id": 1, "index": 1, "role": "landlord", "agentInfo": {"name": "bold", "winRate": 0.5}},
    ]
    history = [{"playerIdx": seat, "move": move, "info": {"probs": {"3": 0.5}}} for seat, move in moves]
    return {"playerInfo": players, "initHands": HANDS, "moveHistory": history} | more


def row(text: str, **more: Any) -> dict[str, Any]:
    """A row of a tournament with a replay's text; the first seat, a peasant, has lost."""
    given = {"name": "doudizhu", "index": 7, "agent0": "a", "agent1": "b", "win": False, "payoff": 0.0}
    return given | {"replay": json.dumps(text)} | more


hand_of = partial(one_hand, PARSER)


@pytest.mark.parametrize("name", sample_names("rlcard-showdown"))
def test_every_sample_record_is_a_hand(name: str) -> None:
    """Each row or replay of a sample file is told as this format and becomes one hand."""
    data = sample_bytes(name)
    document = json.loads(data)
    assert sniff(data[:65536]) is not None and PARSER.sniff(data[:65536]) > 0.5
    assert tally(read(PARSER, data)) == (len(document) if isinstance(document, list) else 1, 0, 0)


def test_replay_read_by_hand() -> None:
    """Seats by index, the landlord by role, moves as text or lists; no result is stated and nobody went out."""
    hand = hand_of(replay())
    assert (hand.id, hand.landlord, hand.outcome) == ("1", 1, "unfinished")
    assert hand.players == ("careful#0", "bold#1", "seat2")
    assert hand.actions == [
        Action(seat=1, act="play", cards="BJ RJ"),
        Action(seat=2, act="pass"),
        Action(seat=0, act="pass"),
        Action(seat=1, act="play", cards="H7 D7"),
        Action(seat=2, act="pass"),
        Action(seat=0, act="pass"),
    ]
    assert hand.recorded is UNSET
    assert hand.dealt[0] == "S3 H3 C3 D3 S4 H4 C4 D4 S5 H5 C5 D5 S6 H6 C6 D6 S7"


def test_the_bottom_is_not_known() -> None:
    """Three cards stand for the bottom so that the landlord holds his twenty, and the hand says that they are not known."""
    hand = hand_of(replay())
    assert hand.bottom == "H7 C7 D7"  # his lowest
    assert hand.dealt[1] == "S8 H8 C8 D8 S9 H9 C9 D9 ST HT CT DT SJ HJ DJ B R"
    assert hand.extra == {"_bottom": "unknown"}


def test_the_order_of_cards_does_not_matter() -> None:
    """A hand that is listed from high to low is the same hand."""
    backwards = [" ".join(reversed(text.split())) for text in HANDS]
    assert hand_of(replay(initHands=backwards)) == hand_of(replay())


def test_who_went_out() -> None:
    """A seat that has played all its cards has ended the hand."""
    moves: list[tuple[int, Any]] = [(1, "H7"), (2, HANDS[2])]
    assert hand_of(replay(moves)).outcome == "complete"


@pytest.mark.parametrize(
    "text",
    [
        str(replay()),
        str(replay()).replace("'pass'", "np.str_('pass')").replace("0.5", "np.float64(0.5)"),
        str(replay()).replace("0.5", "nan"),
        str(replay()).replace("0.5", "np.float32(-inf)").replace("'index': 0", "'index': np.int64(0)"),
        json.dumps(replay()),
    ],
)
def test_rows_of_both_generations_tell_the_same(text: str) -> None:
    """A replay as Python prints it, with NumPy's scalars or without, is the same hand with what the row states."""
    hand = hand_of(row(text))
    assert hand.actions == hand_of(replay()).actions
    assert (hand.id, hand.outcome) == ("a/b/7", "complete")
    assert hand.recorded and hand.recorded.scores == (0, 1, 0)


def test_scores_go_by_sides() -> None:
    """The payoff is the first seat's; who is on its side has the same, the others have what is left of 1."""
    won = hand_of(row(str(replay()), win=True, payoff=1))
    assert won.recorded and won.recorded.scores == (1, 0, 1)
    (landlord, *_) = hands(PARSER, sample_bytes("rlcard-showdown/tournament_rows_numpy2.json"))
    assert landlord.recorded and landlord.recorded.scores == (1, 0, 0)


def test_numpy_within_a_text_stays() -> None:
    """An agent whose name looks like a NumPy scalar keeps its name."""
    document = replay()
    document["playerInfo"][0]["agentInfo"]["name"] = "np.str_('x') or nan"
    assert hand_of(row(str(document))).players[0] == "np.str_('x') or nan#0"


def test_containers_tell_the_same() -> None:
    """Rows in a list, a line each, or in a dump of the site's database, and a replay's text alone."""
    line = row(str(replay()))
    stored = [
        {"model": "tournament.payoff", "pk": 1, "fields": {}},
        {"model": "tournament.game", "pk": 1, "fields": line},
    ]
    skipped, found = read(PARSER, json.dumps(stored, indent=1).encode())
    assert isinstance(skipped, Skipped) and isinstance(found, Located)
    for data in (json.dumps([line, line]), json.dumps(line) + "\n" + json.dumps(line)):
        assert [hand == found.hand for hand in hands(PARSER, data.encode())] == [True, True]
    (alone,) = hands(PARSER, json.dumps(str(replay())).encode())
    assert alone == hand_of(replay())


def test_a_bad_row_does_not_stop_the_file() -> None:
    """A row with a broken replay is rejected with its line and bytes, and the rows around it are read."""
    rows = [row(str(replay())), row("{'playerInfo': ["), row(str(replay()), index=8)]
    first, second, third = read(PARSER, json.dumps(rows, indent=1).encode())
    assert isinstance(first, Located) and isinstance(third, Located)
    assert isinstance(second, Rejected) and second.code == "truncated"
    assert json.loads(second.raw) == rows[1] and second.line == 11


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (replay(initHands=[HANDS[0], HANDS[1], HANDS[2].replace("CJ", "S3")]), "deck"),
        (replay(initHands=[HANDS[0].replace("S3", "H3"), HANDS[1], HANDS[2]]), "bad_cards"),
        (replay(initHands=[HANDS[0], HANDS[1].replace("BJ", "X"), HANDS[2]]), "bad_cards"),
        (replay(initHands=[HANDS[0], HANDS[2], HANDS[1]]), "deal_size"),
        (replay(initHands=[*HANDS, "S3"]), "unsupported_mode"),
        (replay(initHands=[f"{text} {text}" for text in HANDS]), "unsupported_mode"),
        (replay(initHands=["SK", "HQ"]), "unsupported_mode"),
        (replay(playerInfo=replay()["playerInfo"][:2]), "unsupported_mode"),
        (replay(playerInfo=[*replay()["playerInfo"][:2]] * 2), "unsupported_mode"),
        (replay(playerInfo=[replay()["playerInfo"][0]] * 3), "out_of_range"),
        (replay([(3, "pass")]), "out_of_range"),
        (replay([(1, None)]), "wrong_type"),
        (replay([("1", "pass")]), "wrong_type"),  # type: ignore[list-item]  # a number as text
        (replay(wild="7"), "unknown_field"),
        ({"playerInfo": []}, "missing_field"),
        ({"name": "leduc-holdem", "initHands": []}, "unsupported_mode"),
        (row(str(replay()), name="leduc-holdem"), "unsupported_mode"),
        (row(str(replay()), payoff=0.5), "out_of_range"),
        (row(str(replay()), payoff=2.0), "out_of_range"),
        (row(str(replay()), win=True), "out_of_range"),
        (row(str(replay()), index=-1), "out_of_range"),
        (row(str(replay()), index="7"), "wrong_type"),
        (row(str(replay()), score=1), "unknown_field"),
        (row(str(replay())) | {"replay": replay()}, "wrong_type"),
        (row("__import__('os').system('true')"), "bad_json"),
        (row("{'playerInfo': np.exit(0)}"), "bad_json"),
        (row("{'playerInfo': 1, 'playerInfo': 2}"), "duplicate_key"),
        (row("[" * 100_000), "bad_json"),
        (row("-" * 100_000 + "1"), "bad_json"),
        (row("'" + "\\'" * 100_000), "truncated"),
        (row("{[]: 1}"), "bad_json"),
        (row("9" * 5000), "bad_json"),
        (row("{'x': '\\ud800'}"), "bad_encoding"),
        (row("[" + "1," * 2_500_000 + "]"), "too_large"),
        (7, "wrong_type"),
        ([[]], "wrong_type"),
        (None, "wrong_type"),
    ],
)
def test_a_bad_record_is_coded(document: Any, code: str) -> None:
    """A card twice, another game, a wrong shape or type, code in the place of data: one rejection that says so."""
    if isinstance(document, list):
        assert rejected(PARSER, json.dumps(document).encode()).code == code
    else:
        assert code_of(PARSER, document) == code


def test_illegal_moves_are_faulty_hands() -> None:
    """A move that does not beat the one before, or cards played twice, are stored hands for the replay to judge."""
    moves: list[tuple[int, Any]] = [(1, "ST"), (2, "CJ"), (0, "S3"), (1, "HT"), (2, "CJ")]
    replayed = replay_hands(hands_of_log("rlcard-showdown", json.dumps(replay(moves)).encode()), parsers())
    assert replayed.facts["replay_status"].to_pylist() == ["faulty"]
    assert replayed.issues["code"].to_pylist() == ["does_not_beat", "cards_not_held"]


def test_cards_that_are_none_are_rejected_when_they_are_packed() -> None:
    """A move with a word that is no card does not become a row."""
    with pytest.raises(AssertionError, match="bad_cards"):
        hands_of_log("rlcard-showdown", json.dumps(replay([(1, "S3 X9")])).encode())


def test_a_file_that_is_cut_off() -> None:
    """Rows before the cut are kept, and the rest is one rejection with its bytes."""
    data = sample_bytes("rlcard-showdown/tournament_rows_numpy2.json")[:-500]
    first, second, third = read(PARSER, data)
    assert isinstance(first, Located) and isinstance(second, Located)
    assert isinstance(third, Rejected) and third.code == "truncated" and data.endswith(third.raw)


def test_other_formats_are_not_taken() -> None:
    """Logs of other formats are not told as this one."""
    assert not any(knows(PARSER, *OTHER_FORMATS))
