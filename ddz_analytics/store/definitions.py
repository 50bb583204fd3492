"""What the views and macros say: the statements that make them, over one relation for each stored table in the schema `stored`.

The SQL stands in `sql/`: `macros.sql`, and one file for each view in `sql/views/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Template

from ddz_analytics.cards import RANKS
from ddz_analytics.combinations import CATEGORIES
from ddz_analytics.hands import ACTORS, ACTS, STAGES
from ddz_analytics.parsers import parsers
from ddz_analytics.scales import play_rows, scale_rows
from ddz_analytics.settlement.assumptions import CODES

SQL = Path(__file__).parents[1] / "sql"

# in the order in which they are made: a view may stand on those before it
VIEWS = (
    "source_files", "rejected_hands", "hands", "hand_seats", "actions", "plays", "hand_facts", "hand_issues",
    "settle_facts", "declared_facts", "autoplay_episodes", "rule_sets", "settlements", "scores", "flows", "refusals", "ruins", "reconciliation",
    "standings",
)  # fmt: skip

STANDINGS = ("entrants", "seats", "places")  # what the view of that name and a comparison's table are made of

# macros that stand for a query, each with its parameters; made after the views
TABLE_MACROS = {
    "paired_hands": "baseline, others", "paired_scores": "baseline, others", "paired_counts": "baseline, others", "courses": "",
    "compared_hands": "rule_sets", "compared_balances": "rule_sets", "settled_counts": "rule_sets", "scored_days": "rule_sets", "clusters": "", "baseline_groups": "baseline",
}  # fmt: skip


def definitions(tz: str) -> tuple[str, ...]:
    """The statements that make the macros and the views, in order: all that they say but for where the parts are."""
    stored = {"reference_rules": _references(), "local_ids": _local_ids(), **_scales()}
    return (
        *(f"CREATE VIEW stored.{name} AS {statement}" for name, statement in stored.items()),
        _macros(tz),
        *(f"CREATE VIEW stored.{name} AS {sql_text(name)}" for name in ("on_scale", "match_seats")),
        *(f"CREATE VIEW {view} AS {sql_text(f'views/{view}')}" for view in VIEWS),
        *(
            f"CREATE MACRO {macro}({parameters}) AS TABLE {sql_text(macro)}"
            for macro, parameters in TABLE_MACROS.items()
        ),
    )


@cache
def sql_text(name: str) -> str:
    """The text of one file of `sql/`, such as `views/hands`; one of STANDINGS in it, after a dollar sign, stands for that file's text."""
    text = (SQL / f"{name}.sql").read_text("utf-8")
    for part in STANDINGS:
        if f"${part}" in text:
            text = text.replace(f"${part}", sql_text(part).rstrip("\n"))
    return text


def literal(value: object) -> str:
    """A text, a truth value, None or a sequence of them as an SQL literal."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, Iterable):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return "NULL" if value is None else str(value)


def _references() -> str:
    """A query for the rule set by which each format that names none counts; NULL where its scores are no points."""
    silent = [parser for parser in parsers().values() if "rules" not in parser.records]
    rows = [f"({literal(parser.name)}, {literal(parser.reference_rules)}::VARCHAR)" for parser in silent]
    return f"SELECT * FROM (VALUES {', '.join(rows)}) AS formats (source_format, rule_set)"


def _local_ids() -> str:
    """A query for the formats whose ids say which hand it is within their file alone."""
    names = [literal(each.name) for each in parsers().values() if not each.ids_are_global]
    return f"SELECT unnest([{', '.join(names)}]::VARCHAR[]) AS source_format"


def _scales() -> dict[str, str]:
    """Queries for the scales of recorded scores that are no points, and for what each play adds on them."""
    columns = "winner, loser, fault, others"
    amounts = ", ".join(f"{column}::DECIMAL(18, 4) AS {column}" for column in columns.split(", "))
    return {
        "scales": f"SELECT source_format, scale, {amounts} FROM (VALUES {_values(scale_rows())}) AS s (source_format, scale, {columns})",
        "scale_points": "SELECT scale, category, points::DECIMAL(18, 4) AS points "
        f"FROM (VALUES {_values(play_rows())}) AS p (scale, category, points)",
    }


def _values(rows: Iterable[tuple[str | None, ...]]) -> str:
    return ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in rows)


def _macros(tz: str) -> str:
    flags = "[" + ", ".join(f"(assumed >> {place}) & 1 = 1" for place in range(len(CODES))) + "]"
    return Template(sql_text("macros")).substitute(
        acts=literal(ACTS), stages=literal(STAGES), actors=literal(ACTORS), categories=literal(CATEGORIES),
        ranks=literal(tuple(RANKS)), assumptions=literal(CODES), assumption_flags=flags, zone=literal(tz),
    )  # fmt: skip
