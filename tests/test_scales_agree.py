"""Scales of recorded scores that are no points: on every generated hand they give what the oracle gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import NamedTuple

import pyarrow as pa
import pytest

from ddz_analytics.columns import AMOUNT
from ddz_analytics.combinations import CATEGORIES
from ddz_analytics.replay import Replayed
from ddz_analytics.scales import scales
from tests.agreement import engine_replay, hands_of, oracle_replayed
from tests.generated import hands
from tests.in_memory import views_over
from tests.oracle.names import Document, Row
from tests.oracle.scales import botzone_v1, botzone_v1_error, rlcard_payoff
from tests.small_store import ask

HANDS, MANY = 250, 2500  # of each kind of recorded rules
KINDS = ("qq-classic", "unknown")
Scores = list[Fraction] | None
OF_FORMAT: dict[str, Callable[[Document, Row], Scores]] = {
    "botzone-ftl1": botzone_v1,
    "rlcard-trace": rlcard_payoff,
}
VERDICTS = "SELECT hand_id, verdict, cause FROM reconciliation GROUP BY ALL ORDER BY hand_id"


class Natural(NamedTuple):
    """Hands without wild cards, some of them faulty or broken off, as engine and oracle replayed them."""

    documents: list[Document]
    replayed: Replayed
    said: list[Row]

    def scores(self, name: str) -> list[Scores]:
        """What the oracle scores them on a format's scale."""
        return [OF_FORMAT[name](*each) for each in zip(self.documents, self.said, strict=True)]


@cache
def natural_hands(number: int, seed: int) -> Natural:
    """So many hands of each kind, less those with wild cards."""
    drawn = [document for kind in KINDS for document in hands(kind, number, seed)]
    documents = [document for document in drawn if "wild" not in document]
    return Natural(documents, engine_replay(documents), [oracle_replayed(each) for each in documents])


def in_format(some: Natural, name: str, scores: Sequence[Scores]) -> dict[str, pa.Table]:
    """The stored tables of some hands as if a log of that format, which names no rules, had told these scores."""
    table, number = hands_of(some.documents), len(some.documents)
    columns: dict[str, pa.Array] = {
        "source_format": pa.array([name] * number),
        "recorded_rules": pa.nulls(number, pa.string()),
    }
    for seat in range(3):
        told = [None if each is None else _decimal(each[seat]) for each in scores]
        columns[f"recorded_score_{seat}"] = pa.array(told, AMOUNT)
    for column, values in columns.items():
        table = table.set_column(table.schema.get_field_index(column), column, values)
    return {"hands": table, "facts": some.replayed.facts, "plays": some.replayed.plays}


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / value.denominator


def check(some: Natural, name: str) -> Counter[str]:
    """The scale gives what the oracle gives, explains just these scores, and returns how often which sets were played."""
    scores = some.scores(name)
    with views_over(in_format(some, name, scores)) as connection:
        amounts = ask(connection, "SELECT hand_id, amount FROM stored.on_scale ORDER BY hand_id, seat")
        verdicts = {hand: (verdict, cause) for hand, verdict, cause in ask(connection, VERDICTS)}
    by_hand = {hand: [amount for _, amount in rows] for hand, rows in groupby(amounts, lambda row: row[0])}
    found: Counter[str] = Counter()
    for number, (said, wanted) in enumerate(zip(some.said, scores, strict=True)):
        assert by_hand[number] == list(wanted or (None, None, None)), some.documents[number]
        assert verdicts.get(number) == (("explained", "other_scale") if wanted else None)
        found["none"] += wanted is None
        if wanted:
            found[f"{said['winner_side']} won"] += 1
            found.update(str(play["category"]) for play in said["plays"])
    return found


@pytest.mark.parametrize("name", OF_FORMAT)
def test_scales_are_the_oracles(name: str) -> None:
    """Of hands in which every category was played, won by both sides; a hand that breaks a rule or was broken off has no score."""
    found = check(natural_hands(HANDS, 1), name)
    assert min(found[key] for key in ("none", "landlord won", "peasants won")) > HANDS / 20
    assert {category for category in categories() if found[category] < 5} == {"four_two_mixed"}


@pytest.mark.long
@pytest.mark.parametrize("name", OF_FORMAT)
def test_scales_of_many_hands_are_the_oracles(name: str) -> None:
    """The same of ten times as many hands."""
    assert check(natural_hands(MANY, 2), name)["none"] > MANY / 20


@pytest.mark.parametrize("name", OF_FORMAT)
def test_another_score_is_not_explained(name: str) -> None:
    """A hundredth more for one seat, or the scores of two seats the other way round where they differ, is not what the scale gives."""
    some = natural_hands(HANDS, 1)
    wrong = [scores and changed(scores, number) for number, scores in enumerate(some.scores(name))]
    with views_over(in_format(some, name, wrong)) as connection:
        verdicts = {row[1:] for row in ask(connection, VERDICTS)}
    assert verdicts == {("unexplained", "scale_differs")}


def changed(scores: list[Fraction], number: int) -> list[Fraction]:
    """Scores that differ in one seat by a hundredth, or in two that changed places."""
    seat = number % 3
    other = next((place for place in range(3) if scores[place] != scores[seat]), None)
    found = list(scores)
    if number % 2 and other is not None:
        found[seat], found[other] = scores[other], scores[seat]
    else:
        found[seat] += Fraction(1, 100)
    return found


def test_an_error_of_the_landlord() -> None:
    """Whoever of two readings is right for a peasant's error: the landlord's own costs him alone."""
    some = natural_hands(HANDS, 1)
    broken_off = [each["landlord"] is not None and each["outcome"] == "unfinished" for each in some.documents]
    scores = [
        botzone_v1_error(document, document["landlord"]) if unfinished else None
        for document, unfinished in zip(some.documents, broken_off, strict=True)
    ]
    with views_over(in_format(some, "botzone-ftl1", scores)) as connection:
        verdicts = [row[1:] for row in ask(connection, VERDICTS)]
    assert verdicts == [("explained", "other_scale")] * sum(broken_off)


def categories() -> set[str]:
    """The categories of hands without wild cards."""
    return {category for category in CATEGORIES if not category.startswith("bomb_")}


def test_every_category_has_points() -> None:
    """A play of any category adds something on the scale that counts plays, and so does a chain of quads, which is none."""
    assert set(scales()["botzone-v1"]["points"]) == categories() | {"space_shuttle"}
