"""Autoplay (托管) in one hand: when it began, how, with how many cards, and whether the system played as it must.

Sources: jj J8, J10, J26–J28; casino C30; RULES "Autoplay".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ddz_analytics.auction_state import PRELUDE, SPOKEN, Fault
from ddz_analytics.cards import counts_of, rank_counts, text_of
from ddz_analytics.combinations import beats, readings_of
from ddz_analytics.hands import SEATS
from ddz_analytics.play import Acted, Moment
from ddz_analytics.rules import RuleSet

_STATES = ("autoplay", "disconnect", "reconnect", "escape")
_BY_HAND = (None, "player")  # actors of acts that were not the system's
MS = 1000  # in a second
FOR_EVER = 2**62


class Watched(NamedTuple):
    """One action with its place in the hand, how many cards its seat held before it, and what it faced if the system took its turn."""

    place: int
    acted: Acted
    held: int
    moment: Moment | None = None


class Ending(NamedTuple):
    """How a hand ended: with which play or escape (None: with neither), how many actions it has, the cards left by seat."""

    last_index: int | None
    number: int
    left: list[int]


@dataclass
class Episode:
    """One stretch of autoplay of one seat; indices are places among the actions, `end` the hand's last when it never ended."""

    seat: int
    start: int
    reason: str
    cards_at_start: int
    end: int = -1
    cards_at_end: int = 0
    running: bool = True


@dataclass
class Autoplay:
    """All episodes of a hand in the order in which they began, and what was noticed."""

    flight_counts: bool = False
    episodes: list[Episode] = field(default_factory=list)
    notes: list[Fault] = field(default_factory=list)
    open: list[Episode | None] = field(
        default_factory=lambda: [None] * SEATS
    )  # by seat, the one that has not ended
    pressed: list[bool] = field(default_factory=lambda: [False] * SEATS)
    disconnected: list[bool] = field(default_factory=lambda: [False] * SEATS)


def follow_autoplay(acts: Iterable[Watched], ending: Ending, rules: RuleSet, *, complete: bool) -> Autoplay:
    """The autoplay episodes of a hand; `complete`: an escape counts as flight, that is as a disconnection.

    `acts` may leave out what a seat does before it is on autoplay for the first time, unless it takes too long over it.
    """
    autoplay = Autoplay(flight_counts=complete)
    in_time = shortest_limit(rules)
    for watched in acts:
        acted = watched.acted
        if ending.last_index is not None and watched.place > ending.last_index:
            _note_too_late(autoplay, watched)
        elif acted.act in _STATES:
            _change_state(autoplay, watched, rules)
        elif acted.ms <= in_time and autoplay.open[acted.seat] is None and acted.actor in _BY_HAND:
            continue  # nearly every act: by hand, in time, of a seat that is not on autoplay
        else:
            _hear_word(autoplay, watched, rules)
    for episode in autoplay.episodes:
        if episode.running:
            episode.end = ending.number - 1 if ending.last_index is None else ending.last_index
            episode.cards_at_end = ending.left[episode.seat]
    return autoplay


def _note_too_late(autoplay: Autoplay, watched: Watched) -> None:
    acted = watched.acted
    if acted.act in _STATES:
        detail = f"`{acted.act}` after the last play changes nothing"
        autoplay.notes.append(Fault("state_after_end", watched.place, acted.seat, detail))


def _change_state(autoplay: Autoplay, watched: Watched, rules: RuleSet) -> None:
    """The button and the line: two flags, and autoplay is on while either is."""
    acted = watched.acted
    seat = acted.seat
    if acted.act == "autoplay" and acted.value:
        autoplay.pressed[seat] = True
        _start(autoplay, watched, "button")
    elif acted.act == "autoplay":
        autoplay.pressed[seat] = False
    elif acted.act == "escape" and not autoplay.flight_counts:
        return
    elif acted.act == "reconnect":
        autoplay.disconnected[seat] = False
        if rules.autoplay_reconnect_ends:
            autoplay.pressed[seat] = False
    else:
        autoplay.pressed[seat] = autoplay.disconnected[seat] = True
        _start(autoplay, watched, "disconnect")
    _end_if_off(autoplay, watched)


def _hear_word(autoplay: Autoplay, watched: Watched, rules: RuleSet) -> None:
    """A bid, play or pass: by the system it may start autoplay and must keep to its conduct, by hand it ends autoplay."""
    place, acted = watched.place, watched.acted
    seat = acted.seat
    limit = _limit(acted.act, rules)
    over = limit is not None and acted.ms >= limit * MS
    timed_out = acted.actor == "timeout" or (acted.actor == "autoplay" and over)
    if acted.actor == "judge":
        return
    if timed_out:
        autoplay.pressed[seat] = True
        _start(autoplay, watched, "timeout")
    elif acted.actor == "autoplay":
        _act_marked_auto(autoplay, watched, rules)
    else:
        if over and limit is not None and acted.ms != limit * MS:
            detail = f"an act by hand after {acted.ms} ms, the limit is {limit} s"
            autoplay.notes.append(Fault("late_manual_act", place, seat, detail))
        if rules.autoplay_manual_act_ends:
            autoplay.pressed[seat] = autoplay.disconnected[seat] = False
            _end_if_off(autoplay, watched)
        return
    if _breaks_conduct(watched, rules, timed_out=timed_out):
        what = text_of(acted.cards) if acted.cards else acted.act
        autoplay.notes.append(Fault("autoplay_conduct", place, seat, f"the system would not do this: {what}"))


def shortest_limit(rules: RuleSet | None) -> int:
    """The milliseconds that no limit is below; very many where nothing is limited."""
    seconds = () if rules is None else (rules.autoplay_bid_seconds, rules.autoplay_play_seconds)
    return min((limit * MS for limit in seconds if limit is not None), default=FOR_EVER)


def _limit(act: str, rules: RuleSet) -> int | None:
    """Seconds for a word of the auction, for a play or pass; nothing limits openings, doubles and kicks."""
    if act in SPOKEN:
        return rules.autoplay_bid_seconds
    return rules.autoplay_play_seconds if act in ("play", "pass") else None


def _act_marked_auto(autoplay: Autoplay, watched: Watched, rules: RuleSet) -> None:
    seat = watched.acted.seat
    if autoplay.open[seat] is None and rules.autoplay_auto_act_starts:
        autoplay.pressed[seat] = True
        _start(autoplay, watched, "unknown")
        detail = "an automatic act of a seat that was not on autoplay"
        autoplay.notes.append(Fault("auto_starts_autoplay", watched.place, seat, detail))


def _start(autoplay: Autoplay, watched: Watched, reason: str) -> None:
    seat = watched.acted.seat
    if autoplay.open[seat] is None:
        episode = autoplay.open[seat] = Episode(seat, watched.place, reason, watched.held)
        autoplay.episodes.append(episode)


def _end_if_off(autoplay: Autoplay, watched: Watched) -> None:
    seat = watched.acted.seat
    episode = autoplay.open[seat]
    if episode is not None and not (autoplay.pressed[seat] or autoplay.disconnected[seat]):
        episode.end, episode.cards_at_end, episode.running = watched.place, watched.held, False
        autoplay.open[seat] = None


def _breaks_conduct(watched: Watched, rules: RuleSet, *, timed_out: bool) -> bool:
    """The system leads its smallest single and passes, but for a last card that beats; a bid that times out is a decline."""
    acted, moment = watched.acted, watched.moment
    if acted.act in PRELUDE:
        return timed_out and (acted.act in ("call", "rob") or (acted.act == "bid" and bool(acted.value)))
    if moment is None:
        return False
    if acted.act == "play" and moment.to_beat is None:
        return counts_of(acted.cards) != _smallest(moment.counts)
    may_follow = rules.autoplay_last_card_follow and not timed_out and watched.held == 1
    must_play = may_follow and _beats(moment)
    return (acted.act == "play") != must_play


def _smallest(count_set: int) -> int:
    return next((1 << 4 * rank for rank, count in enumerate(rank_counts(count_set)) if count), 0)


def _beats(moment: Moment) -> bool:
    """Whether all the cards that a seat holds beat what it faces."""
    over = moment.to_beat
    return over is not None and any(beats(reading, over) for reading in readings_of(moment.counts))
