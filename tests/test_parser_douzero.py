"""`douzero`: games by line, pickled deals, the records of a fork, and what bad ones come to."""

from __future__ import annotations

import json
import pickle
from functools import partial
from typing import Any

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Hand, Located, Rejected
from ddz_analytics.parsers import sniff
from ddz_analytics.parsers.douzero import Douzero
from ddz_analytics.replay import replay
from tests.parsing import (
    OTHER_FORMATS,
    code_of,
    hands,
    hands_of_log,
    knows,
    located,
    one_hand,
    read,
    rejected,
    sample_bytes,
    sample_names,
    tally,
)

PARSER = Douzero()
DEAL: dict[str, list[int]] = {
    "landlord": [3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 20, 30],
    "landlord_up": [7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11],
    "landlord_down": [11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 17, 17, 17, 17],
    "three_landlord_cards": [7, 20, 30],
}
PLAYS: list[list[int]] = [[20, 30], [], [], [3], [11], [], [17, 17]]
RECORDS = {
    "douzero/card_play_action_seq.jsonl": 12,
    "douzero/eval_data.pkl": 3,
    "douzero/human_game_records.jsonl": 2,
}


def game(**more: Any) -> dict[str, Any]:
    return {"card_play_data": DEAL, "card_play_action_seq": PLAYS} | more


def record(**more: Any) -> dict[str, Any]:
    """A record of the fork: seat 0 plays before the landlord, who is seat 1."""
    given = {
        "game_id": "g-1", "ruleset_id": "legacy", "ruleset_version": "legacy-v1", "ruleset_hash": "ab", "timestamp": "",
        "seats": ["landlord_up", "landlord", "landlord_down"], "initial_hands": DEAL, "bottom_cards": [30, 7, 20],
        "bidding_history": [["landlord_up", 0], ["landlord", 3]],
        "action_history": [["landlord", [20, 30]], ["landlord_down", []], ["landlord_up", []]],
        "final_result": {"winner_team": "farmer", "winner_position": "", "landlord_score": -4, "farmer_score": 2},
    }  # fmt: skip
    return given | more


hand_of = partial(one_hand, PARSER)


@pytest.mark.parametrize("name", sample_names("douzero"))
def test_every_sample_game_is_a_hand(name: str) -> None:
    """Each line or pickled deal of a sample file is told as this format and becomes one hand."""
    data = sample_bytes(name)
    assert sniff(data[:65536]) is not None and PARSER.sniff(data[:65536]) > 0.5
    assert tally(read(PARSER, data)) == (RECORDS[name], 0, 0)


def test_line_read_by_hand() -> None:
    """Numbers are ranks, plays go round from the landlord to the seat after him, and nobody is named."""
    hand = hand_of(game())
    assert (hand.id, hand.landlord, hand.outcome) == ("1", 0, "unfinished")
    assert hand.dealt == ("33334444555566667", "JQQQQKKKKAAAA2222", "778888" + "9999TTTTJJJ")
    assert hand.bottom == "7BR"
    assert hand.players == ("seat0", "seat1", "seat2")
    assert hand.actions == [
        Action(seat=0, act="play", cards="BR"),
        Action(seat=1, act="pass"),
        Action(seat=2, act="pass"),
        Action(seat=0, act="play", cards="3"),
        Action(seat=1, act="play", cards="J"),
        Action(seat=2, act="pass"),
        Action(seat=0, act="play", cards="22"),
    ]
    assert hand.recorded is UNSET and hand.extra is UNSET


def test_what_a_line_states() -> None:
    """Scores are by role, each peasant has the farmer's; agents are named by seat; the winner and the bombs are kept."""
    scores = {"landlord": -4, "farmer": 2}
    hand = hand_of(game(agents="rlcard", winner="farmer", bomb_num=1, num_scores=scores))
    assert hand.players == ("rlcard#0", "rlcard#1", "rlcard#2")
    assert hand.recorded and hand.recorded.scores == (-4, 2, 2)
    assert hand.outcome == "complete"
    assert hand.extra == {"_winner": "farmer", "_bomb_num": 1}
    some = hand_of(game(agents={"landlord": "a", "landlord_up": "b"}))
    assert some.players == ("a#0", "seat1", "b#2")


def test_who_went_out_without_a_stated_winner() -> None:
    """A hand whose landlord has played twenty cards is complete."""
    plays: list[list[int]] = []
    for card in DEAL["landlord"]:
        plays += [[card], [], []]
    assert hand_of(game(card_play_action_seq=plays)).outcome == "complete"


def test_deal_and_plays_side_by_side() -> None:
    """The four keys of a deal may stand beside the plays, or alone: then nothing was played."""
    assert hand_of(DEAL | {"card_play_action_seq": PLAYS}) == hand_of(game())
    alone = hand_of(DEAL)
    assert (alone.actions, alone.outcome) == ([], "unfinished")
    replayed = replay(hands_of_log("douzero", json.dumps(DEAL).encode()), {"douzero": PARSER})
    assert replayed.facts["replay_status"].to_pylist() == ["no_play"]


def test_sample_scores_are_reproduced_by_douzero_adp() -> None:
    """The format's reference rules are DouZero's own points, and its games are legal under its switches."""
    assert PARSER.reference_rules == "douzero-adp"
    table = hands_of_log("douzero", sample_bytes("douzero/card_play_action_seq.jsonl"))
    replayed = replay(table, {"douzero": PARSER})
    assert set(replayed.facts["replay_status"].to_pylist()) == {"ok"}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol: int) -> None:
    """Pickled deals and games are the same hands as lines, numbered from 1."""
    found = hands(PARSER, pickle.dumps([DEAL, game(agents="a")], protocol))
    lines = json.dumps(DEAL) + "\n" + json.dumps(game(agents="a"))
    assert found == hands(PARSER, lines.encode())
    assert [hand.id for hand in found] == ["1", "2"]


def test_a_bad_deal_does_not_stop_a_pickle() -> None:
    """A deal with a card too many is rejected with its number and the bytes that built it."""
    bad = DEAL | {"landlord": [*DEAL["landlord"], 3]}
    data = pickle.dumps([DEAL, bad, 7, DEAL | {"three_landlord_cards": [3, 4, 5]}], 2)
    first, second, third, fourth = read(PARSER, data)
    assert isinstance(first, Located) and isinstance(fourth, Located)
    assert isinstance(second, Rejected) and (second.line, second.code) == (2, "deal_size")
    assert second.raw and second.raw in data
    assert isinstance(third, Rejected) and third.code == "wrong_type"


def test_a_pickle_that_is_cut_off() -> None:
    """Whole deals are kept, and the cut is a rejection with the last bytes."""
    data = pickle.dumps([DEAL | {"landlord": list(DEAL["landlord"])} for _ in range(9)], 2)[:-100]
    *kept, last = read(PARSER, data)
    assert len(located(kept)) == len(kept) >= 4
    assert isinstance(last, Rejected) and last.code == "truncated" and data.endswith(last.raw)


def test_numbers_beyond_all_printing() -> None:
    """A number of thousands of digits, which a pickle may hold, is out of range wherever it stands."""
    huge = 1 << 100_000
    for document in (
        DEAL | {"landlord": [huge] * 20},
        game(card_play_action_seq=[[huge]]),
        game(bomb_num=huge),
        {huge: 1},
    ):
        item = rejected(PARSER, pickle.dumps([document]))
        assert item.code in ("out_of_range", "wrong_type")


def test_a_pickle_of_something_else() -> None:
    """A pickle that names a class is read up to there and then rejected, with its bytes."""
    kept, item = read(PARSER, pickle.dumps([DEAL, Hand], 4))
    assert isinstance(kept, Located) and isinstance(item, Rejected)
    assert item.code == "unsupported_mode" and "STACK_GLOBAL" in item.detail


def test_record_read_by_hand() -> None:
    """Acts of a record are by seat, bids are an auction, and what else it says is kept."""
    hand = hand_of(record())
    assert (hand.id, hand.landlord, hand.outcome, hand.rules) == ("g-1", 1, "complete", UNSET)
    assert hand.dealt[1] == "33334444555566667" and hand.bottom == "7BR"
    assert hand.actions == [
        Action(seat=0, act="bid", value=0),
        Action(seat=1, act="bid", value=3),
        Action(seat=1, act="play", cards="BR"),
        Action(seat=2, act="pass"),
        Action(seat=0, act="pass"),
    ]
    assert hand.recorded and hand.recorded.scores == (2, -4, 2)
    assert isinstance(hand.extra, dict) and hand.extra["_final_result"]["winner_team"] == "farmer"


def test_a_record_under_other_rules_names_them() -> None:
    """Only the fork's name for DouZero's own rules is taken for the reference; any other is kept as the rules played under."""
    assert hand_of(record(ruleset_id="standard")).rules == "standard"


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (game(card_play_data=DEAL | {"landlord": DEAL["landlord"][1:]}), "deal_size"),
        (game(card_play_data=DEAL | {"landlord": [8, *DEAL["landlord"][1:]]}), "deck"),
        (game(card_play_data=DEAL | {"landlord": [1, *DEAL["landlord"][1:]]}), "bad_cards"),
        (game(card_play_data=DEAL | {"landlord": [True, *DEAL["landlord"][1:]]}), "wrong_type"),
        (game(card_play_data=DEAL | {"three_landlord_cards": [7, 20, 17]}), "deck"),
        (game(card_play_data=DEAL | {"three_landlord_cards": [7, 20]}), "deal_size"),
        (game(card_play_data={key: cards * 2 for key, cards in DEAL.items()}), "unsupported_mode"),
        (game(card_play_data=DEAL | {"landlord_across": [3]}), "unknown_field"),
        (game(card_play_action_seq=[[2]]), "bad_cards"),
        (game(card_play_action_seq=[[3] * 21]), "out_of_range"),
        (game(card_play_action_seq=[[]] * 1001), "out_of_range"),
        (game(card_play_action_seq=[3]), "wrong_type"),
        (game(winner="nobody"), "out_of_range"),
        (game(bomb_num=-1), "out_of_range"),
        (game(bomb_num=10**4000), "out_of_range"),
        (game(num_scores={"landlord": -4}), "missing_field"),
        (game(num_scores={"landlord": -4.5, "farmer": 2}), "wrong_type"),
        (game(agents={"north": "a"}), "out_of_range"),
        (game(wild=7), "unknown_field"),
        (record(seats=["landlord", "landlord_up", "landlord_down"]), "out_of_range"),
        (record(seats=["landlord", "landlord_down", "landlord_up", "landlord"]), "unsupported_mode"),
        (record(bottom_cards=[3, 4, 5]), "deck"),
        (record(action_history=[["north", [3]]]), "out_of_range"),
        (record(bidding_history=[["landlord", 4]]), "out_of_range"),
        (record(bidding_history=[[0, 3]]), "wrong_type"),
        (record(kind="self_play"), "out_of_range"),
        (record(schema_version=2), "out_of_range"),
        (record(final_result={"winner_team": "nobody", "winner_position": ""}), "out_of_range"),
        (record(final_result={}), "missing_field"),
        ({}, "missing_field"),
        ([], "wrong_type"),
        ("landlord", "wrong_type"),
    ],
)
def test_a_bad_record_is_coded(document: Any, code: str) -> None:
    """Cards that are none, not one deck, four seats, unknown fields, wrong types: one rejection that says so."""
    data = json.dumps(document).encode()
    if code != "deck" or rejections(data):
        assert code_of(PARSER, document) == code
    else:
        with pytest.raises(AssertionError, match="deck"):  # found when the cards are packed
            hands_of_log("douzero", data)


def rejections(data: bytes) -> list[Rejected]:
    return [item for item in read(PARSER, data) if isinstance(item, Rejected)]


def test_a_bad_line_does_not_stop_the_file() -> None:
    """A line cut off is rejected with its number and bytes, and the lines around it are read."""
    lines = [json.dumps(game()).encode()] * 3
    lines[1] = lines[1][:100]
    first, second, third = read(PARSER, b"\n".join(lines))
    assert isinstance(first, Located) and isinstance(third, Located) and third.hand.id == "3"
    assert isinstance(second, Rejected) and (second.line, second.code, second.raw) == (
        2,
        "truncated",
        lines[1],
    )


def test_other_formats_are_not_taken() -> None:
    """Logs of other formats, and other binary files, are not told as this one."""
    assert not any(knows(PARSER, *OTHER_FORMATS))
    assert PARSER.sniff(pickle.dumps([1, 2, 3])) == 0.0
