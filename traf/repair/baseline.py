"""How the untouched test behaves: nothing is repaired before a pass and a failure were seen."""

from __future__ import annotations

import math
from typing import Literal, Protocol

from traf.core.attempts import Series
from traf.core.errors import CannotRun
from traf.repair.model import Patch


class Run(Protocol):
    """Runs the test, with a patch or untouched."""

    def __call__(
        self, patch: Patch | None, runs: int, until: Literal["failure", "pass"] | None, *, confirming: bool = False
    ) -> Series:
        """Up to `runs` attempts, until one ends as `until` says. `confirming`: what is found will be handed over."""


LEAST_RUNS = 20
DOUBT = 0.05


def observe(run: Run, runs: int) -> Series:
    """Run the untouched test at least LEAST_RUNS times, then up to `runs` times until a pass and a failure were seen.

    Raises:
        CannotRun: when every attempt was skipped.
    """
    series = run(None, LEAST_RUNS, None)
    if series.runs == 0:
        raise CannotRun("the test is skipped, so nothing was executed: enable it and try again", slug="test-skipped")
    rest = max(runs, LEAST_RUNS) - LEAST_RUNS
    if rest and not (series.failures and series.passes):
        series += run(None, rest, "pass" if series.failures else "failure")
    return series


def runs_to_notice(flake_rate: float, most: int, doubt: float = DOUBT) -> int:
    """How many runs show a failure with probability 1 - `doubt` if the test still flakes at `flake_rate` (a share)."""
    if not 0 < flake_rate < 1:
        return most
    return min(most, math.ceil(math.log(doubt) / math.log(1 - flake_rate)))


def chance_of_green(flake_rate: float, runs: int) -> float:
    """The probability that a test which flakes at `flake_rate` (a share) passes `runs` times in a row."""
    return float((1 - flake_rate) ** runs)
