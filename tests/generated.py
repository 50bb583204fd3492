"""Random legal hands for tests: of every rule set, of none, in every notation, with every outcome."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from ddz_analytics.rules import load_rules
from ddz_analytics.simulate import simulate
from tests.agreement import oracle_rules
from tests.generated_auction import SPOKEN, Amount, Prelude, prelude
from tests.generated_cards import Gifts, Sets, can_be_dealt, counts_of, deal, gifts
from tests.generated_play import PlayOut, absences, any_state
from tests.generated_wild import wild_gifts
from tests.oracle.cards import RANKS, rank_text
from tests.oracle.names import Act, Document, Ranks
from tests.oracle.rulesets import COMPLETE

Suits = dict[str, list[str]]  # of each rank
UNKNOWN = "unknown"  # in place of a rule set's id: hands that name none, or one that nobody knows
RECORDED = (*COMPLETE, UNKNOWN)
THRESHOLD = 2000
_ROOM_BIDS: list[tuple[Amount, Amount]] = [
    (1, 2), (2, 4), (2, 4), (5, 10), ("0.5", "2.25"), ("1.0", 2), ("0.0001", "0.0003"), (10**12, 3 * 10**13),
]  # fmt: skip
_WORTHS: list[Amount] = [1, 5, 10, 10, 100, "0.5", "2.25", "0.0001", 0, 10**12, 125 * 10**11, 7 * 10**13]
_BALANCES: list[Amount] = [
    0, 100, THRESHOLD - 1, THRESHOLD, THRESHOLD, "2000.0000", "2000.0001", THRESHOLD + 1, 5000, 10**6, -50,
]  # fmt: skip


def hand(rng: Random, number: int, recorded: str, sets: Sets = gifts) -> Document:
    """A legal hand; its `number` decides which of the `sets` it may be dealt, its rules are `recorded` or unknown."""
    known = recorded != UNKNOWN
    rules = oracle_rules(recorded if known else rng.choice(list(COMPLETE)))
    bids = rng.choice(_ROOM_BIDS)
    said = prelude(rules, bids, rng, known=known)
    document = _head(number, recorded, said, rng) | _room(bids, rng)
    acts = _told(said.acts, rng)
    moved = len(acts) - len(said.acts)
    wild = _wild_rank(rng, often=rules["wild.enabled"])
    if wild is not None:
        document["wild"] = RANKS[wild]
        sets = wild_gifts(wild)
    absent = {} if said.landlord is None else absences(said.landlord, rng)
    waits = any(absence.at_last_card for absence in absent.values()) and rng.random() < 0.6
    wanted = {} if said.landlord is None else _wanted(sets(number, rng), said.landlord, rng, waits=waits)
    hands, bottom = deal(wanted, said.landlord, rng)
    document |= {"dealt": [rank_text(cards) for cards in hands], "bottom": rank_text(bottom), "actions": acts}
    if said.landlord is not None:
        hands[said.landlord] += bottom
        course = PlayOut(acts, [counts_of(cards) for cards in hands], said.landlord, rules, rng)
        course.wild, course.absent, course.landlord_waits = wild, absent, waits
        course.script = [] if waits else list(wanted.items())
        course.run()
        if rng.random() < 0.06:
            _leave_the_last_play(acts, said.landlord)
    _end_early(document, said, moved, rng)
    return _in_notation(document, rng)


def _wild_rank(rng: Random, *, often: bool) -> int | None:
    """The wild rank of a hand, if it has one; now and then one of rules that do not know any, or none of rules that do."""
    return rng.randrange(13) if rng.random() < (0.95 if often else 0.03) else None


def _wanted(sets: Gifts, landlord: int, rng: Random, *, waits: bool) -> dict[int, Ranks]:
    """What is dealt on purpose, by seat: the highest cards to a landlord who is to win whenever he likes, or combinations."""
    if waits:
        return {landlord: (*(rank for rank in range(9, 13) for _ in range(4)), 13, 14)}
    found = sets if rng.random() < 0.7 and can_be_dealt(sets) else []
    to_anyone = found and len(found[0]) <= 17 and rng.random() < 0.15
    start = rng.randrange(3) if to_anyone else landlord
    return {(start + place) % 3: ranks for place, ranks in enumerate(found)}


def _head(number: int, recorded: str, said: Prelude, rng: Random) -> Document:
    document: Document = {"format": "ddz/1", "id": f"generated-{number}", "players": ["ann", "bo", "cy"]}
    if recorded != UNKNOWN:
        document["rules"] = recorded
    elif rng.random() < 0.4:
        document["rules"] = rng.choice(["house rules", "qq-classic+cap-9", "cap-4"])
    if said.first is not None and rng.random() < 0.8:
        document["first"] = said.first
    document |= {"landlord": said.landlord, "outcome": "redeal" if said.landlord is None else "complete"}
    if rng.random() < 0.9:
        document["balances"] = [rng.choice(_BALANCES) for _ in range(3)]
    return document


def _room(bids: tuple[Amount, Amount], rng: Random) -> Document:
    """What the log says of the room: all, some or nothing."""
    low, high = bids
    worth, rate = rng.choice(_WORTHS), rng.choice(_WORTHS)
    room = {"unit": worth, "low": low, "high": high, "rate": rate, "fee": 5, "double_threshold": THRESHOLD}
    chance = rng.random()
    if chance < 0.1:
        return {} if chance < 0.05 else {"room": {}}
    return {"room": room if chance < 0.7 else {key: room[key] for key in room if rng.random() < 0.7}}


def _told(acts: list[Act], rng: Random) -> list[Act]:
    """The acts before the first card as a log tells them: with times, with who made them, with lines lost between them."""
    told: list[Act] = []
    for act in acts:
        if rng.random() < 0.03:
            told.append(any_state(rng) if rng.random() < 0.7 else {"seat": act["seat"], "act": "disconnect"})
        if rng.random() < 0.1:
            act["ms"] = rng.choice([100, 15_001, 19_999, 20_000, 20_001])
        if rng.random() < 0.06:
            act |= rng.choice([{"actor": "player"}, {"actor": "timeout"}, {"actor": "judge"}, {"auto": True}])
        told.append(act)
    return told


def _leave_the_last_play(acts: list[Act], landlord: int) -> None:
    """Both peasants go on autoplay just before the last play, and the system makes it."""
    peasants = [(landlord + place) % 3 for place in (1, 2)]
    acts[-1] = {key: value for key, value in acts[-1].items() if key not in ("ms", "actor")} | {"auto": True}
    acts[-1:-1] = [{"seat": seat, "act": "autoplay", "value": 1} for seat in peasants]


def _end_early(document: Document, said: Prelude, moved: int, rng: Random) -> None:
    """Some hands are void, break off, or end with an escape, at any place before the last play."""
    chance, acts = rng.random(), document["actions"]
    if chance > 0.18:
        return
    outcome = "void" if chance < 0.05 else "unfinished" if chance < 0.1 else "escaped"
    if outcome == "void" and rng.random() < 0.5:
        document["outcome"] = "void"
        return
    last = max((place for place, act in enumerate(acts) if act["act"] == "play"), default=len(acts))
    cut = (
        rng.randrange(last + 1) if rng.random() < 0.7 else rng.randrange(min(last, said.decided + moved) + 1)
    )
    if said.landlord is None and outcome == "unfinished":
        return  # nobody would say that of a deal that was thrown in
    if any(act["act"] in SPOKEN for act in acts[cut:]):
        document["landlord"] = None
    document["outcome"] = outcome
    del acts[cut:]
    if outcome == "escaped":  # the first escape ends such a hand
        acts[:] = [act for act in acts if act["act"] != "escape"]
        acts.append({"seat": rng.randrange(3), "act": "escape"})
        if rng.random() < 0.2:
            acts.append(any_state(rng))


def _in_notation(document: Document, rng: Random) -> Document:
    """The same hand in another notation: with suits, with `10` for `T`, or as it is."""
    chance = rng.random()
    if chance < 0.25:
        return with_suits(document, rng)
    if chance < 0.35:
        document["dealt"] = [text.replace("T", "10") for text in document["dealt"]]
        for act in document["actions"]:
            if act["act"] == "play":
                act["cards"] = act["cards"].replace("T", "10")
    return document


def is_plain(document: Document) -> bool:
    """Whether a hand is told without suits and with `T` for ten."""
    return all(" " not in text and "1" not in text for text in (*document["dealt"], document["bottom"]))


def with_suits(document: Document, rng: Random) -> Document:
    """The same hand with suits; what a seat plays without holding it gets any suit."""
    deck = {rank: rng.sample("SHDC", 4) for rank in "3456789TJQKA2"}
    landlord = document["landlord"]
    owned: list[Suits] = [{}, {}, {}, {}]  # by seats, and of nobody
    owners = (0, 1, 2, 3 if landlord is None else landlord)
    dealt = zip((*document["dealt"], document["bottom"]), owners, strict=True)
    *hands, bottom = [_dealt(text, deck, owned[owner], rng) for text, owner in dealt]
    for act in document["actions"]:
        if act["act"] == "play":
            act["cards"] = _played(act["cards"], owned[act["seat"]], rng)
    return document | {"dealt": hands, "bottom": bottom}


def _dealt(text: str, deck: Suits, mine: Suits, rng: Random) -> str:
    """Cards that go from a deck to an owner."""
    cards = []
    for rank in text:
        suit = deck[rank].pop() if rank in deck else ""
        mine.setdefault(rank, []).append(suit)
        cards.append(_named(suit, rank, rng))
    return " ".join(rng.sample(cards, len(cards)))


def _played(text: str, mine: Suits, rng: Random) -> str:
    cards, others = [], {rank: rng.sample("SHDC", 4) for rank in text}
    for rank in text:
        suit = mine[rank].pop() if mine.get(rank) else others[rank][-1]
        if suit in others[rank]:
            others[rank].remove(suit)
        cards.append(_named(suit, rank, rng))
    return " ".join(cards)


def _named(suit: str, rank: str, rng: Random) -> str:
    return rank + rng.choice(["", "J"]) if rank in "BR" else suit + rank.replace("T", rng.choice(["T", "10"]))


def simulated(recorded: str, number: int, seed: int) -> Iterator[Document]:
    """Hands of the project's own simulator; those of unknown rules are of every rule set, with its name left out or changed."""
    if recorded != UNKNOWN:
        for line in simulate(load_rules(recorded), hands=number, seed=seed, players=9):
            yield json.loads(line)
        return
    for place, name in enumerate(COMPLETE):
        for document in simulated(name, number // len(COMPLETE), seed + place):
            del document["rules"]
            named: dict[str, Any] = {"rules": "house rules"} if document["id"].endswith("7") else {}
            yield document | named


def hands(recorded: str, number: int, seed: int) -> list[Document]:
    """So many hands of one rule set or of unknown rules: one of three by the simulator, the others generated here."""
    rng = Random(f"{recorded} {seed}")
    by_simulator = list(simulated(recorded, number // 3, seed))
    return by_simulator + [hand(rng, place, recorded) for place in range(number - len(by_simulator))]
