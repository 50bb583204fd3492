"""Simulated hands: the same bytes from the same seed, legal by a checker of its own, of every form, and marked as synthetic."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pytest
from msgspec import UNSET, UnsetType

from ddz_analytics.combinations import Reading, Switches, beats, following, readings_of
from ddz_analytics.errors import UsageError
from ddz_analytics.hands import Action, Hand, Room
from ddz_analytics.parsers.ddz1 import read_line, write_line
from ddz_analytics.rules import RuleSet, load_rules
from ddz_analytics.simulate import simulate

RANKS = "3456789TJQKA2BR"
SHIPPED = ("qq-classic", "jj-classic", "happy", "casino-capped")
HANDS, MANY_HANDS, FEWER_HANDS, SEED, PLAYERS = 6_000, 20_000, 1_500, 11, 60
STATE_ACTS = ("autoplay", "disconnect", "reconnect", "escape")
SPOKEN = ("bid", "call", "rob", "decline")

# Keys that no shipped rule set has: no auction; the other value of nearly every key; mixtures.
UNUSUAL = {
    rules.id: rules
    for rules in (
        RuleSet(id="without-auction"),
        RuleSet(
            id='the other way "[1]" 抢', auction_kind="rob", auction_nobody="starter", auction_rotates=True,
            auction_rob_back="never", double_factor=2, double_super=True, kick_factor=2, house_fee="room.fee",
            autoplay_bid_seconds=9, autoplay_play_seconds=12, autoplay_last_card_follow=False,
            autoplay_manual_act_ends=False, autoplay_reconnect_ends=True, combination_kicker_may_match_core=True,
            combination_both_jokers_as_two_singles=False, combination_quad_as_single_wings=False,
            combination_same_rank_pairs=False, combination_adjacent_triple_as_wings=False,
            combination_repeated_rank_singles=False, combination_four_two_mixed=True,
        ),
        RuleSet(
            id="late-openings", auction_kind="score", auction_nobody="first_opener_or_redeal", open_hand_deal_late=3,
            autoplay_play_seconds=30, autoplay_auto_act_starts=False,
        ),
        RuleSet(
            id="room-unspoken", auction_kind="room", auction_nobody="starter", kick_factor=2,
            kick_rob_eligibility="not_yet_spoken",
        ),
    )
}  # fmt: skip

_ONCE = (
    "single",
    "pair",
    "trio",
    "trio_single",
    "trio_pair",
    "four_two_single",
    "four_two_pair",
    "bomb",
    "rocket",
)
EVERY_FORM = (
    {(category, 1) for category in _ONCE}
    | {("straight", length) for length in range(5, 13)}
    | {("pair_chain", length) for length in range(3, 11)}
    | {("trio_chain", length) for length in range(2, 7)}
    | {("plane_single", length) for length in range(2, 6)}
    | {("plane_pair", length) for length in range(2, 5)}
)


def hands_of(rules: RuleSet, number: int) -> list[Hand]:
    return [read_line(line) for line in simulate(rules, hands=number, seed=SEED, players=PLAYERS)]


def rules_named(name: str) -> RuleSet:
    return UNUSUAL[name] if name in UNUSUAL else load_rules(name)


def tally(name: str) -> Counter[object]:
    return checked(name, HANDS if name in SHIPPED else FEWER_HANDS)


@cache
def checked(name: str, number: int) -> Counter[object]:
    """Checks so many hands of a rule set, and counts what the tests ask for."""
    found: Counter[object] = Counter()
    rules = rules_named(name)
    for hand in hands_of(rules, number):
        Checker(hand, rules, found).check()
    return found


def by_system(act: Action) -> bool:
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
        self.held = [Counter(cards) for cards in hand.dealt]
        self.plays = [0, 0, 0]
        self.away: tuple[set[str], ...] = (set(), set(), set())  # why the system plays for a seat
        self.winner: int | None = None
        self.turn = hand.landlord

    def check(self) -> None:
        hand, found = self.hand, self.found
        assert [len(cards) for cards in (*hand.dealt, hand.bottom)] == [17, 17, 17, 3]
        assert Counter("".join(hand.dealt) + hand.bottom) == Counter("3456789TJQKA2" * 4 + "BR")
        said = [act for act in hand.actions if act.act not in (*STATE_ACTS, "play", "pass")]
        assert hand.landlord == landlord_of(hand, self.rules, said)
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
        readings = readings_of(sum(1 << 4 * RANKS.index(card) for card in str(act.cards)), self.switches)
        if top is None or leads:
            reading, before = readings[0], None
            if len(readings) > 1:
                self.found["two readings", reading.category, reading.length] += 1
        else:
            reading, before = self.beating(readings, top)
        self.found[reading.category, reading.length] += 1
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


@pytest.mark.parametrize("name", [*SHIPPED, *UNUSUAL])
def test_every_hand_is_legal(name: str) -> None:
    """Deal, auction, turns, cards held, follows, autoplay and outcome of every hand stand up to a checker of its own."""
    assert tally(name)["complete"] > 1_000


@pytest.mark.parametrize("name", SHIPPED)
def test_every_form_occurs(name: str) -> None:
    """Every category in every chain length that twenty cards can hold is played."""
    assert not {form for form in EVERY_FORM if not tally(name)[form]}


@pytest.mark.parametrize("name", SHIPPED)
def test_sets_with_two_readings_occur(name: str) -> None:
    """Four trios, five and a card, six and two, and two quads are led; some are followed under their other reading."""
    found = tally(name)
    led = {key[1:] for key in found if isinstance(key, tuple) and key[0] == "two readings"}
    assert led == {("trio_chain", 4), ("plane_single", 4), ("plane_single", 5), ("four_two_pair", 1)}
    assert found["reread", "plane_single"] and found["reread", "four_two_pair"]


def plausible(found: Counter[object], number: int) -> None:
    played = found["complete"]
    assert 0.2 <= (found["bomb", 1] + found["rocket", 1]) / number <= 1.0
    assert 0.01 <= found["spring"] / played <= 0.08
    assert 0.35 <= found["landlord wins"] / played <= 0.65
    assert 0.09 <= found["episode"] / number <= 0.15
    assert 0.003 <= found["void"] / number <= 0.02
    assert 0.003 <= found["unfinished"] / number <= 0.02
    assert found["redeal"] / number <= 0.03
    assert 0.03 <= found["shuffle", "other"] / number <= 0.1


@pytest.mark.parametrize("name", SHIPPED)
def test_hands_are_plausible(name: str) -> None:
    """Bombs, springs, wins, autoplay, broken-off and stacked hands come about as often as they should."""
    plausible(tally(name), HANDS)


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_many_hands_are_plausible(name: str) -> None:
    """The rates hold over twenty thousand hands."""
    plausible(checked(name, MANY_HANDS), MANY_HANDS)


@pytest.mark.parametrize(
    ("name", "acts"),
    [
        ("qq-classic", {("bid", UNSET), ("decline", UNSET)}),
        ("jj-classic", {("bid", UNSET), ("decline", UNSET)}),
        ("casino-capped", {("bid", UNSET), ("decline", UNSET), ("rob", UNSET), ("kick", UNSET)}),
        (
            "happy",
            {("call", UNSET), ("rob", UNSET), ("decline", UNSET), ("double", UNSET)}
            | {("open", "start"), ("open", "deal"), ("open", "bottom")},
        ),
        ("without-auction", set()),
        ("late-openings", {("bid", UNSET), ("decline", UNSET), ("open", "deal")}),
    ],
)
def test_acts_follow_from_the_keys(name: str, acts: set[tuple[str, object]]) -> None:
    """Exactly the acts that the keys of a rule set offer are made, and deals nobody wants are thrown in or forced."""
    found = tally(name)
    known = (*SPOKEN, "open", "double", "kick")
    assert {key for key in found if isinstance(key, tuple) and key[0] in known} == acts
    assert bool(found["redeal"]) == (name not in ("jj-classic", "without-auction"))


def test_autoplay_takes_every_way() -> None:
    """Button, timeout in auction and play, disconnection and flight begin autoplay, at one card too; it ends or does not."""
    jj, casino = tally("jj-classic"), tally("casino-capped")
    assert jj["timeout", False] and jj["timeout", True] and not jj["escape"]
    assert casino["escape"] and not casino["timeout", True]
    for found in (jj, casino):
        assert all(
            found[key] for key in ("autoplay", "disconnect", "reconnect", "last card", "returned by hand")
        )
    assert not tally("late-openings")["timeout", True]


def test_balances_allow_some_doubles_and_refuse_others() -> None:
    """Doubles are asked for by seats whose balances allow it and by seats whose balances do not."""
    allowed: Counter[bool] = Counter()
    for hand in hands_of(load_rules("happy"), 500):
        assert hand.room is not UNSET and hand.balances is not UNSET
        limit = int(str(hand.room.double_threshold))
        rich = [int(balance) > limit for balance in hand.balances]
        for act in hand.actions:
            if act.act == "double" and act.value == 2 and hand.landlord is not None:
                allowed[
                    all(rich) if act.seat == hand.landlord else rich[act.seat] and rich[hand.landlord]
                ] += 1
    assert min(allowed[True], allowed[False]) > 50


def test_the_seed_decides_every_byte() -> None:
    """A seed gives the same lines whatever the hash seed, another seed gives others, fewer hands are the beginning of more."""
    rules = load_rules("happy")
    lines = list(simulate(rules, hands=600, seed=SEED, players=PLAYERS))
    assert list(simulate(rules, hands=40, seed=SEED, players=PLAYERS)) == lines[:40]
    assert lines[:5] != list(simulate(rules, hands=5, seed=SEED + 1, players=PLAYERS))
    program = (
        "import sys; from ddz_analytics.rules import load_rules; from ddz_analytics.simulate import simulate;"
        f"sys.stdout.buffer.write(b'|'.join(simulate(load_rules('happy'), hands=600, seed={SEED}, players={PLAYERS})))"
    )
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, check=True, env=environment
        )
        assert run.stdout.split(b"|") == lines


@pytest.mark.parametrize("name", [*SHIPPED, *UNUSUAL])
def test_lines_are_canonical(name: str) -> None:
    """Reading a line and writing it again gives the same bytes."""
    for line in simulate(rules_named(name), hands=2_000, seed=SEED, players=PLAYERS):
        assert write_line(read_line(line)) == line


def test_hands_are_marked_as_synthetic() -> None:
    """Ids, tables, matches, players and kinds all say that a hand was simulated; nothing recorded is made up."""
    hands = hands_of(load_rules("jj-classic"), 2_000)
    for hand in hands:
        ids = [hand.id, hand.table, *([] if hand.match is UNSET else [hand.match])]
        assert all(str(each).startswith(f"synthetic-{SEED}-") for each in ids)
        assert all(name.startswith("synthetic-") and name[10:].isdigit() for name in hand.players)
        assert hand.kinds == ("simulated",) * 3
        assert hand.rules == "jj-classic" and hand.recorded is UNSET
    assert len({hand.id for hand in hands}) == len(hands)
    assert len({hand.table for hand in hands if hand.match is not UNSET}) > 1


@pytest.mark.parametrize("name", ["qq-classic", "casino-capped"])
def test_tables_sit_together_and_the_first_speaker_rotates(name: str) -> None:
    """A table keeps its three players, counts its hands from 1, moves on in time, and the first to speak by one seat."""
    tables = defaultdict(list)
    for hand in hands_of(load_rules(name), 3_000):
        tables[hand.table].append(hand)
    for sitting in tables.values():
        assert [hand.no for hand in sitting] == list(range(1, len(sitting) + 1))
        for before, after in pairwise(sitting):
            assert after.players == before.players and len(set(after.players)) == 3
            assert before.first is not UNSET and after.first == (before.first + 1) % 3
            assert before.started_at is not UNSET and after.started_at is not UNSET
            assert before.started_at < after.started_at and str(after.started_at).endswith("+08:00")


@pytest.mark.parametrize(("players", "seed", "hands"), [(2, 1, 1), (3, -1, 1), (3, 1, -1)])
def test_impossible_numbers_are_refused(players: int, seed: int, hands: int) -> None:
    """Fewer than three players and numbers below zero are refused before anything is played."""
    with pytest.raises(UsageError):
        simulate(load_rules("qq-classic"), hands=hands, seed=seed, players=players)


def test_three_players_are_enough() -> None:
    """With three players there is one table at a time."""
    hands = [read_line(line) for line in simulate(load_rules("jj-classic"), hands=100, seed=0, players=3)]
    assert {frozenset(hand.players) for hand in hands} == {frozenset(f"synthetic-000{n}" for n in (1, 2, 3))}
