"""`ddz completion`: what a shell needs to complete commands, options and their values."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from copy import copy
from pathlib import Path
from typing import TypeVar

import click
from click.shell_completion import CompletionItem, get_completion_class

VARIABLE = "_DDZ_COMPLETE"  # a shell that asks for completions sets it
VIEWS = Path(__file__).parents[1] / "sql" / "views"
Command = TypeVar("Command", bound=click.Command)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script by which a shell completes ddz, its options, and names of rule sets, formats, views and keys.

    bash: put eval "$(ddz completion bash)" into ~/.bashrc; zsh: the same with zsh into ~/.zshrc;
    fish: ddz completion fish > ~/.config/fish/completions/ddz.fish
    """
    from ddz_analytics.cli import ddz

    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(ddz, {}, "ddz", VARIABLE).source())


class Named(click.ParamType[str]):
    """A text of which some values have names: those are offered where they fit what is typed."""

    name = "text"

    def __init__(self, names: Callable[[str], Iterable[str]]) -> None:
        self.names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like what is typed; where none does, a file may be meant."""
        found = [CompletionItem(name) for name in self.names(incomplete) if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


def is_asked() -> bool:
    """Whether a shell asks for completions."""
    return VARIABLE in os.environ


def completed(command: Command) -> Command:
    """A copy of a command, and of all below it, whose parameters know the names that may stand there."""
    made = copy(command)
    made.params = [_completed(param) for param in command.params]
    if isinstance(made, click.Group) and isinstance(command, click.Group):
        made.commands = {name: completed(each) for name, each in command.commands.items()}
    return made


def _completed(param: click.Parameter) -> click.Parameter:
    names = _VALUES.get(str(param.name))
    if names is None or isinstance(param.type, click.Choice | click.Path):
        return param
    made = copy(param)
    made.type = Named(names)
    return made


def _rule_sets(typed: str) -> Iterable[str]:
    """Rule sets, one after the other with commas, each with overlays after a plus."""
    from ddz_analytics.rules import shipped_overlays, shipped_rules

    before, comma, last = typed.rpartition(",")
    base, plus, _ = last.rpartition("+")
    names = shipped_overlays() if plus else [*shipped_rules(), "all"]
    return (f"{before}{comma}{base}{plus}{name}" for name in names)


def _keys(_: str) -> Iterable[str]:
    from ddz_analytics.rules import KEYS

    return KEYS


def _formats(_: str) -> Iterable[str]:
    from ddz_analytics.parsers import parsers

    return ("auto", *parsers())


def _views(_: str) -> Iterable[str]:
    return sorted(file.stem for file in VIEWS.glob("*.sql"))


def _examples(_: str) -> Iterable[str]:
    from ddz_analytics.examples import examples

    return ["list", *(each.name for each in examples())]


# by the name of a parameter, whatever command it belongs to
_VALUES: dict[str, Callable[[str], Iterable[str]]] = {
    **dict.fromkeys(
        ("spec", "specs", "baseline", "vs", "extends", "rule_set", "rule_set_a", "rule_set_b"), _rule_sets
    ),
    "settings": _keys,
    "form": _formats,
    "what": _views,
    "example": _examples,
}
