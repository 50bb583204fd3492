"""The command `ddz`: commands load what they need when they run, and every error is one line."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from ddz_analytics.errors import EXIT_FAILED, DdzError, one_line
from ddz_analytics.version import VERSION

EXIT_INTERRUPTED = 130

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
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that `ddz --version` starts at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which one uses them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"ddz_analytics.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(VERSION, prog_name="ddz")
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
    """Run the command and leave with its exit code: 0 done, 1 findings, 2 usage, 3 failed, 130 interrupted."""
    try:
        code = ddz.main(standalone_mode=False)
    except DdzError as error:
        _explain(error, str(error))
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted: nothing was published that was not whole", err=True)
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has had enough; keep Python from complaining about it once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        what = f"{error.strerror or error}" + (f": {error.filename}" if error.filename else "")
        _explain(error, f"error[input_output]: {what}")
        code = EXIT_FAILED
    except Exception as error:
        _explain(
            error,
            f"error[internal]: {type(error).__name__}: {error}, this is a fault of ddz; --debug shows where",
        )
        code = EXIT_FAILED
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: Exception, line: str) -> None:
    if "--debug" in sys.argv:
        raise error
    click.echo(one_line(line), err=True)
