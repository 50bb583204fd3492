"""What a baseline and other rule sets make of the same hands: tables, each from one SQL statement over the views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from string import Template

import msgspec
import pyarrow as pa

from ddz_analytics.choosing import check_column, limited
from ddz_analytics.errors import UsageError
from ddz_analytics.reconcile import reconciled
from ddz_analytics.rules import RuleSet, difference
from ddz_analytics.schema import FACTS
from ddz_analytics.shared import Shared
from ddz_analytics.store.catalog import MEMORY, Connection, sql_text
from ddz_analytics.store.manifest import load_manifest

LARGE = 5_000_000  # hands that need no more than SPARING, and are not told much sooner with more
SPARING = "1GB"
BASELINE_GROUPS = ("stake_decile", "player_volume")  # columns of the macro baseline_groups


@dataclass(frozen=True)
class Comparison:
    """A baseline against other rule sets, by id, over the hands that `connection` (see `catalog.connect`) shows.

    Scores that are undefined under the baseline or under the other are left out of every paired table; `statuses` counts them.
    Autoplay, doubles and balances are told over the hands that all of the rule sets score, so that any number of them stand side
    by side. What was asked once is kept. `scenario` says where the balances come from: recorded or chained. `where`, SQL over
    `hand_seats` that `check_where` has let pass, limits all but `reconciliation` and standings to hands with such a seat. `advance`
    is how many of each match go on, None where that is not asked.
    """

    connection: Connection
    baseline: str
    others: tuple[str, ...]
    scenario: str = "recorded"
    where: str | None = None
    advance: int | None = None
    _answers: dict[str, pa.Table] = field(default_factory=dict, init=False, repr=False, compare=False)

    def overview(self) -> pa.Table:
        """What the hands come to under each rule set, the baseline first: statuses, means, caps, liability, house."""
        return self._answer("overview")

    def changed(self) -> pa.Table:
        """How many hands change, how much ends up with somebody else, and what moves before and after, by other rule set."""
        return self._answer("changed")

    def days(self) -> pa.Table:
        """What winning seats win and the house takes before and after, by other rule set and local day."""
        return self._answer("days")

    def distribution(self) -> pa.Table:
        """How many hands have a score in each step of doubling, before and after, by other rule set and role."""
        return self._answer("distribution")

    def bands(self) -> pa.Table:
        """How many seats lose over 16 stakes, lose, stay the same, gain, gain over 16, by other rule set and role."""
        return self._answer("bands")

    def roles(self) -> pa.Table:
        """Means, spread and percentiles of the difference, and who is better off, by other rule set and role."""
        return self._answer("roles")

    def intervals(self) -> pa.Table:
        """The mean difference with its 95 % interval and the clusters that carry it, by other rule set and role.

        The interval is NULL below 30 differing hands or clusters; `detectable` is there where the interval covers 0.
        """
        return self._answer("intervals")

    def groups(self, column: str) -> pa.Table:
        """Means and differences by value of a column of `hand_seats`, or of BASELINE_GROUPS, by other rule set and role.

        Raises UsageError `unknown_column`.
        """
        if column in BASELINE_GROUPS:
            return self._answer("groups_baseline", by=column)
        named = f'"{check_column(self.connection, column)}"'
        return self._asked(Template(sql_text("comparison/groups")).safe_substitute(column=named))

    def break_even(self) -> pa.Table:
        """By how much the landlord's win rate would have to move to cancel the difference, by other rule set."""
        return self._answer("break_even")

    def multipliers(self) -> pa.Table:
        """How many hands reach each multiplier, and how many of them are capped, by rule set."""
        return self._answer("multipliers")

    def caps(self) -> pa.Table:
        """What the landlord plays for and what the last doubling was worth, by rule set and number of doublings before the cap."""
        return self._answer("caps")

    def gini(self) -> pa.Table:
        """How unequal stakes and balances are, by rule set."""
        return self._answer("gini")

    def standings(self) -> pa.Table:
        """How far the order of each match is the baseline's, by other rule set and match; all hands of a match count."""
        return self._answer("standings")

    def moves(self, count: int) -> pa.Table:
        """The `count` players of each other rule set who move furthest, those who cross the cut first."""
        return self._answer("moves", count=count)

    def flows(self) -> pa.Table:
        """Who pays whom, by rule set, reason, payer and receiver: a party is the house or what autoplay made of a seat."""
        return self._answer("flows")

    def liability(self) -> pa.Table:
        """Hands with one or both peasants on autoplay, what answering for it moves, and what is forfeit, by rule set."""
        return self._answer("liability")

    def autoplay_seats(self) -> pa.Table:
        """What peasants on autoplay, their partners and other peasants get, losing and winning, by rule set."""
        return self._answer("autoplay_seats")

    def autoplay_losses(self) -> pa.Table:
        """What a peasant on autoplay and his partner lose on average in lost hands, with the 95 % interval, by rule set."""
        return self._answer("autoplay_losses")

    def autoplay_starts(self) -> pa.Table:
        """The same by how many cards the peasant held when his autoplay began, by rule set."""
        return self._answer("autoplay_starts")

    def shortfalls(self) -> pa.Table:
        """What seats that answer for autoplay cannot pay, and what their partners pay for it, by rule set."""
        return self._answer("shortfalls")

    def refusals(self) -> pa.Table:
        """Doubles asked and refused, what the refused ones would have changed, and refused entries, by rule set."""
        return self._answer("refusals")

    def balances(self) -> pa.Table:
        """What balances cut of payments, and whom hands ruin, before and after, by rule set."""
        return self._answer("balances")

    def reconciliation(self) -> pa.Table:
        """One row: hands recorded under the baseline, and how many of their scores it reproduces (always with recorded balances).

        `reconciles` is NULL where no hand was recorded under it.
        """
        found = reconciled(self.connection, self.baseline)
        counts = {"hands": found.hands, **found._asdict()}
        verdict = found.unexplained == 0 if found.hands else None
        return pa.Table.from_pylist(
            [{"rule_set": self.baseline, **counts, "reconciles": verdict}], schema=RECONCILIATION
        )

    def worst(self, count: int) -> pa.Table:
        """The `count` hands with the largest difference of any seat, by other rule set."""
        return self._answer("worst", count=count)

    def facts(self, hands: Sequence[int]) -> pa.Table:
        """What settling reads of some hands, by rule set (which tells balances apart) and `hand_id`."""
        return self._answer("facts", hands=list(hands))

    def statuses(self) -> pa.Table:
        """How many hands are exact, projected and undefined, by rule set and reason."""
        return self._answer("statuses")

    def assumptions(self) -> pa.Table:
        """How many hands rest on each assumption, by rule set."""
        return self._answer("assumptions")

    def house(self) -> pa.Table:
        """What moves between seats and what the house receives, by rule set."""
        return self._answer("house")

    def _answer(self, question: str, **more: object) -> pa.Table:
        """The result of `sql/comparison/<question>.sql`, given those of its parameters that it names."""
        if more:
            return self._asked(sql_text(f"comparison/{question}"), **more)
        if question not in self._answers:
            self._answers[question] = self._asked(sql_text(f"comparison/{question}"))
        return self._answers[question]

    @cached_property
    def shared(self) -> Shared:
        """What several questions stand on."""
        return Shared(self.connection, self.parameters, self.where)

    def _asked(self, text: str, **more: object) -> pa.Table:
        query = limited(self.shared.reading(text), self.where)
        return self.connection.sql(query, params=self._given(query, **more)).to_arrow_table()

    @property
    def parameters(self) -> dict[str, object]:
        """What the parameters are that a question may name, but for those of its own."""
        return {
            "scenario": self.scenario,
            "baseline": self.baseline,
            "others": list(self.others),
            "rule_sets": [self.baseline, *self.others],
            "advance": self.advance,
        }

    def _given(self, query: str, **more: object) -> dict[str, object]:
        given = {**self.parameters, **more}
        (statement,) = self.connection.extract_statements(query)
        return {name: given[name] for name in statement.named_parameters}


def memory_for(store: Path) -> str:
    """How much `connect` is to let a comparison of a store take; raises as `load_manifest` does."""
    hands = sum(part.rows for part in load_manifest(store).hands)
    return SPARING if hands <= LARGE else MEMORY


def compare(  # noqa: PLR0913 - what the last three limit may be left out
    connection: Connection,
    baseline: str,
    others: Sequence[str],
    scenario: str = "recorded",
    where: str | None = None,
    advance: int | None = None,
) -> Comparison:
    """A comparison of rule sets that the store is scored under; raises UsageError `not_scored` for one that it is not."""
    rows = connection.sql(sql_text("comparison/scored"), params={"scenario": scenario}).fetchall()
    scored = [rule_set for (rule_set,) in rows]
    for rule_set in (baseline, *others):
        if rule_set not in scored:
            how = "" if scenario == "recorded" else f" --balances {scenario}"
            mend = f"ddz rescore --rules {rule_set}{how}; scored are: {', '.join(scored) or 'none'}"
            raise UsageError("not_scored", f"nothing is scored under {rule_set!r}", mend=mend)
    return Comparison(connection, baseline, tuple(others), scenario, where, advance)


def one_by_one(table: pa.Table) -> dict[tuple[str, int], pa.Table]:
    """What settling reads of each hand, a table of schema FACTS with one row, by rule set and hand; rows as `Comparison.facts` gives them."""
    facts = table.select(FACTS.names).cast(FACTS)
    keys = zip(table["rule_set"].to_pylist(), table["hand_id"].to_pylist(), strict=True)
    return {key: facts.slice(place, 1) for place, key in enumerate(keys)}


def rule_differences(baseline: RuleSet, others: Sequence[RuleSet]) -> pa.Table:
    """The parameters that differ, with both values as JSON and what each is cited from; one row per other rule set and key."""
    rows = [
        {
            "rule_set": other.id,
            "key": found.key,
            "baseline": msgspec.json.encode(found.a).decode(),
            "other": msgspec.json.encode(found.b).decode(),
            "source_baseline": found.source_a,
            "source_other": found.source_b,
        }
        for other in others
        for found in difference(baseline, other)
    ]
    return pa.Table.from_pylist(rows, schema=DIFFERENCES)


DIFFERENCES = pa.schema(
    [
        (name, pa.string())
        for name in ("rule_set", "key", "baseline", "other", "source_baseline", "source_other")
    ]
)

RECONCILIATION = pa.schema(
    [
        ("rule_set", pa.string()),
        *((name, pa.int64()) for name in ("hands", "exact", "explained", "unexplained")),
        ("reconciles", pa.bool_()),
    ]
)
