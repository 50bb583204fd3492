"""`ddz rules infer` and `ddz rules distinguish`: by which rules a log was scored, and what tells two rule sets apart."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ddz_analytics.cli.common import json_option, print_json, print_table, store_option, where_option
from ddz_analytics.locale import said

if TYPE_CHECKING:
    import pyarrow as pa

    from ddz_analytics.distinguish import Distinguished
    from ddz_analytics.inference import Inference, Match

TOLD_APART = 4  # of the best, so many are told apart by hands
LONGEST = 7  # of values or candidates that are alike, so many are named


@click.command()
@store_option
@where_option
@click.option(
    "--top", type=click.IntRange(min=1), default=8, show_default=True, help="How many of the best to show."
)
@json_option
def infer(store: Path, where: str | None, top: int, as_json: bool) -> None:
    """Rank rule sets by how many recorded scores they reproduce exactly.

    Tried are the shipped rule sets, those with one overlay, and from the best of them on one more setting at a time.
    """
    from ddz_analytics.evidence import telling
    from ddz_analytics.inference import infer as run

    hands = None if where is None else _chosen(store, where)
    found = run(store, hands)
    apart = telling(store, found.best(TOLD_APART), hands)
    if as_json:
        print_json(_inferred(found, apart, top))
    else:
        _print_inferred(found, apart, top)


@click.command()
@click.argument("rule_set_a")
@click.argument("rule_set_b")
@store_option
@click.option("--synthetic", is_flag=True, help="Ask synthetic facts alone; no store is needed.")
@click.option(
    "--count", type=click.IntRange(min=1), default=3, show_default=True, help="How many hands to show."
)
@json_option
def distinguish(
    rule_set_a: str, rule_set_b: str, store: Path, synthetic: bool, count: int, as_json: bool
) -> None:
    """Show the smallest hands that two rule sets score differently, or say that none does.

    Of the store's hands those with the fewest actions; if none differs, the plainest synthetic facts.
    """
    from ddz_analytics.distinguish import distinguish as run
    from ddz_analytics.rules import load_rules

    a, b = load_rules(rule_set_a), load_rules(rule_set_b)
    found = run(a, b, None if synthetic else store, count)
    names = {"a": {"id": a.id, "rule_hash": a.rule_hash}, "b": {"id": b.id, "rule_hash": b.rule_hash}}
    if as_json:
        print_json(names | _distinguished(found))
        return
    click.echo(f"a = {a.id} {a.rule_hash}\nb = {b.id} {b.rule_hash}")
    _print_distinguished(found)


def _chosen(store: Path, where: str) -> pa.ChunkedArray:
    """The hands with a seat that a condition chooses; the condition is checked as every question is."""
    from ddz_analytics.query import run_query

    return run_query(store, f"SELECT DISTINCT hand_id FROM hand_seats WHERE (\n{where}\n)")[
        "hand_id"
    ].combine_chunks()


def _places(found: Inference) -> list[str]:
    """The place of each class: equal numbers of hands share one, which is marked."""
    counts = [matches[0].reproduced for matches in found.classes]
    return [f"{counts.index(count) + 1}{'=' if counts.count(count) > 1 else ''}" for count in counts]


def _row(place: str, matches: Sequence[Match]) -> dict[str, Any]:
    first = matches[0]
    return {
        "place": place,
        "rule_set": first.candidate.rules.id,
        "rule_hash": first.rule_hash,
        "reproduced": first.reproduced,
        "different": first.different,
        "undefined": first.undefined,
        "alike": len(matches) - 1,
    }


def _inferred(found: Inference, apart: Sequence[dict[str, Any]], top: int) -> dict[str, Any]:
    from ddz_analytics.evidence import told_by_nothing

    shown = list(zip(_places(found), found.classes, strict=True))[:top]
    return {
        "recorded": found.recorded,
        "partly_recorded": found.partly,
        "formats": dict(found.formats),
        "undefined_under_all": found.nowhere,
        "tried": found.tried,
        "not_tried": found.untried,
        "ranking": [
            _row(place, matches) | {"alike": [match.candidate.rules.id for match in matches[1:]]}
            for place, matches in shown
        ],
        "cannot_tell": told_by_nothing(found.classes[0]),
        "telling": [
            row | {name: _amounts(row[name]) for name in ("recorded", "first", "other")} for row in apart
        ],
    }


def _print_inferred(found: Inference, apart: Sequence[dict[str, Any]], top: int) -> None:
    import pyarrow as pa

    formats = ", ".join(f"{name} {hands}" for name, hands in sorted(found.formats.items()))
    click.echo(said("infer.recorded", hands=found.recorded, formats=formats, partly=found.partly))
    click.echo(said("infer.tried", nowhere=found.nowhere, tried=found.tried))
    if found.untried:
        click.echo(said("infer.untried", untried=found.untried))
    if len(found.formats) > 1:
        click.echo(said("infer.formats"))
    rows = [_row(*each) for each in list(zip(_places(found), found.classes, strict=True))[:top]]
    print_table(said("infer.ranking"), pa.Table.from_pylist(rows))
    first = found.classes[0]
    if first[0].reproduced == 0:
        click.echo(said("infer.none"))
        return
    _print_silence(first)
    told = [
        {name: row[name] for name in ("rule_set", "apart", "hand_id", "alike")}
        | {name: _written(row[name]) for name in ("recorded", "first", "other")}
        for row in apart
    ]
    print_table(said("infer.telling", first=first[0].candidate.rules.id), pa.Table.from_pylist(told))


def _print_silence(alike: Sequence[Match]) -> None:
    """Say what the hands cannot tell about the best."""
    from ddz_analytics.evidence import told_by_nothing

    for section, keys in groupby(told_by_nothing(alike).items(), lambda found: found[0].partition(".")[0]):
        silent = "; ".join(f"{key.partition('.')[2]} ({_some(values)})" for key, values in keys)
        click.echo(said("infer.silent", section=section, keys=silent))
    rest = [match.candidate.rules.id for match in alike[1:] if len(match.candidate.settings) == 0]
    if rest:
        click.echo(said("infer.also", names=_some(rest)))


def _some(names: Sequence[str]) -> str:
    """All of a few names, or the first and how many more."""
    if len(names) <= LONGEST:
        return ", ".join(names)
    return said("infer.more", names=", ".join(names[: LONGEST - 1]), number=len(names) - LONGEST + 1)


def _distinguished(found: Distinguished) -> dict[str, Any]:
    return {
        "hands": found.hands,
        "differing": found.differing,
        "one_scores": found.one_scores,
        "synthetic_facts": found.synthetic_facts,
        "synthetic_differing": found.synthetic_differing,
        "keys": [key._asdict() for key in found.keys],
        "examples": [
            each._asdict() | {"a": _amounts(each.a), "b": _amounts(each.b)} for each in found.examples
        ],
    }


def _print_distinguished(found: Distinguished) -> None:
    import pyarrow as pa

    from ddz_analytics.rules.doc import told

    if not found.keys:
        click.echo(said("distinguish.same"))
        return
    for key in found.keys:
        words = said("distinguish.key", key=key.key, a=told(key.a), b=told(key.b))
        words += said("distinguish.acts", when=key.acts_at) if key.acts_at != "settlement" else ""
        click.echo(words + ("" if key.acts else said("distinguish.idle")))
    counts = {"hands": found.hands, "differing": found.differing, "one": found.one_scores}
    if found.hands:
        click.echo(said("distinguish.hands", **counts))
    if not found.examples:
        click.echo(said("distinguish.none", facts=found.synthetic_facts))
        return
    if found.synthetic_facts:
        facts = {"differing": found.synthetic_differing, "facts": found.synthetic_facts}
        click.echo(said("distinguish.synthetic", **facts))
    rows = [
        {"hand": each.name}
        | ({} if each.hand_id is None else {"hand_id": each.hand_id, "actions": each.actions})
        | {"a": _written(each.a), "b": _written(each.b)}
        for each in found.examples
    ]
    title = said("distinguish.plainest" if found.synthetic_facts else "distinguish.smallest")
    print_table(title, pa.Table.from_pylist(rows))


def _amounts(scores: Sequence[int] | None) -> list[str] | None:
    """Amounts in 1/10,000 as exact decimals."""
    return None if scores is None else [f"{Decimal(score).scaleb(-4).normalize():f}" for score in scores]


def _written(scores: Sequence[int] | None) -> str:
    texts = _amounts(scores)
    return said("infer.undefined") if texts is None else "/".join(texts)
