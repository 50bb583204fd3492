"""The reference, made of the live command, the schema and the docstrings: `python -m tests.reference` writes docs/reference.md."""

from __future__ import annotations

import inspect
import re
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import click
from click.testing import CliRunner

import ddz_analytics
from ddz_analytics import spark
from ddz_analytics.cli import COMMANDS, ddz
from ddz_analytics.handed import HowToIngest
from ddz_analytics.rules import KEYS, RuleSet, load_rules, parameters, shipped_overlays, shipped_rules
from ddz_analytics.rules.doc import citation, told
from ddz_analytics.rules.load import find_rule_file
from ddz_analytics.rules.ruleset import neutral, value_of
from ddz_analytics.rules.values import written
from ddz_analytics.store.catalog import described
from ddz_analytics.store.comments import comments
from tests.small_store import write_store

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
HEAD = """# Reference

Made by `python -m tests.reference` from the commands, the schema and the rule sets themselves; a test holds it to them.

[Commands](#commands) · [Views](#views) · [Macros](#macros) · [Python](#python) · [Rule sets](#rule-sets)

[Codes](codes.md) · [Keys of a rule file](rules.md) · [Numbers for `--fail-if`](metrics.md) · [Log formats](formats.md)
"""
COMMON = """## Commands

Results go to stdout, notes and progress to stderr. Exit codes: 0 done; 1 findings that the caller asked to fail on (`--strict`, `--fail-if`);
2 usage; 3 the run failed; 130 interrupted; 143 terminated. An error is one line, `error[CODE]: what, where, how to mend`; [codes](codes.md) has each.
`DDZ_STORE`, `DDZ_LANG` and `DDZ_TZ` stand for `--store`, `--lang` and `--tz`; `NO_COLOR` is obeyed.
`DDZ_MEMORY` (8GB, 50%) is the most that questions about a store may take of memory; without it a comparison or report takes 1 GB, everything else half of the machine's.
"""
VIEWS = """## Views

What `ddz sql` and any client that opens `ddz.duckdb` see. Amounts are DECIMAL(18,4), counts and ids BIGINT; seats count from 0.
"""
PYTHON = """## Python

    import ddz_analytics as ddz

Everything is typed. Errors are `ddz.DdzError` with a stable `code`. Amounts are whole numbers, `Decimal` or texts, never floats.
"""
RULE_SETS = """## Rule sets

What each says beside the neutral values of [all keys](rules.md), with the clauses of the rule pages. `ddz rules show ID --clauses` tells the
clauses in words; the hash stands on every result.
"""


def reference() -> str:
    """The whole page."""
    parts = [
        HEAD,
        COMMON,
        *commands(),
        VIEWS,
        *views(),
        *macros(),
        PYTHON,
        *functions(),
        RULE_SETS,
        *rule_sets(),
    ]
    return "\n".join(parts)


def commands() -> Iterator[str]:
    """A section for each command and subcommand: its help as it is printed."""
    context = click.Context(ddz, info_name="ddz")
    for name in COMMANDS:
        command = ddz.get_command(context, name)
        below = command.list_commands(context) if isinstance(command, click.Group) else []
        for path in ([name], *([name, each] for each in below)):
            run = CliRunner(env={"DDZ_LANG": "en"}).invoke(
                ddz, [*path, "--help"], prog_name="ddz", terminal_width=110
            )
            assert run.exit_code == 0, run.output
            yield f"### ddz {' '.join(path)}\n\n```text\n{run.output.rstrip()}\n```\n"


def views() -> Iterator[str]:
    """A section for each view: its grain and its columns."""
    with tempfile.TemporaryDirectory() as folder:
        for view, comment, columns in described(write_store(Path(folder) / "store", {})):
            yield f"### {view}\n\n{comment}\n"
            yield table(
                ("column", "type", "meaning"), [(f"`{name}`", kind, text) for name, kind, text in columns]
            )


def macros() -> Iterator[str]:
    """What the macros compute."""
    yield "## Macros\n"
    yield table(("macro", "meaning"), [(f"`{name}`", text) for name, text in comments()["macros"].items()])


def functions() -> Iterator[str]:
    """A section for each public name of the package: signature and docstring."""
    for name in ddz_analytics.__all__:
        value = getattr(ddz_analytics, name)
        yield described_as(f"ddz.{name}", value)
        if name == "Store":
            for method, function in inspect.getmembers(value, inspect.isfunction):
                if not method.startswith("_"):
                    yield described_as(f"Store.{method}", function)
            options = HowToIngest.__annotations__.items()
            named = "".join(f"{key}: {said.__forward_arg__}\n" for key, said in options)
            yield f"### HowToIngest\n\n```text\n{named}```\n\n{inspect.getdoc(HowToIngest)}\n"
    yield f"### ddz_analytics.spark\n\n{inspect.getdoc(spark)}\n"
    for name in spark.__all__:
        yield described_as(f"spark.{name}", getattr(spark, name))


def described_as(name: str, value: object) -> str:
    """The docstring of a class or function below its signature."""
    told_here = inspect.getdoc(value) or ""
    if inspect.isclass(value):
        return f"### {name}\n\n{told_here}\n"
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(value)))  # type: ignore[arg-type]
    signature = re.sub(r"<function (\w+) at \w+>", r"\1", signature)
    signature = signature.replace("(self, ", "(").replace("(self)", "()")
    return f"### {name}\n\n```text\n{name}{signature}\n```\n\n{told_here}\n"


def rule_sets() -> Iterator[str]:
    """A section for each shipped rule set and overlay: which keys it sets, by section, with their clauses."""
    for name in shipped_rules():
        rules = load_rules(name)
        yield f"### {name}\n\n{rules.title_en} / {rules.title_zh}, `{rules.rule_hash}`{assumed(rules)}\n"
        set_here = {
            key: value
            for key, value in parameters(rules).items()
            if value_of(rules, key) != neutral(key, rules.events_combine)
        }
        yield keys_table(set_here, rules.sources)
    for name in shipped_overlays():
        file = find_rule_file(name)
        yield f"### +{name}\n\n{file.title_en} / {file.title_zh}: an overlay, as in `jj-classic+{name}`\n"
        yield keys_table({key: written(key, value) for key, value in file.settings.items()}, file.sources)


def assumed(rules: RuleSet) -> str:
    """What a rule set says of itself that its page does not state."""
    return "; its page does not state all of this, it is assumed" if rules.assumed else ""


def keys_table(set_here: dict[str, object], sources: dict[str, str]) -> str:
    """Keys by section: what they are set to, and what that rests on."""
    rows = [
        (
            section,
            "<br>".join(f"`{key}` = {told(value)}" for key, value in found),
            source_of(section, sources, found),
        )
        for section, found in (
            (section, list(group))
            for section, group in groupby(set_here.items(), lambda item: item[0].partition(".")[0])
        )
    ]
    return table(("section", "keys", "clauses"), rows)


def source_of(section: str, sources: dict[str, str], found: Sequence[tuple[str, object]]) -> str:
    """What a section cites, else the clauses of its keys."""
    return sources.get(section) or "; ".join(dict.fromkeys(citation(KEYS[key]) for key, _ in found))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return (
        "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        + "\n"
    )


if __name__ == "__main__":
    PAGE.write_text(reference(), "utf-8")
