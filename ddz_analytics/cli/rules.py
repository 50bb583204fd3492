"""`ddz rules`: the rule sets that are shipped, what each says, and where two differ."""

from __future__ import annotations

import click

from ddz_analytics.cli.common import json_option, print_json
from ddz_analytics.cli.inference import distinguish, infer
from ddz_analytics.cli.rule_files import as_row, check, doc, new
from ddz_analytics.locale import language, said


@click.group()
def rules() -> None:
    """List rule sets, show or compare them, write and check rule files, find out by which a log was scored."""


for command in (new, check, doc, infer, distinguish):
    rules.add_command(command)


@rules.command("list")
@json_option
def list_rules(as_json: bool) -> None:
    """List the shipped rule sets and overlays."""
    from ddz_analytics.rules import find_rule_file, load_rules, shipped_overlays, shipped_rules

    complete = [load_rules(name) for name in shipped_rules()]
    overlays = [find_rule_file(name) for name in shipped_overlays()]
    if as_json:
        rows = [
            {
                "id": r.id,
                "title_en": r.title_en,
                "title_zh": r.title_zh,
                "hash": r.rule_hash,
                "overlay": False,
            }
            for r in complete
        ]
        rows += [
            {"id": o.id, "title_en": o.title_en, "title_zh": o.title_zh, "hash": None, "overlay": True}
            for o in overlays
        ]
        print_json(rows)
        return
    for found in complete:
        click.echo(f"{found.id:15} {found.rule_hash}  {found.title_en} / {found.title_zh}")
    for overlay in overlays:
        click.echo(f"+{overlay.id:14} {said('rules.overlay'):16}  {overlay.title_en} / {overlay.title_zh}")


@rules.command()
@click.argument("rule_set")
@click.option(
    "--format", "form", type=click.Choice(["text", "toml", "json"]), default="text", show_default=True
)
@click.option("--clauses", "with_clauses", is_flag=True, help="With the cited clauses in our own words.")
def show(rule_set: str, form: str, with_clauses: bool) -> None:
    """Show one rule set: an id, a path of a rule file, or with overlays, e.g. jj-bomb+cap-4."""
    from ddz_analytics.rules import KEYS, cited_clauses, clauses, load_rules, parameters
    from ddz_analytics.rules.doc import complete_toml, told

    found, texts = load_rules(rule_set), clauses()
    if form == "toml":
        click.echo(complete_toml(found), nl=False)
        return
    if form == "json":
        labels = {
            "id": found.id,
            "title_en": found.title_en,
            "title_zh": found.title_zh,
            "hash": found.rule_hash,
        }
        print_json(
            labels | {"assumed": found.assumed, "sources": found.sources, "parameters": parameters(found)}
        )
        return
    click.echo(f"{found.id}  {found.rule_hash}\n{found.title_en} / {found.title_zh}")
    section, lang = "", language()
    for key, value in parameters(found).items():
        if key.split(".")[0] != section:
            section = key.split(".")[0]
            source = found.sources.get(section, "")
            click.echo(f"\n[{section}]  {source or said('rules.by_default')}")
            for clause in cited_clauses(source) if with_clauses else ():
                click.echo(f"    {clause}: {getattr(texts[clause], lang)}")
        click.echo(f"  {key:38} {told(value):12} {getattr(KEYS[key], lang)}")


@rules.command()
@click.argument("rule_set_a")
@click.argument("rule_set_b")
@json_option
def diff(rule_set_a: str, rule_set_b: str, as_json: bool) -> None:
    """Show the parameters in which two rule sets differ, value beside value, with their citations."""
    from ddz_analytics.rules import KEYS, difference, load_rules
    from ddz_analytics.rules.doc import told

    found = difference(load_rules(rule_set_a), load_rules(rule_set_b))
    if as_json:
        print_json([as_row(each) for each in found])
        return
    if not found:
        click.echo(said("rules.same"))
        return
    lang = language()
    click.echo(f"{'':38} {rule_set_a:20} {rule_set_b:20}")
    for each in found:
        click.echo(f"{each.key:38} {told(each.a):20} {told(each.b):20} {getattr(KEYS[each.key], lang)}")
        for name, source in ((rule_set_a, each.source_a), (rule_set_b, each.source_b)):
            if source:
                click.echo(f"  {name}: {source}")
