"""The repair itself: baseline, validation, tuning, confirmation (the TRaf paper, section IV-B, and a fresh last batch)."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field
from typing import Protocol

from traf.core.attempts import Level, Outcome, Series
from traf.core.verdict import Status, judge
from traf.repair import reasons
from traf.repair.baseline import DOUBT, LEAST_RUNS, Run, chance_of_green, observe, runs_to_notice
from traf.repair.model import Mode, Phase, Plan, Policy, Repair, RepairOutcome, RepairResult, Settings, Trial
from traf.repair.strategy import DoesNotFitError, Patching
from traf.repair.tuning import round_up, tune
from traf.syntax.model import MsFrom, WaitKind, WaitSite

GENEROUS_FACTOR = 10
LEAST_GENEROUS_MS = 2_000
CONTROL_DOUBT = 0.001
EDGE_FACTOR = 1.05


class Listener(Protocol):
    """Who wants to see a repair go on."""

    def batch(self, what: str, asked: int) -> None:
        """A batch of at most `asked` attempts begins."""

    def batch_done(self, series: Series) -> None:
        """It has ended."""


def bounds(site: WaitSite, policy: Policy, limit_ms: float | None) -> tuple[float, float]:
    """(above, lower) in ms: candidates must exceed the first, tuning starts from the second.

    As the paper has it, a call without a written time starts from 0. The safe policy never goes below the bound in force;
    for a call without any, that is the test's own limit `limit_ms` (None: no limit, so that no time lies above).
    """
    if site.action == "insert":
        return 0.0, 0.0
    if site.ms_from is MsFrom.UNBOUNDED:
        in_force = math.inf if limit_ms is None else limit_ms
        return in_force, in_force
    if policy is Policy.PAPER and site.level > 0:
        return 0.0, 0.0
    in_force = site.ms or 0.0
    return in_force, in_force


def tunable(site: WaitSite, policy: Policy) -> bool:
    """Whether a shorter time saves anything: a sleep is paid on every run, a bound only when the condition never holds."""
    return policy is Policy.PAPER or site.action == "insert" or site.kind is WaitKind.FIXED_SLEEP


def repair(
    plan: Plan, settings: Settings, patching: Patching, run: Run, listener: Listener, seen: Series | None = None
) -> RepairResult:
    """Carry out the plan and say how it ended.

    `run(patch, runs, until)` executes the test; `seen` are attempts of the untouched test that were made to find the line.

    Raises:
        CannotRun, InternalError: from `run`.
    """
    return _Search(plan, settings, patching, run, listener, seen).carry_out()


@dataclass
class _Search:
    plan: Plan
    settings: Settings
    patching: Patching
    run: Run
    listener: Listener
    before: Series | None
    trials: list[Trial] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def carry_out(self) -> RepairResult:
        if self.before is None and not self.settings.assume_flaky:
            self.listener.batch("untouched", max(self.settings.runs, LEAST_RUNS))
            self.before = observe(self.run, self.settings.runs)
            self.listener.batch_done(self.before)
        if self.before is not None:
            verdict = judge(self.before)
            if verdict.status is Status.PASSING:
                return self._result(RepairOutcome.NOT_FLAKY, reasons.never_failed(verdict))
            if verdict.status is Status.FAILING:
                return self._result(RepairOutcome.BROKEN, reasons.always_failed(self.before))
        if math.isinf(self.plan.above_ms):
            return self._result(RepairOutcome.NOT_APPLICABLE, reasons.unbounded(self.plan.site))
        for candidate in self.plan.candidates:
            if self._holds("candidate", candidate.ms):
                repaired = self._tune_and_confirm(candidate.ms)
                if repaired is not None:
                    return self._checked(repaired)
        return self._nothing_held()

    def _checked(self, repaired: Repair) -> RepairResult:
        """Whether the untouched test still fails: green runs prove nothing if what made it fail has gone meanwhile."""
        if self.before is not None:
            rate = self.before.failures / self.before.runs
            if chance_of_green(rate, self.settings.runs) > DOUBT:
                self.warnings.append(reasons.too_rare(judge(self.before), self.settings.runs))
            control_runs = runs_to_notice(rate, max(self.settings.runs, LEAST_RUNS), CONTROL_DOUBT)
            self.listener.batch("untouched, once more", control_runs)
            control = self.run(None, control_runs, "failure")
            self.listener.batch_done(control)
            self.before += control
            if not control.failures and chance_of_green(rate, control_runs) <= DOUBT:
                return self._result(RepairOutcome.NOT_APPLICABLE, reasons.no_longer_fails(control.runs))
        return self._result(RepairOutcome.REPAIRED, reasons.repaired(repaired), repaired)

    def _tune_and_confirm(self, found_ms: float) -> Repair | None:
        mode = self.settings.mode if tunable(self.plan.site, self.settings.policy) else Mode.STATIC
        first = len(self.trials) - 1
        tuned_ms = tune(
            mode, self.plan.lower_ms, found_ms, self.settings.threshold_ms, lambda ms: self._holds("tuning", ms)
        )
        for held_ms in sorted({t.ms for t in self.trials[first:] if t.passed}):
            # A time that the suite itself writes is taken as it is; a number of the search is rounded, but not past that.
            ms = found_ms if held_ms == found_ms else min(round_up(held_ms), found_ms)
            if self._holds("confirmation", ms):
                series = self.trials[-1].series
                self._warn_of_the_edge(ms)
                before_ms = None if self.before is None else _median_ms(self.before)
                return Repair(self.patching(ms), tuned_ms, judge(series), before_ms, _median_ms(series))
        return None

    def _warn_of_the_edge(self, ms: float) -> None:
        failed = [t for t in self.trials if not t.passed and t.ms < ms]
        if failed and ms < EDGE_FACTOR * max(t.ms for t in failed):
            self.warnings.append(reasons.near_failure(ms, max(failed, key=lambda trial: trial.ms)))

    def _nothing_held(self) -> RepairResult:
        """Tell a test that no found time repairs from one that no time at all repairs: try a generous one."""
        longest_ms = max([self.plan.above_ms, *(t.ms for t in self.trials)])
        ms = max(GENEROUS_FACTOR * longest_ms, LEAST_GENEROUS_MS)
        runs = min(self.settings.runs, LEAST_RUNS)
        if self.before is not None:
            runs = runs_to_notice(self.before.failures / self.before.runs, self.settings.runs)
        tried = len(self.trials)
        if self._holds("candidate", ms, runs):
            reason = reasons.longer_helps(ms, runs, found=bool(self.plan.candidates))
            return self._result(RepairOutcome.NOT_APPLICABLE, reason)
        if len(self.trials) > tried:
            return self._result(RepairOutcome.NOT_REPAIRABLE, reasons.longer_does_not_help(ms, self.trials[-1].series))
        return self._result(RepairOutcome.NOT_APPLICABLE, reasons.none_fits())

    def _holds(self, phase: Phase, ms: float, runs: int | None = None) -> bool:
        """Whether the test passes every time with `ms`. What failed once is not tried again, nor anything shorter."""
        if any(not t.passed and ms <= t.ms for t in self.trials):
            return False
        try:
            patch = self.patching(ms)
        except DoesNotFitError as error:
            self.warnings.append(f"{ms:g} ms was not tried: {error}")
            return False
        asked = runs or self.settings.runs
        self.listener.batch(f"{phase} {ms:g} ms", asked)
        series = self.run(patch, asked, "failure", confirming=phase == "confirmation")
        self.listener.batch_done(series)
        self.trials.append(Trial(phase, ms, asked, series))
        return self.trials[-1].passed

    def _result(self, outcome: RepairOutcome, reason: str, repaired: Repair | None = None) -> RepairResult:
        batches = [*([self.before] if self.before else []), *(t.series for t in self.trials)]
        return RepairResult(
            outcome,
            reason,
            self.plan.test,
            self.plan.site,
            self.settings,
            before=judge(self.before) if self.before else None,
            candidates=self.plan.candidates,
            trials=tuple(self.trials),
            repair=repaired,
            total_runs=sum(series.runs for series in batches),
            fresh_runs=sum(a.level is Level.PROCESS for series in batches for a in series.attempts),
            warnings=(*self.plan.site.warnings, *self.warnings),
        )


def _median_ms(series: Series) -> float | None:
    passed = [a.duration_ms for a in series.attempts if a.outcome is Outcome.PASS]
    return statistics.median(passed) if passed else None
