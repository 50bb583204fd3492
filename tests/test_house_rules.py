"""House rules that a check can hold: sizes of modules and functions, names kept out of the engine, docstrings of tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz_analytics.rules import shipped_overlays, shipped_rules

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "ddz_analytics"
MODULES = sorted(PACKAGE.rglob("*.py"))
STATEMENTS = sorted(PACKAGE.rglob("*.sql"))
TESTS = sorted((ROOT / "tests").glob("test_*.py"))
LONGEST_MODULE, LONGEST_FUNCTION, LONGEST_SQL = 300, 40, 100
MAIN_PATH = {"replay.py": 200, "settlement/settle.py": 200}
# What decides how a hand is read, replayed and settled; formats are named in their parsers, rule sets in their files.
ENGINE = [PACKAGE / name for name in (
    "cards.py", "combinations.py", "bidding.py", "auction_state.py", "play.py", "autoplay.py", "replay.py", "tabulate.py",
    "flatten.py",
)] + sorted((PACKAGE / "batches").glob("*.py")) + sorted((PACKAGE / "settlement").glob("*.py")) + sorted((PACKAGE / "simulate").glob("*.py"))  # fmt: skip
PLATFORMS = ("botzone", "rlcard", "openspiel", "open-spiel", "open_spiel", "douzero")


def names(paths: list[Path]) -> list[str]:
    """Paths as test ids."""
    return [str(path.relative_to(ROOT)) for path in paths]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a module."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the signature to the end, without the docstring."""
    doc = ast.get_docstring(function, clean=False)
    return (function.end_lineno or 0) - function.lineno + 1 - (0 if doc is None else doc.count("\n") + 1)


@pytest.mark.parametrize("path", MODULES + TESTS, ids=names(MODULES + TESTS))
def test_no_module_is_longer_than_a_person_reads_at_once(path: Path) -> None:
    """A module has at most 300 lines, the two main paths at most 200."""
    longest = (
        MAIN_PATH.get(path.relative_to(PACKAGE).as_posix(), LONGEST_MODULE)
        if path in MODULES
        else LONGEST_MODULE
    )
    assert len(path.read_text("utf-8").splitlines()) <= longest


@pytest.mark.parametrize("path", MODULES, ids=names(MODULES))
def test_no_function_is_longer_than_a_screen(path: Path) -> None:
    """A function has at most 40 lines."""
    assert [f.name for f in functions(path) if body_lines(f) > LONGEST_FUNCTION] == []


@pytest.mark.parametrize("path", STATEMENTS, ids=names(STATEMENTS))
def test_each_statement_says_its_grain(path: Path) -> None:
    """An SQL file has at most 100 lines and opens with its grain, or says what else it is."""
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST_SQL
    assert lines[0].startswith("-- ")


@pytest.mark.parametrize("path", ENGINE, ids=names(ENGINE))
def test_the_engine_names_no_rule_set_and_no_platform(path: Path) -> None:
    """Rule sets and formats are data: no id of one stands in engine code."""
    text = path.read_text("utf-8").lower()
    words = set(re.findall(r"[a-z0-9_-]+", text))
    # "happy" is a word of the citations, which name the page; "minimised" is what the field calls such payments.
    ids = {*shipped_rules(), *shipped_overlays()} - {"happy", "minimised"}
    assert words & (ids | set(PLATFORMS)) == set()
    assert '"happy"' not in text


@pytest.mark.parametrize("path", TESTS, ids=names(TESTS))
def test_each_test_says_in_a_sentence_how_the_tool_behaves(path: Path) -> None:
    """Every test has a docstring that is one sentence."""
    for function in functions(path):
        if function.name.startswith("test_"):
            doc = ast.get_docstring(function)
            assert doc, f"{function.name} has no docstring"
            assert doc.rstrip().endswith("."), f"{function.name}: {doc}"


def test_the_project_speaks_only_of_itself() -> None:
    """No text of the project names the folder it stands in, what stands beside it there, or how it came about."""
    around = ROOT.parent if ROOT.parent.name else ROOT
    beside = [
        f"../{each.name}/"
        for each in ROOT.parent.iterdir()
        if each.is_dir() and not (ROOT / each.name).exists()
    ]
    outside = re.compile(
        "|".join([r"\bissue #?\d+", *map(re.escape, (f"{around}/", *beside))]), re.IGNORECASE
    )
    kinds = {".py", ".sql", ".toml", ".md", ".json", ".html", ".j2", ".css", ".js", ""}
    here = Path(__file__)
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part != ".ci" for part in parts)
        if (
            hidden
            or path.is_dir()
            or path == here
            or path.suffix not in kinds
            or "vendor" in parts
            or parts[0] == "reports"
        ):
            continue
        assert not outside.search(path.read_text("utf-8", errors="replace")), path
