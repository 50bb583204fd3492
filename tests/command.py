"""The command as a user meets it, but in the process of the tests: starting Python anew takes longer than most commands."""

from __future__ import annotations

import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddz_analytics.cli import main


def ddz(*arguments: object, folder: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the command in a folder: its exit code, and what it writes to stdout and stderr."""
    words = ["ddz", *map(str, arguments)]
    with (
        pytest.MonkeyPatch.context() as patch,
        chdir(folder),
        CliRunner().isolation(input=stdin) as (out, err, _),
    ):
        patch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as left:
            main()
        sys.stdout.flush()
        sys.stderr.flush()
        return subprocess.CompletedProcess(
            words, int(left.value.code or 0), out.getvalue().decode(), err.getvalue().decode()
        )
