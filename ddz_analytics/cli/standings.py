"""`ddz standings`: the order of a match, what decided it, who goes on under other rules, and levels."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ddz_analytics.answers import BESIDE_WORDS
from ddz_analytics.cli.answering import answer_options, form_of, put_answer
from ddz_analytics.cli.common import (
    advance_option,
    balances_option,
    jobs_option,
    json_option,
    lang_option,
    note,
    output_option,
    print_json,
    quiet_option,
    score,
    store_option,
    write_out,
)
from ddz_analytics.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from ddz_analytics.answers import Encoding, Kind
    from ddz_analytics.rescore import Scenario
    from ddz_analytics.rules import RuleSet
    from ddz_analytics.standings import Standings
    from ddz_analytics.store.catalog import Connection

SHOWN = ("rank", "player", "points", "decided_by", "advanced", "hands", "projected_hands", "undefined_hands")
MOVED = ("rank", "rank_vs", "moved", "player", "points", "points_vs", "advanced", "advanced_vs")


@click.command()
@store_option
@click.option("--rules", "spec", default=None, help="Default: the one recorded rule set, else qq-classic.")
@click.option("--match", default=None, help="One match; default: every match of the store.")
@click.option(
    "--explain",
    "pair",
    nargs=2,
    default=None,
    metavar="P Q",
    help="Which tie-break decides between two players.",
)
@click.option("--vs", default=None, help="A second rule set: how its order differs, and who crosses the cut.")
@advance_option
@click.option(
    "--levels", "by_level", is_flag=True, help="Every player's level by accumulated points, over all hands."
)
@lang_option
@balances_option
@jobs_option
@answer_options(BESIDE_WORDS)
@output_option
@quiet_option
@json_option
def standings(
    store: Path, spec: str | None, match: str | None, pair: tuple[str, str] | None, vs: str | None, advance: int | None,
    by_level: bool, lang: str, balances: Scenario, jobs: int, kind: Kind | None, encoding: Encoding, output: Path | None,
    quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Show who stands where in each match under a rule set, and what decided between equal totals."""
    from ddz_analytics.rules import load_rules
    from ddz_analytics.standings import Standings
    from ddz_analytics.store.catalog import connect
    from ddz_analytics.wanted import recorded_baseline

    if sum((pair is not None, vs is not None, by_level)) > 1:
        raise UsageError(
            "standings_options",
            "--explain, --vs and --levels answer different questions",
            mend="give one of them",
        )
    form = form_of(kind, encoding, output, BESIDE_WORDS)
    rules = [
        load_rules(name)
        for name in (spec or recorded_baseline(store, partial(note, quiet=quiet)), *([vs] if vs else []))
    ]
    score(store, rules, jobs, balances, quiet=quiet)
    with connect(store) as connection:
        if by_level:
            found, words, rows = _levels(connection, rules[0], balances, lang)
        else:
            asked = Standings(connection, rules[0].id, match, advance, balances)
            found, words, rows = _answer(asked, pair, rules, lang)
    if as_json:
        print_json({"rule_set": rules[0].id, "rule_hash": rules[0].rule_hash, **found})
    elif form.kind == "table":
        write_out(f"{words}\n".encode(), output)
    else:
        put_answer(rows, form, output, quiet=quiet)


Answer = tuple[dict[str, Any], str, "pa.Table"]  # for machines, in words, and the table that both tell


def _answer(asked: Standings, pair: tuple[str, str] | None, rules: list[RuleSet], lang: str) -> Answer:
    if pair is not None:
        return _between(asked, pair, _named(rules[0]), lang)
    return _moves(asked, rules, lang) if len(rules) > 1 else _order(asked, _named(rules[0]), lang)


def _named(rules: RuleSet) -> str:
    """A rule set as outputs name it: id and fingerprint."""
    return f"{rules.id} {rules.rule_hash}"


def _by_match(table: pa.Table) -> dict[str, pa.Table]:
    """The rows of each match; they come in the order of matches."""
    import pyarrow.compute as pc

    counts = pc.value_counts(table["match_id"]).to_pylist()
    found, begin = {}, 0
    for count in counts:
        found[count["values"]] = table.slice(begin, count["counts"])
        begin += count["counts"]
    return found


def _shown(table: pa.Table, columns: tuple[str, ...], asked: Standings) -> str:
    from ddz_analytics.answers.aligned import as_table

    cut = ("advanced", "advanced_vs") if asked.advance is None else ()
    return as_table(table.select([name for name in columns if name not in cut]))


def _order(asked: Standings, rules: str, lang: str) -> Answer:
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.locale import term, text

    said, found = [], {}
    order = asked.order()
    for match, rows in _by_match(order).items():
        event = term("standing.event", rows["event"][0].as_py(), lang)
        sums = {name: sum(rows[f"{name}hands"].to_pylist()) for name in ("", "projected_", "undefined_")}
        numbers = {"hands": sums[""], "projected": sums["projected_"], "undefined": sums["undefined_"]}
        head = text("standing.title.order", lang, match=inert(match), event=event, rules=rules)
        said.append(f"{head}\n{_shown(rows, SHOWN, asked)}{text('standing.title.rests', lang, **numbers)}\n")
        found[match] = rows.drop_columns(["match_id"]).to_pylist()
    return {"advance": asked.advance, "matches": found}, "\n".join(said).rstrip("\n"), order


def _moves(asked: Standings, rules: list[RuleSet], lang: str) -> Answer:
    from ddz_analytics.answers.plain import inert
    from ddz_analytics.locale import text
    from ddz_analytics.standings import tau_b

    said, found = [], {}
    here, there = rules
    moves = asked.moves(there.id)
    for match, rows in _by_match(moves).items():
        tau = tau_b(rows["rank"].to_numpy(), rows["rank_vs"].to_numpy())
        shown = "-" if tau is None else f"{tau:.4f}"
        head = text(
            "standing.title.moves", lang, match=inert(match), rules=_named(here), vs=_named(there), tau=shown
        )
        parts = [head, _shown(rows, MOVED, asked)]
        players = rows.drop_columns(["match_id"]).to_pylist()
        crossing = _crossing(players) if asked.advance is not None else {}
        for way, who in crossing.items():
            told = ", ".join(map(inert, who)) or text("standing.title.nobody", lang)
            parts.append(text(f"standing.title.{way}", lang, players=told, rules=here.id, vs=there.id) + "\n")
        said.append(parts[0] + "\n" + "".join(parts[1:]))
        found[match] = {"tau_b": tau, "crossing": crossing, "players": players}
    answer = {
        "vs": {"rule_set": there.id, "rule_hash": there.rule_hash},
        "advance": asked.advance,
        "matches": found,
    }
    return answer, "\n".join(said).rstrip("\n"), moves


def _crossing(players: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Who goes on under one rule set only; `open`: under one of the two it is not decided at the cut."""
    cuts = [(row["player"], row["advanced"], row["advanced_vs"]) for row in players]
    return {
        "in": [player for player, here, there in cuts if here is False and there],
        "out": [player for player, here, there in cuts if here and there is False],
        "open": [player for player, here, there in cuts if here is None or there is None],
    }


def _between(asked: Standings, pair: tuple[str, str], rules: str, lang: str) -> Answer:
    import pyarrow as pa

    from ddz_analytics.answers.plain import inert
    from ddz_analytics.locale import term, text

    found = asked.between(*pair)
    values = {key: inert(value) if isinstance(value, str) else value for key, value in found.items()}
    values |= {
        "rules": rules,
        "match": inert(found["match_id"]),
        "event": term("standing.event", found["event"], lang),
    }
    why = found["why"]
    steps = ["points"] if why == "points" else ["tied", why]
    if found["decided_by"] == "registration":
        steps.append("registration")
    head = "undecided_head" if why == "undecided" else "head"
    lines = [text(f"standing.why.{step}", lang, **values) for step in steps]
    words = "\n  ".join([text(f"standing.why.{head}", lang, **values), *lines])
    return found, words, pa.Table.from_pylist([found])


def _levels(connection: Connection, rules: RuleSet, scenario: str, lang: str) -> Answer:
    from ddz_analytics.answers.aligned import as_table
    from ddz_analytics.locale import text
    from ddz_analytics.standings import level_table, levels

    table = levels(connection, rules, scenario)
    source = level_table(rules)["source"]
    shown = table.drop_columns(["zh" if lang == "en" else "en"]).rename_columns({lang: "name"})
    head = text("standing.title.levels", lang, rules=_named(rules), source=source)
    answer = {"source": source, "players": table.to_pylist()}
    return answer, f"{head}\n{as_table(shown)}".rstrip("\n"), table
