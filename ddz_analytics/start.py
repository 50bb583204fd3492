"""Where the command `ddz` begins: whoever interrupts it gets one line, also while it is still loading."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command and leave with its exit code; 130 when it was interrupted."""
    try:
        from ddz_analytics.cli import main as run

        run()
    except KeyboardInterrupt:
        from ddz_analytics.last_words import leave

        if "--debug" in sys.argv:
            raise
        leave()
