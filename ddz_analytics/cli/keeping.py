"""`ddz forget` and `ddz remove`: what leaves a store again."""

from __future__ import annotations

from pathlib import Path

import click

from ddz_analytics.cli.common import (
    json_option,
    note,
    print_json,
    pseudonyms_option,
    quiet_option,
    store_option,
)


@click.command()
@click.argument("player")
@pseudonyms_option
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@store_option
@quiet_option
@json_option
def forget(
    player: str, pseudonyms: Path | None, store: Path, dry_run: bool, quiet: bool, as_json: bool
) -> None:
    """Take a player's id out of the store; the hands stay, with `forgotten` in its place.

    The log files themselves still have it: clean them too, and do not read them again with --reparse. In a store whose players
    are under pseudonyms give the pseudonym, or the id and --pseudonyms KEYFILE.
    """
    from ddz_analytics.forget import FORGOTTEN
    from ddz_analytics.forget import forget as run
    from ddz_analytics.pseudonyms import read_key

    if pseudonyms is not None:
        player = read_key(pseudonyms).of(player)
    done = run(store, player, dry_run=dry_run)
    if as_json:
        print_json(vars(done) | {"dry_run": dry_run})
        return
    click.echo(
        f"{done.hands} hands{' would' * dry_run} have {FORGOTTEN} in the place of the id, "
        f"{done.named_elsewhere} others named it, {done.rejected} rejected records {'would go' if dry_run else 'are gone'}"
    )
    if not dry_run:
        note(
            f"{len(done.files)} log files still have it, and are not read again but with --reparse",
            quiet=quiet,
        )


@click.command()
@click.option(
    "--source", required=True, help="A file as `source_files` names it, or a folder above such files."
)
@store_option
@quiet_option
@json_option
def remove(source: str, store: Path, quiet: bool, as_json: bool) -> None:
    """Take out all that came of a log file (or zip file, or folder): hands, scores, rejected records."""
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.forget import remove as run

    done = run(store, source)
    if as_json:
        print_json(vars(done))
        return
    for path in done.files:
        click.echo(f"removed {inert(path)}")
    click.echo(f"{done.hands} hands and {done.rejected} rejected records are gone")
    if done.duplicates:
        what = f"{done.duplicates} records of other files were duplicates when they were read"
        note(f"{what}; if of these hands, `ddz ingest --reparse` of those files stores them", quiet=quiet)
