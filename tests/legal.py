"""Legal hands that are to be corrupted: where their auction is, what each seat held and had to beat at each turn."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tests.agreement import oracle_rules
from tests.generated import RECORDED, UNKNOWN, hand, is_plain
from tests.generated_auction import SPOKEN
from tests.oracle import combos
from tests.oracle.cards import RANKS
from tests.oracle.names import Act, Document, Reading

TURNS = ("play", "pass")


class Planted(NamedTuple):
    """An issue that must be found: its code, the action and the seat (None: of the hand as a whole)."""

    code: str
    place: int | None = None
    seat: int | None = None


class Turn(NamedTuple):
    """One play or pass of a legal hand: what the seat held before, and what it had to beat (None on a lead)."""

    place: int
    seat: int
    act: str
    held: str
    to_beat: str | None


class Legal:
    """A legal hand about to be corrupted: its acts, where its auction is, and its turns."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.acts: list[Act] = document["actions"]
        self.kind: str = oracle_rules(document["rules"])["auction.kind"]
        self.words = [place for place, act in enumerate(self.acts) if act["act"] in SPOKEN]
        self.turns = self._turns()

    def _turns(self) -> list[Turn]:
        held = [sorted(text) for text in self.document["dealt"]]
        landlord = self.document["landlord"]
        held[landlord] += self.document["bottom"]
        turns: list[Turn] = []
        last: tuple[int, str] | None = None
        for place, act in enumerate(self.acts):
            if act["act"] not in TURNS:
                continue
            seat = act["seat"]
            beat = None if last is None or last[0] == seat else last[1]
            turns.append(Turn(place, seat, act["act"], "".join(held[seat]), beat))
            if act["act"] == "play":
                last = seat, act["cards"]
                for card in act["cards"]:
                    held[seat].remove(card)
        return turns

    def readings(self, cards: str) -> list[Reading]:
        """All readings of some cards in this hand."""
        wild = self.document.get("wild")
        return combos.readings(cards, None, None if wild is None else RANKS.index(wild))

    def a_turn(self, rng: Random, act: str, *, leads: bool | None = None) -> Turn:
        """Any turn of a kind; raises IndexError if there is none."""
        fitting = [turn for turn in self.turns if turn.act == act and leads in (None, turn.to_beat is None)]
        return rng.choice(fitting)

    def put(self, turn: Turn, **act: object) -> None:
        """Another act in the place of a turn."""
        self.acts[turn.place] = {"seat": turn.seat, **act}


def legal_hands(number: int, seed: int) -> list[Document]:
    """Legal hands that were played to their end under known rules, in the plainest notation."""
    rng, found = Random(seed), list[Document]()
    recorded = [name for name in RECORDED if name != UNKNOWN]
    while len(found) < number:
        document = hand(rng, len(found), rng.choice(recorded))
        if is_plain(document) and document["outcome"] == "complete":
            found.append(document)
    return found
