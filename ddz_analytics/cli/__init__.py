"""The command `ddz`: commands load what they need when they run, and every error is one line."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from ddz_analytics.cli.completing import completed, is_asked
from ddz_analytics.cli.spoken import LANGUAGE, spoken
from ddz_analytics.cli.telling import error_line
from ddz_analytics.errors import DdzError
from ddz_analytics.last_words import (
    EXIT_INTERRUPTED,
    STDOUT,
    Ended,
    end_in_order,
    give_up,
    leave,
    open_streams,
    told_if_possible,
)
from ddz_analytics.locale.language import VARIABLE, speak, wanted
from ddz_analytics.version import VERSION

COMMANDS = {
    "ingest": "ingesting",
    "rejected": "rejected",
    "info": "stores",
    "verify": "stores",
    "rules": "rules",
    "rescore": "scoring",
    "find": "finding",
    "explain": "explaining",
    "replay": "replaying",
    "reconcile": "reconciling",
    "compare": "scoring",
    "standings": "standings",
    "statement": "statements",
    "report": "reporting",
    "sql": "querying",
    "export": "exporting",
    "forget": "keeping",
    "remove": "keeping",
    "simulate": "simulating",
    "demo": "demo",
    "completion": "completing",
}


class _ReaderGone(Exception):
    """Whoever read our output has had enough; click would make a failure of it."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that `ddz --version` starts at once.

    The language is chosen first of all: help and the words of errors need it before an option is read.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of a run, whose language is chosen by what its arguments and the environment say."""
        speak(wanted(args, os.environ))
        return super(LazyGroup, spoken(self)).make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was chosen."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGone from error
        except KeyboardInterrupt as error:
            raise Ended(EXIT_INTERRUPTED) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which one uses them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"ddz_analytics.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return completed(spoken(command)) if is_asked() else spoken(command)


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(VERSION, prog_name="ddz")
@click.option("--lang", expose_value=False, envvar=VARIABLE, **LANGUAGE)
@click.option("--debug", is_flag=True, help="Show the whole traceback of an error.")
@click.pass_context
def ddz(ctx: click.Context, debug: bool) -> None:
    """Replay Dou Dizhu (斗地主) hand histories and score them under other rules.

    Start with `ddz demo`, or `ddz ingest LOGS`, `ddz rescore --rules all`, `ddz compare`.
    """
    ctx.obj = {"debug": debug}
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main() -> None:
    """Run the command and leave with its exit code: 0 done, 1 findings, 2 usage, 3 failed, 130 interrupted, 143 terminated."""
    open_streams()
    end_in_order()
    try:
        code = ddz.main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        with told_if_possible():
            error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        leave()
    except Ended as end:
        leave(end.code)
    except (_ReaderGone, BrokenPipeError):
        give_up(STDOUT)
        code = 0
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        known = _known(error)
        with told_if_possible():
            click.echo(error_line(known), err=True)
        code = known.exit_code
    sys.exit(code if isinstance(code, int) else 0)


def _known(error: Exception) -> DdzError:
    """An error as one with a code."""
    if isinstance(error, DdzError):
        return error
    if isinstance(error, OSError):
        what = f"{error.strerror or error}" + (f": {error.filename}" if error.filename else "")
        return DdzError("input_output", what)
    what = f"{type(error).__name__}: {error}"
    return DdzError("internal", what, mend="this is a fault of ddz; --debug shows where")
