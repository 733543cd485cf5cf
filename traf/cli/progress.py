"""Shows on standard error how a repair goes on: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Protocol

import click

from traf.core.attempts import Attempt, Series


class Progress(Protocol):
    """A listener of the repair that also sees each attempt."""

    def batch(self, what: str, asked: int) -> None:
        """A batch of at most `asked` attempts begins."""

    def batch_done(self, series: Series) -> None:
        """It has ended."""

    def attempt(self, attempt: Attempt) -> None:
        """An attempt has ended."""

    def close(self) -> None:
        """Nothing more comes."""


def make_progress() -> Progress:
    """A bar where standard error is a terminal that can move its cursor, else plain lines."""
    return _Bar() if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else _Lines()


class _Lines:
    def __init__(self) -> None:
        self._what = ""
        self._asked = 0

    def batch(self, what: str, asked: int) -> None:
        self._what, self._asked = what, asked

    def attempt(self, attempt: Attempt) -> None:
        """A line an attempt would be noise."""

    def batch_done(self, series: Series) -> None:
        with contextlib.suppress(OSError):  # nobody may be listening
            click.echo(
                f"{self._what}: {series.failures} of {series.runs} runs failed (of {self._asked} planned)", err=True
            )

    def close(self) -> None:
        """Nothing is open."""


class _Bar:
    def __init__(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - only where a terminal shows it
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
        from rich.progress import Progress as RichProgress  # noqa: PLC0415

        self._progress = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]} failed", markup=False),
            TimeElapsedColumn(),
            console=Console(stderr=True),
        )
        self._progress.start()
        self._failed = 0

    def batch(self, what: str, asked: int) -> None:
        self._failed = 0
        self._task = self._progress.add_task(what, total=asked, failed=0)

    def attempt(self, attempt: Attempt) -> None:
        self._failed += attempt.outcome.failed
        self._progress.update(self._task, advance=1, failed=self._failed)

    def batch_done(self, series: Series) -> None:
        self._progress.update(self._task, total=series.runs, completed=series.runs, failed=series.failures)
        self._progress.stop_task(self._task)

    def close(self) -> None:
        self._progress.stop()
