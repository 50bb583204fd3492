"""Autoplay: which seats the system plays in a hand, from when to when, and why."""

from __future__ import annotations

from typing import Literal, NamedTuple

from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet
from ddz_analytics.simulate.acts import BY_SYSTEM, Acts, timed_out
from ddz_analytics.simulate.seats import Player, System
from ddz_analytics.simulate.split import Draw

Reason = Literal["button", "timeout", "disconnect", "escape"]
Return = Literal["button", "hand", "line"]

_SHARE = 0.14  # of hands have an episode in mind; some end before it begins
_BOTH = 0.2  # of them have one of a second seat
_IN_AUCTION = 0.12
_AT_LAST_CARD = 0.15
_LATEST_START = 6  # own turns in play before it begins
_LONGEST_STAY = 5  # own turns on autoplay, if it ends
_RETURNS = 0.4
_LINE_LOST = ("disconnect", "escape")


class Ways(NamedTuple):
    """How autoplay can begin and end under a rule set; the ends of timed-out acts are empty without a limit."""

    reasons: tuple[Reason, ...]
    auction_reasons: tuple[Reason, ...]  # flight counts as autoplay only in a hand that is played to its end
    returns: tuple[Return, ...]
    bid_end: str
    play_end: str
    follows_with_last: bool
    reconnect_ends: bool


def ways(rules: RuleSet) -> Ways:
    """What a rule set offers: timeouts where it has limits; flight counts as autoplay in room auctions (casino C30)."""
    bid, play = rules.autoplay_bid_seconds, rules.autoplay_play_seconds
    reasons: list[Reason] = ["button", "disconnect"]
    if play is not None and rules.autoplay_auto_act_starts:
        reasons += ["timeout", "timeout"]
    if rules.auction_kind == "room":
        reasons.append("escape")
    return Ways(
        reasons=tuple(reasons),
        auction_reasons=("button", "disconnect") if bid is None else ("button", "disconnect", "timeout"),
        returns=("button", "hand", "line") if rules.autoplay_manual_act_ends else ("button", "line"),
        bid_end="" if bid is None else timed_out(bid),
        play_end="" if play is None else timed_out(play),
        follows_with_last=rules.autoplay_last_card_follow,
        reconnect_ends=rules.autoplay_reconnect_ends,
    )


class Episode:
    """One seat's autoplay in one hand: when it begins, why, and after how many turns of the seat it ends, if ever."""

    __slots__ = ("_draw", "_over", "_reason", "_stay", "_wait", "_ways", "in_auction", "seat")

    def __init__(self, seat: int, ways: Ways, draw: Draw) -> None:
        """Draws all but how the episode ends."""
        self.seat = seat
        self._over = False
        self._ways, self._draw = ways, draw
        self._reason = ways.reasons[int(draw() * len(ways.reasons))]
        kind = draw()
        self.in_auction = kind < _IN_AUCTION and self._reason in ways.auction_reasons
        at_last_card = not self.in_auction and kind < _IN_AUCTION + _AT_LAST_CARD
        self._wait = None if at_last_card else int(draw() * _LATEST_START)
        self._stay = 1 + int(draw() * _LONGEST_STAY) if draw() < _RETURNS else -1

    def begin_in_auction(self, acts: Acts) -> str:
        """The system takes over before the seat has spoken; returns how the text of the seat's next act ends."""
        return self._begin(acts, self._ways.bid_end)

    def begin_in_play(self, now: Player | System, acts: Acts) -> Player | System:
        """The system in the place of a player who was absent in the auction; whose time to speak never came plays on."""
        return self._take_over(now, BY_SYSTEM) if acts.absent[self.seat] == BY_SYSTEM else now

    def _begin(self, acts: Acts, limit: str) -> str:
        """Says why the system takes over; `limit` is how an act ends that was made because the time ran out."""
        if self._reason == "timeout":
            return limit
        acts.note(self.seat, '"autoplay","value":1' if self._reason == "button" else f'"{self._reason}"')
        return BY_SYSTEM

    def _take_over(self, player: Player | System, end: str) -> System:
        return System(player.hand(), end, player.chair, follows_with_last=self._ways.follows_with_last)

    def turn(self, now: Player | System, acts: Acts) -> Player | System:
        """Who makes the seat's next act, its turn having come."""
        if self._over:
            return now
        if isinstance(now, System):
            return self._stay_on(now, acts)
        if self._wait is None and now.left > 1:
            return now
        if self._wait:
            self._wait -= 1
            return now
        return self._take_over(now, self._begin(acts, self._ways.play_end))

    def _stay_on(self, now: System, acts: Acts) -> Player | System:
        self._stay -= 1
        if self._stay != 0:
            return now
        self._over = True
        way = self._ways.returns[int(self._draw() * len(self._ways.returns))]
        if self._reason in _LINE_LOST:
            acts.note(self.seat, '"reconnect"')
            if self._ways.reconnect_ends:
                way = "hand"
            elif way == "line":
                return now  # back on the line, and still on autoplay
        if way != "hand":
            acts.note(self.seat, '"autoplay","value":0')
        return Player(now.chair.split(now.hand()), now.left, now.chair)


def episodes(ways: Ways, draw: Draw) -> list[Episode]:
    """The episodes that a hand may have, each of another seat; mostly none."""
    if draw() >= _SHARE:
        return []
    seat = int(draw() * SEATS)
    seats = (seat, (seat + 1) % SEATS) if draw() < _BOTH else (seat,)
    return [Episode(each, ways, draw) for each in seats]
