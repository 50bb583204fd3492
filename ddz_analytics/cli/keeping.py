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
from ddz_analytics.errors import UsageError
from ddz_analytics.locale import said


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

    stored = player if pseudonyms is None else read_key(pseudonyms).of(player)
    done = run(store, stored, dry_run=dry_run, typed=player)
    if as_json:
        print_json(vars(done) | {"dry_run": dry_run})
        return
    told = {
        "hands": done.hands,
        "name": FORGOTTEN,
        "named": done.named_elsewhere,
        "rejected": done.rejected,
    }
    click.echo(said("forget.would" if dry_run else "forget.done", **told))
    if not dry_run:
        note(said("forget.files", files=len(done.files)), quiet=quiet)


@click.command()
@click.option(
    "--source", default=None, help="A file as `source_files` names it, or a folder above such files."
)
@click.option("--rules", "rule_set", default=None, help="A rule set as `rule_sets` names it: its scores go.")
@store_option
@quiet_option
@json_option
def remove(source: str | None, rule_set: str | None, store: Path, quiet: bool, as_json: bool) -> None:
    """Take out all that came of a log file (or zip file, or folder), or all scores under a rule set."""
    from ddz_analytics.forget import remove_scores

    if (source is None) == (rule_set is None):
        what = "a source and a rule set" if source is not None else "neither a source nor a rule set"
        raise UsageError("remove_options", what, mend="give --source or --rules")
    if source is not None:
        _remove_source(store, source, quiet=quiet, as_json=as_json)
        return
    gone = remove_scores(store, str(rule_set))
    if as_json:
        print_json({"rule_set": rule_set, "settlements": gone})
    else:
        click.echo(said("remove.scores", settlements=gone, rules=rule_set))


def _remove_source(store: Path, source: str, *, quiet: bool, as_json: bool) -> None:
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.forget import remove as run

    done = run(store, source)
    if as_json:
        print_json(vars(done))
        return
    for path in done.files:
        click.echo(said("remove.file", path=inert(path)))
    click.echo(said("remove.done", hands=done.hands, rejected=done.rejected))
    if done.duplicates:
        note(said("remove.duplicates", records=done.duplicates), quiet=quiet)
