"""`botzone-ftl2`: its containers, its judge's quirks, and who acted."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from msgspec import UNSET

from ddz_analytics.hands import Action, Hand
from ddz_analytics.parsers.botzone_ftl2 import BotzoneFtl2
from tests.botzone import FOLDER, OFFICIAL, local_file, match, short_answer
from tests.parsing import hands, located, one_hand, read, rejected, sample_bytes, sample_names, tally

PARSER = BotzoneFtl2()
RECORDS = {
    OFFICIAL: 12, FOLDER + "quirk4_no_finish.matches": 3, FOLDER + "all_three_in_error.matches": 2,
}  # fmt: skip


def sample(name: str) -> list[Hand]:
    return hands(PARSER, sample_bytes(FOLDER + name))


def only(name: str) -> Hand:
    (hand,) = sample(name)
    return hand


hand_of = partial(one_hand, PARSER)


def bids(hand: Hand) -> list[object]:
    return [act.value for act in hand.actions if act.act == "bid"]


def acted(hand: Hand, actor: str) -> list[Action]:
    return [act for act in hand.actions if act.actor == actor]


@pytest.mark.parametrize("name", sample_names("botzone-ftl2"))
def test_every_sample_match_is_a_hand(name: str) -> None:
    """Each match of a sample file is told as this format and becomes one hand."""
    data = sample_bytes(name)
    assert PARSER.sniff(data[:4096]) > 0.5
    assert tally(read(PARSER, data)) == (RECORDS.get(name, 1), 0, 0)


def test_official_match() -> None:
    """The first official match: deal, bids as number and text, landlord, plays and scores as the judge shows them."""
    hand = hands(PARSER, sample_bytes(OFFICIAL))[0]
    assert hand.id == "6000000000000000000003e8"
    assert hand.players[2] == "5a0000000000000000000002"
    assert hand.kinds == ("bot", "bot", "bot")
    # 43 50 24 52 23 4 18 10 29 20 25 19 48 17 47 33 38, sorted: 4 10 17 18 19 20 23 24 25 29 33 38 43 47 48 50 52
    assert hand.dealt[0] == "H4 S5 D7 S7 C7 H8 C8 H9 D9 DT DJ SQ CK CA H2 S2 B"
    assert hand.bottom == "C3 D4 C4"
    assert (hand.landlord, bids(hand)) == (0, [2, 0, 0])
    assert hand.actions[3:6] == [
        Action(seat=0, act="play", cards="D7 H8 H9 DT DJ SQ CK CA"),
        Action(seat=1, act="pass"),
        Action(seat=2, act="pass"),
    ]
    assert hand.outcome == "complete"
    assert hand.recorded and (hand.recorded.scores, hand.recorded.bid) == ((-4, 2, 2), 2)


def test_cards_in_another_order_are_the_players_own() -> None:
    """The judge sorts the cards of an answer, which does not make the play the judge's."""
    hand = hands(PARSER, sample_bytes(OFFICIAL))[2]
    assert hand.actions[2] == Action(seat=1, act="play", cards="D4 DT ST CT")


def test_quirk1_landlord_is_read() -> None:
    """Seat 0 is landlord although seat 1 bid more; the final bid is the most that was bid."""
    hand = only("quirk1_seat0_landlord_though_outbid.matches")
    assert (bids(hand), hand.landlord) == ([1, 2, 0], 0)
    assert hand.recorded and (hand.recorded.scores, hand.recorded.bid) == ((-4, 2, 2), 2)


def test_quirk2_illegal_bomb_is_kept_as_sent() -> None:
    """An illegal bomb is a pass by the judge with the bomb as sent, and the score that counts it stays as recorded."""
    hand = only("quirk2_illegal_bomb_counted.matches")
    first = acted(hand, "judge")[0]
    assert first == Action(seat=1, act="pass", actor="judge", sent="H4 D4 S4 C4")
    bombs = [act.cards for act in hand.actions if act.cards in ("B R", "HK DK SK CK")]
    assert bombs == ["B R", "HK DK SK CK"]
    assert hand.recorded and (hand.recorded.bid, hand.recorded.scores) == (1, (16, -8, -8))
    assert hand.extra == {"_errored": [None, "LESS_COMPARE", None]}


def test_quirk3_crash_is_unfinished() -> None:
    """A judge that crashes leaves an unfinished hand without a score, with the play that it forced and its verdict."""
    hand = only("quirk3_judge_crash.matches")
    forced = hand.actions[3]
    assert (forced.seat, forced.act, forced.cards, forced.actor) == (0, "play", "D4", "judge")
    assert isinstance(forced.sent, str) and len(forced.sent.split()) == 20
    assert hand.outcome == "unfinished"
    assert hand.recorded and hand.recorded.scores is UNSET
    assert hand.extra == {"_errored": ["INVALID_CARDTYPE", None, None], "_judge": "RE"}


def test_quirk4_no_finish_is_unfinished() -> None:
    """A log without finish is unfinished; an answer that no judge entry follows is kept apart, and no landlord is guessed."""
    request_last, answer_last, in_auction = sample("quirk4_no_finish.matches")
    assert {hand.outcome for hand in (request_last, answer_last, in_auction)} == {"unfinished"}
    assert request_last.extra is UNSET
    assert isinstance(answer_last.extra, dict)
    assert json.loads(str(answer_last.extra["_unanswered"]))["2"]["response"] == []
    assert (in_auction.landlord, bids(in_auction)) == (None, [1, 2])


def test_quirk5_all_pass_is_played() -> None:
    """Nobody bids, seat 0 is landlord all the same and the final bid is 1."""
    hand = only("quirk5_all_pass.matches")
    assert (bids(hand), hand.landlord, hand.outcome) == ([0, 0, 0], 0, "complete")
    assert hand.recorded and (hand.recorded.bid, hand.recorded.scores) == (1, (-2, 1, 1))


def test_quirk6_space_shuttle() -> None:
    """Two quads in sequence are played as the log has them; the dialect says that it knows such chains."""
    hand = only("quirk6_space_shuttle.matches")
    assert hand.actions[3] == Action(seat=0, act="play", cards="H5 D5 S5 C5 H6 D6 S6 C6")
    assert hand.recorded and hand.recorded.scores == (4, -2, -2)
    assert PARSER.switches["space_shuttle"]


def test_quirk6_equal_kickers_are_refused() -> None:
    """A quad with two kickers of one rank is a pass by the judge, and the dialect refuses them too."""
    hand = only("quirk6_equal_kickers_refused.matches")
    assert hand.actions[2] == Action(seat=1, act="pass", actor="judge", sent="H6 D6 S6 C6 H9 D9")
    assert not PARSER.switches["repeated_rank_singles"]


def test_every_seat_in_error() -> None:
    """When every seat is in error the judge stops: unfinished, -1 each as recorded, and the last answer kept apart."""
    in_auction, in_play = sample("all_three_in_error.matches")
    for hand in (in_auction, in_play):
        assert hand.outcome == "unfinished"
        assert hand.recorded and hand.recorded.scores == (-1, -1, -1)
        assert isinstance(hand.extra, dict) and "_unanswered" in hand.extra
    assert (in_auction.landlord, in_play.landlord) == (None, 0)
    assert [(act.value, act.actor) for act in in_auction.actions] == [(0, "judge"), (0, "judge")]


def test_timeouts() -> None:
    """The act that timed out is the timeout's, and those that the judge makes for the seat from then on are the judge's."""
    hand = only("timeouts.matches")
    assert [act.seat for act in acted(hand, "timeout")] == [1, 0]
    assert {act.seat for act in acted(hand, "judge")} == {0, 1}
    assert all(act.sent is UNSET for act in hand.actions)


def test_timed_out_bid() -> None:
    """A bid that timed out is a declined one, by timeout."""
    document = match()
    document["log"][3] = {"1": {"verdict": "TLE", "time": 1000, "memory": 3}}
    assert hand_of(document).actions[1] == Action(seat=1, act="bid", value=0, actor="timeout")


def test_refused_bid() -> None:
    """A bid of 9 counts as none, by the judge."""
    assert hands(PARSER, sample_bytes(OFFICIAL))[11].actions[1] == Action(
        seat=1, act="bid", value=0, actor="judge"
    )


@pytest.mark.parametrize(
    ("response", "sent"),
    [
        ([53, 0, 0], "H3 H3 R"),
        ("pass", '"pass"'),
        ([60], "[60]"),
        ([1.5], "[1.5]"),
        (None, "null"),
        ({"a": []}, '{"a": []}'),
    ],
)
def test_what_was_sent(response: object, sent: str) -> None:
    """A replaced answer is kept as cards, or as JSON where it is no list of cards."""
    document = match()
    document["log"][9]["1"]["response"] = response
    assert hand_of(document).actions[4] == Action(seat=1, act="pass", actor="judge", sent=sent)


@pytest.mark.parametrize("verdict", ["RE", "MLE", "NJ", "OLE"])
def test_other_verdicts(verdict: str) -> None:
    """A bot that fails in another way than by time is replaced by the judge."""
    document = match()
    document["log"][9]["1"] = {"verdict": verdict}
    assert hand_of(document).actions[4] == Action(seat=1, act="pass", actor="judge")


def test_containers_tell_the_same() -> None:
    """The short answer and the local file of each official match have the deal, acts, landlord and scores of the pack."""
    for line in sample_bytes(OFFICIAL).splitlines():
        document = json.loads(line)
        whole = hand_of(document)
        for other in (hand_of(local_file(document)), hand_of(short_answer(document))):
            assert other.id.startswith("sha256-")
            assert (other.dealt, other.bottom, other.landlord) == (whole.dealt, whole.bottom, whole.landlord)
            assert [(act.act, act.cards, act.value, act.actor) for act in other.actions] == [
                (act.act, act.cards, act.value, act.actor) for act in whole.actions
            ]
            assert other.recorded and whole.recorded and other.recorded.scores == whole.recorded.scores


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_a_document_over_several_lines(indent: int | None) -> None:
    """One document is one hand however it is laid out, on the line where it begins, with its bytes."""
    raw = json.dumps(local_file(match()), indent=indent).encode()
    (item,) = located(read(PARSER, b"\n\n" + raw + b"\n"))
    assert (item.line, item.raw, item.hand.landlord) == (3, raw, 0)


def test_a_broken_document_is_one_rejection() -> None:
    """A document over several lines that is cut off is rejected once, not line by line."""
    raw = json.dumps(local_file(match()), indent=1).encode()[:-200]
    assert rejected(PARSER, raw).raw == raw.strip()


def test_deal_from_the_log() -> None:
    """Without initdata, or with a text that is no JSON, the deal is the one in the judge's own words."""
    whole = hand_of(match())
    for initdata in (None, "", "any words", {"seed": "1"}, [1]):
        document = match() | {"initdata": initdata}
        assert hand_of(document).dealt == whole.dealt
        del document["log"][0]["output"]["initdata"]
        assert hand_of(document).dealt == whole.dealt
    bare = {"log": match()["log"]}
    assert hand_of(bare).dealt == whole.dealt
    assert hand_of(bare).players == ("seat0", "seat1", "seat2")
    assert hand_of(bare).kinds is UNSET


def test_initdata_as_text() -> None:
    """The deal may be JSON inside a text."""
    document = match()
    document["initdata"] = json.dumps(document["initdata"])
    assert hand_of(document).dealt == hand_of(match()).dealt


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ([{"bot": {"_id": "b1", "name": "n"}}, {"bot": {"name": "n2"}}, {"user": "u3"}], ("b1", "n2", "u3")),
        ([{"type": "human", "user": {"_id": "u1"}}, {}, {"bot": 7}], ("u1", "seat1", "seat2")),
    ],
)
def test_players(players: list[dict[str, Any]], names: tuple[str, str, str]) -> None:
    """A player is the id of the bot or user, as a text or in an object; else the seat."""
    assert hand_of(match() | {"players": players}).players == names


def test_scores_of_the_container() -> None:
    """The judge's scores are recorded; others beside them are kept apart; without a finish the container's are recorded."""
    hand = hand_of(match() | {"scores": [0, 0, 0]})
    assert hand.recorded and hand.recorded.scores == (-4, 2, 2)
    assert hand.extra == {"_scores": (0, 0, 0)}
    cut = match()
    del cut["log"][-1]
    hand = hand_of(cut)
    assert hand.outcome == "unfinished"
    assert hand.recorded and hand.recorded.scores == (-4, 2, 2)
