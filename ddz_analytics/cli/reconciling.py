"""`ddz reconcile`: can the recorded scores be reproduced?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ddz_analytics.cli.common import (
    jobs_option,
    json_option,
    lang_option,
    print_json,
    quiet_option,
    score,
    store_option,
)
from ddz_analytics.errors import EXIT_FINDINGS


@click.command()
@store_option
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="How many hands to show of each cause.",
)
@click.option("--strict", is_flag=True, help="End with exit code 1 if anything is unexplained.")
@lang_option
@jobs_option
@quiet_option
@json_option
def reconcile(
    store: Path, examples: int, strict: bool, lang: str, jobs: int, quiet: bool, as_json: bool
) -> int:
    """Compare recorded scores with those recomputed under the recorded rules: exact, explained by a cause, unexplained."""
    from ddz_analytics.reconcile import reconcile as run
    from ddz_analytics.reconcile import rules_to_score
    from ddz_analytics.store.catalog import connect

    with connect(store) as connection:
        wanted = rules_to_score(connection)
    if wanted:
        score(store, wanted, jobs, "recorded", quiet=quiet)
    with connect(store) as connection:
        found = run(connection, examples)
    if as_json:
        print_json({"rule_sets": found})
    else:
        click.echo("\n".join(line for entry in found for line in _told(entry, lang)) or _nothing(lang))
    return EXIT_FINDINGS if strict and any(entry["unexplained"] for entry in found) else 0


def _nothing(lang: str) -> str:
    from ddz_analytics.locale import text

    return text("reconcile.nothing", lang)


def _told(entry: dict[str, Any], lang: str) -> list[str]:
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.locale import text

    name = inert(entry["rule_set"] or text("reconcile.unknown", lang)) + (
        f" {entry['rule_hash']}" if entry["rule_hash"] else ""
    )
    lines = [
        text(
            "reconcile.head",
            lang,
            rules=name,
            **{key: entry[key] for key in ("hands", "exact", "explained", "unexplained")},
        )
    ]
    for cause in entry["causes"]:
        words = {
            "cause": cause["cause"],
            "what": _named(cause["cause"], lang),
            "hands": cause["hands"],
        }
        lines.append("  " + text(f"reconcile.{cause['verdict']}", lang, **words))
        lines += ["    " + inert(text("reconcile.example", lang, **example)) for example in cause["examples"]]
    return lines


def _named(cause: str, lang: str) -> str:
    """A cause in words; the reason of an undefined score is a cause, too."""
    from ddz_analytics.locale import term

    named = term("cause", cause, lang)
    return named if named != cause else term("reason", cause, lang)
