"""`ddz simulate`: synthetic logs."""

from __future__ import annotations

import io
from pathlib import Path

import click

from ddz_analytics.cli.common import note, output_option, quiet_option, write_out
from ddz_analytics.locale import said


@click.command()
@click.option("--rules", "spec", default="qq-classic", show_default=True, help="The rule set to play under.")
@click.option(
    "--hands", type=click.IntRange(min=1), default=1000, show_default=True, help="How many hands to write."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="The same seed gives the same bytes.",
)
@click.option(
    "--players",
    type=click.IntRange(min=3),
    default=30,
    show_default=True,
    help="How many players take turns.",
)
@output_option
@quiet_option
def simulate(spec: str, hands: int, seed: int, players: int, output: Path | None, quiet: bool) -> None:
    """Write whole legal hands as a ddz/1 log, marked synthetic in their ids, players and kinds."""
    from ddz_analytics.rules import load_rules
    from ddz_analytics.simulate import simulate as play
    from ddz_analytics.streams import packed_as, packing

    rules = load_rules(spec)
    lines = play(rules, hands=hands, seed=seed, players=players)
    log = io.BytesIO()
    with packing(log, packed_as("" if output is None else output.name.lower())) as packed:
        packed.write(b"".join(line + b"\n" for line in lines))
    write_out(log.getvalue(), output)
    note(said("simulate.done", hands=hands, rules=rules.id, seed=seed), quiet=quiet)
