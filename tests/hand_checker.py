"""A checker of simulated hands: its own deal, auction, turns and autoplay; of the engine it uses the combinations."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from ddz_analytics.combinations import Reading, Switches, beats, following
from ddz_analytics.hands import Action, Hand, Room
from ddz_analytics.rules import RuleSet
from ddz_analytics.wilds import NO_WILD, all_readings

RANKS = "3456789TJQKA2BR"
STATE_ACTS = ("autoplay", "disconnect", "reconnect", "escape")
SPOKEN = ("bid", "call", "rob", "decline")


def by_system(act: Action) -> bool:
    """Whether the system acted for the seat."""
    return act.actor in ("timeout", "autoplay")


class Top(NamedTuple):
    """The play to beat: all its readings, the one used, and that of the play it followed itself."""

    seat: int
    readings: tuple[Reading, ...]
    reading: Reading
    before: Reading | None


class Checker:
    """Plays one hand again in the plainest way; an assertion fails at the first act that is not legal."""

    def __init__(self, hand: Hand, rules: RuleSet, found: Counter[object]) -> None:
        self.hand, self.rules, self.found = hand, rules, found
        self.switches = Switches(**{name: getattr(rules, "combination_" + name) for name in Switches._fields})
        self.wild = NO_WILD if hand.wild is UNSET else RANKS.index(hand.wild)
        self.held = [Counter(cards) for cards in hand.dealt]
        self.plays = [0, 0, 0]
        self.away: tuple[set[str], ...] = (set(), set(), set())  # why the system plays for a seat
        self.winner: int | None = None
        self.turn = hand.landlord

    def check(self) -> None:
        """The whole hand: cards, auction, each act in its turn, and the outcome."""
        hand, found = self.hand, self.found
        assert [len(cards) for cards in (*hand.dealt, hand.bottom)] == [17, 17, 17, 3]
        assert Counter("".join(hand.dealt) + hand.bottom) == Counter("3456789TJQKA2" * 4 + "BR")
        said = [act for act in hand.actions if act.act not in (*STATE_ACTS, "play", "pass")]
        assert hand.landlord == landlord_of(hand, self.rules, said)
        assert (self.wild != NO_WILD) == (self.rules.wild_enabled and hand.landlord is not None)
        found.update([hand.outcome, ("shuffle", hand.shuffle), *((act.act, act.stage) for act in said)])
        found["episode"] += any(act.act in STATE_ACTS or by_system(act) for act in hand.actions)
        top = None
        if hand.landlord is not None:
            self.held[hand.landlord].update(hand.bottom)
        for act in hand.actions:
            if act.act in STATE_ACTS:
                self.state(act)
            elif act.act in ("play", "pass"):
                assert self.winner is None and act.seat == self.turn
                top = self.act(act, top)
                self.turn = (act.seat + 1) % 3
            elif by_system(act):
                assert act.act == "decline" or act.value == 0
                self.begin(act, self.rules.autoplay_bid_seconds)
        assert (hand.outcome == "complete") == (self.winner is not None)
        if self.winner is not None:
            self.count_win(self.winner)

    def act(self, act: Action, top: Top | None) -> Top | None:
        """A play or pass; returns what is on top after it."""
        leads = top is None or top.seat == act.seat
        self.conduct(act, None if leads else top)
        if act.act == "pass":
            assert not leads
            return top
        cards = Counter(str(act.cards))
        assert cards <= self.held[act.seat]
        self.held[act.seat] -= cards
        self.plays[act.seat] += 1
        self.winner = None if self.held[act.seat] else act.seat
        packed = sum(1 << 4 * RANKS.index(card) for card in str(act.cards))
        readings = all_readings(packed, self.wild, self.switches)
        if top is None or leads:
            reading, before = readings[0], None
            if len(readings) > 1:
                self.found["two readings", reading.category, reading.length] += 1
        else:
            reading, before = self.beating(readings, top)
        self.found[reading.category, reading.length] += 1
        if self.wild != NO_WILD and RANKS[self.wild] in cards:
            self.found["with wilds", reading.category, reading.length] += 1
        return Top(act.seat, readings, reading, before)

    def beating(self, readings: tuple[Reading, ...], top: Top) -> tuple[Reading, Reading]:
        """How a play beats the one on top, and as what; that one may turn out to have been meant in another way."""
        for meant in (top.reading, *top.readings):
            reading = following(readings, meant)
            if reading and (meant == top.reading or top.before is None or beats(meant, top.before)):
                self.found["reread", meant.category] += meant != top.reading
                return reading, meant
        raise AssertionError(f"{readings} does not beat {top}")

    def state(self, act: Action) -> None:
        """An act that begins or ends autoplay; it begins only where the seat still plays itself."""
        away = self.away[act.seat]
        self.found[act.act] += 1
        if act.act == "reconnect":
            away.discard("line")
            if self.rules.autoplay_reconnect_ends:
                away.clear()
        elif act.act == "autoplay" and act.value == 0:
            assert away == {"autoplay"}
            away.clear()
        else:
            assert act.act != "escape" or (
                self.rules.auction_kind == "room" and self.hand.outcome == "complete"
            )
            assert not away
            self.found["last card"] += self.held[act.seat].total() == 1
            away.update({"autoplay"} if act.act == "autoplay" else {"autoplay", "line"})

    def begin(self, act: Action, limit: int | None) -> None:
        """An act by the system: the first of an episode only when the time just ran out."""
        if act.actor == "timeout":
            assert limit is not None and act.ms == 1000 * limit and not self.away[act.seat]
            self.found["timeout", act.act in ("play", "pass")] += 1
            self.found["last card"] += self.held[act.seat].total() == 1
            self.away[act.seat].add("autoplay")
        assert self.away[act.seat]

    def conduct(self, act: Action, top: Top | None) -> None:
        """By hand: in time. By the system: the smallest single on lead, else a pass, or the last card where it beats."""
        limit = self.rules.autoplay_play_seconds
        if not by_system(act):
            assert isinstance(act.ms, int) and act.ms < 1000 * (limit or 60)
            assert self.rules.autoplay_manual_act_ends or not self.away[act.seat]
            self.found["returned by hand"] += bool(self.away[act.seat])
            self.away[act.seat].clear()
            return
        self.begin(act, limit)
        smallest = min(self.held[act.seat], key=RANKS.index)
        last = (
            self.held[act.seat].total() == 1
            and act.actor == "autoplay"
            and self.rules.autoplay_last_card_follow
        )
        if top is None or (last and beats(Reading("single", 1, RANKS.index(smallest)), top.reading)):
            assert act.cards == smallest
        else:
            assert act.act == "pass"

    def count_win(self, winner: int) -> None:
        """Who won, and whether by a spring or an anti-spring."""
        landlord, found = self.hand.landlord, self.found
        assert landlord is not None
        found["landlord wins"] += winner == landlord
        found["spring"] += winner == landlord and sum(self.plays) == self.plays[landlord]
        found["spring"] += winner != landlord and self.plays[landlord] == 1


def landlord_of(hand: Hand, rules: RuleSet, said: list[Action]) -> int | None:
    """Who the acts before the play make landlord; each act must be allowed, and in its place."""
    phases = [
        1 if act.act in SPOKEN else 0 if act.act == "open" and act.stage != "bottom" else 2 for act in said
    ]
    assert phases == sorted(phases)
    assert all(
        count == 1 for count in Counter((act.seat, act.act) for act in said if act.act not in SPOKEN).values()
    )
    opened = [act.seat for act in said if act.act == "open" and act.stage != "bottom"]
    spoken = [act for act in said if act.act in SPOKEN]
    if rules.auction_kind == "none":
        assert not spoken and hand.first is UNSET
        return hand.landlord
    assert hand.first is not UNSET
    order = [(hand.first + after) % 3 for after in range(3)]
    if rules.auction_kind == "rob":
        assert not opened or opened[0] == hand.first
        landlord = called(spoken, order, rules)
    else:
        landlord = bid(spoken, order, hand.room)
        kicks = {act.seat for act in said if act.act == "kick"}
        assert kicks <= kickers(spoken, order, landlord, rules)
    if landlord is None and rules.auction_nobody == "starter":
        return hand.first
    if landlord is None and rules.auction_nobody == "first_opener_or_redeal" and opened:
        return opened[0]
    return landlord


def bid(spoken: list[Action], order: list[int], room: Room | UnsetType) -> int | None:
    """The highest of rising bids, each seat once; a 3, a high bid and a rob end the auction."""
    levels: dict[object, int] = {0: 0, UNSET: 0, 1: 1, 2: 2, 3: 3}
    highest = 3
    if room is not UNSET and room.high is not UNSET:
        levels, highest = {0: 0, UNSET: 0, room.low: 1, room.high: 2}, 2
    bids = [3 if act.act == "rob" else levels[act.value] for act in spoken]
    assert [act.seat for act in spoken] == order[: len(spoken)]
    assert len(spoken) == 3 or bids[-1] >= highest
    assert all(value < highest for value in bids[:-1])
    raises = [value for value in bids if value]
    assert raises == sorted(set(raises))
    return order[bids.index(raises[-1])] if raises else None


def called(spoken: list[Action], order: list[int], rules: RuleSet) -> int | None:
    """The last robber, else the caller; each seat after him is asked once, he himself only if robbed."""
    acts = [(act.seat, act.act) for act in spoken]
    calls = [place for place, (_, act) in enumerate(acts) if act == "call"]
    assert len(calls) <= 1
    if not calls:
        assert acts == [(seat, "decline") for seat in order]
        return None
    caller = order[calls[0]]
    assert acts[: calls[0]] == [(seat, "decline") for seat in order[: calls[0]]]
    asked = acts[calls[0] + 1 :]
    expected = order[calls[0] + 1 :]
    robbed = any(act == "rob" for _, act in asked[: len(expected)])
    assert [seat for seat, _ in asked] == expected + [caller] * (robbed and rules.auction_rob_back != "never")
    assert all(act in ("rob", "decline") for _, act in asked)
    return next((seat for seat, act in reversed(asked) if act == "rob"), caller)


def kickers(spoken: list[Action], order: list[int], landlord: int | None, rules: RuleSet) -> set[int]:
    """After a bid the seats whose turn comes later; after a rob, under the usual rule, both others."""
    if landlord is None:
        return set()
    if any(act.act == "rob" for act in spoken) and rules.kick_rob_eligibility == "all_others":
        return set(order) - {landlord}
    return set(order[order.index(landlord) + 1 :])
