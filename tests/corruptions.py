"""Faults put into legal hands on purpose, one a hand, each with the issue that must come of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from random import Random

from tests.generated import with_suits
from tests.generated_auction import is_decline
from tests.legal import Legal, Planted
from tests.oracle import combos
from tests.oracle.cards import RANKS
from tests.oracle.names import Act, Document, Reading

ASKED_ONCE = ("double", "kick", "open")

Corruption = Callable[[Legal, Random], Planted]


def card_not_held(legal: Legal, rng: Random) -> Planted:
    turn = legal.a_turn(rng, "play")
    legal.put(turn, act="play", cards=rng.choice([rank for rank in RANKS if rank not in turn.held]))
    return Planted("cards_not_held", turn.place, turn.seat)


def card_held_once_less(legal: Legal, rng: Random) -> Planted:
    turn = legal.a_turn(rng, "play")
    rank = rng.choice([rank for rank in RANKS[:13] if 0 < turn.held.count(rank) < 4])
    legal.put(turn, act="play", cards=rank * (turn.held.count(rank) + 1))
    return Planted("cards_not_held", turn.place, turn.seat)


def wrong_turn(legal: Legal, rng: Random) -> Planted:
    turn = rng.choice(legal.turns)
    seat = (turn.seat + rng.choice([1, 2])) % 3
    legal.acts[turn.place]["seat"] = seat
    return Planted("turn", turn.place, seat)


def pass_on_lead(legal: Legal, rng: Random) -> Planted:
    turn = legal.a_turn(rng, "play", leads=True)
    legal.put(turn, act="pass")
    return Planted("pass_on_lead", turn.place, turn.seat)


def does_not_beat(legal: Legal, rng: Random) -> Planted:
    turn = legal.a_turn(rng, "pass")
    assert turn.to_beat is not None
    (beaten,) = legal.readings(turn.to_beat)  # of one reading only, so that no other can be meant
    weak = [rank for rank in turn.held if combos.follow_reading(legal.readings(rank), beaten) is None]
    legal.put(turn, act="play", cards=rng.choice(weak))
    return Planted("does_not_beat", turn.place, turn.seat)


def equal_is_not_higher(legal: Legal, rng: Random) -> Planted:
    passes = [turn for turn in legal.turns if turn.act == "pass" and turn.to_beat in (*turn.held,)]
    turn = rng.choice(passes)
    legal.put(turn, act="play", cards=turn.to_beat)
    return Planted("does_not_beat", turn.place, turn.seat)


def no_combination(legal: Legal, rng: Random) -> Planted:
    turn = legal.a_turn(rng, "play")
    pairs = [one + other for one, other in combinations(sorted(set(turn.held)), 2)]
    legal.put(turn, act="play", cards=rng.choice([pair for pair in pairs if not legal.readings(pair)]))
    return Planted("illegal_combination", turn.place, turn.seat)


def wild_card_as_joker(legal: Legal, rng: Random) -> Planted:
    turn = legal.a_turn(rng, "play")
    wild, joker = legal.document["wild"], rng.choice(sorted({"B", "R"} & set(turn.held)))
    assert wild in turn.held
    legal.put(turn, act="play", cards=wild + joker)
    return Planted("illegal_combination", turn.place, turn.seat)


def _not_a(category: str) -> Callable[[Reading], bool]:
    """Whether a reading is no such category; `bomb` may be said of a bomb of any kind."""
    return lambda reading: (
        not reading[0].startswith(category) if category == "bomb" else reading[0] != category
    )


def wrong_declaration(legal: Legal, rng: Random) -> Planted:
    turn = legal.a_turn(rng, "play")
    readings = legal.readings(legal.acts[turn.place]["cards"])
    other = rng.choice([name for name in combos.SHAPES if all(map(_not_a(name), readings))])
    declared: object = rng.choice([other, {"category": readings[0][0], "length": readings[0][1] + 7}])
    legal.acts[turn.place]["as"] = declared
    return Planted("declared_reading", turn.place, turn.seat)


def after_the_end(legal: Legal, rng: Random) -> Planted:
    acts: list[Act] = [
        {"act": "pass"}, {"act": "play", "cards": "3"}, {"act": "bid", "value": 1}, {"act": "kick", "value": 1},
        {"act": "double", "value": 2}, {"act": "open", "stage": "bottom"}, {"act": "decline"},
    ]  # fmt: skip
    seat = rng.choice([rng.randrange(3), (legal.turns[-1].seat + 1) % 3])
    legal.acts.append({"seat": seat, **rng.choice([acts[0], rng.choice(acts)])})
    return Planted("after_end", len(legal.acts) - 1, seat)


def during_the_play(legal: Legal, rng: Random) -> Planted:
    acts: list[Act] = [
        {"act": "bid", "value": 3}, {"act": "call"}, {"act": "rob"}, {"act": "decline"},
        {"act": "double", "value": 2}, {"act": "kick", "value": 1}, {"act": "open", "stage": "bottom"},
    ]  # fmt: skip
    place, seat = rng.randrange(legal.turns[0].place + 1, legal.turns[-1].place + 1), rng.randrange(3)
    legal.acts.insert(place, {"seat": seat, **rng.choice(acts)})
    return Planted("act_during_play", place, seat)


def no_landlord(legal: Legal, rng: Random) -> Planted:
    legal.document["landlord"] = None
    return Planted("play_without_landlord", legal.turns[0].place, legal.turns[0].seat)


def landlord_swapped(legal: Legal, rng: Random) -> Planted:
    assert legal.words
    legal.document["landlord"] = (legal.document["landlord"] + rng.choice([1, 2])) % 3
    return Planted("landlord_mismatch")


def outcome_swapped(legal: Legal, rng: Random) -> Planted:
    assert all(act["act"] != "escape" for act in legal.acts)
    legal.document["outcome"] = rng.choice(["redeal", "escaped", "unfinished"])
    return Planted("outcome_mismatch")


def broken_off(legal: Legal, rng: Random) -> Planted:
    del legal.acts[rng.choice(legal.turns).place :]
    return Planted("outcome_mismatch")


def nobody_escapes(legal: Legal, rng: Random) -> Planted:
    del legal.acts[rng.choice(legal.turns).place :]
    assert all(act["act"] != "escape" for act in legal.acts)
    legal.document["outcome"] = "escaped"
    return Planted("escape_missing")


def asked_twice(legal: Legal, rng: Random) -> Planted:
    name, place, seat = rng.choice(ASKED_ONCE), legal.turns[0].place, rng.randrange(3)
    assert all((act["act"], act["seat"]) != (name, seat) for act in legal.acts)
    act: Act = {"seat": seat, "act": name} | ({"stage": "bottom"} if name == "open" else {"value": 1})
    legal.acts[place:place] = [act, act]
    return Planted(f"{name}_twice", place + 1, seat)


def bid_out_of_turn(legal: Legal, rng: Random) -> Planted:
    place = rng.choice(legal.words[1:])
    seat = (legal.acts[place]["seat"] + rng.choice([1, 2])) % 3
    legal.acts[place]["seat"] = seat
    return Planted("auction_turn", place, seat)


def _word(legal: Legal, place: int, code: str, **word: object) -> Planted:
    """Another word in the place of one of the auction."""
    seat = legal.acts[place]["seat"]
    legal.acts[place] = {"seat": seat, **word}
    return Planted(code, place, seat)


def no_such_bid(legal: Legal, rng: Random) -> Planted:
    assert legal.kind == "score" or (
        legal.kind == "room" and {"low", "high"} <= set(legal.document.get("room", {}))
    )
    value = rng.choice([4, 7, "1.5"] if legal.kind == "score" else [12_345, "0.0007"])
    return _word(legal, rng.choice(legal.words), "bid_value", act="bid", value=value)


def bid_not_higher(legal: Legal, rng: Random) -> Planted:
    bids = [
        place
        for place in legal.words
        if legal.acts[place]["act"] == "bid" and not is_decline(legal.acts[place])
    ]
    first = bids[0]
    later = rng.choice([place for place in legal.words if place > first])
    return _word(legal, later, "bid_not_higher", act="bid", value=legal.acts[first]["value"])


def foreign_word(legal: Legal, rng: Random) -> Planted:
    words: dict[str, list[Act]] = {
        "score": [{"act": "call"}, {"act": "rob"}],
        "room": [{"act": "call"}],
        "rob": [{"act": "bid", "value": 1}],
    }
    return _word(legal, rng.choice(legal.words), "auction_act", **rng.choice(words[legal.kind]))


def rob_without_call(legal: Legal, rng: Random) -> Planted:
    assert legal.kind == "rob"
    return _word(legal, legal.words[0], "rob_without_call", act="rob")


def call_twice(legal: Legal, rng: Random) -> Planted:
    (call,) = [place for place in legal.words if legal.acts[place]["act"] == "call"]
    return _word(
        legal, rng.choice([place for place in legal.words if place > call]), "call_twice", act="call"
    )


def bid_after_the_end(legal: Legal, rng: Random) -> Planted:
    place, seat = legal.words[-1] + rng.choice([1, 1, 2]), rng.randrange(3)
    assert place <= legal.turns[0].place
    robbed, known = legal.acts[legal.words[-1]]["act"] == "rob", "high" in legal.document.get("room", {})
    assert legal.kind != "room" or robbed or known or len(legal.words) == 3
    words: list[Act] = [{"act": "decline"}, {"act": "rob"}, {"act": "call"}, {"act": "bid", "value": 3}]
    legal.acts[place:place] = [
        {"seat": seat, **rng.choice(words)},
        {"seat": rng.randrange(3), **rng.choice(words)},
    ]
    return Planted("auction_after_end", place, seat)


def auction_broken_off(legal: Legal, rng: Random) -> Planted:
    assert len(legal.words) > 1
    assert legal.kind != "room" or "high" in legal.document.get("room", {})
    del legal.acts[legal.words[-1]]
    return Planted("auction_incomplete")


def opener_not_first(legal: Legal, rng: Random) -> Planted:
    assert legal.kind == "rob"
    assert all(act["act"] != "open" for act in legal.acts)
    first = legal.acts[legal.words[0]]["seat"]
    legal.acts.insert(0, {"seat": (first + rng.choice([1, 2])) % 3, "act": "open", "stage": "start"})
    return Planted("first_not_opener", legal.words[0] + 1, first)


def opening_too_late(legal: Legal, rng: Random) -> Planted:
    place, seat = legal.words[-1] + 1, rng.randrange(3)
    legal.acts.insert(place, {"seat": seat, "act": "open", "stage": "deal"})
    return Planted("act_order", place, seat)


def double_too_early(legal: Legal, rng: Random) -> Planted:
    place = legal.words[0]
    legal.acts.insert(place, {"seat": rng.randrange(3), "act": "double", "value": 2})
    return Planted("act_order", place + 1, legal.acts[place + 1]["seat"])


CORRUPTIONS: tuple[Corruption, ...] = (
    card_not_held, card_held_once_less, wrong_turn, pass_on_lead, does_not_beat,
    equal_is_not_higher, no_combination, wild_card_as_joker, wrong_declaration,
    after_the_end, during_the_play, no_landlord, landlord_swapped, outcome_swapped, broken_off, nobody_escapes, asked_twice,
    bid_out_of_turn, no_such_bid, bid_not_higher, foreign_word, rob_without_call, call_twice, bid_after_the_end,
    auction_broken_off, opener_not_first, opening_too_late, double_too_early,
)  # fmt: skip


def corrupted(corruption: Corruption, hands: list[Document], number: int) -> list[tuple[Document, Planted]]:
    """So many hands with one fault each, and the fault; hands that cannot have it are passed over."""
    rng, found = Random(corruption.__name__), list[tuple[Document, Planted]]()
    while len(found) < number:
        document = json.loads(json.dumps(rng.choice(hands)))
        try:
            planted = corruption(Legal(document), rng)
        except (AssertionError, IndexError, KeyError, ValueError):
            continue  # there is no place for this fault in this hand
        found.append((with_suits(document, rng) if rng.random() < 0.25 else document, planted))
    return found
