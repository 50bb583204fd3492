"""Every command takes `--lang`, and explains itself in the language of this process.

English help stands with the commands; `locale/zh/help.toml` has its Chinese, paragraph by paragraph. Chinese has no spaces to
break a line at and its letters are two columns wide, so such help is wrapped here.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import click

from ddz_analytics import locale
from ddz_analytics.locale.language import LANGUAGES, language
from ddz_analytics.widths import text_width

Command = TypeVar("Command", bound=click.Command)
Parameter = TypeVar("Parameter", bound=click.Parameter)
# A run of letters without a space, or a letter that a line may break before or after, with the marks that belong to it.
_PIECE = re.compile(r"\s+|[（「“]*(?:[\x21-\x7e]+|[^\s\x21-\x7e])[，。；：、）”」！？…]*")

# `--lang` only checks: what it says has been looked up before any command, see `locale.language`.
LANGUAGE: dict[str, Any] = {
    "type": click.Choice(LANGUAGES),
    "default": language,
    "show_default": "DDZ_LANG, else the locale's",
    "help": "The language of help, messages, titles and explanations.",
}


def spoken(command: Command) -> Command:
    """A copy of a command, and of all below it, that takes `--lang` and whose help is in the language of this process."""
    made = copy(command)
    made.params = [*command.params]
    if all("--lang" not in param.opts for param in made.params):
        made.params.append(click.Option(["--lang"], expose_value=False, **LANGUAGE))
    if isinstance(made, click.Group) and isinstance(command, click.Group):
        made.commands = {name: spoken(each) for name, each in command.commands.items()}
    return made if language() == "en" else _translated(made)


@cache
def chinese(name: str) -> Mapping[str, str]:
    """The Chinese of texts that stand in English in the code: `help` by paragraph, each in one line, or `titles`."""
    import tomllib

    place = Path(locale.__file__).parent / "zh" / f"{name}.toml"
    found: Mapping[str, str] = tomllib.loads(place.read_text("utf-8"))
    return found


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, each in one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", inspect.cleandoc(text)) if part.strip()]


def in_chinese(text: str) -> str:
    """A help text in Chinese; a paragraph that nobody has translated, such as a plug-in's, stays as it is."""
    return "\n\n".join(chinese("help").get(part, part) for part in paragraphs(text))


def _translated(command: Command) -> Command:
    command.context_class = _Context
    if command.help:
        command.help = in_chinese(command.help)
        command.short_help = paragraphs(command.help)[0].removesuffix("。")
    command.params = [_translated_parameter(param) for param in command.params]
    return command


def _translated_parameter(param: Parameter) -> Parameter:
    made = copy(param)
    for name in ("help", "show_default"):
        text = getattr(made, name, None)
        if isinstance(text, str):
            setattr(made, name, in_chinese(text))
    return made


class _Wrapped(click.HelpFormatter):
    """Help in Chinese, broken between any two letters by the columns that they take."""

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for number, part in enumerate(text.split("\n\n")):
            self.write("\n" * (number > 0))
            self.write("".join(f"{indent}{line}\n" for line in broken(part, self.width - len(indent))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        left = min(max(len(first) for first, _ in rows), col_max) + col_spacing
        width = max(self.width - left - 2, 10)
        kept = [
            (first, "\b\n" + "\n".join(broken(second, width)) if second else "") for first, second in rows
        ]
        super().write_dl(kept, col_max, col_spacing)

    def write_heading(self, heading: str) -> None:
        self.write(f"{' ' * self.current_indent}{heading}：\n")


class _Context(click.Context):
    formatter_class = _Wrapped


def broken(text: str, width: int) -> list[str]:
    """A text in lines of at most so many columns, if no word is longer."""
    lines = [""]
    for piece in _PIECE.findall(text):
        if lines[-1] and text_width(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]
