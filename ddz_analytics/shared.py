"""What several questions of a comparison stand on, made once for all of them in temporary tables of its connection.

`sql/shared/` has a file for each: `base.sql` writes every different settlement, group of hands and course of a hand once, the
others tell from these few rows what the macros tell of all hands. A question reads the one in place of the other, row for row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from ddz_analytics.choosing import limited
from ddz_analytics.store.catalog import Connection, ranges_of_hands, sql_text

# what is read as it is written in questions, and what is read instead
READ = {
    "paired_hands($baseline, $others)": "shared.paired_hands",
    "paired_counts($baseline, $others)": "shared.paired_counts",
    "compared_hands($rule_sets)": "shared.compared_hands",
    "compared_balances($rule_sets)": "shared.compared_balances",
    "settled_counts($rule_sets)": "shared.settled_counts",
    "scored_days($rule_sets)": "shared.scored_days",
    "baseline_groups($baseline)": "shared.baseline_groups",
    "clusters()": "shared.clusters",
    "FROM standings": "FROM shared.standings",
}
# what stands in a file with others
_MADE_WITH = {
    **dict.fromkeys(
        ("numbers", "settlements", "taken", "outcomes", "groups", "courses", "hands", "found", "alike", "gone"), "base"
    ),
    "seats": "entrants",
    "named": "entrants",
}  # fmt: skip
_NAME = re.compile(r"\bshared\.(\w+)")
_NUMBERS = count(1)


@dataclass(frozen=True)
class Shared:
    """The temporary tables of one comparison; `given`: the parameters by name, `where`: see `Comparison`."""

    connection: Connection
    given: Mapping[str, object]
    where: str | None
    number: int = field(default_factory=lambda: next(_NUMBERS), init=False)
    made: set[str] = field(default_factory=set, init=False)

    def reading(self, text: str) -> str:
        """A statement that gives the same but reads temporary tables, which are filled when a statement first reads them."""
        for read, instead in READ.items():
            text = text.replace(read, instead)
        return self._named(text)

    def _named(self, text: str) -> str:
        for name in dict.fromkeys(_NAME.findall(text)):
            self._make(_MADE_WITH.get(name, name))
        return _NAME.sub(rf"shared_{self.number}_\1", text)

    def _make(self, name: str) -> None:
        if name in self.made:
            return
        self.made.add(name)  # before its text is read, where its own name stands too
        self._run(name)
        if name == "base":
            self._fill_base()
        if name == "standings":
            self._fill_standings()

    def _fill_base(self) -> None:
        for limits in ranges_of_hands(self.connection):
            self._run("range", **limits)

    def _fill_standings(self) -> None:
        rule_sets = self.given["rule_sets"]
        for rule_set in dict.fromkeys(rule_sets if isinstance(rule_sets, list) else ()):
            self._run("places", rule_set=rule_set)
        self.connection.execute(self._named("DROP TABLE shared.seats; DROP TABLE shared.entrants"))

    def _run(self, name: str, **more: object) -> None:
        """The statements of one file of `sql/shared/`."""
        given = {**self.given, **more}
        for statement in self.connection.extract_statements(self._named(sql_text(f"shared/{name}"))):
            values = {each: given[each] for each in statement.named_parameters}
            self.connection.execute(limited(statement.query, self.where), values)
