"""A hand explained under one rule set or two: heading, steps with clauses and places, and where the two part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa
from msgspec import Struct, structs

from ddz_analytics.errors import UsageError
from ddz_analytics.explain.cited import CitedClause, clauses_of
from ddz_analytics.explain.hand import WorkedStep
from ddz_analytics.explain.moments import Moment, moments, played
from ddz_analytics.explain.record import Record, read_hand
from ddz_analytics.explain.steps import worked
from ddz_analytics.locale import term, text
from ddz_analytics.rescore import Scenario
from ddz_analytics.rules import RuleSet
from ddz_analytics.schema import FACTS
from ddz_analytics.settlement.assumptions import CODES
from ddz_analytics.settlement.settle import settle
from ddz_analytics.store.catalog import Connection, sql_text
from ddz_analytics.version import VERSION

PARTIES = ("landlord", "down", "up", "house")


class Seat(Struct, frozen=True):
    """A seat of the hand; `player` is None where he is not named, `role` without a landlord; `balance` is the log's."""

    seat: int
    role: str | None
    player: str | None
    dealt: str | None
    balance: str | None


class Heading(Struct, frozen=True):
    """Which hand it is, where its source has it, and what was dealt."""

    hand_id: int
    source_hand_id: str | None
    source_format: str
    source_path: str
    source_line: int
    table_id: str | None
    match_id: str | None
    hand_no: int | None
    local_time: str | None
    recorded_rules: str | None
    evidence: str
    outcome: str
    landlord_seat: int | None
    bottom: str | None
    wild_rank: str | None
    seats: tuple[Seat, ...]


class ShownAct(Struct, frozen=True):
    """One act of the log in words; of a play its cards; a lead begins a trick."""

    action_index: int
    seat: int
    act: str
    words: str
    is_lead: bool


class PlacedStep(Struct, frozen=True):
    """A step with the clauses that it rests on and the acts that it comes from.

    `before`, `after`: what one pair plays for, empty once money moves; `parties`: what each has after a step that moves money.
    """

    concept: str
    title: str
    words: str
    operation: str
    before: str
    after: str
    citation: str
    clauses: list[CitedClause]
    moments: list[Moment]
    parties: dict[str, str] | None


class Assumption(Struct, frozen=True):
    """What had to be assumed."""

    code: str
    words: str


class Explanation(Struct, frozen=True):
    """A hand under one rule set; `net`: what each party has in the end, None where the hand has no score."""

    rule_set: str
    title: str
    rule_hash: str
    scenario: str
    assumed_rules: bool
    status: str
    reason: str | None
    assumptions: list[Assumption]
    steps: list[PlacedStep]
    net: dict[str, str] | None


class Parting(Struct, frozen=True):
    """How the second of two rule sets differs: what each party has more (None if one has no score), and the first other step."""

    change: dict[str, str] | None
    first: str | None


class Explained(Struct, frozen=True):
    """All that is told of a hand in one language; `parting` where there are two rule sets."""

    version: str
    lang: str
    hand: Heading
    acts: list[ShownAct]
    explanations: list[Explanation]
    parting: Parting | None


@dataclass(frozen=True)
class Question:
    """Which hand, under which rule sets (one or two), with balances of which scenario, in which language.

    `player`: the only one who keeps his name; None: all do.
    """

    hand_id: int
    rule_sets: Sequence[RuleSet]
    scenario: Scenario = "recorded"
    lang: str = "en"
    player: str | None = None


def explain(connection: Connection, question: Question) -> Explained:
    """Tell how a hand of the store comes to its score; chained balances must be settled before (see `rescore`).

    Raises UsageError `player_unknown` where nobody of that name sits at the table.
    """
    record = read_hand(connection, question.hand_id)
    told = [
        _explanation(record, facts_of(connection, record, rules, question), rules, question)
        for rules in question.rule_sets
    ]
    heading = heading_of(record, question.player)
    parting = _parting(*told) if len(told) == 2 else None
    acts = [
        ShownAct(act.action_index, act.seat, act.act, played(act, question.lang), act.is_lead)
        for act in record.acts
    ]
    return Explained(VERSION, question.lang, heading, acts, told, parting)


def seats_only(told: Explained) -> Explained:
    """The same without any name."""
    seats = tuple(structs.replace(seat, player=None) for seat in told.hand.seats)
    return structs.replace(told, hand=structs.replace(told.hand, seats=seats))


def party_name(heading: Heading, party: str, lang: str) -> str:
    """What a party is called: its role, its seat, and its name if it has one; without a landlord there are seats only."""
    if party == "house":
        return term("role", "house", lang)
    seat = heading.seats[((heading.landlord_seat or 0) + PARTIES.index(party)) % 3]
    role = term("role", party, lang) if heading.landlord_seat is not None else ""
    parts = [role, text("explain.seat", lang, seat=seat.seat), seat.player or ""]
    return " ".join(part for part in parts if part)


def heading_of(record: Record, player: str | None) -> Heading:
    """How a hand is headed; raises UsageError `player_unknown` where nobody of that name sits at the table."""
    names = [seat["player"] for seat in record.seats]
    if player is not None and player not in names:
        mend = "leave out --player, or name who sat there"
        raise UsageError("player_unknown", f"nobody called {player!r} sat at this table", mend=mend)
    kept = [name if player in (None, name) else None for name in names]
    seats = [_seat(seat, name) for seat, name in zip(record.seats, kept, strict=True)]
    time = record.head["local_time"]
    told = {**record.head, "local_time": None if time is None else time.isoformat(" "), "seats": tuple(seats)}
    return Heading(**{name: told[name] for name in Heading.__struct_fields__})


def _seat(row: dict[str, Any], player: str | None) -> Seat:
    balance = row["balance"]
    told = {**row, "player": player, "balance": None if balance is None else _plain(balance)}
    return Seat(**{name: told[name] for name in Seat.__struct_fields__})


def _plain(amount: Decimal) -> str:
    """An amount with the digits that it needs."""
    return f"{amount.normalize():f}"


def facts_of(connection: Connection, record: Record, rules: RuleSet, question: Question) -> pa.Table:
    """The facts, with the balances that the scenario has before this hand."""
    if question.scenario == "recorded":
        return record.facts
    values = {"scenario": question.scenario, "rule_sets": [rules.id], "hands": [question.hand_id]}
    table = connection.sql(sql_text("comparison/facts"), params=values).to_arrow_table()
    return table.select(FACTS.names).cast(FACTS)


def _explanation(record: Record, facts: pa.Table, rules: RuleSet, question: Question) -> Explanation:
    (settled,) = settle(facts, rules).to_pylist()
    lang, reason = question.lang, settled["reason"]
    assumed = [code for bit, code in enumerate(CODES) if settled["assumed"] >> bit & 1]
    steps = worked(facts, rules, lang)
    return Explanation(
        rule_set=rules.id,
        title=(rules.title_zh if lang == "zh" else rules.title_en) or rules.id,
        rule_hash=rules.rule_hash,
        scenario=question.scenario,
        assumed_rules=rules.assumed,
        status=settled["score_status"],
        reason=reason,
        assumptions=[Assumption(code, term("assumption", code, lang)) for code in assumed],
        steps=[_placed(step, moments(step.concept, reason, record, rules, lang), lang) for step in steps],
        net=_parties(steps[-1]),
    )


def _placed(step: WorkedStep, found: list[Moment], lang: str) -> PlacedStep:
    return PlacedStep(
        concept=step.concept,
        title=step.title,
        words=step.words,
        operation=step.operand,
        before=step.before,
        after=step.after,
        citation=step.citation,
        clauses=clauses_of(step.citation, lang),
        moments=found,
        parties=None if step.after else _parties(step),
    )


def _parties(step: WorkedStep) -> dict[str, str] | None:
    amounts: dict[str, str] = {party: getattr(step, party) for party in PARTIES}
    return amounts if all(amounts.values()) else None


def _parting(one: Explanation, other: Explanation) -> Parting:
    change: dict[str, str] | None = None
    if one.net is not None and other.net is not None:
        change = {party: _plain(Decimal(other.net[party]) - Decimal(one.net[party])) for party in PARTIES}
    return Parting(change, _first_other(one.steps, other.steps))


def _first_other(steps: Sequence[PlacedStep], others: Sequence[PlacedStep]) -> str | None:
    """The title of the first step that does not do the same, of whichever of the two has it."""

    def done(step: PlacedStep) -> tuple[Any, ...]:
        return step.concept, step.operation, step.before, step.after, step.parties

    for one, other in zip(steps, others, strict=False):
        if done(one) != done(other):
            return " / ".join(dict.fromkeys((one.title, other.title)))
    longer = (*steps[len(others) :], *others[len(steps) :])
    return longer[0].title if longer else None
