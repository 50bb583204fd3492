"""What stands above the tables of a comparison, in the language of this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_analytics.cli.spoken import chinese
from ddz_analytics.locale import command_text, language, said

if TYPE_CHECKING:
    import pyarrow as pa

    from ddz_analytics.answers import Kind
    from ddz_analytics.rescore import Scenario


def in_words(balances: Scenario) -> str:
    """What a title says of the balances that scores rest on: nothing where they are the recorded ones."""
    return "" if balances == "recorded" else said(f"common.{balances}")


def titled(tables: dict[str, pa.Table], kind: Kind, balances: Scenario) -> dict[str, pa.Table]:
    """The tables under titles that say which balances they rest on: in the language of this process where people read them."""
    if kind == "json":
        return tables
    if kind == "csv":
        which = "" if balances == "recorded" else command_text(f"common.{balances}", "en")
        return {title + which: table for title, table in tables.items()}
    return {spoken_title(title) + in_words(balances): table for title, table in tables.items()}


def spoken_title(title: str) -> str:
    """The title of a table in the language of this process."""
    if language() == "en":
        return title
    if title.startswith("by ") and title not in chinese("titles"):
        return said("compare.by", column=title.removeprefix("by "))
    return chinese("titles").get(title, title)
