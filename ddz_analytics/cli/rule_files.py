"""`ddz rules new|check|doc`: rule files of one's own, and the reference of their keys."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ddz_analytics.cli.common import (
    json_option,
    lang_option,
    note,
    output_option,
    print_json,
    quiet_option,
    write_out,
)
from ddz_analytics.cli.telling import error_line
from ddz_analytics.errors import EXIT_FINDINGS, UsageError
from ddz_analytics.locale import language, said

if TYPE_CHECKING:
    from ddz_analytics.rules import Difference
    from ddz_analytics.rules.checking import Checked


@click.command()
@click.argument("name", metavar="ID")
@click.option("--extends", required=True, help="The rule set that it differs from; overlays are written out.")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="What is otherwise, e.g. cap.doublings=3."
)
@click.option("--title-en", default=None, help="Default: the title of what it extends, and the id.")
@click.option("--title-zh", default=None, help="The same in Chinese.")
@click.option("--source", default=None, help="Where the differences come from, as the file shall cite it.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default=None,
    help="The file to write.  [default: ID.toml]",
)  # fmt: skip
@quiet_option
def new(
    name: str,
    extends: str,
    settings: tuple[str, ...],
    title_en: str | None,
    title_zh: str | None,
    source: str | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Write a rule file with only what differs from another rule set; an existing file is left alone."""
    from ddz_analytics.rules import changes_nothing, load_rules, variants
    from ddz_analytics.rules.compose import spec_parts
    from ddz_analytics.rules.doc import NewRules, new_toml

    target = output or Path(f"{name}.toml")
    first = spec_parts(extends)[0][0]
    base, made = load_rules(first), variants(load_rules(extends), settings)
    if len(made) > 1:
        raise UsageError(
            "rule_set", f"{len(made)} variants are no one rule set", mend="give each key one value"
        )
    labels = NewRules(
        id=name,
        title_en=title_en or f"{base.title_en} ({name})",
        title_zh=title_zh or f"{base.title_zh}（{name}）",
        extends=_beside(first, target),
        source=source or f"house rule: {name}",
    )
    rule_hash = _write_new(target, new_toml(labels, base, made[0]))
    click.echo(said("rules.made", file=target, name=name, hash=rule_hash, base=base.id))
    if changes_nothing(base, made[0]):
        note(said("rules.says_the_same", name=name, base=base.id), quiet=quiet)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--strict", is_flag=True, help="Leave with 1 also if something in it changes nothing.")
@json_option
def check(file: Path, strict: bool, as_json: bool) -> int:
    """Check a rule file: every fault with its line, what in it changes nothing, what differs from its base.

    Leaves with 1 if there are faults.
    """
    from ddz_analytics.rules.checking import check_rule_file

    checked = check_rule_file(file)
    if as_json:
        print_json(_checked_row(file, checked))
    else:
        _print_checked(file, checked)
    return EXIT_FINDINGS if checked.faults or (strict and checked.idle) else 0


@click.command()
@lang_option
@output_option
def doc(lang: str, output: Path | None) -> None:
    """Write the reference of every key as Markdown: values, meaning, clauses, which shipped rule sets set it."""
    from ddz_analytics.rules.doc import keys_markdown

    write_out(keys_markdown(lang).encode(), output)


def as_row(each: Difference) -> dict[str, Any]:
    """A difference as JSON."""
    return {"key": each.key, "a": each.a, "b": each.b, "source_a": each.source_a, "source_b": each.source_b}


def _beside(spec: str, target: Path) -> str:
    """How a file names what it extends: an id, or a path from its own folder."""
    if not spec.endswith(".toml"):
        return spec
    return Path(os.path.relpath(Path(spec).resolve(), target.resolve().parent)).as_posix()


def _write_new(target: Path, text: str) -> str:
    """Write a rule file that is not there yet and say its hash; what would not load is not left behind."""
    from ddz_analytics.rules import load_rules

    if target.suffix != ".toml":
        raise UsageError("rules_spec", "the name of a rule file ends in .toml", where=str(target))
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        mend = "name another file with -o, or remove it"
        raise UsageError("file_exists", "there is a file already", where=str(target), mend=mend) from None
    except FileNotFoundError:
        raise UsageError(
            "path_missing", "there is no such folder", where=str(target.parent), mend="make it first"
        ) from None
    try:
        return load_rules(str(target)).rule_hash
    except UsageError:
        target.unlink()
        raise


def _checked_row(path: Path, checked: Checked) -> dict[str, Any]:
    file, made = checked.file, checked.rules
    return {
        "file": str(path),
        "id": None if file is None else file.id,
        "overlay": file is not None and file.overlay,
        "rule_hash": None if made is None else made.rule_hash,
        "base": None if checked.base is None else checked.base.id,
        "faults": [
            {"code": fault.code, "what": fault.what, "where": fault.where, "mend": fault.mend}
            for fault in checked.faults
        ],
        "changes_nothing": [idle.told("en") for idle in checked.idle],
        "differences": [as_row(each) for each in checked.differences],
    }


def _print_checked(path: Path, checked: Checked) -> None:
    from ddz_analytics.rules import KEYS
    from ddz_analytics.rules.doc import told

    for fault in checked.faults:
        click.echo(error_line(fault))
    if checked.faults or checked.file is None:
        number = len(checked.faults)
        click.echo(said("rules.fault" if number == 1 else "rules.faults", file=path, number=number))
        return
    base, name = (checked.base.id if checked.base else "") or said("rules.neutral"), checked.file.id
    if checked.rules is None:
        click.echo(
            said("rules.an_overlay_over" if checked.base else "rules.an_overlay", name=name, base=base)
        )
    else:
        click.echo(said("rules.differs", name=name, hash=checked.rules.rule_hash, base=base))
    for each in checked.differences:
        meaning = getattr(KEYS[each.key], language())
        click.echo(f"  {each.key:30} {told(each.a)} -> {told(each.b)}: {meaning} ({each.source_b})")
    for idle in checked.idle:
        click.echo(said("rules.warning", words=idle.told(language())))
