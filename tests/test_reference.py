"""The reference is what the commands, the schema and the docstrings say now."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from ddz_analytics.cli import COMMANDS, ddz
from tests.reference import PAGE, reference


def test_reference_is_current() -> None:
    """docs/reference.md is made of the tool as it is; `python -m tests.reference` (or `make docs`) makes it anew."""
    assert PAGE.read_text("utf-8") == reference()


def test_no_column_and_no_macro_is_without_a_meaning() -> None:
    """Every row of the tables of the reference says what the thing means."""
    tables = PAGE.read_text("utf-8").split("## Views")[1].split("## Python")[0]
    assert [line for line in tables.splitlines() if line.startswith("|") and line.endswith("|  |")] == []


def below(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """A command and all below it, by name."""
    yield name, command
    if isinstance(command, click.Group):
        for each, found in command.commands.items():
            yield from below(found, f"{name} {each}")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    """Each command says in a sentence what it does, and each of its options has a help text or names its choices."""
    command = ddz.get_command(click.Context(ddz), name)
    assert command is not None
    for path, found in below(command, name):
        assert found.help, path
        options = [option for option in found.params if isinstance(option, click.Option)]
        silent = [
            option.name for option in options if not option.help and not isinstance(option.type, click.Choice)
        ]
        assert silent == [], path
