"""Shells complete commands, options, and the names that may stand in them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from ddz_analytics.cli import COMMANDS, ddz
from ddz_analytics.cli.completing import VARIABLE
from ddz_analytics.rules import shipped_rules


def offered(monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """What is offered for the last word of a command line, which may be begun."""
    monkeypatch.setenv(VARIABLE, "bash_complete")
    *before, begun = line.split(" ")[1:]
    return [item.value for item in ShellComplete(ddz, {}, "ddz", VARIABLE).get_completions(before, begun)]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("ddz sta", ["standings", "statement"]),
        ("ddz rules show jj-", ["jj-classic", "jj-bomb"]),
        ("ddz rescore --rules happy,douz", ["happy,douzero-adp"]),
        ("ddz compare --against jj-bomb+no-", ["jj-bomb+no-liability"]),
        ("ddz compare --set cap.a", ["cap.after_pairs"]),
        ("ddz ingest --format rl", ["rlcard-showdown", "rlcard-trace"]),
        ("ddz export sco", ["scores"]),
        ("ddz sql --example best-", ["best-players"]),
        ("ddz compare --balances ", ["recorded", "chained"]),
        ("ddz rules check my-room", ["my-room"]),
    ],
)
def test_names_that_fit_are_offered(line: str, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands, rule sets and overlays (each in a list), keys, formats, views and choices complete what is typed; else a file may be meant."""
    assert offered(monkeypatch, line) == names


def test_every_command_and_rule_set_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing typed offers all commands, and all complete rule sets where one may stand."""
    assert offered(monkeypatch, "ddz ") == list(COMMANDS)
    assert offered(monkeypatch, "ddz explain 1 --rules ") == [*shipped_rules(), "all"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_asks_the_command(shell: str) -> None:
    """The script of each shell asks ddz itself."""
    run = CliRunner().invoke(ddz, ["completion", shell])
    assert run.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in run.output


def test_a_shell_is_answered() -> None:
    """A shell that asks gets the kind and the value of each completion, and nothing else is printed."""
    asked = {VARIABLE: "bash_complete", "COMP_WORDS": "ddz rules show jj-b", "COMP_CWORD": "3"}
    code = "import sys; sys.argv = ['ddz']; from ddz_analytics.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    assert run.stdout == "plain,jj-bomb\n"
