"""Waits for what another process does, as long as it takes on a slow machine, and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 60.0


def eventually(holds: Callable[[], bool]) -> None:
    """Return as soon as `holds()`; fail after PATIENCE_S."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        time.sleep(0.02)
