"""An engine without processes: a test that waits `ms` passes when its latency, drawn for each attempt, is shorter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle

from tests.support.attempts import TEST
from traf.core.attempts import Attempt, AttemptError, Level, Outcome, Series
from traf.localization.model import Candidate, Origin
from traf.repair.model import Patch, Plan, Policy
from traf.repair.repair import bounds
from traf.repair.strategy import DoesNotFitError
from traf.syntax.model import MsFrom, WaitKind, WaitSite


@dataclass
class FakeEngine:
    """Latencies in ms are taken in turn; `in_force_ms` is what the untouched test waits. `asked` lists (ms, runs, until)."""

    latencies: Iterator[float]
    in_force_ms: float = 200
    limit_ms: float | None = None
    asked: list[tuple[float | None, int, str | None]] = field(default_factory=list)

    @classmethod
    def of(cls, *latencies: float, in_force_ms: float = 200, limit_ms: float | None = None) -> FakeEngine:
        """An engine that repeats these latencies for ever."""
        return cls(cycle(latencies), in_force_ms, limit_ms)

    def patching(self, ms: float) -> Patch:
        """A patch that only knows its time."""
        if self.limit_ms is not None and ms > self.limit_ms:
            raise DoesNotFitError(f"the test's limit is {self.limit_ms:g} ms")
        return Patch(TEST.file, ms, b"", f"--- wait {ms:g}\n")

    def run(self, patch: Patch | None, runs: int, until: str | None, *, confirming: bool = False) -> Series:
        """Run until the first attempt that ends as `until` says; a batch that confirms is made in processes of their own."""
        ms = self.in_force_ms if patch is None else patch.ms
        self.asked.append((None if patch is None else ms, runs, until))
        attempts = []
        for index in range(runs):
            passed = next(self.latencies) <= ms
            error = None if passed else AttemptError(f"not there after {ms:g} ms\nat line 7")
            outcome, level = Outcome.PASS if passed else Outcome.FAIL, Level.PROCESS if confirming else Level.WORKER
            attempts.append(Attempt(TEST, index, outcome, ms + 50, error, level))
            if until == ("pass" if passed else "failure"):
                break
        return Series(tuple(attempts))


class Silent:
    """A listener that looks away."""

    def batch(self, what: str, asked: int) -> None:
        """Look away."""

    def batch_done(self, series: Series) -> None:
        """Look away."""


def wait_site(
    ms: float | None = 200, kind: WaitKind = WaitKind.FIXED_SLEEP, *, level: int = 0, action: str | None = None
) -> WaitSite:
    """A site as the syntax room would give it."""
    return WaitSite(
        file=TEST.file,
        line=7,
        column=11,
        start=120,
        end=150,
        framework="playwright",
        api="page.waitForTimeout",
        kind=kind,
        ms=ms,
        ms_from=MsFrom.LITERAL if level == 0 else MsFrom.DEFAULT if ms is not None else MsFrom.UNBOUNDED,
        level=level,
        action=action or ("replace" if level == 0 else "add"),  # type: ignore[arg-type]
        time_line=7 if level == 0 else None,
    )


def plan(site: WaitSite, *times: float, policy: Policy = Policy.SAFE, limit_ms: float | None = None) -> Plan:
    """A plan that tries these times in this order."""
    above_ms, lower_ms = bounds(site, policy, limit_ms)
    candidates = tuple(
        Candidate(ms, 1 - i / 100, Origin("e2e/other.spec.ts", 3 + i), f"wait({ms:g})") for i, ms in enumerate(times)
    )
    return Plan(TEST, site, candidates, above_ms, lower_ms)
