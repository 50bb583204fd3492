"""`ddz export`: hands as `ddz/1`, and views as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddz_analytics.answers import Form
from ddz_analytics.cli.answering import encoding_option
from ddz_analytics.cli.common import (
    note,
    out_file,
    output_option,
    pseudonyms_option,
    quiet_option,
    store_option,
    warn_of_open_key,
)
from ddz_analytics.locale import said

if TYPE_CHECKING:
    from ddz_analytics.answers import Encoding
    from ddz_analytics.export import Kind


@click.command()
@click.argument("what", metavar="hands|VIEW")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["jsonl", "parquet", "csv", "xlsx"]),
    default=None,
    help="Default: as the name of the file ends, else ddz/1 for hands and CSV for views.",
)
@encoding_option
@pseudonyms_option
@output_option
@store_option
@quiet_option
def export(
    what: str, kind: Kind | None, encoding: Encoding, pseudonyms: Path | None, output: Path | None, store: Path, quiet: bool
) -> None:  # fmt: skip
    """Write hands back as ddz/1 (.jsonl, also .gz or .zst, or .parquet), or a view as .parquet, .csv or .xlsx."""
    from ddz_analytics.answers.writing import told_as_text
    from ddz_analytics.export import export as run
    from ddz_analytics.export import target_of
    from ddz_analytics.pseudonyms import read_key
    from ddz_analytics.store import open_store

    target, opened = target_of(output, what, kind), open_store(store)
    target = replace(target, encoding=Form(target.kind, encoding).encoding)
    key = None if pseudonyms is None else read_key(pseudonyms)
    warn_of_open_key(pseudonyms, quiet=quiet)
    with out_file(output) as file:
        written = run(opened, what, target, file, key)
    if output is not None:
        note(said("export.done", path=output), quiet=quiet)
    if written.left_out:
        note(said("export.left_out", hands=written.left_out), quiet=quiet)
    for words in told_as_text(written.as_text):
        note(words, quiet=quiet)
