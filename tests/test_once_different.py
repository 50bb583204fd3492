"""Small hands on which engine and oracle once differed, each with what the rules say; they agree now."""

from __future__ import annotations

from typing import Any

import pytest

from tests.agreement import told
from tests.oracle.names import Act, Document
from tests.settling import disagreements

HAND: Document = {
    "format": "ddz/1",
    "id": "minimal",
    "players": ["ann", "bo", "cy"],
    "dealt": ["33334445556667778", "45678TTTTJJJJQQQQ", "999KKKKAAAA2222BR"],
    "bottom": "889",
    "landlord": 0,
    "actions": [],
    "outcome": "unfinished",
}
QUADS = ["8888JJJJKKKK222BR", "33339999TTTTQQQQ2", "4444555567777AAAA"]


def word(seat: int, act: str, value: object = None) -> Act:
    return {"seat": seat, "act": act} | ({} if value is None else {"value": value})


def play(seat: int, cards: str, declared: object = None) -> Act:
    return {"seat": seat, "act": "play", "cards": cards} | ({} if declared is None else {"as": declared})


# A bomb and then all the rest: the landlord is out in two plays, a spring.
OUT = [play(0, "3333"), word(1, "pass"), word(2, "pass"), play(0, "4445556667778889")]
WON = {"actions": OUT, "outcome": "complete"}
ROOM = {"rules": "casino-capped", "room": {"low": 2, "high": 4}}

ONCE_DIFFERENT: dict[str, tuple[str, dict[str, Any]]] = {
    # The second set was itself re-read when the third came; what it must beat is the first one's reading in use, not the old
    # one (RULES "Ambiguous sets").
    "two sets in a row are read again": (
        "",
        {
            "dealt": QUADS, "bottom": "666", "landlord": 2,
            "actions": [
                play(2, "7777AAAA"), play(0, "8888JJJJ"), play(1, "TTTTQQQQ", {"category": "four_two_pair", "main": "T"}),
            ],
        },
    ),
    # What the cap cuts, over both pairs, is more than DECIMAL(18,4) holds: overflow, as for any amount.
    "the sum that a cap cuts is too large": ("jj-classic[cap.doublings=0]", {**WON, "room": {"unit": 24 * 10**12}}),
    # The rake brings the score below 10^18, but the transfer before it is written too and has nineteen digits: overflow, as for
    # any amount.
    "a component is too large, the score is not": (
        "qq-classic[house.rake=0.1234,stake.unit=room.unit]", {**WON, "room": {"unit": 125 * 10**11}},
    ),
    # A fee that is told apart is told all the same, so that a fee which the log leaves out is assumed.
    "a fee that is no part of the score": ("qq-classic[house.fee=room.fee,house.fee_in_score=false]", WON),
    # An amount of exactly 10^18 ten-thousandths has nineteen digits.
    "an amount has one digit too many": ("jj-classic", {**WON, "room": {"unit": 125 * 10**11}}),
    # A faulty hand is never scored (DESIGN 6): only what the log itself calls void comes before that, not an escape that would
    # void it.
    "an escape that voids a hand which is faulty": (
        "qq-classic[escape.kind=void]",
        {
            "rules": "qq-classic", "outcome": "escaped",
            "actions": [word(0, "bid", 3), play(0, "3"), word(0, "pass"), word(1, "escape")],
        },
    ),
    # Additive is 1 plus the sum of all (RULEFILE, `events.combine`): a cap's uncounted events stay outside the cap, not outside
    # the sum.
    "additive events that a cap does not count": (
        "happy[events.combine=additive,cap.doublings=9,cap.counts=spring]", WON,
    ),
    # A fine is 3·b·m, m the bombs and rockets so far (RULES, `qq-classic`): no robs, and b once wherever the multiplier starts.
    "a fine after a rob": (
        "happy[escape.kind=fine]",
        {
            "rules": "happy", "landlord": 1, "outcome": "escaped", "room": {"rate": 1},
            "actions": [
                word(0, "call"), word(1, "rob"), word(2, "decline"), word(0, "decline"), play(1, "4"), word(2, "escape"),
            ],
        },
    ),
    "a fine where the multiplier starts at the bid": (
        "qq-classic[stake.multiplier_starts_at=bid]",
        {
            "rules": "qq-classic", "outcome": "escaped",
            "actions": [word(0, "bid", 2), word(1, "decline"), word(2, "decline"), play(0, "3"), word(1, "escape")],
        },
    ),
    # A value that its stage does not have is ignored (happy, "Openings"); 4.5 is such a value, and not 4.
    "an opening tells a value between two": (
        "happy",
        {
            "rules": "happy",
            "actions": [
                {"seat": 0, "act": "open", "stage": "deal", "value": "4.5", "dealt": 10},
                word(0, "call"), word(1, "decline"), word(2, "decline"),
            ],
        },
    ),
    # `10` is accepted for `T` in cards; a declared main rank is one.
    "a declared rank is written 10": ("", {"actions": [play(0, "3"), play(1, "T", {"category": "single", "main": "10"})]}),
    # `33` is no rank; nothing is coerced.
    "a declared rank is written twice": ("", {"actions": [play(0, "3", {"category": "single", "main": "33"})]}),
    # call → rob, else rob or kick → room (FORMAT "The auction's kind"): a kick says that it is a room.
    "only a kick tells the kind of the auction": ("", {"actions": [word(1, "kick", 1)]}),
    # The rules have no auction (FORMAT "The auction's kind": from `rules`), and nobody spoke; a kick makes it none of a room.
    "a kick under rules without an auction": ("", {"rules": "douzero-adp", "actions": [word(1, "kick", 1)]}),
    # Somebody is landlord, so the auction is over, though without the room's high bid nothing else shows it.
    "an escape after a bid in a room of unknown high": (
        "",
        {"rules": "casino-capped", "outcome": "escaped", "actions": [word(0, "bid", 2), word(1, "escape")]},
    ),
    # The log names no landlord, so nobody says that the bid was the room's high one: the auction still went on.
    "an escape after a bid in a room of unknown high, before anybody is landlord": (
        "",
        {
            "rules": "casino-capped", "landlord": None, "outcome": "escaped",
            "actions": [word(0, "bid", 2), word(1, "escape")],
        },
    ),
    # A rob takes the room's high and ends the auction (casino C4): a later bid, however high, takes nothing over.
    "a bid after a rob": ("", {**ROOM, "actions": [word(0, "rob"), word(1, "bid", 5)]}),
    "a bid after a rob, above the bid before it": (
        "", {**ROOM, "landlord": 1, "actions": [word(0, "bid", 2), word(1, "rob"), word(2, "bid", 4), word(0, "bid", 3)]},
    ),
    "a bid after a rob in a room of unknown high": (
        "happy", {"actions": [word(0, "rob"), word(1, "bid", 5), *OUT], "outcome": "complete"},
    ),
    # A rob ends the auction (casino C4): a second one comes too late and takes nothing over.
    "two robs in a room": ("", {**ROOM, "actions": [word(0, "rob"), word(1, "rob")]}),
    # The auction was over when the caller robbed; what comes too late cannot open it again.
    "a caller who was not robbed robs": (
        "", {"rules": "happy", "actions": [word(0, "call"), word(1, "decline"), word(2, "decline"), word(0, "rob")]},
    ),
    # A rob before the call counts as a rob, and the last robber is landlord (happy H6).
    "a rob before the call": (
        "",
        {
            "rules": "happy",
            "actions": [word(0, "rob"), word(1, "call"), word(2, "decline"), word(0, "decline"), word(1, "decline")],
        },
    ),
    # Made a call: `bid` of the seat is true, however faulty the call (as it is for a bid that is not higher).
    "a second call": ("", {"actions": [word(0, "call"), word(1, "call"), word(2, "decline")]}),
    # act_order is about the place of an act alone; the engine tells it of the first act after the end and not of the next.
    "the second of two words after the end comes after a kick": (
        "", {**ROOM, "actions": [word(0, "rob"), word(1, "decline"), word(1, "kick", 1), word(2, "decline")]},
    ),
    # Whether a kick counts is known when the auction is over: here `could_kick` is false
    "a kick before the auction is over": (
        "",
        {**ROOM, "landlord": 1, "actions": [word(0, "decline"), word(0, "kick", 1), word(1, "bid", 2), word(2, "decline")]},
    ),
    # What of a fine cannot be paid is cut like any payment, by the balances of both, each half for itself (RULES, `minimised`).
    "a fine that cannot be paid": (
        "qq-classic+minimised[escape.to=others]",
        {
            "rules": "qq-classic", "outcome": "escaped", "balances": [5, 2, 1],
            "actions": [word(0, "bid", 2), word(1, "decline"), word(2, "decline"), play(0, "3"), word(1, "escape")],
        },
    ),
    # Whoever is landlord because nobody bid plays at 1 by the rule itself, which is exact (RULES, "Static projection").
    "a fine in a hand that nobody bid for": (
        "jj-classic[escape.kind=fine]",
        {
            "rules": "jj-classic", "outcome": "escaped", "room": {"unit": 1},
            "actions": [word(0, "decline"), word(1, "decline"), word(2, "decline"), word(1, "escape")],
        },
    ),
    # Nobody bid and nobody is landlord: the escape is one before any bid (qq Q22), and costs 3 exactly.
    "an escape when all have declined": (
        "qq-classic",
        {
            "rules": "qq-classic", "landlord": None, "outcome": "escaped",
            "actions": [word(0, "decline"), word(1, "decline"), word(2, "decline"), word(1, "escape")],
        },
    ),
    # Nothing was played, so that no combination was judged, by whichever switches: only what was read is named.
    "a fine before the play under other switches": (
        "qq-classic[combination.same_rank_pairs=false]",
        {"rules": "qq-classic", "landlord": None, "outcome": "escaped", "actions": [word(0, "escape")]},
    ),
    # With `stake.identity_included` false the points do not hold the identity factor (qq Q24): half for each peasant.
    "points without the identity factor": ("qq-classic[stake.identity_included=false]", WON),
    # An act that the rules do not offer counts (FORMAT): the auction's kind is that of the bids.
    "a bid under rules without an auction": (
        "qq-classic", {**WON, "rules": "douzero-adp", "actions": [word(0, "bid", 3), *OUT]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ONCE_DIFFERENT)
def test_engine_and_oracle_agree(name: str) -> None:
    """The two say the same of this hand."""
    spec, changes = ONCE_DIFFERENT[name]
    found = disagreements([HAND | changes], [spec] if spec else [])
    assert not found, told(found)
