"""The play of one hand, act by act: what is a lead, what a follow must beat, every fault with its place.

This is the plain text of the rules of play. Replay judges ordinary hands by columns and sends every hand that is not
ordinary (a fault, a set that is re-read, a declared reading) through here. Sources: jj J9, J11, J23–J25; RULES "Ambiguous sets", "Wild cards".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ddz_analytics.auction_state import PRELUDE, SPOKEN, Fault
from ddz_analytics.cards import RANK_OF, counts_of, minus, pack_counts, rank_counts, text_of, unsuited_of
from ddz_analytics.combinations import (
    Reading,
    Switches,
    beats,
    following,
    is_declared,
)
from ddz_analytics.hands import SEATS
from ddz_analytics.wilds import NO_WILD, all_readings

DEALT = 17  # cards of each hand before the landlord takes the bottom


class Acted(NamedTuple):
    """One action; `cards` a mask (0: none), `value` in 1/10,000 and `ms` are -1 where the log does not say."""

    seat: int
    act: str
    cards: int
    value: int
    actor: str | None
    ms: int
    declared: str | None = None
    wilds_as: str | None = None  # the ranks that wild cards are declared to stand for
    stage: str | None = None


class Table(NamedTuple):
    """What the cards are played from: masks of the three hands at the first play, and how sets are judged."""

    landlord: int | None
    held: tuple[int, int, int]
    suited: bool
    switches: Switches
    has_shuttle: bool = False  # the recorded dialect knows chains of quads, which no switch covers
    wild: int = NO_WILD  # the wild rank
    escaped: bool = False  # an escape ends the hand


@dataclass
class Played:
    """One set of cards on the table; `reading` None when it has none that is legal here."""

    index: int
    seat: int
    cards: int
    is_lead: bool
    trick: int
    cards_left: int
    reading: Reading | None = None
    reread: bool = False
    readings: tuple[Reading, ...] = ()
    over: Played | None = None  # the play that it must beat

    @property
    def to_beat(self) -> Reading | None:
        """The reading, as it stands now, of the play to beat."""
        return None if self.over is None else self.over.reading


class Moment(NamedTuple):
    """What a seat faced when it played or passed: its counts before, and the reading to beat (None: nothing to beat)."""

    counts: int
    to_beat: Reading | None


@dataclass
class Playing:
    """The course of one hand's play."""

    table: Table
    held: list[int]
    plays: list[Played] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Fault] = field(default_factory=list)
    moments: dict[int, Moment] = field(default_factory=dict)  # by action index
    sizes: list[int] = field(default_factory=list)  # how many cards the seat of each action held before it
    winner: int | None = None
    last_index: int | None = None  # of the play (or escape) that ended the hand
    escaper: int | None = None
    expected: int | None = None
    begun: bool = False

    def fault(self, code: str, index: int, seat: int, detail: str) -> None:
        """Note a fault of the play."""
        self.faults.append(Fault(code, index, seat, detail))


def play_out(acts: list[Acted], table: Table) -> Playing:
    """Go through all acts of a hand in order; faults are reported and the hand goes on from whoever actually acted."""
    playing = Playing(table, list(table.held), expected=table.landlord)
    decided = max((index for index, acted in enumerate(acts) if _before_bottom(acted)), default=-1)
    for index, acted in enumerate(acts):
        no_bottom_yet = index <= decided and not playing.begun and acted.act not in ("play", "pass")
        playing.sizes.append(DEALT if no_bottom_yet else playing.held[acted.seat].bit_count())
        if playing.last_index is not None:
            if acted.act in (*PRELUDE, "play", "pass"):
                playing.fault("after_end", index, acted.seat, f"`{acted.act}` after the hand has ended")
        elif acted.act in ("play", "pass"):
            _act(playing, index, acted)
        elif acted.act in PRELUDE and playing.begun:
            playing.fault("act_during_play", index, acted.seat, f"`{acted.act}` during the play")
        elif acted.act == "escape" and table.escaped:
            playing.last_index, playing.escaper = index, acted.seat
    return playing


def _before_bottom(acted: Acted) -> bool:
    """Acts that come before the landlord takes the bottom cards."""
    return acted.act in SPOKEN or (acted.act == "open" and acted.stage != "bottom")


def _act(playing: Playing, index: int, acted: Acted) -> None:
    playing.begun = True
    if playing.table.landlord is None:
        playing.fault("play_without_landlord", index, acted.seat, "cards are played but nobody is landlord")
    if acted.seat != playing.expected and playing.table.landlord is not None:
        playing.fault("turn", index, acted.seat, f"it is the turn of seat {playing.expected}")
    playing.expected = (acted.seat + 1) % SEATS
    previous = playing.plays[-1] if playing.plays else None
    leads = previous is None or previous.seat == acted.seat
    over = None if leads or previous is None or previous.reading is None else previous
    playing.moments[index] = Moment(
        counts_of(playing.held[acted.seat]), None if over is None else over.reading
    )
    if acted.act == "play":
        _play(playing, index, acted, over)
    elif leads:
        playing.fault("pass_on_lead", index, acted.seat, "a pass by the seat that leads")


def _play(playing: Playing, index: int, acted: Acted, over: Played | None) -> None:
    seat = acted.seat
    held_all = _take_from_hand(playing, index, acted)
    # A set without a legal reading stands on the table, but what comes next counts as a lead.
    is_lead = over is None
    trick = (playing.plays[-1].trick if playing.plays else -1) + is_lead
    played = Played(index, seat, acted.cards, is_lead, trick, playing.held[seat].bit_count(), over=over)
    _read(playing, played, acted)
    if not held_all:
        played.reading, played.readings = None, ()
    playing.plays.append(played)
    if not playing.held[seat]:
        playing.winner, playing.last_index = seat, index


def _take_from_hand(playing: Playing, index: int, acted: Acted) -> bool:
    """Take a set out of a hand as far as it is there; whether it was all there."""
    held, cards = playing.held[acted.seat], acted.cards
    plain = unsuited_of(minus(counts_of(held), counts_of(cards)))
    left = held & ~cards if playing.table.suited else plain
    playing.held[acted.seat] = left
    held_all = held.bit_count() - left.bit_count() == cards.bit_count()
    if not held_all:
        playing.fault("cards_not_held", index, acted.seat, f"plays {text_of(cards)}, holds {text_of(held)}")
    return held_all


def _read(playing: Playing, played: Played, acted: Acted) -> None:
    """Find the reading of a play and, where it follows, check that it beats."""
    counts = counts_of(played.cards)
    readings = all_readings(counts, playing.table.wild, playing.table.switches)
    if not readings:
        shuttle = playing.table.has_shuttle and is_shuttle(counts)
        code = "combination_unsupported" if shuttle else "illegal_combination"
        playing.fault(code, played.index, played.seat, f"{text_of(played.cards)} is no combination here")
        return
    if acted.declared is None and acted.wilds_as is None:
        played.readings = readings
    else:
        readings = _as_declared(counts, playing.table, acted)
        if not readings:
            meant = " with ".join(word for word in (acted.declared, acted.wilds_as) if word is not None)
            detail = f"{text_of(played.cards)} cannot be read as {meant}"
            playing.fault("declared_reading", played.index, played.seat, detail)
            return
    if played.to_beat is None:
        played.reading = readings[0]
        return
    played.reading = following(readings, played.to_beat) or _after_rereading(playing, readings)
    if played.reading is None:
        beaten = f"{played.to_beat.category} {played.to_beat.main_text}"
        playing.fault(
            "does_not_beat", played.index, played.seat, f"{text_of(played.cards)} does not beat {beaten}"
        )


def _as_declared(counts: int, table: Table, acted: Acted) -> tuple[Reading, ...]:
    """The readings of a set that are as the log declares it."""
    ranks = None if acted.wilds_as is None else pack_counts([RANK_OF[rank] for rank in acted.wilds_as])
    readings = all_readings(counts, table.wild, table.switches, ranks)
    return tuple(each for each in readings if acted.declared is None or is_declared(each, acted.declared))


def _after_rereading(playing: Playing, readings: tuple[Reading, ...]) -> Reading | None:
    """If the play to beat can be read in another way that this play does beat, the log shows that this was meant."""
    before = playing.plays[-1]
    for other in before.readings:
        also_beats = before.to_beat is None or beats(other, before.to_beat)
        follow = following(readings, other)
        if other != before.reading and also_beats and follow is not None:
            playing.notes.append(
                Fault("reread", before.index, before.seat, f"read as {other.category} {other.main_text}")
            )
            before.reading, before.reread = other, True
            return follow
    return None


def is_shuttle(count_set: int) -> bool:
    """Whether a set is two or more consecutive quads, alone or with one or two singles or pairs for each quad."""
    counts = rank_counts(count_set)
    quads = [rank for rank, count in enumerate(counts[:12]) if count == 4]
    for low in quads:
        for length in range(2, len(quads) + 1):
            core = range(low, low + length)
            if all(rank in quads for rank in core):
                rest = [count for rank, count in enumerate(counts) if rank not in core and count]
                pairs = all(count % 2 == 0 for count in rest)
                if sum(rest) in (0, length, 2 * length) or (sum(rest) == 4 * length and pairs):
                    return True
    return False
