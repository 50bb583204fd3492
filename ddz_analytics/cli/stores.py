"""`ddz info` and `ddz verify`: what is in a store, and whether it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ddz_analytics.cli.common import json_option, print_json, print_table, quiet_option, store_option
from ddz_analytics.errors import EXIT_FAILED


@click.command()
@store_option
@quiet_option
@json_option
def info(store: Path, quiet: bool, as_json: bool) -> None:
    """Show what is in the store: files, hands, dates, what the logs can and cannot say."""
    from ddz_analytics.info import info as gather

    found = gather(store)
    if as_json:
        print_json(found)
        return
    _print(found)


def _print(found: dict[str, Any]) -> None:
    from ddz_analytics.answers.plain import inert

    files = found["files"]
    click.echo(f"store    {found['store']}")
    if found["pseudonyms"]:
        click.echo("players  under pseudonyms")
    click.echo("files    " + ", ".join(f"{count} {name}" for name, count in files.items()))
    if found["samples"]:
        click.echo(f"samples  only {', '.join(found['samples'])} of some files")
    for row in found["hands"]:
        click.echo(
            "hands    "
            + inert(", ".join(f"{key} {value}" for key, value in row.items() if value is not None))
        )
    for name, says in found["formats"].items():
        silent = ", ".join(says["silent"]) or "nothing"
        click.echo(f"format   {name} records {', '.join(says['says']) or 'cards only'}; cannot say: {silent}")
    for kind in ("replayed", "rejected"):
        told = ", ".join(f"{count} {name}" for name, count in found[kind].items()) or "none"
        click.echo(f"{kind:8} {told}")
    for row in found["scored"]:
        click.echo("scored   " + ", ".join(f"{key} {value}" for key, value in row.items()))
    click.echo(f"content  {found['content']}")
    if found["ledger"]:
        _print_ledger(found["ledger"])


def _print_ledger(rows: list[dict[str, Any]]) -> None:
    """How each rule set would score the hands of each format, and on what that rests, as a table."""
    import pyarrow as pa

    told = [
        {name: row[name] for name in ("source_format", "rule_set", "exact", "projected", "undefined")}
        | {"why": _counts(row["assumptions"] | row["reasons"])}
        for row in rows
    ]
    print_table("what each rule set would make of these hands", pa.Table.from_pylist(told))


def _counts(codes: dict[str, int]) -> str:
    return ", ".join(f"{code} {hands}" for code, hands in codes.items()) or "-"


@click.command()
@store_option
@quiet_option
@json_option
def verify(store: Path, quiet: bool, as_json: bool) -> int:
    """Check the store: every part readable, ids unique, every score accounted for and zero with the house."""
    from ddz_analytics.verify import verify as check

    findings = check(store)
    if as_json:
        print_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            click.echo(f"{finding.code}: {finding.what}: {finding.where}")
        click.echo("the store is whole" if not findings else f"{len(findings)} findings")
    return EXIT_FAILED if findings else 0
