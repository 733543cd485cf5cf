"""What a test run is made of: the test, its attempts, and the series that they form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class TestId:
    """One test: repository-relative POSIX file, full title path, and a variant such as a browser project."""

    __test__ = False

    file: str
    title: tuple[str, ...]
    variant: str | None = None


class Outcome(StrEnum):
    """How one attempt ended. Everything but PASS and SKIP is a failed attempt."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"
    TIMEOUT = "timeout"
    SKIP = "skip"
    CRASH = "crash"

    @property
    def failed(self) -> bool:
        """Whether an attempt with this outcome counts as a failure."""
        return self not in {Outcome.PASS, Outcome.SKIP}


class Level(StrEnum):
    """How far attempts are kept apart, the fastest first: within the file, by the framework's own means, by the system."""

    WARM = "warm"
    WORKER = "worker"
    PROCESS = "process"


@dataclass(frozen=True, slots=True)
class Frame:
    """A stack frame; `file` is project-relative where it lies in the project. Line and column are 1-based."""

    file: str
    line: int
    column: int
    function: str | None = None


@dataclass(frozen=True, slots=True)
class AttemptError:
    """Why an attempt failed, innermost frame first."""

    message: str
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One execution of one test, kept apart from the others by `level`. Attempts are facts: never overwritten or collapsed."""

    test: TestId
    index: int
    outcome: Outcome
    duration_ms: float
    error: AttemptError | None = None
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Attempts of one test under the same conditions, in the order in which they ended."""

    attempts: tuple[Attempt, ...]

    @property
    def runs(self) -> int:
        """Number of executed attempts; skipped ones are not executions."""
        return sum(a.outcome is not Outcome.SKIP for a in self.attempts)

    @property
    def failures(self) -> int:
        """Number of failed attempts."""
        return sum(a.outcome.failed for a in self.attempts)

    @property
    def passes(self) -> int:
        """Number of passed attempts."""
        return sum(a.outcome is Outcome.PASS for a in self.attempts)

    def __add__(self, other: Series) -> Series:
        """The two series as one."""
        return Series(self.attempts + other.attempts)
