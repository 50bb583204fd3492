"""A note where a question adds up the amounts of several rule sets, or of both scenarios, as if they were one.

`settlements`, `scores`, `flows`, `refusals`, `ruins` and `standings` have the rows of every rule set and scenario of the store below
each other. So of each SELECT that reads one of them, by itself or through a common table or a subquery, it is asked: does it
call a function that adds up or counts (`sum`, `avg`, `count`, …; not `min`, `max` or `count(DISTINCT …)`), while its WHERE, conditions of joins,
GROUP BY, QUALIFY, and what that function is applied to, never name `rule_set`? Then, if the store is scored under several rule
sets, there is a note; and likewise for `scenario`. Grouped rows are still of several rule sets, filtered ones are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ddz_analytics.locale import said
from ddz_analytics.query.checking import nodes
from ddz_analytics.store.manifest import Manifest

_MANY_FOLD = frozenset(("settlements", "scores", "flows", "refusals", "ruins", "standings"))
_ADDING = frozenset(
    ("sum", "fsum", "kahan_sum", "sumkahan", "sum_no_overflow", "avg", "mean", "favg", "count", "count_star", "count_if", "countif",
     "median", "quantile", "quantile_cont", "quantile_disc", "approx_quantile", "stddev", "stddev_samp", "stddev_pop", "variance",
     "var_samp", "var_pop", "sem", "skewness", "kurtosis", "histogram", "mode")
)  # fmt: skip
Node = Mapping[str, Any]


def warnings_of(tree: Node, manifest: Manifest) -> list[str]:
    """What is to be said of a question with this syntax tree, asked of a store with this manifest."""
    held = {
        "rule_set": sorted({part.rule_set for part in manifest.settlements}),
        "scenario": sorted({part.scenario for part in manifest.settlements}),
    }
    return [
        said(
            f"sql.adds_up_{column}",
            number=len(names),
            names=", ".join([*names[:3], *["…"][: len(names[3:])]]),
        )
        for column, names in held.items()
        if len(names) > 1 and _adds_up(tree, column)
    ]  # fmt: skip


def _adds_up(tree: Node, column: str) -> bool:
    """Whether some SELECT adds up rows of several values of a column."""
    reading = _Reading(column)
    for statement in tree["statements"]:
        reading.mixed(statement["node"], {})
    return reading.found


class _Reading:
    """A walk through the queries of a statement, from the innermost out."""

    def __init__(self, column: str) -> None:
        self._column = column
        self.found = False

    def mixed(self, node: Node, known: Mapping[str, bool]) -> bool:
        """Whether the rows of a query are of several values of the column; `known` says it of the common tables around it."""
        known = dict(known)
        for entry in (node.get("cte_map") or {}).get("map") or []:
            known[entry["key"].lower()] = self.mixed(_query_of(entry["value"]), known)
        if node["type"] != "SELECT_NODE":
            return any([self.mixed(child, known) for child in _children(node)])
        for expression in (node["select_list"], node.get("where_clause"), node.get("having")):
            for subquery in _subqueries(expression):
                self.mixed(subquery, known)
        if not self._reads(node.get("from_table"), known) or self._names(node.get("where_clause")):
            return False
        grouped = self._is_grouped(node)
        self.found = self.found or (not grouped and any(self._mixes(each) for each in _outside(node)))
        return True

    def _reads(self, table: Node | None, known: Mapping[str, bool]) -> bool:
        """Whether a FROM clause has rows of several values of the column."""
        if not table:
            return False
        if table["type"] == "BASE_TABLE":
            name = table["table_name"].lower()
            return known.get(name, name in _MANY_FOLD)
        if table["type"] == "SUBQUERY":
            return self.mixed(table["subquery"]["node"], known)
        if table["type"] == "PIVOT":
            return self._reads_pivot(table, known)
        reads = any([self._reads(table.get(side), known) for side in ("left", "right")])
        return reads and not any(self._chooses(each) for each in _conjuncts(table.get("condition")))

    def _chooses(self, condition: Node) -> bool:
        """Whether a condition of a join takes some values of the column, as `s.rule_set = h.recorded_rules` does; `a.rule_set = b.rule_set` does not."""
        return sum(self._names(each) for each in nodes(condition) if each.get("class") == "COLUMN_REF") == 1

    def _reads_pivot(self, table: Node, known: Mapping[str, bool]) -> bool:
        """The same of a PIVOT, which adds up what its source has; without groups it keeps every other column apart."""
        reads = self._reads(table.get("source"), known)
        groups = table.get("groups") or []
        if reads and groups and self._column not in groups:
            self.found = True
        return reads

    def _is_grouped(self, node: Node) -> bool:
        chosen = node["select_list"]
        if node.get("aggregate_handling") == "FORCE_AGGREGATES":  # GROUP BY ALL: by each column that is none
            return any(self._names(each) for each in chosen if not _calls(each))
        named = {each["alias"].lower(): each for each in chosen if each.get("alias")}
        groups = [_meant(each, chosen, named) for each in node.get("group_expressions") or []]
        return self._names(groups) or self._names(node.get("qualify"))

    def _mixes(self, expression: Node) -> bool:
        """Whether an expression adds up without naming the column."""
        return any(not self._names(call) for call in _calls(expression))

    def _names(self, expression: object) -> bool:
        return any(
            node.get("column_names", [""])[-1].lower() == self._column
            for node in nodes(expression)
            if node.get("class") == "COLUMN_REF"
        )


def _query_of(value: Node) -> Node:
    query: Node = value.get("query_node") or value["query"]["node"]
    return query


def _children(node: Node) -> Iterator[Node]:
    """The queries that a set operation or a recursive common table is made of."""
    yield from node.get("children") or []
    yield from (node[side] for side in ("left", "right", "child") if isinstance(node.get(side), dict))


def _conjuncts(condition: Node | None) -> Iterator[Node]:
    """The conditions that must all hold."""
    if condition and condition.get("type") == "CONJUNCTION_AND":
        for each in condition["children"]:
            yield from _conjuncts(each)
    elif condition:
        yield condition


def _outside(node: Node) -> list[Node]:
    """Where a SELECT can call a function that adds up."""
    return [each for each in (*node["select_list"], node.get("having"), node.get("qualify")) if each]


def _subqueries(expression: object) -> Iterator[Node]:
    for node in nodes(expression):
        if node.get("class") == "SUBQUERY":
            yield node["subquery"]["node"]


def _calls(expression: object) -> list[Node]:
    """Calls of functions that add up, but for those over distinct values, and those within a subquery."""
    found: list[Node] = []
    left = [expression]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict) and value.get("class") != "SUBQUERY":
            if str(value.get("function_name")).lower() in _ADDING and not value.get("distinct"):
                found.append(value)
            left += value.values()
    return found


def _meant(group: Node, chosen: list[Node], named: Mapping[str, Node]) -> Node:
    """What a grouping expression stands for: a column of the answer by its place or name, or itself."""
    if group.get("class") == "CONSTANT":
        place = str((group.get("literal") or group.get("value") or {}).get("text", ""))
        return chosen[int(place) - 1] if place.isdecimal() and 0 < int(place) <= len(chosen) else group
    if group.get("class") == "COLUMN_REF" and len(group["column_names"]) == 1:
        return named.get(group["column_names"][0].lower(), group)
    return group
