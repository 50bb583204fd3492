"""Standings: in thousands of matches the view says what the oracle says, place by place, tie by tie and pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, groupby
from random import Random
from typing import Any, NamedTuple

import pytest

from ddz_analytics.rules import load_rules
from ddz_analytics.schema import ROLES
from ddz_analytics.settlement.settle import settle
from ddz_analytics.standings import Standings, level_of, level_table, levels
from tests.agreement import oracle_rules
from tests.drawn_matches import Match, a_match
from tests.in_memory import views_over
from tests.oracle.names import Document, Row
from tests.oracle.settle import settle as oracle_settle
from tests.oracle.standings import level, standings
from tests.pools import LARGE, SMALL, Dealt, Pool, pool, rule_set_row, stored

MATCHES, MANY = 350, 3500  # of each rule set
FEW = 12
LEVEL_HANDS, LEVEL_PLAYERS, LEVELS_REACHED = 3000, 120, 8
# Rake, fees, liability, fines and what balances cut all act before points are compared.
SPECS = [
    ("jj-classic", "jj-classic"),
    ("jj-classic", "jj-classic[standing.tie_break_relation=last_hand_side]"),
    ("jj-classic", "jj-classic+minimised[standing.event=swiss]"),
    ("jj-classic", "jj-bomb[standing.event=championship]"),
    ("casino-capped", "casino-capped"),
    ("qq-coins", "qq-coins"),
]
# How often each must come up in a thousand matches.
OFTEN = {
    "points": 1000, "registration": 200, "undecided": 200, "last_hand": 100, "by way of a third": 1, "undefined": 200, "swiss": 100,
    "three tied": 100,
}  # fmt: skip
PAIRS = (
    "WITH s AS (SELECT *, struct_pack(points := points, last_hand := last_hand_id, last_key := last_key, registered := registered) AS it "
    "FROM standings) SELECT a.match_id, a.player, b.player, decided_between(a.it, b.it) "
    "FROM s AS a JOIN s AS b ON b.match_id = a.match_id AND a.tie_group = b.tie_group AND a.place < b.place"
)


class Drawn(NamedTuple):
    """Matches by name, under a rule set, and the pool from which their hands come."""

    spec: str
    pool: Pool
    matches: dict[str, Match]

    def tables(self) -> dict[str, Any]:
        """The stored tables of the matches, the hands in the order of the log."""
        log = [hand for match in self.matches.values() for hand in match.log()]
        found = stored(self.pool, log)
        settled = settle(found["facts"], load_rules(self.spec))
        return {**found, "settlements": settled, "rule_sets": [rule_set_row(self.spec)]}

    def said(self) -> dict[str, Row]:
        """What the oracle says of each match."""
        rules, documents, replayed = oracle_rules(self.spec), self.pool.documents, self.pool.said
        settled = [oracle_settle(each, said, rules) for each, said in zip(documents, replayed, strict=True)]
        return {
            name: standings(
                [(hand.document, replayed[hand.place], settled[hand.place]) for hand in match.hands], rules
            )
            for name, match in self.matches.items()
        }


def drawn(spec: str, number: int, hands: Pool) -> Drawn:
    """So many matches of some hands."""
    rng = Random(f"matches {spec} {len(hands.documents)}")
    kinds = hands.kinds(oracle_rules(spec))
    names = [f"m{place:05d}" for place in range(number)]
    return Drawn(spec, hands, {name: a_match(hands, kinds, name, rng) for name in names})


def in_the_views_shape(said: Row) -> list[Row]:
    """The oracle's rows as the view has them: ranks shared where nothing decides, and a row decided by the one before it."""
    rows, pairs = said["rows"], said["pairs"]
    totals = sorted({row["points"] for row in rows}, reverse=True)
    found = []
    for place, row in enumerate(rows, start=1):
        tied = [other["player"] for other in rows if other["points"] == row["points"]]
        at = tied.index(row["player"])
        unsure = sum(pairs[other, row["player"]] == "undecided" for other in tied[:at])
        neighbours = tuple(tied[at - 1 : at + 1] if at else tied[:2])
        found.append(
            {
                "player": row["player"],
                "points": row["points"],
                "place": place,
                "rank": place - unsure,
                "tie_group": totals.index(row["points"]) + 1,
                "decided_by": pairs.get(neighbours, "points"),
                "event": said["event"],
            }
        )
    return found


def check(drawn: Drawn) -> Counter[str]:
    """The view agrees with the oracle about every match; returns what came up how often."""
    said = drawn.said()
    with views_over(drawn.tables()) as connection:
        rows = connection.sql("SELECT * FROM standings ORDER BY match_id, place").to_arrow_table().to_pylist()
        pairs = connection.sql(PAIRS).fetchall()
    for row in rows:
        row["points"] = int(row["points"] * 10_000)
    by_match = {name: list(group) for name, group in groupby(rows, lambda row: row["match_id"])}
    decided: dict[str, dict[tuple[str, str], str]] = {name: {} for name in drawn.matches}
    for name, ahead, behind, by in pairs:
        decided[name][ahead, behind] = by
    assert by_match.keys() == drawn.matches.keys()
    for name, match in drawn.matches.items():
        wanted = in_the_views_shape(said[name])
        assert [{key: row[key] for key in wanted[0]} for row in by_match[name]] == wanted, told(match)
        assert decided[name] == said[name]["pairs"], told(match)
        assert sum(row["undefined_hands"] for row in by_match[name]) == 3 * said[name]["left_out"], told(
            match
        )
    return came_up(by_match, said)


def came_up(by_match: Mapping[str, list[Row]], said: Mapping[str, Row]) -> Counter[str]:
    """How often ties were decided by what, and what else happened."""
    found: Counter[str] = Counter()
    for name, rows in by_match.items():
        last = {row["player"]: (row["last_hand_id"], row["last_key"]) for row in rows}
        for (one, two), by in said[name]["pairs"].items():
            apart = last[one][0] != last[two][0] or last[one][1] == last[two][1]
            found["by way of a third" if by == "last_hand" and apart else by] += 1
        found["points"] += sum(row["decided_by"] == "points" for row in rows)
        found["undefined"] += said[name]["left_out"]
        found["swiss"] += said[name]["event"] == "swiss"
        found["three tied"] += max(Counter(row["tie_group"] for row in rows).values()) > 2
    return found


def too_few(found: Counter[str], matches: int) -> dict[str, int]:
    """What did not come up often enough among so many matches, and how often it did."""
    return {name: found[name] for name, often in OFTEN.items() if 1000 * found[name] < often * matches}


def told(match: Match) -> str:
    """A match in words: its hands in the order in which they were played."""
    keys = ("players", "registered", "event", "table", "no", "started_at", "landlord", "outcome")
    return "\n".join(
        str([hand.place, logged, *(hand.document.get(key) for key in keys)])
        for hand, logged in zip(match.hands, match.logged, strict=True)
    )


@pytest.mark.parametrize(("recorded", "spec"), SPECS)
def test_standings_are_the_oracles(recorded: str, spec: str) -> None:
    """Points, place, rank, tied group, event and what decided, of each row and of each pair in a tied group."""
    found = check(drawn(spec, MATCHES, pool(recorded, SMALL, 1)))
    assert too_few(found, MATCHES) == {}


@pytest.mark.long
@pytest.mark.parametrize(("recorded", "spec"), SPECS)
def test_standings_of_many_matches_are_the_oracles(recorded: str, spec: str) -> None:
    """The same of ten times as many matches of other hands."""
    found = check(drawn(spec, MANY, pool(recorded, LARGE, 2)))
    assert too_few(found, MANY) == {}


def pairs_of(name: str, said: Row) -> Iterator[tuple[str, str, str]]:
    """Every two players of a match, the one ahead first, and what decides between them."""
    points = {row["player"]: row["points"] for row in said["rows"]}
    for one, two in combinations(points, 2):
        yield one, two, "points" if points[one] != points[two] else said["pairs"][one, two]


def test_two_players_stand_as_the_oracle_says() -> None:
    """Asked about any two players of a match, in either order, the answer names the one ahead and what decides."""
    few = drawn("jj-classic", FEW, pool("jj-classic", SMALL, 1))
    said, rng = few.said(), Random(3)
    with views_over(few.tables()) as connection:
        for name in few.matches:
            one, two, by = rng.choice(list(pairs_of(name, said[name])))
            found = Standings(connection, few.spec, name).between(*rng.sample([one, two], 2))
            assert (found["ahead"], found["behind"], found["decided_by"]) == (one, two, by), (
                name,
                said[name],
            )


def points_of(settled: Row, document: Document, seat: int) -> Fraction:
    """What a seat's level counts of a hand, in 1/10,000 of a point: no fee, no rake, and points whatever one is worth."""
    if settled["score_status"] == "undefined":
        return Fraction(0)
    role = settled[ROLES[(seat - (document["landlord"] or 0)) % 3]]
    moved = sum(role[part] for part in ("transfer", "liability", "balance_cut", "fine"))
    return Fraction(moved * 10_000, settled["unit"] or 10_000)


@pytest.mark.parametrize("spec", ["qq-classic", "qq-coins", "jj-classic[standing.levels=qq]"])
def test_Q27_levels_are_the_oracles(spec: str) -> None:
    """The points of all hands together, in whatever rooms they were won, reach the level that the oracle says."""
    hands, rules, rng = pool("qq-coins", SMALL, 1), oracle_rules(spec), Random(4)
    settled = [
        oracle_settle(each, said, rules) for each, said in zip(hands.documents, hands.said, strict=True)
    ]
    points = dict.fromkeys((f"p{number:03d}" for number in range(LEVEL_PLAYERS)), Fraction(0))
    dealt = []
    for _ in range(LEVEL_HANDS):
        place = rng.randrange(len(settled))
        document = hands.documents[place]
        worth = [points_of(settled[place], document, seat) for seat in range(3)]
        players = sorted(rng.sample(list(points), 3))  # those who come first win more often
        if rng.random() < 0.7:
            players = [
                players[sorted(range(3), key=lambda seat: -worth[seat]).index(seat)] for seat in range(3)
            ]
        for player, gained in zip(players, worth, strict=True):
            points[player] += gained
        dealt.append(Dealt(place, document | {"players": players}))
    tables = stored(hands, dealt) | {"rule_sets": [rule_set_row(spec)]}
    with views_over(tables | {"settlements": settle(tables["facts"], load_rules(spec))}) as connection:
        found = levels(connection, load_rules(spec)).to_pylist()
    assert {row["player"]: row["points"] * 10_000 for row in found} == points
    assert [row["zh"] for row in found] == [level(row["points"] * 10_000) for row in found]
    assert len({row["zh"] for row in found}) >= LEVELS_REACHED


def test_Q27_a_level_begins_at_its_threshold() -> None:
    """At each threshold, just below it, and below zero the level is the oracle's."""
    table = level_table(load_rules("qq-classic"))
    for threshold in (-1, 0, *(each["from"] for each in table["levels"][1:])):
        for points in (threshold * 10_000, threshold * 10_000 - 1):
            assert table["levels"][level_of(points, table)]["zh"] == level(points)
