"""Where the command starts: a Ctrl-C during start-up ends it silently, then everything else is imported."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(
            signal.SIGINT, signal.SIG_DFL
        )  # commands with something to clean up install handlers of their own
    from traf.cli.main import run  # noqa: PLC0415 - the line above must come first

    sys.exit(run())
