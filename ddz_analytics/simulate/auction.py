"""Auctions: who becomes landlord, by every path that a rule set's keys offer, and what is said before the first card.

The order of acts: openings before and during the deal, the auction, the landlord's opening, doubles, kicks.
"""

from __future__ import annotations

from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet
from ddz_analytics.simulate.acts import Acts
from ddz_analytics.simulate.autoplay import Episode
from ddz_analytics.simulate.split import Draw
from ddz_analytics.simulate.stack import SEAT_CARDS
from ddz_analytics.simulate.table import Table

_MOOD = 10.0  # at most what a player's mood adds to what his hand is worth
_ENOUGH = (17.0, 21.0, 25.5)  # what that must reach for a bid of 1, 2, 3, or for low, high, a rob
_CALL, _ROB = _ENOUGH[:2]
_ABSENT = -1.0  # who is on autoplay declines
_DECLINES_AS_BID = 0.8  # how often a decline is told as a bid of 0
_OPENS_AT_START, _OPENS_IN_DEAL, _OPENS_AT_BOTTOM = 0.01, 0.03, 0.05  # per seat
_TELLS_BOTH, _TELLS_VALUE, _TELLS_DEALT = (
    0.4,
    0.6,
    0.95,
)  # what an opening tells, its value or the cards dealt so far
_DOUBLES, _SAYS_NO = 0.3, 0.8  # below: a double or kick; below: a no; above: nothing is said
_SUPER = 0.3  # of doubles, where they are offered

_ORDERS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))  # by the first seat


class Auction:
    """The auction of one hand: `first` is who spoke first, None where nobody is asked."""

    def __init__(self, rules: RuleSet, table: Table, acts: Acts, draw: Draw) -> None:
        """Nobody has been asked yet; what is said goes to `acts`."""
        self._rules, self._table, self._acts, self._draw = rules, table, acts, draw
        self._decline = (
            '"bid","value":0' if rules.auction_kind != "rob" and draw() < _DECLINES_AS_BID else '"decline"'
        )
        self._opened: list[int] = []
        self._kickers: tuple[int, ...] = ()
        self.first: int | None = None

    def hold(self, worth: list[int], episodes: list[Episode]) -> int | None:
        """Says all acts before the play; returns the landlord, None when the deal is thrown in."""
        acts, draw = self._acts, self._draw
        self._open_early()
        for episode in episodes:
            if episode.in_auction:
                acts.absent[episode.seat] = episode.begin_in_auction(acts)
        wish = [
            _ABSENT if away else value + draw() * _MOOD
            for value, away in zip(worth, acts.absent, strict=True)
        ]
        landlord = self._landlord(wish)
        if landlord is not None:
            self._after(landlord)
        return landlord

    def _landlord(self, wish: list[float]) -> int | None:
        rules = self._rules
        if rules.auction_kind == "none":
            return wish.index(max(wish))
        first = self._table.rotating_first() if rules.auction_rotates else int(self._draw() * SEATS)
        if self._opened and rules.auction_kind == "rob":
            first = self._opened[0]
        self.first = first
        order = _ORDERS[first]
        if rules.auction_kind == "score":
            landlord = self._score(order, wish)
        elif rules.auction_kind == "room":
            landlord = self._room(order, wish)
        else:
            landlord = self._rob(order, wish)
        return self._nobody() if landlord is None else landlord

    def _nobody(self) -> int | None:
        """Who must be landlord when nobody wants to."""
        if self._rules.auction_nobody == "starter":
            return self.first
        if self._rules.auction_nobody == "first_opener_or_redeal" and self._opened:
            return self._opened[0]
        return None

    def _score(self, order: tuple[int, ...], wish: list[float]) -> int | None:
        """Each seat once: 1, 2 or 3, always higher; a 3 ends it."""
        landlord, highest = None, 0
        for seat in order:
            bid = sum(wish[seat] >= enough for enough in _ENOUGH)
            if bid <= highest:
                self._acts.say(seat, self._decline)
                continue
            self._acts.say(seat, f'"bid","value":{bid}')
            landlord, highest = seat, bid
            if bid == len(_ENOUGH):
                break
        return landlord

    def _room(self, order: tuple[int, ...], wish: list[float]) -> int | None:
        """Each seat once: low or high, always higher; high ends it, and so does a rob, which takes it at high."""
        amounts = self._table.room.fields
        landlord, highest = None, 0
        for place, seat in enumerate(order):
            level = sum(wish[seat] >= enough for enough in _ENOUGH)
            if level <= highest:
                self._acts.say(seat, self._decline)
                continue
            landlord, highest = seat, level
            self._kickers = order[place + 1 :]
            if level == len(_ENOUGH):
                self._acts.say(seat, '"rob"')
                if self._rules.kick_rob_eligibility == "all_others":
                    self._kickers += order[:place]
                break
            self._acts.say(seat, f'"bid","value":{amounts["low" if level == 1 else "high"]}')
            if level > 1:
                break
        return landlord

    def _rob(self, order: tuple[int, ...], wish: list[float]) -> int | None:
        """One caller; each seat that has not declined may rob once, the caller last and only if he was robbed."""
        for place, caller in enumerate(order):
            if wish[caller] < _CALL:
                self._acts.say(caller, self._decline)
                continue
            self._acts.say(caller, '"call"')
            landlord = caller
            for seat in order[place + 1 :]:
                landlord = self._asked_to_rob(seat, wish, landlord)
            if landlord != caller and self._rules.auction_rob_back != "never":
                landlord = self._asked_to_rob(caller, wish, landlord)
            return landlord
        return None

    def _asked_to_rob(self, seat: int, wish: list[float], landlord: int) -> int:
        robs = wish[seat] >= _ROB
        self._acts.say(seat, '"rob"' if robs else self._decline)
        return seat if robs else landlord

    def _open_early(self) -> None:
        """Openings before and during the deal, in the order in which they happen."""
        rules, draw = self._rules, self._draw
        if rules.open_hand_start == rules.open_hand_deal_early == rules.open_hand_deal_late == 1:
            return
        openings = []
        for seat in range(SEATS):
            chance = draw()
            if chance < _OPENS_AT_START and rules.open_hand_start > 1:
                openings.append((0, seat, self._opening(rules.open_hand_start, "start")))
            elif chance < _OPENS_AT_START + _OPENS_IN_DEAL:
                dealt = 1 + int(draw() * (SEAT_CARDS - 1))
                early = dealt <= rules.open_hand_early_max_dealt
                factor = rules.open_hand_deal_early if early else rules.open_hand_deal_late
                if factor > 1:
                    openings.append((dealt, seat, self._opening(factor, "deal", dealt)))
        for _, seat, body in sorted(openings):
            self._acts.note(seat, body)
            self._opened.append(seat)

    def _opening(self, factor: int, stage: str, dealt: int | None = None) -> str:
        """An opening may tell its value; during the deal also the cards dealt so far, or both, or neither."""
        told = self._draw()
        value = f',"value":{factor}' if told < _TELLS_VALUE else ""
        tells_dealt = dealt is not None and (told < _TELLS_BOTH or _TELLS_VALUE <= told < _TELLS_DEALT)
        return f'"open"{value},"stage":"{stage}"' + (f',"dealt":{dealt}' if tells_dealt else "")

    def _after(self, landlord: int) -> None:
        """The landlord's opening, everybody's doubles, the kicks; who is on autoplay says nothing."""
        rules, acts, draw = self._rules, self._acts, self._draw
        present = [seat for seat in _ORDERS[landlord] if not acts.absent[seat]]
        may_open = rules.open_hand_bottom > 1 and landlord in present and landlord not in self._opened
        if may_open and draw() < _OPENS_AT_BOTTOM:
            acts.note(landlord, self._opening(rules.open_hand_bottom, "bottom"))
        if rules.double_factor > 1:
            for seat in present:
                self._say_yes_or_no(seat, "double", (1, 4 if rules.double_super and draw() < _SUPER else 2))
        if rules.kick_factor > 1:
            for seat in self._kickers:
                if seat in present:
                    self._say_yes_or_no(seat, "kick", (0, 1))

    def _say_yes_or_no(self, seat: int, act: str, values: tuple[int, int]) -> None:
        """A no, a yes, or nothing at all."""
        chance = self._draw()
        if chance < _SAYS_NO:
            self._acts.say(seat, f'"{act}","value":{values[chance < _DOUBLES]}')
