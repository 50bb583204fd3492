"""Recorded scores against recomputed ones, by the rule set under which the log says (or its format means) they came about.

What a hand's seats come to is the view `reconciliation`; here hands are counted, each once, under the worst verdict of its seats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ddz_analytics.rules import RuleSet, load_rules, shipped_overlays, shipped_rules
from ddz_analytics.store.catalog import Connection, sql_text

VERDICTS = ("exact", "explained", "unexplained")


class Reconciled(NamedTuple):
    """Hands with recorded scores under one rule set: how many agree exactly, how many by a named cause, how many not."""

    exact: int
    explained: int
    unexplained: int

    @property
    def hands(self) -> int:
        """All hands with recorded scores."""
        return self.exact + self.explained + self.unexplained


def reconciled(connection: Connection, rule_set: str) -> Reconciled:
    """How well the scores that were recorded under one rule set are reproduced; all zero where none was recorded under it."""
    counts = dict.fromkeys(VERDICTS, 0)
    for row in _rows(connection, "verdicts", rule_set=rule_set):
        counts[row["verdict"]] += row["hands"]
    return Reconciled(**counts)


def reconcile(connection: Connection, examples: int) -> list[dict[str, Any]]:
    """One entry per rule set or scale: `rule_set` (None: the rules are unknown) and `rule_hash`, `hands`, counts by verdict, `causes`.

    Each cause has `cause`, `verdict`, `hands` and up to `examples` hands with their place in the logs and both scores by seat.
    """
    found: dict[str | None, dict[str, Any]] = {}
    for row in _rows(connection, "examples", examples=examples):
        keys = ("rule_set", "rule_hash", "verdict", "cause", "hands", "example")
        name, rule_hash, verdict, cause, hands, example = (row.pop(key) for key in keys)
        entry = found.setdefault(
            name,
            {
                "rule_set": name,
                "rule_hash": rule_hash,
                "hands": 0,
                **dict.fromkeys(VERDICTS, 0),
                "causes": [],
            },
        )
        if example == 1:
            entry["hands"] += hands
            entry[verdict] += hands
        if verdict != "exact":
            if example == 1:
                entry["causes"].append({"verdict": verdict, "cause": cause, "hands": hands, "examples": []})
            if example <= examples:
                entry["causes"][-1]["examples"].append(row)
    return list(found.values())


def rules_to_score(connection: Connection) -> list[RuleSet]:
    """The rule sets by which recorded scores are to be recomputed, where they are shipped ones or compositions of these."""
    known = {*shipped_rules(), *shipped_overlays()}
    names = [row["rule_set"] for row in _rows(connection, "rule_sets")]
    # a log may say anything: nothing that it says is taken for the path of a file
    return [
        load_rules(name)
        for name in names
        if name.split("+")[0] in shipped_rules() and known.issuperset(name.split("+"))
    ]


def _rows(connection: Connection, question: str, **given: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (
        connection.sql(sql_text(f"reconcile/{question}"), params=given or None).to_arrow_table().to_pylist()
    )
    return rows
