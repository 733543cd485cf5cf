"""The account of a repair that a person reads: what was flaky, what was tried and why, what changes, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator

from traf.core.attempts import Level
from traf.localization.model import Candidate
from traf.repair.model import Repair, RepairOutcome, RepairResult, Trial
from traf.report.printable import number, printable
from traf.syntax.model import MsFrom, WaitSite

_HEADINGS = {
    RepairOutcome.REPAIRED: "Repaired",
    RepairOutcome.NOT_FLAKY: "Not flaky",
    RepairOutcome.BROKEN: "Broken",
    RepairOutcome.NOT_APPLICABLE: "Not applicable",
    RepairOutcome.NOT_REPAIRABLE: "Not repairable by time",
    RepairOutcome.CANNOT_RUN: "Cannot run",
    None: "Dry run",
}
_ACTIONS = {
    "replace": "the time is written there",
    "add": "no time is written there: one would be added",
}
_KEPT_APART = {
    Level.WORKER: "in warm processes with modules loaded afresh",
    Level.WARM: "repeated within the file",
}
_SHOWN_CANDIDATES = 10


def repair_text(result: RepairResult) -> str:
    """The account, and the diff at its end where there is one."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: RepairResult) -> Iterator[str]:
    yield f"{_HEADINGS[result.outcome]}: {printable(result.reason)}"
    yield ""
    if result.test is not None:
        variant = f" [{printable(result.test.variant)}]" if result.test.variant else ""
        yield from _row("Test", f"{printable(result.test.file)}: {printable(' > '.join(result.test.title))}{variant}")
    if result.site is not None:
        yield from _row("Wait", *_site(result.site))
    if result.before is not None:
        yield from _row("Untouched", f"{result.before.failures} of {result.before.runs} runs failed")
    if result.candidates:
        yield from _row("Times found", *_candidates(result.candidates))
    if result.trials:
        yield from _row("Tried", *map(_trial, result.trials))
    if result.repair is not None:
        yield from _row("Change", *_change(result, result.repair))
    if result.outcome is not None:
        yield from _row("Spent", *_spent(result))
    for warning in result.warnings:
        yield from _row("Warning", printable(warning))
    if result.repair is not None:
        yield ""
        yield result.repair.patch.diff.rstrip("\n")


def _row(label: str, *texts: str) -> Iterator[str]:
    for index, text in enumerate(texts):
        yield f"  {label if index == 0 else '':<12} {text}"


def _site(site: WaitSite) -> Iterator[str]:
    place = f"{printable(site.file)}:{site.line}:{site.column}"
    if site.action == "insert":
        yield f"{place}  none (level {site.level}): one would be inserted before this statement"
        return
    kind = site.kind.replace("_", " ")
    yield f"{place}  {printable(site.api)} ({kind}, level {site.level})"
    yield f"{_ms_in_force(site)}; {_ACTIONS[site.action]}"


def _ms_in_force(site: WaitSite) -> str:
    if site.ms is None:
        return (
            "no bound in force" if site.ms_from is MsFrom.UNBOUNDED else "the time in force is not known before a run"
        )
    return f"{number(site.ms)} ms in force ({site.ms_from})"


def _candidates(candidates: tuple[Candidate, ...]) -> Iterator[str]:
    for candidate in candidates[:_SHOWN_CANDIDATES]:
        source = candidate.source
        where = f"{printable(source.path)}:{source.line}" + (f" at {source.commit[:10]}" if source.commit else "")
        yield f"{number(candidate.ms):>7} ms  likeness {candidate.score:.2f}  {where}"
    if len(candidates) > _SHOWN_CANDIDATES:
        yield f"and {len(candidates) - _SHOWN_CANDIDATES} more"


def _trial(trial: Trial) -> str:
    if trial.passed:
        ended = f"passed {trial.runs} of {trial.runs}"
    else:
        ended = f"failed in run {trial.runs}" if trial.failures else f"only {trial.runs} of {trial.asked} runs executed"
    return f"{number(trial.ms):>7} ms  {trial.phase:<12}  {ended}"


def _change(result: RepairResult, repair: Repair) -> Iterator[str]:
    site = result.site
    before = _before(site)
    yield f"{before} -> {number(repair.patch.ms)} ms" + (
        f" (the search's shortest: {number(repair.tuned_ms)} ms)" if repair.tuned_ms != repair.patch.ms else ""
    )
    if repair.patch.raised_limit_ms is not None:
        yield f"the test's own limit is raised to {number(repair.patch.raised_limit_ms)} ms, so that the wait fits"
    after = "unknown" if repair.run_ms_after is None else f"{repair.run_ms_after:.0f} ms"
    if repair.run_ms_before is None:
        yield f"a run takes {after} after it (median)"
    else:
        yield f"a run takes {repair.run_ms_before:.0f} ms before and {after} after it (medians of passing runs)"


def _before(site: WaitSite | None) -> str:
    if site is None or site.ms is None:
        return "no wait"
    return f"{number(site.ms)} ms" if site.level == 0 else f"the default of {number(site.ms)} ms"


def _spent(result: RepairResult) -> Iterator[str]:
    jobs = "1 job" if result.jobs == 1 else f"{result.jobs} jobs"
    yield f"{result.total_runs} runs in {result.wall_s:.0f} s, {jobs}, on {printable(result.machine)}"
    if result.level is Level.PROCESS:
        yield "each in a process of its own"
    elif result.level is not None:
        yield f"{_KEPT_APART[result.level]}, {result.fresh_runs} of them in processes of their own"
