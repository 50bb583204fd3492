"""The play of generated hands: leads, follows under any reading, declared readings, and seats that the system plays for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from tests.generated_cards import Counts, follow_of, lead_of, set_of
from tests.generated_wild import follow_with_wilds, lead_with_wilds, readings_as, stand_for
from tests.oracle import combos
from tests.oracle.cards import RANKS, rank_text
from tests.oracle.names import Act, Ranks, Reading, Rules
from tests.oracle.play import declared_parts, fits

Readings = Callable[[Ranks], list[Reading]]
REASONS = ("button", "timeout", "disconnect", "unknown")


@dataclass
class Absence:
    """One stretch of autoplay that a hand is to have: why, from which own turn or at the last card, and for how many turns."""

    reason: str
    wait: int
    at_last_card: bool
    stay: int | None  # own turns until it ends; None: it never does
    begun: bool = False
    over: bool = False


class Top(NamedTuple):
    """The set to beat: the reading it counts as, that of the set it beat itself, and whether its reading was declared."""

    seat: int
    ranks: Ranks
    reading: Reading
    before: Reading | None
    declared: bool


class Answer(NamedTuple):
    """How a set is read where it is played; `top`: the other reading of the set to beat that this shows."""

    reading: Reading
    top: Reading | None = None


def absences(landlord: int, rng: Random) -> dict[int, Absence]:
    """The autoplay that a hand is to have, by seat: none, one peasant's, both peasants' or the landlord's."""
    if rng.random() < 0.4:
        return {}
    places = rng.choice([[1], [2], [1], [2], [1, 2], [1, 2], [0], [0, 1, 2]])
    return {
        (landlord + place) % 3: Absence(
            rng.choice(REASONS), rng.randrange(5), rng.random() < 0.7, rng.choice([None, None, 0, 1, 2])
        )
        for place in places
    }


def answer(candidates: Sequence[Reading], top: Top | None, readings: Readings) -> Answer | None:
    """How a set of some possible readings is read as a lead or over another; None where it is not legal."""
    if top is None:
        led = combos.lead_reading(candidates)
        return None if led is None else Answer(led)
    reading = combos.follow_reading(candidates, top.reading)
    if reading is not None:
        return Answer(reading)
    for other in [] if top.declared else readings(top.ranks):
        if top.before is None or combos.beats(other, top.before):
            reading = combos.follow_reading(candidates, other)
            if reading is not None:
                return Answer(reading, other)
    return None


class PlayOut:
    """One hand played to its end; `acts` grows, `script` are sets to be played by their seats in this order."""

    def __init__(
        self, acts: list[Act], hands: list[Counts], landlord: int, rules: Rules, rng: Random
    ) -> None:
        self.acts, self.hands, self.rng = acts, hands, rng
        self.seat = self.landlord = landlord
        self.landlord_waits = False  # until the peasants have come down to their last cards; then he goes out
        self.top: Top | None = None
        self.script: list[tuple[int, Ranks]] = []
        self.absent: dict[int, Absence] = {}
        self.noise = rng.random() < 0.15  # acts of autoplay anywhere and anyhow
        self.limit: int | None = rules["autoplay.play_seconds"]
        self.switches = combos.switches_of(rules)
        self.wild: int | None = None

    def run(self) -> None:
        """Plays until a seat is out."""
        while all(sum(hand) for hand in self.hands):
            if self.noise and self.rng.random() < 0.1:
                self.acts.append(any_state(self.rng))
            self.turn()
            self.seat = (self.seat + 1) % 3

    def turn(self) -> None:
        """One play or pass, with what the system does around it."""
        seat = self.seat
        how, by_system = self._who_acts(seat)
        beat = None if self.top is None or self.top.seat == seat else self.top
        timed_out = how.get("actor") == "timeout" or "ms" in how
        obeys = by_system and self.rng.random() < 0.95
        ranks = self._conduct(seat, beat, timed_out=timed_out) if obeys else self._choice(seat, beat)
        act: Act = {"seat": seat, "act": "pass"}
        if ranks is not None:
            act = self._play(seat, ranks, beat)
        self.acts.append(act | (how or self._thinking()))
        self._afterwards(seat)

    def _thinking(self) -> Act:
        """Mostly nothing; sometimes a time around a usual limit, or an actor out of nowhere."""
        how: Act = {}
        if self.rng.random() < 0.15:
            how["ms"] = self.rng.choice([900, 14_999, 15_000, 15_001, 20_001])
        if self.noise and self.rng.random() < 0.2:
            how |= self.rng.choice(
                [{"actor": "player"}, {"actor": "timeout"}, {"actor": "judge"}, {"auto": True}]
            )
        return how

    def _who_acts(self, seat: int) -> tuple[Act, bool]:
        """What an act says of who made it, and whether the system did."""
        absence = self.absent.get(seat)
        if absence is None or absence.over:
            return {}, False
        if not absence.begun:
            due = sum(self.hands[seat]) == 1 if absence.at_last_card else absence.wait == 0
            absence.wait -= 1
            return (self._begin(seat, absence), True) if due else ({}, False)
        if absence.stay is not None and absence.stay <= 0:
            if self.rng.random() < 0.5:
                self._switch_off(seat, absence)
            absence.over = True
            return {}, False
        if absence.stay is not None:
            absence.stay -= 1
        return self.rng.choice([{"actor": "autoplay"}, {"auto": True}]), True

    def _begin(self, seat: int, absence: Absence) -> Act:
        absence.begun = True
        if absence.reason == "timeout":
            late = self.limit is not None and self.rng.random() < 0.3
            return {"actor": "autoplay", "ms": 1000 * (self.limit or 0)} if late else {"actor": "timeout"}
        if absence.reason == "button":
            self.acts.append({"seat": seat, "act": "autoplay", "value": 1})
        elif absence.reason == "disconnect":
            self.acts.append({"seat": seat, "act": self.rng.choice(["disconnect", "disconnect", "escape"])})
        return {"auto": True}

    def _switch_off(self, seat: int, absence: Absence) -> None:
        if absence.reason == "disconnect":
            self.acts.append({"seat": seat, "act": "reconnect"})
        self.acts.append({"seat": seat, "act": "autoplay", "value": 0})
        absence.over = True

    def _afterwards(self, seat: int) -> None:
        """Autoplay that is to begin or end with the last card does so right after the play that left it."""
        absence = self.absent.get(seat)
        if absence is None or absence.over or not absence.at_last_card or sum(self.hands[seat]) != 1:
            return
        if not absence.begun and absence.reason in ("button", "disconnect"):
            self._begin(seat, absence)
        if absence.begun and absence.stay is not None:
            self._switch_off(seat, absence)

    def _conduct(self, seat: int, beat: Top | None, *, timed_out: bool) -> Ranks | None:
        """What the system must do: lead the smallest single, else pass, but for a last card that beats."""
        held = self.hands[seat]
        single = (next(rank for rank in range(15) if held[rank]),)
        if beat is None:
            return single
        beats = sum(held) == 1 and combos.follow_reading(self.readings(single), beat.reading) is not None
        return single if beats and not timed_out else None

    def _choice(self, seat: int, beat: Top | None) -> Ranks | None:
        """The next set of the script if it is this seat's, else anything; where it is not legal, a pass or the lowest single."""
        rng, held = self.rng, self.hands[seat]
        if self.script and self.script[0][0] == seat:
            ranks = self.script[0][1]
            if all(held[rank] >= ranks.count(rank) for rank in ranks) and self._is_legal(ranks, beat):
                self.script.pop(0)
                return ranks
        if beat is not None:
            found = self._follow(held, beat) if rng.random() < self._eager(seat) else None
            return found if found and self._is_legal(found, beat) else None
        if not (self._waited_for() and seat == self.landlord):
            led = self._leave_one(seat) or self._lead(held)
            if self._is_legal(led, None):
                return led
        return (next(rank for rank in range(15) if held[rank]),)

    def _follow(self, held: Counts, beat: Top) -> Ranks | None:
        if self.wild is not None and self.rng.random() < 0.6:
            return follow_with_wilds(held, self.wild, beat.reading, self.rng)
        return follow_of(held, beat.reading, self.rng)

    def _lead(self, held: Counts) -> Ranks:
        if self.wild is None or self.rng.random() < 0.6:
            return lead_of(held, self.rng)
        return lead_with_wilds(held, self.wild, self.rng) or lead_of(held, self.rng)

    def readings(self, ranks: Ranks) -> list[Reading]:
        """All readings of some cards in this hand, in leading order."""
        return combos.readings(ranks, self.switches, self.wild)

    def _is_legal(self, ranks: Ranks, beat: Top | None) -> bool:
        return answer(self.readings(ranks), beat, self.readings) is not None

    def _waited_for(self) -> bool:
        """Whether some seat is still to come down to its last card."""
        waiting = [
            seat for seat, absence in self.absent.items() if absence.at_last_card and not absence.begun
        ]
        return any(sum(self.hands[seat]) > 1 for seat in waiting)

    def _eager(self, seat: int) -> float:
        """How likely a seat follows: the landlord lets peasants come down to their last card, and then may win or not."""
        if self._waited_for():
            return 0.2 if seat == self.landlord else 0.95
        if self.landlord_waits:
            return 1.0 if seat == self.landlord else 0.1
        return 0.75

    def _leave_one(self, seat: int) -> Ranks | None:
        """A lead that leaves one card to a seat that waits for its last card."""
        absence, held = self.absent.get(seat), self.hands[seat]
        if absence is None or absence.begun or not absence.at_last_card:
            return None
        forms = {2: "single", 3: "pair", 4: "trio", 5: "trio_single", 6: "trio_pair"}
        form = forms.get(sum(held))
        return None if form is None else set_of(held, (form, 1), self.rng)

    def _play(self, seat: int, ranks: Ranks, beat: Top | None) -> Act:
        declared = self._declaration(ranks)
        said = answer(self._possible(ranks, declared), beat, self.readings)
        if said is None:
            declared, said = {}, answer(self.readings(ranks), beat, self.readings)
        assert said is not None, (ranks, beat)
        for rank in ranks:
            self.hands[seat][rank] -= 1
        before = None if beat is None else said.top or beat.reading
        self.top = Top(seat, ranks, said.reading, before, bool(declared))
        return {"seat": seat, "act": "play", "cards": rank_text(ranks)} | declared

    def _possible(self, ranks: Ranks, declared: Act) -> list[Reading]:
        """The readings of a set that fit to what is declared of it."""
        parts = declared_parts(declared.get("as"))
        every = self.readings(ranks)
        if self.wild is not None and "wilds_as" in declared:
            every = readings_as(ranks, self.wild, self.switches, declared["wilds_as"])
        return [reading for reading in every if fits(reading, parts)]

    def _declaration(self, ranks: Ranks) -> Act:
        """Mostly none; of a set with several readings often one of them, in words of any length, or by what wild cards stand for."""
        readings = self.readings(ranks)
        if self.rng.random() > (0.6 if len(readings) > 1 else 0.02):
            return {}
        category, length, main = self.rng.choice(readings)
        name = "BR" if category == "rocket" else RANKS[main].replace("T", self.rng.choice(["T", "10"]))
        declared: Act = {
            "as": self.rng.choice(
                [
                    category,
                    {"category": category, "length": length},
                    {"category": category, "main": name},
                    {"category": category, "length": length, "main": name},
                ]
            )
        }
        if self.wild is None or self.wild not in ranks or self.rng.random() < 0.4:
            return declared
        made = stand_for(ranks, self.wild, self.switches, (category, length, main), self.rng)
        return self.rng.choice([{"wilds_as": made}, declared | {"wilds_as": made}])


def any_state(rng: Random) -> Act:
    """An act of autoplay of any seat."""
    act: Act = {
        "seat": rng.randrange(3),
        "act": rng.choice(["autoplay", "disconnect", "reconnect", "escape"]),
    }
    return act | ({"value": rng.randrange(2)} if act["act"] == "autoplay" else {})
