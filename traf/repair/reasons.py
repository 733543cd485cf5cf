"""Why a repair ended as it did, in one sentence a reviewer can check."""

from __future__ import annotations

from traf.core.attempts import Series
from traf.core.verdict import Verdict
from traf.repair.baseline import chance_of_green, runs_to_notice
from traf.repair.model import Repair, Trial
from traf.syntax.model import WaitSite

_MESSAGE_LENGTH = 160


def never_failed(verdict: Verdict) -> str:
    """The test is not flaky as far as its runs show."""
    return f"passed {verdict.runs} of {verdict.runs} runs: {bound(verdict)}"


def always_failed(series: Series) -> str:
    """The test is broken, not flaky."""
    return f"failed {series.failures} of {series.runs} runs: a broken test, not a flaky one{last_message(series)}"


def unbounded(site: WaitSite) -> str:
    """Neither the call nor its test has a bound that could be raised."""
    return f"{site.api} has no bound, and neither has its test: it already waits for ever"


def repaired(repair: Repair) -> str:
    """The new time held in a fresh batch."""
    verdict = repair.verdict
    return f"passed {verdict.runs} of {verdict.runs} runs with {repair.patch.ms:g} ms: {bound(verdict)}"


def no_longer_fails(runs: int) -> str:
    """What made the test fail has gone by itself."""
    return (
        f"the untouched test failed at first, but no more in {runs} runs at the end: "
        "something other than the wait has changed meanwhile, so the green runs prove nothing about it"
    )


def too_rare(before: Verdict, runs: int) -> str:
    """The batches are too short for how seldom the test fails."""
    rate = before.failures / before.runs
    return (
        f"the untouched test failed in {before.failures} of {before.runs} runs: {runs} green runs would happen by chance "
        f"in {chance_of_green(rate, runs):.0%}; --runs {runs_to_notice(rate, 10_000)} would show more"
    )


def near_failure(ms: float, failed: Trial) -> str:
    """The time found lies close to one that failed."""
    return (
        f"{ms:g} ms lies close above {failed.ms:g} ms, which failed in run {failed.runs}: a slower machine may need more; "
        "--mode first-match or static keeps more room"
    )


def longer_helps(ms: float, runs: int, *, found: bool) -> str:
    """Time is the cause, but the project holds no time that suffices."""
    what = "none of the times found holds" if found else "no longer time was found in the directory or its history"
    return f"{what}, but {ms:g} ms held in {runs} of {runs} runs: a longer wait does help here"


def longer_does_not_help(ms: float, series: Series) -> str:
    """Time is not the cause, or not the time that this wait has."""
    failed = [a.duration_ms for a in series.attempts if a.outcome.failed]
    if failed and failed[-1] < ms:
        what = f"still fails, and after {failed[-1]:.0f} ms, long before {ms:g} ms have passed"
        return f"{what}: this wait is not what fails{last_message(series)}"
    return f"still fails with {ms:g} ms, so a longer wait cannot help{last_message(series)}"


def none_fits() -> str:
    """There is no room for a longer time."""
    return "no longer time fits into the test's own limit, and the limit cannot be raised here"


def bound(verdict: Verdict) -> str:
    """What the runs prove, as a sentence part."""
    return f"flake rate below {verdict.flake_rate_upper:.2%} at {verdict.confidence:.0%} confidence"


def last_message(series: Series) -> str:
    """The first line of the last failure's message, to be put behind a sentence."""
    messages = [a.error.message for a in series.attempts if a.error is not None and a.outcome.failed]
    lines = messages[-1].strip().splitlines() if messages else []
    return f" (last failure: {lines[0][:_MESSAGE_LENGTH]})" if lines else ""
