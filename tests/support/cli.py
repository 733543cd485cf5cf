"""Runs the real command in a process of its own, as a user would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Done:
    """How the command ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


def command(*arguments: str) -> list[str]:
    """The command line that runs traf from this checkout."""
    return [sys.executable, "-m", "traf", *arguments]


def environment(state: Path, **changes: str | None) -> dict[str, str]:
    """The environment of a run: this checkout, a state folder of its own, and changes (None removes a variable)."""
    merged: dict[str, str | None] = {**os.environ, "PYTHONPATH": str(ROOT), "TRAF_STATE_DIR": str(state), **changes}
    merged.pop("TRAF_DEBUG", None)
    return {name: value for name, value in merged.items() if value is not None}


def traf(cwd: Path, state: Path, *arguments: str, **changes: str | None) -> Done:
    """Run traf in `cwd` until it ends."""
    done = subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(state, **changes),
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
