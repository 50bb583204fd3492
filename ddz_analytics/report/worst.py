"""The hands that differ most: who sat there, what was played, and both settlements step by step."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from msgspec import Struct

from ddz_analytics.explain import WorkedStep, worked
from ddz_analytics.locale import LANGUAGES
from ddz_analytics.report.questions import Questions
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import FACTS

MOST = 10  # hands for each other rule set
IN_ALL = 40  # so that many rule sets do not make a large file
_QUIET = ("play", "pass")


class Seat(Struct, frozen=True):
    """A seat of a hand: its place counted from the landlord (without one, the seat itself), player, role and dealt cards."""

    seat: int
    player: str | None
    role: str | None
    dealt: str | None


class Act(Struct, frozen=True):
    """One act; `place` is the seat's place in `ShownHand.seats`."""

    place: int
    act: str
    value: str
    cards: str
    leads: bool
    by_system: bool


class Settling(Struct, frozen=True):
    """A hand under one rule set: whether exact or projected, and the steps by language."""

    rule_set: str
    status: str
    steps: dict[str, list[WorkedStep]]


class ShownHand(Struct, frozen=True):
    """A hand that differs under `rule_set`; `rounds` are its acts from the first play on, three places a round."""

    rule_set: str
    hand_id: int
    source_hand_id: str | None
    table_id: str | None
    hand_no: int | None
    largest_difference: str
    bottom: str | None
    seats: list[Seat]
    before: list[Act]
    rounds: list[list[Act | None]]
    settlings: list[Settling]


def shown_hands(questions: Questions, baseline: RuleSet, others: Sequence[RuleSet]) -> list[ShownHand]:
    """For each other rule set the hands that differ most, the largest difference first."""
    count = max(1, min(MOST, IN_ALL // len(others)))
    worst = questions.ask("comparison/worst", count=count).rows()
    chosen = sorted({row["hand_id"] for row in worst})
    table = questions.ask("comparison/facts", hands=chosen).table
    facts = table.select(FACTS.names).cast(FACTS)
    keys = zip(table["rule_set"].to_pylist(), table["hand_id"].to_pylist(), strict=True)
    place = {key: number for number, key in enumerate(keys)}
    statuses = {
        (row["rule_set"], row["hand_id"]): row["score_status"]
        for row in questions.ask("settled", hands=chosen).rows()
    }
    details = {name: _by_hand(questions, name, chosen) for name in ("seats", "acts", "bottoms")}
    by_id = {rules.id: rules for rules in others}

    def settling(rules: RuleSet, hand_id: int) -> Settling:
        row = facts.slice(place[rules.id, hand_id], 1)
        steps = {lang: worked(row, rules, lang) for lang in LANGUAGES}
        return Settling(rules.id, statuses[rules.id, hand_id], steps)

    return [
        _shown(
            row,
            {name: found[row["hand_id"]] for name, found in details.items()},
            [settling(rules, row["hand_id"]) for rules in (baseline, by_id[row["rule_set"]])],
        )
        for row in worst
    ]


def _by_hand(questions: Questions, name: str, chosen: list[int]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {hand_id: [] for hand_id in chosen}
    for row in questions.ask(name, hands=chosen).rows():
        found[row["hand_id"]].append(row)
    return found


def _shown(
    row: dict[str, Any], details: dict[str, list[dict[str, Any]]], settlings: list[Settling]
) -> ShownHand:
    landlord = row["landlord_seat"] or 0
    seats = sorted(details["seats"], key=lambda seat: (seat["seat"] - landlord) % 3)
    acts = [_act(act, landlord) for act in details["acts"]]
    first = next((number for number, act in enumerate(acts) if act.act in _QUIET), len(acts))
    return ShownHand(
        rule_set=row["rule_set"],
        hand_id=row["hand_id"],
        source_hand_id=row["source_hand_id"],
        table_id=row["table_id"],
        hand_no=row["hand_no"],
        largest_difference=_plain(row["largest_difference"]),
        bottom=details["bottoms"][0]["bottom"],
        seats=[Seat(seat["seat"], seat["player"], seat["role"], seat["dealt"]) for seat in seats],
        before=acts[:first],
        rounds=_rounds(acts[first:]),
        settlings=settlings,
    )


def _act(row: dict[str, Any], landlord: int) -> Act:
    value = "" if row["value"] is None else _plain(row["value"])
    by_system = row["actor"] not in (None, "player")
    place = (row["seat"] - landlord) % 3
    return Act(place, row["act"], value, row["cards"] or "", bool(row["is_lead"]), by_system)


def _plain(amount: Decimal) -> str:
    """An amount with the digits that it needs."""
    return f"{amount.normalize():f}"


def _rounds(acts: list[Act]) -> list[list[Act | None]]:
    """Plays and passes, a new round whenever the turn comes back to or before a place already taken; other acts between them
    stand in a round of their own."""
    rounds: list[list[Act | None]] = []
    filled = 3
    for act in acts:
        if act.place < filled or act.act not in _QUIET:
            rounds.append([None, None, None])
        rounds[-1][act.place] = act
        filled = act.place + 1 if act.act in _QUIET else 3
    return rounds
