"""What a series of attempts shows: always passing, always failing or flaky, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from traf.core.attempts import Series
from traf.core.bounds import CONFIDENCE, flake_rate_upper


class Status(StrEnum):
    """What the attempts of one test have in common."""

    PASSING = "passing"
    FLAKY = "flaky"
    FAILING = "failing"
    NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A status with its evidence; `flake_rate_upper` is a share, one-sided at `confidence`."""

    status: Status
    runs: int
    failures: int
    flake_rate_upper: float
    confidence: float = CONFIDENCE


def judge(series: Series, confidence: float = CONFIDENCE) -> Verdict:
    """What the series shows. A series without an executed attempt shows nothing (NOT_RUN, bound 1)."""
    if series.runs == 0:
        return Verdict(Status.NOT_RUN, 0, 0, 1.0, confidence)
    if series.failures == 0:
        status = Status.PASSING
    elif series.failures == series.runs:
        status = Status.FAILING
    else:
        status = Status.FLAKY
    bound = flake_rate_upper(series.runs, series.failures, confidence)
    return Verdict(status, series.runs, series.failures, bound, confidence)
