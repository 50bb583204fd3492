"""`ddz info` and `ddz verify`: what is in a store, and whether it is whole."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from ddz_analytics.cli.common import json_option, print_json, print_table, quiet_option, store_option
from ddz_analytics.errors import EXIT_FAILED
from ddz_analytics.locale import labelled, language, said, term


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

    click.echo(said("info.store", store=found["store"]))
    if found["pseudonyms"]:
        click.echo(said("info.pseudonyms"))
    click.echo(said("info.files", **found["files"]))
    if found["samples"]:
        click.echo(said("info.samples", samples=", ".join(found["samples"])))
    for row in found["hands"]:
        click.echo(said("info.hands", row=inert(_columns(row))))
    for name, says in found["formats"].items():
        silent = ", ".join(says["silent"]) or said("info.nothing")
        told = ", ".join(says["says"]) or said("info.cards_only")
        click.echo(said("info.format", name=name, says=told, silent=silent))
    for kind, label in (("replayed", _status), ("rejected", partial(labelled, "rejection"))):
        counts = ", ".join(f"{count} {label(name)}" for name, count in found[kind].items())
        click.echo(said(f"info.{kind}", counts=counts or said("info.none")))
    for row in found["scored"]:
        click.echo(said("info.scored", row=_columns(row)))
    click.echo(said("info.content", digest=found["content"]))
    if found["ledger"]:
        _print_ledger(found["ledger"])


def _columns(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in row.items() if value is not None)


def _status(status: str) -> str:
    return status if language() == "en" else f"{status}（{term('replay', status, language())}）"


def _print_ledger(rows: list[dict[str, Any]]) -> None:
    """How each rule set would score the hands of each format, and on what that rests, as a table."""
    import pyarrow as pa

    told = [
        {name: row[name] for name in ("source_format", "rule_set", "exact", "projected", "undefined")}
        | {"why": _counts(row["assumptions"] | row["reasons"])}
        for row in rows
    ]
    print_table(said("info.ledger"), pa.Table.from_pylist(told))


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
            code = labelled("finding", finding.code)
            click.echo(said("verify.finding", code=code, what=finding.what, where=finding.where))
        click.echo(said("verify.findings", number=len(findings)) if findings else said("verify.whole"))
    return EXIT_FAILED if findings else 0
