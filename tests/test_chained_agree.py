"""Chained balances: in thousands of sittings every seat has, gets and keeps what the oracle says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

from ddz_analytics.chained import Known, Sittings, settle_chained, sittings
from ddz_analytics.rules import load_rules
from ddz_analytics.schema import ROLES
from tests.agreement import oracle_rules
from tests.drawn_sittings import an_evening
from tests.in_memory import views_over
from tests.oracle.chained import chained
from tests.oracle.names import Row
from tests.pools import LARGE, SMALL, Dealt, Pool, pool, rule_set_row, stored
from tests.refused import refusals_of_oracle, refusals_of_view
from tests.settling import columns_of, in_order_of_names, words_of

EVENINGS, MANY = 45, 450  # of each rule set
CUT = 0.2  # of the hands played under minimised rules a balance cuts at least so many
SPECS = [
    ("jj-classic", "jj-classic+minimised"),
    ("jj-classic", "jj-classic+minimised[liability.shortfall=partner_pays,balance.winner_cap=total]"),
    ("jj-classic", "qq-coins+minimised[balance.fee=on_top]"),
    ("qq-coins", "qq-coins+minimised[escape.to=others]"),
    ("casino-capped", "casino-capped"),
    ("casino-capped", "casino-capped+minimised[entry.strict=true]"),
    ("happy", "happy"),
    ("happy", "happy+minimised"),
]


class Both(NamedTuple):
    """Hands in the order of the log, which is their id, and what engine and oracle make of them."""

    hands: list[Dealt]
    said: list[Row]  # by the oracle
    sat: Sittings
    settled: pa.Table
    after: dict[tuple[int, int], Fraction | None]  # by hand and seat
    refused: set[Any]


def played(hands: Pool, spec: str, number: int) -> Both:
    """So many evenings under a rule set, chained by both."""
    rng, rules = Random(f"evenings {spec} {len(hands.documents)}"), oracle_rules(spec)
    kinds = hands.kinds(rules)
    log: list[Dealt] = []
    said: dict[int, Row] = {}
    for name in range(number):
        evening = an_evening(hands, kinds, f"e{name}", rng)
        rows = chained([(each.document, hands.said[each.place]) for each in evening.hands], rules)
        said |= {len(log) + place: row for place, row in zip(evening.logged, rows, strict=True)}
        log += evening.log()
    tables = stored(hands, log)
    with views_over(tables) as connection:
        sat = sittings(connection)
    settled = settle_chained(tables["facts"], sat, load_rules(spec))
    with views_over({**tables, "settlements": settled, "rule_sets": [rule_set_row(spec)]}) as connection:
        left = connection.sql("SELECT hand_id, seat, balance_after FROM scores").fetchall()
        refused = refusals_of_view(connection)
    after = {(hand, seat): None if amount is None else Fraction(amount) for hand, seat, amount in left}
    return Both(log, [said[place] for place in range(len(log))], sat, settled, after, refused)


def money(both: Both) -> list[dict[str, list[int | None]]]:
    """What the engine says of each hand: by seat the balance before, what came from elsewhere, and the balance after, in 1/10,000."""
    rows = {hand: row for row, hand in enumerate(both.sat.hand_id.tolist())}
    before = [[_scaled(value) for value in both.settled[f"balance_{role}"].to_pylist()] for role in ROLES]
    status = both.settled["score_status"].to_pylist()
    found = []
    for hand, dealt in enumerate(both.hands):
        had: dict[str, list[int | None]] = {"before": [None] * 3, "outside": [None] * 3, "after": [None] * 3}
        for place in range(3):
            seat, row, has = ((dealt.document["landlord"] or 0) + place) % 3, rows[hand], before[place][hand]
            had["before"][seat] = has
            if has is None:
                continue
            earlier, where = divmod(int(both.sat.earlier[row, place]), 3)
            began = earlier >= 0 and before[where][int(both.sat.hand_id[earlier])] is not None
            had["outside"][seat] = _known(both.sat.from_elsewhere, row, place) if began else 0
            unscored = has + _known(both.sat.change, row, place)
            scored = _scaled(both.after[hand, seat])
            had["after"][seat] = unscored if status[hand] == "undefined" else scored
        found.append(had)
    return found


def _scaled(value: Any) -> int | None:
    return None if value is None else int(Fraction(value) * 10_000)


def _known(amounts: Known, row: int, place: int) -> int:
    return int(amounts.amount[row, place]) if amounts.known[row, place] else 0


def differences(both: Both) -> Iterator[str]:
    """Where engine and oracle differ, in words."""
    rows = zip(both.hands, both.said, money(both), zip(*columns_of(both.settled), strict=True), strict=True)
    for number, (dealt, said, had, mine) in enumerate(rows):
        words = [words_of(dealt.document, mine, in_order_of_names(dealt.document, said["settlement"]))]
        words += [
            f"{name}: engine {value} oracle {said[name]}"
            for name, value in had.items()
            if value != said[name]
        ]
        if any(words):
            yield f"hand {number} of {dealt.document['players']}: {'; '.join(filter(None, words))}"
    refused = refusals_of_oracle((number, said["settlement"]) for number, said in enumerate(both.said))
    yield from (f"refused by one of the two: {row}" for row in sorted(both.refused ^ refused, key=repr))


def came_up(both: Both) -> Counter[str]:
    """How often there was what makes chains difficult."""
    found = Counter(row.what for row in both.refused)
    played_at: dict[str, set[str]] = {}
    for dealt, said in zip(both.hands, both.said, strict=True):
        settled, document = said["settlement"], dealt.document
        found[settled["reason"] or "scored"] += 1
        found["from elsewhere"] += any(said["outside"])
        found["undefined, moved by the log"] += (
            settled["score_status"] == "undefined" and said["after"] != said["before"]
        )
        found["carried without a balance in the log"] += (
            "balances" not in document and None not in said["before"]
        )
        found["below zero"] += any(value is not None and value < 0 for value in said["before"])
        if settled["reason"] is None and settled["score_status"] != "undefined":
            found["cut"] += any(settled[role]["balance_cut"] for role in ROLES)
        for player in document["players"]:
            played_at.setdefault(player, set()).add(document["table"])
    found["at several tables"] = sum(len(tables) > 1 for tables in played_at.values())
    return found


# How often each must come up among a thousand hands; entries, doubles and cuts where there are such rules.
OFTEN = {
    "scored": 400, "from elsewhere": 60, "undefined, moved by the log": 10, "carried without a balance in the log": 20,
    "below zero": 20, "at several tables": 50,
}  # fmt: skip
UNDER = {"happy": {"double": 50}, "casino-capped": {"entry": 500}}


def check(hands: Pool, spec: str, number: int) -> None:
    """Engine and oracle agree on all of it, and what is difficult came up."""
    both = played(hands, spec, number)
    found = list(differences(both))
    assert not found, f"{len(found)} differences, the first: {found[0]}\n{told(both, found[0])}"
    often, wanted = came_up(both), OFTEN | UNDER.get(spec.split("+")[0], {})
    assert {
        name: often[name] for name, least in wanted.items() if 1000 * often[name] < least * len(both.hands)
    } == {}
    if "minimised" in spec:
        assert often["no_balances"] > 0
        assert often["cut"] > CUT * often["scored"]


def told(both: Both, words: str) -> str:
    """The evening of the players that these words name: hand by hand what the log tells and what the oracle makes of it."""
    lines = []
    for number, (dealt, said) in enumerate(zip(both.hands, both.said, strict=True)):
        document, evening = dealt.document, dealt.document["players"][0].split()[0]
        if f"'{evening} " in words:
            keys = ("players", "landlord", "started_at", "balances", "recorded")
            lines.append(
                f"{number} {[document.get(key) for key in keys]} {[said[key] for key in ('before', 'outside', 'after')]}"
            )
    return "\n".join(lines)


@pytest.mark.parametrize(("recorded", "spec"), SPECS)
def test_chains_are_the_oracles(recorded: str, spec: str) -> None:
    """Settlement, refusals, balance before, money from elsewhere and balance after, of every seat of every hand."""
    check(pool(recorded, SMALL, 1), spec, EVENINGS)


@pytest.mark.long
@pytest.mark.parametrize(("recorded", "spec"), SPECS)
def test_many_chains_are_the_oracles(recorded: str, spec: str) -> None:
    """The same of ten times as many hands."""
    check(pool(recorded, LARGE, 2), spec, MANY)
