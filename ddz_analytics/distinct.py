"""Distinct facts: hands that no rule set in question can tell apart stand in one row with their number, and are settled once.

Hundreds of settings over a million hands then cost about as much as over some hundreds of rows. Which columns a rule set reads
is watched, not listed: a column that is read and was not kept is an error, never a silent difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import structs

from ddz_analytics.alike import AT_END, BALANCES, Apart, needed, plain
from ddz_analytics.columns import Flags, Ints, ints
from ddz_analytics.rules import RuleSet
from ddz_analytics.settlement.columns import Facts
from ddz_analytics.settlement.parties import Parties
from ddz_analytics.settlement.settle import settle_columns
from ddz_analytics.synthetic import probe

_PROBED: dict[tuple[str, str], Any] = {}  # columns of the probe as arrays

Read = Callable[[Sequence[str]], Iterable[pa.Table]]


class MissingColumn(KeyError):
    """A rule set reads a column that was not kept, or not kept as exactly."""


class Kept:
    """The columns of facts that were kept; one that is read and was not is an error."""

    def __init__(self, table: pa.Table) -> None:
        self.columns = dict(zip(table.column_names, table.columns, strict=True))
        self.number = len(table)

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        if name not in self.columns:
            raise MissingColumn(name)
        return self.columns[name]


class Watching(Facts):
    """Facts that note which of their columns are read; what was converted once is kept for the next."""

    def __init__(self, made: dict[tuple[str, str], Any]) -> None:
        super().__init__(probe())
        self._made = made
        self.read: set[str] = set()

    def _once(self, kind: str, name: str, make: Any) -> Any:
        self.read.add(name)
        return super()._once(kind, name, make)


class Outcome(NamedTuple):
    """What a rule set makes of each row: nets and amounts in 1/10,000, zero where nothing is scored."""

    net: Parties
    scored: Flags  # has a score: not undefined
    projected: Flags
    capped: Flags
    liability: Ints  # what liability moves

    def at(self, places: Ints) -> Outcome:
        """The outcome at some rows."""
        net = Parties(*(party[places] for party in self.net))
        return Outcome(
            net, self.scored[places], self.projected[places], self.capped[places], self.liability[places]
        )


def columns_read(rules: RuleSet) -> frozenset[str]:
    """The columns of facts that settling reads under a rule set."""
    numbers = {name: min(value, 2) for name, value in structs.asdict(rules).items() if type(value) is int}
    return _columns_read(structs.replace(rules, id="", title_zh="", title_en="", sources={}, **numbers))


def reads_balances(rules: RuleSet) -> bool:
    """Whether amounts of balances matter, and not only which of them are above the threshold for doubling."""
    return not columns_read(structs.replace(rules, double_check="none")).isdisjoint(BALANCES)


@cache
def _columns_read(alike: RuleSet) -> frozenset[str]:
    """Of all rule sets that differ in how large a factor or limit is: whether it acts decides what is read."""
    watching = Watching(_PROBED)
    settle_columns(watching, alike)
    return frozenset(watching.read)


class Distinct:
    """Distinct facts with the columns that some rule sets read, and the number of hands that each row stands for.

    `table`: those columns, `hand_id` (the lowest of the row's hands) and `hands`. Every rule set is settled on what it reads alone.
    """

    def __init__(self, table: pa.Table, apart: Apart) -> None:
        self.table = table
        self.apart = apart
        self.hands: Ints = ints(table["hands"])
        self._narrowed: dict[frozenset[str], tuple[Facts, Ints]] = {}

    def __len__(self) -> int:
        return len(self.table)

    def outcome(self, rules: RuleSet) -> Outcome:
        """What a rule set makes of each row; raises MissingColumn for one that tells more hands apart."""
        if rules.liability_exempt_cards > self.apart.exempt or _measures_at_end(rules) > self.apart.at_end:
            raise MissingColumn(AT_END[0])
        if not self.apart.balances and reads_balances(rules):
            raise MissingColumn(BALANCES[0])
        facts, places = self._facts(columns_read(rules))
        return settled_outcome(facts, rules).at(places)

    def narrowed(self, rule_sets: Iterable[RuleSet]) -> Distinct:
        """The same hands in fewer rows, for some of the rule sets alone."""
        apart = _apart(list(rule_sets))
        return Distinct(_grouped(self.table, apart.columns), apart)

    def _facts(self, columns: frozenset[str]) -> tuple[Facts, Ints]:
        if columns not in self._narrowed:
            missing = columns - set(self.table.column_names)
            if missing:
                raise MissingColumn(min(missing))
            table, places = _narrowed(self.table, columns)
            self._narrowed[columns] = Facts(Kept(table)), places
        return self._narrowed[columns]


def distinct(read: Read, rule_sets: Iterable[RuleSet], beside: Sequence[str] = ()) -> Distinct:
    """The distinct facts on which each of some rule sets can be settled.

    `read` gives tables with the columns that it is asked for, such as the parts of a store. `beside`: more columns, no facts,
    that tell rows apart.
    """
    apart = _apart(list(rule_sets))
    keys = [*apart.columns, *beside]
    columns = sorted(needed(apart) | set(beside))
    parts = [_grouped(plain(table, apart), keys) for table in read(columns)]
    return Distinct(_grouped(pa.concat_tables(parts), keys), apart)


def settled_outcome(facts: Facts, rules: RuleSet) -> Outcome:
    """What a rule set makes of some facts, row by row."""
    settled = settle_columns(facts, rules)
    played = settled.played
    moved = sum(np.maximum(-party, 0) for party in settled.change("liability"))
    return Outcome(
        net=Parties(*(np.where(played, party, 0) for party in settled.net())),
        scored=settled.scored,
        projected=played & (settled.marks.assumed > 0),
        capped=played & (settled.stakes.cut > 0),
        liability=np.where(played, moved, 0),
    )


def _measures_at_end(rules: RuleSet) -> bool:
    return rules.liability_exempt_measured == "at_end"


def _apart(rule_sets: Sequence[RuleSet]) -> Apart:
    columns = frozenset[str]().union(*(columns_read(rules) for rules in rule_sets))
    balances = any(reads_balances(rules) for rules in rule_sets)
    exempt = max(rules.liability_exempt_cards for rules in rule_sets)
    at_end = any(_measures_at_end(rules) for rules in rule_sets)
    return Apart(tuple(sorted(columns)), balances, exempt, at_end)


def _grouped(table: pa.Table, keys: Sequence[str]) -> pa.Table:
    """One row for each combination of the keys, in the order in which they come, with `hand_id` and `hands`."""
    found = table.group_by(list(keys), use_threads=False).aggregate([("hand_id", "min"), ("hands", "sum")])
    return found.rename_columns([*keys, "hand_id", "hands"])


def _narrowed(table: pa.Table, columns: frozenset[str]) -> tuple[pa.Table, Ints]:
    """The distinct rows of fewer columns, and which of them each row of the table is."""
    rows = table.select(sorted(columns)).append_column("row", pa.array(np.arange(len(table))))
    found = rows.group_by(sorted(columns), use_threads=False).aggregate([("row", "list")])
    members = found["row_list"].combine_chunks()
    places = np.empty(len(table), dtype=np.int64)
    lengths = np.diff(ints(members.offsets))
    places[ints(members.flatten())] = np.repeat(np.arange(len(found)), lengths)
    return found.select(sorted(columns)).combine_chunks(), places
