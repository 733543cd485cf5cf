"""The nouns of the repair room: patches, trials, and the result that every report is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from traf.core.attempts import Level, Series, TestId
from traf.core.verdict import Verdict
from traf.localization.model import Candidate
from traf.syntax.model import WaitSite


class Mode(StrEnum):
    """How far a found time is tuned: not at all, to the first shorter one that holds, or to the threshold."""

    STATIC = "static"
    FIRST_MATCH = "first-match"
    FULL = "full"


class Policy(StrEnum):
    """SAFE tunes fixed sleeps only and never goes below a bound in force; PAPER tunes all, from 0 where no time is written."""

    SAFE = "safe"
    PAPER = "paper"


class RepairOutcome(StrEnum):
    """How a repair ended."""

    REPAIRED = "repaired"
    NOT_FLAKY = "not_flaky"
    BROKEN = "broken"
    NOT_APPLICABLE = "not_applicable"
    NOT_REPAIRABLE = "not_repairable"
    CANNOT_RUN = "cannot_run"


Phase = Literal["candidate", "tuning", "confirmation"]


@dataclass(frozen=True, slots=True)
class Patch:
    """The spec with one wait changed to `ms`: its new bytes, the unified diff, and the raised test limit, if any."""

    path: str
    ms: float
    data: bytes
    diff: str
    raised_limit_ms: float | None = None
    allowed_ms: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """A batch of runs with one time. It passed when as many attempts passed as were asked for."""

    phase: Phase
    ms: float
    asked: int
    series: Series

    @property
    def runs(self) -> int:
        """Executed attempts."""
        return self.series.runs

    @property
    def failures(self) -> int:
        """Failed attempts."""
        return self.series.failures

    @property
    def passed(self) -> bool:
        """Whether all that was asked for was carried out without a failure; a test may skip itself now and then."""
        return self.failures == 0 and self.runs > 0 and len(self.series.attempts) == self.asked


@dataclass(frozen=True, slots=True)
class Repair:
    """A patch with its evidence: the fresh batch that confirmed it, and what a run costs before and after."""

    patch: Patch
    tuned_ms: float
    verdict: Verdict
    run_ms_before: float | None
    run_ms_after: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known before anything runs: the test, the wait, the times to try. `above_ms`: only longer times are tried."""

    test: TestId | None
    site: WaitSite
    candidates: tuple[Candidate, ...]
    above_ms: float
    lower_ms: float


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose. `runs` attempts a value; the search ends when its bounds lie `threshold_ms` apart."""

    mode: Mode = Mode.STATIC
    policy: Policy = Policy.SAFE
    runs: int = 100
    threshold_ms: float = 5.0
    assume_flaky: bool = False


@dataclass(frozen=True, slots=True)
class RepairResult:
    """Everything a report says. `outcome` None: a dry run, nothing was executed.

    Of `total_runs`, `fresh_runs` were made in processes of their own; `level` is how the others were kept apart.
    """

    outcome: RepairOutcome | None
    reason: str
    test: TestId | None
    site: WaitSite | None
    settings: Settings
    before: Verdict | None = None
    candidates: tuple[Candidate, ...] = ()
    trials: tuple[Trial, ...] = ()
    repair: Repair | None = None
    total_runs: int = 0
    fresh_runs: int = 0
    level: Level | None = None
    wall_s: float = 0.0
    jobs: int = 1
    machine: str = ""
    warnings: tuple[str, ...] = field(default=())
