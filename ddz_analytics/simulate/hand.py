"""One hand from the deal to its line."""

from __future__ import annotations

from dataclasses import replace

from ddz_analytics.cards import RANKS, SMALL_JOKER
from ddz_analytics.hands import SEATS
from ddz_analytics.rules import RuleSet, switches_of
from ddz_analytics.simulate.acts import Acts, Thinking
from ddz_analytics.simulate.auction import Auction
from ddz_analytics.simulate.autoplay import Episode, episodes, ways
from ddz_analytics.simulate.deal import BOTTOM, Deal
from ddz_analytics.simulate.play import NO_LIMIT, play_out
from ddz_analytics.simulate.seats import Chair, Player, System
from ddz_analytics.simulate.split import Draw, add, split
from ddz_analytics.simulate.stack import SEAT_CARDS
from ddz_analytics.simulate.table import Table
from ddz_analytics.simulate.wilds import Wild, in_wild_hand

_WORTH_OF_GIFT = 100  # what a stacked combination adds in the auction; the others are the more modest
_VOID, _UNFINISHED = 0.011, 0.022  # below the first: the hand is void; below the second: its log breaks off
_BREAKS_OFF = 30  # turns after which it does, at most


class Dealer:
    """Plays hands under one rule set and writes their lines; `mark` is the beginning of every id, as JSON text."""

    def __init__(self, rules: RuleSet, mark: str, draw: Draw) -> None:
        """Prepares what is the same for every hand."""
        self._rules, self._mark, self._draw = rules, mark, draw
        self._ways = ways(rules)
        limits = [seconds for seconds in (rules.autoplay_bid_seconds, rules.autoplay_play_seconds) if seconds]
        self._thinking = Thinking(draw, 1000 * min(limits) if limits else None)
        self._switches = switches_of(rules)
        self._chairs = [[self._chair(seat, landlord) for seat in range(SEATS)] for landlord in range(SEATS)]

    def line(self, index: int, deal: Deal, table: Table) -> bytes:
        """The line of the hand with this number, without a line end."""
        acts = Acts(self._thinking)
        turns, broken_off = self._fate()
        plan = [] if broken_off else episodes(self._ways, self._draw)
        auction = Auction(self._rules, table, acts, self._draw)
        landlord = auction.hold(self._worth(deal), plan)
        wild = None
        if landlord is None:
            outcome = "redeal"
        else:
            wild = self._wild()
            chairs = self._chairs[landlord]
            if wild is not None:
                chairs = [replace(chair, wild=wild) for chair in chairs]
            seats = self._seats(deal, chairs, acts, plan)
            outcome = "complete" if play_out(seats, landlord, acts, plan, turns) else broken_off
        first, second, third, bottom = deal.texts
        return (
            f'{{"format":"ddz/1","id":"{self._mark}-{index:06d}","players":{table.players},'
            f'"dealt":["{first}","{second}","{third}"],"bottom":"{bottom}",'
            f'"landlord":{"null" if landlord is None else landlord},"actions":[{",".join(acts.out)}],'
            f'"outcome":"{outcome}"{table.table_and_match},"no":{table.number},'
            f'"started_at":"{table.started_at()}"{table.rules_to_kinds},"balances":{table.balances()},'
            f'"balance_kind":"{table.balance_kind}","shuffle":"{"other" if deal.gifts else "full"}"'
            + ("" if wild is None else f',"wild":"{wild.letter}"')
            + ("}" if auction.first is None else f',"first":{auction.first}}}')
        ).encode()

    def _worth(self, deal: Deal) -> list[int]:
        if not deal.gifts:
            return deal.worth
        stacked = next(iter(deal.gifts))
        return [
            worth + _WORTH_OF_GIFT if seat == stacked else worth // 2 for seat, worth in enumerate(deal.worth)
        ]

    def _chair(self, seat: int, landlord: int) -> Chair:
        return Chair(seat, seat != landlord, self._thinking.end, self._thinking.passes[seat], self._draw)

    def _fate(self) -> tuple[int, str]:
        """How many turns a hand may last, and the outcome if it lasts longer; empty for a hand without such a limit."""
        fate = self._draw()
        if fate >= _UNFINISHED:
            return NO_LIMIT, ""
        return 1 + int(self._draw() * _BREAKS_OFF), "void" if fate < _VOID else "unfinished"

    def _wild(self) -> Wild | None:
        """The wild cards, whose rank is drawn once there is a landlord; None where the rules have none."""
        if not self._rules.wild_enabled:
            return None
        return Wild(RANKS[int(self._draw() * SMALL_JOKER)], self._switches)

    def _seats(
        self, deal: Deal, chairs: list[Chair], acts: Acts, plan: list[Episode]
    ) -> list[Player | System]:
        """Who plays each seat when the play begins."""
        seats: list[Player | System] = [self._player(deal, chair) for chair in chairs]
        for episode in plan:
            if episode.in_auction:
                seats[episode.seat] = episode.begin_in_play(seats[episode.seat], acts)
        return seats

    def _player(self, deal: Deal, chair: Chair) -> Player:
        seat = chair.seat
        gift = deal.gifts.get(seat) if deal.gifts else None
        if gift is None or (chair.peasant and gift.size > SEAT_CARDS):
            left = SEAT_CARDS if chair.peasant else SEAT_CARDS + BOTTOM
            if chair.wild is None:
                return Player(split(deal.held[seat][not chair.peasant], self._draw), left, chair)
            return Player(chair.split(self._cards(deal, chair)), left, chair)
        rest = self._cards(deal, chair)
        left = len(rest)
        for letter in gift.text:
            rest = rest.replace(letter, "", 1)
        forms = chair.split(rest)
        if chair.wild is not None:
            gift = in_wild_hand(gift, chair.wild)
        add(forms, gift)
        return Player(forms, left, chair, gift)

    def _cards(self, deal: Deal, chair: Chair) -> str:
        """The cards of a seat, the landlord's with the bottom."""
        return deal.texts[chair.seat] + ("" if chair.peasant else deal.texts[SEATS])
