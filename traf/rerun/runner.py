"""Chooses how a test is repeated, as fast as the verdict allows: wraps the engine with levels of isolation and jobs."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping

from traf.core.agreement import growing, independent, same_rate
from traf.core.attempts import Attempt, Level, Outcome, Series, TestId
from traf.rerun.engine import Until, ends
from traf.rerun.journal import Execute

FRESH_RUNS = 4
"""How many attempts in processes of their own are compared with the faster ones."""
PROBE_RUNS = 6
"""How many attempts show whether two at a time disturb each other."""
DISTURBED = 1.2
_CHANCE = 0.01
_SLOWER = 1.5
_SLOWER_MS = 100


class Runner:
    """Runs one test. `level` None: the fastest level that shows what processes of their own show; `jobs` None: measured."""

    def __init__(
        self,
        execute: Execute,
        test: TestId,
        *,
        level: Level | None = None,
        jobs: int | None = 1,
        on_attempt: Callable[[Attempt], None] = lambda _attempt: None,
    ) -> None:
        self._execute = execute
        self._test = test
        self._on_attempt = on_attempt
        self._measure_jobs = jobs is None
        self.jobs = jobs or 1
        self.level = level or Level.WORKER
        self.remarks: list[str] = []

    def observe(self, runs: int) -> Series:
        """`runs` attempts of the untouched test, some in processes of their own; settles level and jobs from what they show."""
        series = self._settle_jobs(runs) if self._measure_jobs else Series(())
        if self.level is Level.PROCESS:
            return series + self.run(runs - len(series.attempts))
        fresh = self.run(min(FRESH_RUNS, runs), level=Level.PROCESS)
        left = max(0, runs - len(fresh.attempts) - len(series.attempts))
        series += self.run(left) if left else Series(())
        doubt = differs(fresh, series)
        if doubt is None:
            self._compare_times(fresh, series)
            return fresh + series
        self.remarks.append(
            f"{doubt}: state leaks between attempts, so each one was run in a process of its own, and the others do not count"
        )
        self.level = Level.PROCESS
        return fresh + self.run(runs - len(fresh.attempts)) if runs > len(fresh.attempts) else fresh

    def run(
        self,
        runs: int,
        *,
        files: Mapping[str, bytes] | None = None,
        until: Until | None = None,
        allowed_ms: float = 0.0,
        level: Level | None = None,
    ) -> Series:
        """Up to `runs` attempts at `level` (None: the settled one), with `files` in place of the project's own."""
        return self._execute(
            self._test,
            runs,
            files=files or {},
            until=until,
            level=level or self.level,
            jobs=self.jobs,
            allowed_ms=allowed_ms,
            on_attempt=self._on_attempt,
        )

    def confirm(self, runs: int, *, files: Mapping[str, bytes], until: Until | None, allowed_ms: float) -> Series:
        """As `run`, the last tenth of the attempts (two at least) in processes of their own."""
        fresh = min(runs, max(2, runs // 10))
        series = Series(())
        if self.level is not Level.PROCESS and fresh < runs:
            series = self.run(runs - fresh, files=files, until=until, allowed_ms=allowed_ms)
            if ends(series.attempts[-1], until):
                return series
        left = runs - len(series.attempts)
        return series + self.run(left, files=files, until=until, allowed_ms=allowed_ms, level=Level.PROCESS)

    def _settle_jobs(self, runs: int) -> Series:
        """One attempt at a time, then two: if that stretches them, one it is."""
        self.jobs = 1
        alone = self.run(min(PROBE_RUNS, runs))
        self.jobs = 2
        together = self.run(min(PROBE_RUNS, runs))
        one, two = _median_ms(alone), _median_ms(together)
        if one is None or two is None or two > DISTURBED * one:
            self.jobs = 1
        if one is not None and two is not None:
            said = "so two were run at a time" if self.jobs == 2 else "so one was run at a time"
            self.remarks.append(
                f"two attempts at a time took {two:.0f} ms each, one at a time {one:.0f} ms (medians): {said}"
            )
        return alone

    def _compare_times(self, fresh: Series, others: Series) -> None:
        own, warm = _median_ms(fresh), _median_ms(others)
        if own is not None and warm is not None and own > _SLOWER * warm and own - warm > _SLOWER_MS:
            self.remarks.append(
                f"in a process of its own the test takes {own:.0f} ms, in a warm one {warm:.0f} ms (medians): "
                "--isolation process tries times under the slower conditions"
            )


def differs(fresh: Series, others: Series) -> str | None:
    """What tells attempts that share a process from those in processes of their own; None where nothing does."""
    ran = [a for a in others.attempts if a.outcome is not Outcome.SKIP]
    if fresh.runs and others.runs:
        chance = same_rate(fresh.failures, fresh.runs, others.failures, others.runs)
        if chance < _CHANCE:
            return (
                f"{others.failures} of {others.runs} attempts in a shared process failed, "
                f"but {fresh.failures} of {fresh.runs} in processes of their own"
            )
    if independent([a.outcome.failed for a in ran]) < _CHANCE:
        return "passes and failures in a shared process follow each other in an order that is no chance"
    passed = [a.duration_ms for a in ran if a.outcome is Outcome.PASS]
    third = len(passed) // 3
    if third and growing(passed) < _CHANCE / 10:
        first, last = statistics.median(passed[:third]), statistics.median(passed[-third:])
        if last > _SLOWER * first and last - first > _SLOWER_MS:
            return f"attempts in a shared process grow slower, from {first:.0f} to {last:.0f} ms"
    return None


def _median_ms(series: Series) -> float | None:
    passed = [a.duration_ms for a in series.attempts if a.outcome is Outcome.PASS]
    return statistics.median(passed) if passed else None
