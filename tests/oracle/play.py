"""The card play of one hand: holdings, turns, tricks, readings, re-readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from . import combos
from .cards import RANKS, parse_cards, rank_of, rank_text, ranks_of
from .names import Act, Document, Issue, Ranks, Reading, Row, Rules
from .wild import declared_ranks, face_readings, readings_as, wild_rank


def declared_parts(declared: Any) -> Row | None:
    """A declaration (`as`) as a dictionary with some of category, length, main."""
    if declared is None or isinstance(declared, dict):
        return declared
    return {"category": declared}


def fits(reading: Reading, declared: Row | None) -> bool:
    """Whether a reading is one that the declaration allows."""
    if declared is None:
        return True
    category, length, main = reading
    if declared.get("length", length) != length:
        return False
    kinds = (category, "bomb") if category.startswith("bomb") else (category,)
    if declared.get("category", category) not in kinds:
        return False
    wanted = declared.get("main")
    name = "BR" if category == "rocket" else RANKS[main]
    return wanted is None or str(wanted).replace("10", "T") == name


class Table:
    """The state of the card play."""

    def __init__(self, doc: Document, rules: Rules, *, suited: bool) -> None:
        self.suited = suited
        self.landlord = doc["landlord"]
        self.hands = [Counter(parse_cards(text, suited=suited)) for text in doc["dealt"]]
        self.bottom = Counter(parse_cards(doc["bottom"], suited=suited))
        self.bottom_taken = False
        self.switches = combos.switches_of(rules)
        self.wild = wild_rank(doc)
        self.begun = False
        self.due = self.landlord
        self.last: Row | None = None
        self.trick = -1
        self.plays: list[Row] = []
        self.issues: list[Issue] = []
        self.winner: int | None = None

    def take_bottom(self) -> None:
        """The bottom cards go to the landlord."""
        if self.landlord is not None and not self.bottom_taken:
            self.hands[self.landlord] += self.bottom
            self.bottom_taken = True

    def cards_left(self, seat: int) -> int:
        """How many cards a seat holds."""
        return sum(self.hands[seat].values())

    def hand_ranks(self, seat: int) -> Ranks:
        """The ranks a seat holds, lowest first."""
        return ranks_of(list(self.hands[seat].elements()))

    def readings(self, ranks: Ranks) -> list[Reading]:
        """All readings of some cards in this hand."""
        return combos.readings(ranks, self.switches, self.wild)

    def needs_wild(self) -> bool:
        """Some play is read as its cards at face value cannot be."""
        if self.wild is None:
            return False
        values = tuple(self.switches[name] for name in combos.SWITCHES)
        return any(
            play["reading"] is not None
            and play["reading"] not in face_readings(play["ranks"], self.wild, values)
            for play in self.plays
        )

    def on_lead(self, seat: int) -> bool:
        """Nobody has played yet, or the last play on the table is the seat's own."""
        return self.last is None or self.last["seat"] == seat

    def to_beat(self, seat: int) -> Row | None:
        """The last play, if this seat must beat it; None on a lead, and after an illegal play."""
        if self.on_lead(seat) or self.last is None or self.last["reading"] is None:
            return None
        return self.last

    def could_beat(self, seat: int) -> bool:
        """Whether all the cards a seat holds, played together, would beat the play to beat."""
        last = self.to_beat(seat)
        candidates = self.readings(self.hand_ranks(seat))
        return last is not None and combos.follow_reading(candidates, last["reading"]) is not None

    def check_turn(self, index: int, seat: int) -> None:
        """Acting out of turn, or playing without a landlord, is a fault; the turn goes on from who acted."""
        if self.landlord is None:
            self.issues.append(("play_without_landlord", "error", index, seat))
        elif self.due != seat:
            self.issues.append(("turn", "error", index, seat))
        self.begun = True
        self.due = (seat + 1) % 3

    def pass_turn(self, index: int, seat: int) -> None:
        """A pass."""
        if self.on_lead(seat):
            self.issues.append(("pass_on_lead", "error", index, seat))

    def play(self, index: int, act: Act) -> None:
        """A play of cards."""
        seat = act["seat"]
        cards = Counter(parse_cards(act["cards"], suited=self.suited))
        ranks = tuple(sorted(rank_of(card) for card in cards.elements()))
        missing = cards - self.hands[seat]
        previous = self.to_beat(seat)
        reading, fault = self._read(ranks, act, previous)
        if missing:
            self.issues.append(("cards_not_held", "error", index, seat))
            reading = None
        if fault:
            self.issues.append((fault, "error", index, seat))
        if previous is None:
            self.trick += 1
        self.hands[seat] -= cards
        record = {
            "play_index": len(self.plays),
            "action_index": index,
            "reread": False,
            "seat": seat,
            "cards": rank_text(ranks),
            "ranks": ranks,
            "reading": reading,
            "declared": act.get("as") is not None or act.get("wilds_as") is not None,
            "previous": previous["reading"] if previous else None,
            "is_lead": previous is None,
            "trick": self.trick,
            "cards_left_after": self.cards_left(seat),
        }
        self.plays.append(record)
        self.last = record
        if self.cards_left(seat) == 0:
            self.winner = seat

    def _read(self, ranks: Ranks, act: Act, previous: Row | None) -> tuple[Reading | None, str | None]:
        """The reading used, or None and the fault."""
        if not self.readings(ranks):
            return None, "illegal_combination"
        declared = declared_parts(act.get("as"))
        candidates = [reading for reading in self._possible(ranks, act) if fits(reading, declared)]
        if not candidates:
            return None, "declared_reading"
        if previous is None:
            return combos.lead_reading(candidates), None
        reading = combos.follow_reading(candidates, previous["reading"])
        if reading is None:
            reading = self._reread(candidates, previous)
        return reading, None if reading else "does_not_beat"

    def _possible(self, ranks: Ranks, act: Act) -> Sequence[Reading]:
        """The readings of a play with its wilds as declared, if they are."""
        if act.get("wilds_as") is None:
            return self.readings(ranks)
        made = declared_ranks(act["wilds_as"])
        if made is None:
            return ()
        if self.wild is None:
            return () if made else self.readings(ranks)
        return readings_as(ranks, self.wild, made, tuple(self.switches[name] for name in combos.SWITCHES))

    def _reread(self, candidates: Sequence[Reading], previous: Row) -> Reading | None:
        """Another reading of the play to beat under which this follow is legal, first in leading order."""
        if previous["declared"]:
            return None
        for other in self.readings(previous["ranks"]):
            if previous["previous"] is not None and not combos.beats(other, previous["previous"]):
                continue
            reading = combos.follow_reading(candidates, other)
            if reading is not None:
                previous["reading"] = other
                previous["reread"] = True
                self.issues.append(("reread", "note", previous["action_index"], previous["seat"]))
                return reading
        return None
